package view

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/suggest"
)

// ioKind is the statistic of intervals, like tshark's io,stat.
func ioKind() Kind {
	return Kind{
		Name: "io", Usage: "io,SECONDS[,[SUM(FIELD)]FILTER]...", Doc: "datagrams and bytes by intervals of time",
		Needs:   Needs{Tree: true},
		Columns: ioColumns().described(),
		make:    newIO,
	}
}

// An ioRow is an interval of the statistic io, with the counts of one filter.
type ioRow struct {
	start, end float64 // s
	at         any     // the date of start
	*ioSeries
	ioCounts
}

func ioColumns() columns[ioRow] {
	return columns[ioRow]{
		{startColumnOf("start of the interval, since the first packet of the file"), func(r ioRow) any { return r.start }},
		{startTimeColumn, func(r ioRow) any { return r.at }},
		{numberColumn("end", "s", "end of the interval"), func(r ioRow) any { return r.end }},
		{textColumn("filter", "the filter; absent for all records"), func(r ioRow) any { return orNil(r.filter) }},
		{packetsColumn, func(r ioRow) any { return r.packets }},
		{bytesColumn, func(r ioRow) any { return r.bytes }},
		{textColumn("calculation", "what is calculated of a field, SUM(length)"), func(r ioRow) any { return orNil(r.text) }},
		{numberColumn("value", "", "its result; absent where the field has no value"), func(r ioRow) any { return r.result() }},
	}
}

// maxIntervals is the most intervals of the statistic io. Beyond that, two are joined to one.
const maxIntervals = 100_000

// An ioSeries is a column of tshark's io,stat: the records of a filter, and what is calculated of a field in them.
type ioSeries struct {
	filter    string // "" for all
	matches   func(*dissect.Record) bool
	text      string // of the calculation: "SUM(length)"; "" for none
	calculate string // one of calculations
	values    func(*dissect.Record, func(float64))
}

// calculations are tshark's, but for LOAD, which is about requests and answers.
var calculations = []string{"COUNT", "SUM", "AVG", "MIN", "MAX"}

// ioCounts are the results of a series in an interval.
type ioCounts struct {
	flow
	n             uint64
	sum, min, max float64
}

func (c *ioCounts) put(v float64) {
	if c.n++; c.n == 1 {
		c.min, c.max = v, v
	}
	c.sum, c.min, c.max = c.sum+v, min(c.min, v), max(c.max, v)
}

// join adds the counts of another interval.
func (c *ioCounts) join(d *ioCounts) {
	c.packets, c.bytes = c.packets+d.packets, c.bytes+d.bytes
	if d.n == 0 {
		return
	}
	if c.n == 0 {
		c.min, c.max = d.min, d.max
	}
	c.n, c.sum, c.min, c.max = c.n+d.n, c.sum+d.sum, min(c.min, d.min), max(c.max, d.max)
}

// result returns the result of the calculation; nil: there is none.
func (r *ioRow) result() any {
	switch {
	case r.calculate == "":
		return nil
	case r.calculate == "COUNT":
		return float64(r.n)
	case r.n == 0:
		return nil
	}
	value := map[string]float64{"SUM": r.sum, "AVG": r.sum / float64(r.n), "MIN": r.min, "MAX": r.max}[r.calculate]
	if math.IsInf(value, 0) || math.IsNaN(value) {
		return nil // JSON has no number for it
	}
	return round(value, 9)
}

type ioStatistic struct {
	wanted, interval int64 // 0: the whole input
	series           []ioSeries
	counts           [][]ioCounts // by interval, then by series
	last             int64        // newest time, since the first packet
	base             int64        // time of the first packet
	based, mixed     bool         // base is known; several inputs have others
}

func newIO(args []string, env *Env) (Statistic, error) {
	if len(args) > 0 && args[0] == "stat" { // tshark's io,stat
		args = args[1:]
	}
	if len(args) == 0 {
		return nil, fmt.Errorf("io needs the length of an interval, as in io,10")
	}
	interval, ok := seconds(args[0])
	if !ok && strings.Trim(args[0], "0.") != "" {
		return nil, fmt.Errorf("io,%s: want a number of seconds", args[0])
	}
	s := &ioStatistic{wanted: interval, interval: interval}
	for _, text := range joinFilters(args[1:]) {
		series, err := newSeries(text, env)
		if err != nil {
			return nil, err
		}
		s.series = append(s.series, series)
	}
	if len(s.series) == 0 {
		s.series = []ioSeries{{matches: func(*dissect.Record) bool { return true }}}
	}
	return s, nil
}

// newSeries prepares FILTER, or CALCULATION(FIELD)FILTER.
func newSeries(text string, env *Env) (s ioSeries, err error) {
	s.matches = func(*dissect.Record) bool { return true }
	if open := strings.IndexByte(text, '('); open > 0 && strings.Trim(text[:open], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		end := closing(text[open:])
		if !slices.Contains(calculations, text[:open]) || end < 0 {
			return s, fmt.Errorf("io,%s: want CALCULATION(FIELD)FILTER; %s", text, suggest.Choices(text[:open], calculations))
		}
		s.calculate, s.text = text[:open], text[:open+end+1]
		if env.Values == nil {
			return s, fmt.Errorf("io,%s: calculations are for the command line", text)
		}
		if s.values, err = env.Values(text[open+1:open+end], s.calculate != "COUNT"); err != nil {
			return s, err
		}
		text = strings.TrimSpace(text[open+end+1:])
	}
	if s.filter = text; text != "" {
		s.matches, err = env.Filter(text)
	}
	return s, err
}

// closing returns the index of the bracket that closes the first one, or -1.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// joinFilters rejoins the parts of filters that contain commas, in brackets and quotes.
func joinFilters(parts []string) []string {
	var filters []string
	open := false
	for _, p := range parts {
		if open {
			filters[len(filters)-1] += "," + p
		} else {
			filters = append(filters, p)
		}
		last := filters[len(filters)-1]
		open = strings.Count(last, "{") > strings.Count(last, "}") || strings.Count(last, "(") > strings.Count(last, ")") ||
			strings.Count(last, `"`)%2 == 1
	}
	return filters
}

func (s *ioStatistic) Add(rec *dissect.Record) {
	if !rec.HasTime || rec.Time < rec.FirstTime {
		return
	}
	s.last = max(s.last, rec.Time-rec.FirstTime)
	if !s.based {
		s.base, s.based = rec.FirstTime, true
	}
	s.mixed = s.mixed || rec.FirstTime != s.base
	i := int64(0)
	if s.interval > 0 {
		i = (rec.Time - rec.FirstTime) / s.interval
	}
	for ; i >= maxIntervals; i /= 2 {
		s.halve()
	}
	for int64(len(s.counts)) <= i {
		s.counts = append(s.counts, make([]ioCounts, len(s.series)))
	}
	for n := range s.series {
		series, c := &s.series[n], &s.counts[i][n]
		if !series.matches(rec) {
			continue
		}
		if c.add(rec); series.values != nil {
			series.values(rec, c.put)
		}
	}
}

// halve joins intervals in pairs.
func (s *ioStatistic) halve() {
	s.interval *= 2
	for i := 0; i < len(s.counts); i += 2 {
		merged := s.counts[i]
		if i+1 < len(s.counts) {
			for n := range s.counts[i+1] {
				merged[n].join(&s.counts[i+1][n])
			}
		}
		s.counts[i/2] = merged
	}
	s.counts = slices.Clip(s.counts[:(len(s.counts)+1)/2])
}

func (s *ioStatistic) Tables() []Table {
	var notes []string
	if s.interval != s.wanted {
		notes = append(notes, fmt.Sprintf("more than %d intervals: each is %g seconds long now", maxIntervals,
			float64(s.interval)/1e9))
	}
	return []Table{ioColumns().table("io", s.rows(), notes)}
}

func (s *ioStatistic) rows() iter.Seq[ioRow] {
	return func(yield func(ioRow) bool) {
		for i, counts := range s.counts {
			length := cmp.Or(s.interval, s.last)
			start, end := float64(int64(i)*length)/1e9, float64(int64(i+1)*length)/1e9
			var at any
			if s.based && !s.mixed {
				at = dateOf(s.base + int64(i)*length)
			}
			for n, c := range counts {
				if !yield(ioRow{start, end, at, &s.series[n], c}) {
					return
				}
			}
		}
	}
}
