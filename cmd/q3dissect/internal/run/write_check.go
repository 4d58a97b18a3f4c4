package run

import (
	"fmt"
	"hash/maphash"
	"os"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/quantity"
)

// mostChecked is how many packets of a file are compared with the input.
const mostChecked = 100_000

// A written packet is one that matched, in the file of -w.
type written struct {
	frame uint64 // in the input
	place uint64 // in the file, from 1
	sum   uint64 // sumOf its record in the input
}

// seed makes sums of one run alike.
var seed = maphash.MakeSeed()

// sumOf returns a sum of what people read of a record first: its line in the list, and its events.
func sumOf(rec *dissect.Record) uint64 {
	text := rec.AppendInfo(nil)
	if source := rec.EventSource(); source != nil {
		for i := 0; i < len(rec.Events.Nodes); i = int(rec.Events.Nodes[i].End) {
			text = source.AppendEvent(append(text, 0), &rec.Events, i)
		}
	}
	return maphash.Bytes(seed, text)
}

// note keeps the sum of a packet that matches, as it reads in the input.
func (s *survey) note(rec *dissect.Record) {
	sum := sumOf(rec)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.sums) < mostChecked {
		s.sums[rec.Frame] = sum
	}
}

// sum returns what note kept of a packet.
func (s *survey) sum(frame uint64) (sum uint64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum, ok = s.sums[frame]
	return sum, ok
}

// check reads the file of -w, as somebody will who has it alone, and compares it with the input: a packet may depend on
// others that --with-context does not add, such as the snapshot that it is a delta of.
func (r *pass) check() {
	if info, err := os.Stat(string(r.Write)); err != nil || !info.Mode().IsRegular() || len(r.writing.matched) == 0 {
		return // a pipe was read by somebody else
	}
	var mu sync.Mutex
	sums := make(map[uint64]uint64, len(r.writing.matched)) // by place
	for _, w := range r.writing.matched {
		sums[w.place] = 0
	}
	cfg := r.config()
	cfg.Before, cfg.Select, cfg.Output, cfg.Options.Events = nil, nil, nil, true
	cfg.FinishTo = func(_ *engine.Out, rec *dissect.Record) error {
		if _, wanted := sums[rec.Frame]; wanted && !rec.Closing { // the keys do not change
			sum := sumOf(rec)
			mu.Lock()
			sums[rec.Frame] = sum
			mu.Unlock()
		}
		return nil
	}
	r.recovering(&cfg, string(r.Write), false)
	in, err := open.File(string(r.Write), r.reading())
	if err != nil {
		return
	}
	defer in.Close()
	e, err := engine.New(cfg)
	if err != nil {
		return
	}
	_ = open.Feed(e, in, nil) // what cannot be read differs
	_, _ = e.Close()
	differ, first := uint64(0), uint64(0)
	for _, w := range r.writing.matched {
		if sums[w.place] == w.sum {
			continue
		}
		if differ++; first == 0 {
			first = w.frame
		}
	}
	if differ > 0 {
		r.complain(fmt.Sprintf("%s alone does not show all of %d of the %s that matched, of frame %d first: "+
			"it lacks what they depend on",
			r.Write, differ, quantity.Count(len(r.writing.matched), "packet"), first))
	}
}
