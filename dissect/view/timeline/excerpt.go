package timeline

import (
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// A Line is the line of a record in the list. The excerpt of the input is shown beside the pictures, so that a point
// leads to its record.
type Line struct {
	Frame     uint64  `json:"frame"`
	Time      float64 `json:"t"`
	Stream    int     `json:"stream"`
	Direction string  `json:"direction,omitempty"`
	Length    int     `json:"length"`
	Protocol  string  `json:"protocol"`
	Info      string  `json:"info"`
}

// Limits of the excerpt.
const (
	maxCandidates = 40_000 // lines that are kept until it is known what the pictures show
	maxLines      = 5_000
	maxLineInfo   = 160 // bytes
)

// excerpt keeps the lines of records that pictures may lead to.
type excerpt struct {
	lines []Line
	last  map[excerptKey]int64 // second of the last line
	buf   []byte
	full  bool
}

type excerptKey struct {
	stream    int
	direction dissect.Direction
}

// add adds the line of a record with events, and of the first one of every second.
func (x *excerpt) add(rec *dissect.Record, c *clock, shot, secrets bool) {
	if rec.Protocol == nil || rec.Closing {
		return
	}
	if x.last == nil {
		x.last = map[excerptKey]int64{}
	}
	key := excerptKey{rec.Stream, rec.Direction}
	second := int64(c.now) // the shortest piece of the lagometer
	at, known := x.last[key]
	regular := c.known && (!known || second != at) && (known || len(x.last) < maxCandidates)
	if !regular && !shot && len(rec.Events.Nodes) == 0 {
		return
	}
	if regular {
		x.last[key] = second
	}
	if len(x.lines) >= maxCandidates {
		x.full = true
		return
	}
	shown := rec.ShowSecrets
	rec.ShowSecrets = secrets
	x.buf = render.AppendInfoCell(x.buf[:0], rec)
	rec.ShowSecrets = shown
	if len(x.buf) > maxLineInfo {
		x.buf = append(x.buf[:maxLineInfo], "..."...)
	}
	l := Line{
		Frame: rec.Number(), Time: thousandths(c.now), Stream: rec.Stream, Length: rec.Length,
		Direction: rec.Direction.String(), Info: string(x.buf),
	}
	x.buf = render.AppendProtocolCell(x.buf[:0], rec)
	l.Protocol = string(x.buf)
	x.lines = append(x.lines, l)
}

// choose returns the lines of records that the pictures lead to: those with events first, then shots, then the
// lagometer's.
func (x *excerpt) choose(d *Data, notes *notes) []Line {
	const event, shot, travel = 3, 2, 1
	rank := map[uint64]int{}
	want := func(frame uint64, weight int) { rank[frame] = max(rank[frame], weight) }
	for _, g := range d.Games {
		for i := range g.Events {
			want(g.Events[i].Frame, event)
		}
	}
	for i := range d.Aim {
		for _, frame := range d.Aim[i].Frames {
			want(frame, shot)
		}
	}
	for i := range d.Lagometer {
		for _, frame := range d.Lagometer[i].Frames {
			want(frame, travel)
		}
	}
	var list []Line
	for _, l := range x.lines {
		if rank[l.Frame] > 0 {
			list = append(list, l)
		}
	}
	if len(list) > maxLines || x.full {
		notes.add("The excerpt of records has %d lines: pictures lead to more.", min(len(list), maxLines))
	}
	slices.SortStableFunc(list, func(a, b Line) int { return cmp.Compare(rank[b.Frame], rank[a.Frame]) })
	list = list[:min(len(list), maxLines)]
	slices.SortStableFunc(list, func(a, b Line) int { return cmp.Compare(a.Frame, b.Frame) })
	return list
}
