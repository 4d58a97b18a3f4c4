package browse

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// A Plot is how the values of a field change.
type Plot struct {
	progress
	Field  string   `json:"field"`
	Unit   string   `json:"unit,omitempty"`
	Doc    string   `json:"doc,omitempty"`
	Timed  bool     `json:"timed"`  // points have a time; if not, the number of their packet
	Series []Series `json:"series"` // those with the most points, by file and stream
	Left   int      `json:"left"`   // series that are left out
	// of all records; of series with very many the highest and lowest of neighbours are given
	Points int `json:"points"`
}

// A Series is the points of one stream in one direction.
type Series struct {
	File      int     `json:"file"`
	Stream    int     `json:"stream"`
	Direction string  `json:"direction,omitempty"`
	Points    []Point `json:"points"`
}

// A Point is a value of a record.
type Point struct {
	At    float64 `json:"at"` // seconds since the first packet of the input, or the number of the packet
	Value float64 `json:"value"`
	Row   int     `json:"row"`
	Frame uint64  `json:"frame"` // as the list has it
}

const (
	maxSeries  = 16
	maxPoints  = 8 << 10 // of a series
	seriesKept = 256     // while records are read
)

// plotted is a plot in the making.
type plotted struct {
	series map[seriesKey]*Series
	many   int // points
	left   int // series beyond seriesKept
	timed  bool
}

type seriesKey struct {
	file, stream int
	direction    dissect.Direction
}

// Plot returns the numbers that a field has in the records that fit a filter. What was found so far is given while the
// inputs are still read.
func (s *Session) Plot(field, text string) (Plot, error) {
	reader, err := s.fieldReader(field)
	if err != nil {
		return Plot{}, err
	}
	var only *chosen
	if text != "" {
		f, err := s.names.Compile(text)
		if err != nil {
			return Plot{}, err
		}
		only = &chosen{file: -1, filter: f}
	}
	s.mu.Lock()
	j := s.job(&s.panels, "plot,"+field+","+text,
		func(ctx context.Context, j *job) error { return s.readPlot(ctx, j, reader, only) })
	s.mu.Unlock()
	p := Plot{Field: field, Series: []Series{}}
	for _, f := range s.fields() {
		if f.Path == field {
			p.Unit, p.Doc = f.Unit, f.Doc
		}
	}
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	p.progress = j.progress(s, 0)
	if j.plot != nil {
		j.plot.show(&p)
	}
	return p, nil
}

// readPlot collects the points.
func (s *Session) readPlot(ctx context.Context, j *job, reader *fieldReader, only *chosen) error {
	all := &plotted{series: map[seriesKey]*Series{}}
	s.index.mu.Lock()
	j.plot = all
	s.index.mu.Unlock()
	return s.eachRow(ctx, j, only, func(dst []byte, rec *dissect.Record) []byte {
		from := len(dst)
		dst = reader.append(dst, rec)
		values := numbers(string(dst[from:]))
		dst = dst[:from]
		for _, v := range values {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
		}
		return dst
	}, func(file, row int, k *engine.Kept) error {
		key, number := seriesKey{file, k.Stream, k.Direction}, k.Number()
		at := float64(number)
		if k.HasTime && !k.Recorded() {
			at = float64(k.Time-k.FirstTime) / 1e9
		}
		s.index.mu.Lock()
		defer s.index.mu.Unlock()
		all.timed = all.timed || k.HasTime
		for b := k.Bytes; len(b) > 0; b = b[8:] {
			all.add(key, Point{At: at, Value: math.Float64frombits(binary.LittleEndian.Uint64(b)), Row: row, Frame: number})
		}
		return nil
	})
}

// numbers returns the numbers of lines; true and false are 1 and 0.
func numbers(lines string) (list []float64) {
	for text := range strings.SplitSeq(lines, "\n") {
		switch v, err := strconv.ParseFloat(text, 64); {
		case err == nil && !math.IsNaN(v) && !math.IsInf(v, 0):
			list = append(list, v)
		case text == "true":
			list = append(list, 1)
		case text == "false":
			list = append(list, 0)
		}
	}
	return list
}

// add takes a point.
func (p *plotted) add(key seriesKey, point Point) {
	p.many++
	s := p.series[key]
	if s == nil {
		if len(p.series) >= seriesKept {
			p.left++
			return
		}
		s = &Series{File: key.file, Stream: key.stream, Direction: key.direction.String()}
		p.series[key] = s
	}
	if s.Points = append(s.Points, point); len(s.Points) >= 2*maxPoints {
		s.thin()
	}
}

// thin keeps the lowest and the highest of every four points, in their order.
func (s *Series) thin() {
	kept := s.Points[:0]
	for group := range slices.Chunk(s.Points, 4) {
		low, high := 0, 0
		for i := range group {
			if group[i].Value < group[low].Value {
				low = i
			}
			if group[i].Value >= group[high].Value {
				high = i
			}
		}
		first, second := group[min(low, high)], group[max(low, high)]
		if kept = append(kept, first); low != high {
			kept = append(kept, second)
		}
	}
	s.Points = kept
}

// show returns the series with the most points.
func (p *plotted) show(to *Plot) {
	to.Timed, to.Points = p.timed, p.many
	for _, s := range p.series {
		to.Series = append(to.Series, Series{s.File, s.Stream, s.Direction, slices.Clone(s.Points)})
	}
	slices.SortFunc(to.Series, func(a, b Series) int {
		return cmp.Or(len(b.Points)-len(a.Points), a.File-b.File, a.Stream-b.Stream,
			strings.Compare(a.Direction, b.Direction))
	})
	if to.Left = p.left; len(to.Series) > maxSeries {
		to.Left += len(to.Series) - maxSeries
		to.Series = to.Series[:maxSeries]
	}
	slices.SortFunc(to.Series, func(a, b Series) int {
		return cmp.Or(a.File-b.File, a.Stream-b.Stream, strings.Compare(a.Direction, b.Direction))
	})
}

// When returns the row of the first packet of an input that is not before a time, in seconds since the first one.
func (s *Session) When(file int, seconds float64) (Found, error) {
	x := s.index
	x.mu.Lock()
	if file < 0 || file >= len(x.files) || x.files[file].rows == 0 {
		x.mu.Unlock()
		return Found{}, ErrNoRow
	}
	f := x.files[file]
	x.mu.Unlock()
	time := f.firstTime + int64(seconds*1e9)
	var fault error
	lo, hi := f.first, f.first+f.rows-1
	for lo < hi {
		mid := (lo + hi) / 2
		w, err := x.row(mid)
		if fault = err; fault != nil {
			return Found{}, fault
		}
		if w.packet.Time < time {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return Found{Row: lo, Exact: true}, nil
}
