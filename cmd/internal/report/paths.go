package report

import (
	"fmt"

	"github.com/q3dissect/q3dissect/dissect/compare"
)

// A path is one direction of a conversation between two places, for the section that compares captures.
type path struct {
	Between   [2]string `json:"between"` // letters of the places, that of the sender first
	Files     [2]string `json:"files"`   // their captures
	Clock     string    `json:"clock"`   // in words
	Protocol  string    `json:"protocol"`
	Client    string    `json:"client"` // as the first capture has it
	Server    string    `json:"server"`
	Direction string    `json:"direction"`
	Words     []string  `json:"words"`
	// What happened in each piece of time, by the time at which datagrams were sent: seconds since the first of the
	// path's captures. Delays are in milliseconds, null where nothing arrived.
	Seconds   float64    `json:"seconds"` // length of a piece
	Times     []float64  `json:"times"`
	Sent      []int      `json:"sent"`
	Lost      []int      `json:"lost"`
	Reordered []int      `json:"reordered"`
	Min       []*float64 `json:"delay_min"`
	Median    []*float64 `json:"delay_median"` // the largest of the piece's seconds
	Max       []*float64 `json:"delay_max"`
}

// maxPieces is how many pieces of time a path has at most; longer ones cover several seconds.
const maxPieces = 1200

// SetPaths adds the section that compares captures: the results of each capture with the next.
func (r *Report) SetPaths(results []*compare.Result) {
	for _, result := range results {
		for _, pair := range result.Pairs {
			for _, p := range pair.Paths {
				r.document.Paths = append(r.document.Paths, newPath(result, pair, p))
			}
		}
	}
	r.document.Compared = true
}

func newPath(r *compare.Result, pair *compare.Pair, p *compare.Path) *path {
	from, to := r.A, r.B
	if !p.FromA {
		from, to = to, from
	}
	out := &path{
		Between: [2]string{from.Letter, to.Letter}, Files: [2]string{from.Name, to.Name}, Clock: r.ClockSentence(),
		Protocol: pair.A.Protocol, Client: fmt.Sprint(pair.A.Client), Server: fmt.Sprint(pair.A.Server),
		Direction: p.Direction.String(), Words: p.Sentences(), Seconds: 1,
		Times: []float64{}, Sent: []int{}, Lost: []int{}, Reordered: []int{},
		Min: []*float64{}, Median: []*float64{}, Max: []*float64{},
	}
	if len(p.Seconds) == 0 {
		return out
	}
	first, last := p.Seconds[0].Time, p.Seconds[len(p.Seconds)-1].Time
	length := int64(1e9)
	for (last-first)/length >= maxPieces {
		length *= 2
	}
	out.Seconds = float64(length) / 1e9
	piece := int64(-1)
	for i := range p.Seconds {
		for at := (p.Seconds[i].Time - first) / length; piece < at; { // also those in which nothing was sent
			piece++
			out.Times = append(out.Times, float64(piece*length)/1e9)
			out.Sent, out.Lost, out.Reordered = append(out.Sent, 0), append(out.Lost, 0), append(out.Reordered, 0)
			out.Min, out.Median, out.Max = append(out.Min, nil), append(out.Median, nil), append(out.Max, nil)
		}
		out.add(&p.Seconds[i])
	}
	return out
}

// add adds a second to the last piece.
func (p *path) add(s *compare.Second) {
	n := len(p.Times) - 1
	p.Sent[n] += s.Sent
	p.Lost[n] += s.Lost
	p.Reordered[n] += s.Reordered
	if s.Sent <= s.Lost {
		return
	}
	for _, of := range []struct {
		to    **float64
		value int64
		least bool
	}{{&p.Min[n], s.DelayMin, true}, {&p.Median[n], s.DelayMedian, false}, {&p.Max[n], s.DelayMax, false}} {
		ms := float64(of.value/1e3) / 1e3
		if *of.to == nil || of.least && ms < **of.to || !of.least && ms > **of.to {
			*of.to = &ms
		}
	}
}
