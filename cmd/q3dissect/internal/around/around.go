// Package around finds the parts of inputs that are around events.
package around

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/quantity"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A Search finds the moments at which an event matches a filter, and the parts around them by the server's clock. It is
// an exporter that writes nothing: a run gives it the records.
type Search struct {
	Filter        *filter.Filter      // over events
	Rules         *extract.Highlights // of remarkable moments; nil: none
	Before, After time.Duration

	Parts   map[string]map[int][]extract.DemoPart // by name of the input, and by stream
	Moments int                                   // of all inputs
	Notes   []string                              // about moments that no demo can show

	input   string
	workers []worker
}

// A worker has the streams of one of the engine's goroutines.
type worker struct {
	streams map[int]*stream
	matcher *filter.Matcher
}

// A stream is what is known of one stream at its last record.
type stream struct {
	parts []extract.DemoPart
	open  bool  // the last part is not over
	until int64 // and ends with the last snapshot of this time
	clock int64 // of the last snapshot
	timed bool  // there was one in the present game
	// recent are the snapshots of the present game that a part can begin with, and those after them.
	recent []snapshot
	demo   bool // its messages can be in demos
	whole  bool // it is a recording of everybody: no parts are cut out of that
	count  int  // moments
}

// told is how long after an event it is looked for, in milliseconds: that of several kills is told after the last.
const told = 120_000

type snapshot struct {
	frame uint64
	time  int64
}

// Prepare makes an engine search an input.
func (s *Search) Prepare(cfg *engine.Config, input string, _ bool) {
	s.input, s.workers = input, make([]worker, max(cfg.Workers, 1))
	for i := range s.workers {
		s.workers[i] = worker{streams: map[int]*stream{}, matcher: s.Filter.Matcher()}
	}
	cfg.NoTree, cfg.Options.Events, cfg.Options.Demos = true, true, &extract.DemoRange{}
	cfg.Options.Highlights = s.Rules
	cfg.Finish = func(number int, dst []byte, rec *dissect.Record) ([]byte, error) {
		s.add(&s.workers[number], rec)
		return dst, nil
	}
	cfg.Output = nil
}

// add takes the next record of a stream.
func (s *Search) add(w *worker, rec *dissect.Record) {
	number := max(rec.Stream, 0)
	one := w.streams[number]
	if one == nil {
		one = &stream{}
		w.streams[number] = one
	}
	before, after := s.Before.Milliseconds(), s.After.Milliseconds()
	if !rec.Closing {
		one.advance(rec, before, after)
	}
	for e := range event.Of(rec) {
		if w.matcher.MatchEvent(rec, e.Node()) {
			one.moment(&e, before, after)
		}
	}
}

// advance takes the clock of a record, and ends the part that is over.
func (s *stream) advance(rec *dissect.Record, before, after int64) {
	p := &rec.Demo
	s.demo = s.demo || p.Message
	begins := p.Begin != nil && !p.Begin.Again
	if begins || p.End {
		s.end(rec.Frame)
		s.whole = s.whole || begins && p.Begin.Told != nil && p.Begin.Told.Computed != nil
		s.recent, s.timed = s.recent[:0], false
	}
	if !p.HasTime {
		return
	}
	now := int64(p.ServerTime)
	switch {
	case s.timed && now < s.clock: // the clock begins again
		s.end(rec.Frame)
		s.recent = s.recent[:0]
	case !s.timed && s.open:
		s.until = now + after
	case s.open && now > s.until:
		s.end(rec.Frame)
	}
	s.clock, s.timed = now, true
	s.recent = append(s.recent, snapshot{rec.Frame, now})
	old := 0
	for s.recent[old].time < now-before-told {
		old++
	}
	if old > len(s.recent)/2 { // the others move to the front
		s.recent = slices.Delete(s.recent, 0, old)
	}
}

// end ends the last part before a frame, if it is not over.
func (s *stream) end(before uint64) {
	if s.open {
		s.parts[len(s.parts)-1].Last, s.open = before-1, false
	}
}

// moment adds an event to the part that it is in, or to a new one.
func (s *stream) moment(e *event.Event, before, after int64) {
	rec, at := e.Record, s.clock
	m := extract.DemoMoment{Event: e.Kind, ServerTime: at, Info: wiretext.String([]byte(e.Text()))}
	if number := rec.Number(); rec.Recorded() {
		m.DemoMessage = &number
	} else {
		m.Frame = number
	}
	if v := e.Get(dissect.EventServerTime.Key); v.Exists() {
		m.ServerTime = v.Int()
	}
	if len(s.recent) > 0 && m.ServerTime >= s.recent[0].time { // some events are told when what follows is known
		at = min(at, m.ServerTime)
	}
	since := at
	if e.Kind == event.Multikill || e.Kind == event.Midair || e.Kind == event.Flick { // they last
		since, at = min(at, e.Get("start_time").Int()), min(at, e.Get("end_time").Int())
		m.ServerTime = since
	}
	first, last, goesOn := rec.Frame, rec.Frame, !s.timed || at+after >= s.clock
	if i := slices.IndexFunc(s.recent, func(n snapshot) bool { return n.time >= since-before }); i >= 0 {
		first = min(first, s.recent[i].frame)
	}
	for i := len(s.recent) - 1; i >= 0 && !goesOn && s.recent[i].time > at+after; i-- {
		last = s.recent[i].frame - 1
	}
	if n := len(s.parts); n == 0 || first > s.parts[n-1].Last {
		s.parts = append(s.parts, extract.DemoPart{First: first, Last: last})
		s.until = at + after
	}
	part := &s.parts[len(s.parts)-1]
	part.Moments = append(part.Moments, m)
	part.Last = max(part.Last, last)
	s.until = max(s.until, at+after)
	if s.open = s.open || goesOn; s.open {
		part.Last = math.MaxUint64
	}
	s.count++
}

// EndInput completes the parts of the input.
func (s *Search) EndInput(incomplete.List) error {
	parts, other, whole := map[int][]extract.DemoPart{}, 0, 0
	for _, w := range s.workers {
		for number, one := range w.streams {
			s.Moments += one.count
			switch {
			case one.whole:
				whole += one.count
			case !one.demo:
				other += one.count
			case len(one.parts) > 0:
				parts[number] = one.parts
			}
		}
	}
	s.lose(other, Sources)
	s.lose(whole, "of teehistorian files, demos are made whole, or with --from and --to, or of a --run")
	s.Parts[s.input], s.workers = parts, nil
	return nil
}

// lose adds a note about moments without a demo.
func (s *Search) lose(moments int, why string) {
	if moments > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%s: no demo of %s: %s", s.input, quantity.Count(moments, "moment"), why))
	}
}

// Sources says what demos are made of, where an input is nothing of that.
const Sources = "demos are cut out of demos and of captures of Quake III's family and made of teehistorian files, " +
	"not of captures of Teeworlds"
