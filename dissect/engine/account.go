package engine

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/footprint"
	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// account measures what the streams keep, and makes the workers forget some if it is more than Config.Memory. When it
// is called, and what it finds, depends on the input alone: the workers have done everything that came before.
func (f *front) account(at idle.Moment) {
	f.send(false)
	f.rest()
	if f.meter == nil {
		f.meter = footprint.NewMeter()
	}
	if f.cfg.Collected != nil && f.memory.CollectedDue(f.now.Bytes) {
		f.finished()
		f.memory.Collected(f.now.Bytes, f.meter.Of(f.cfg.Collected))
	}
	total, forgotten := f.memory.Measure(f.keeps)
	for _, s := range forgotten {
		f.drop(s, at)
	}
	f.measured, f.due = f.now.Bytes, f.memory.Due(total)
}

// rest waits until the workers have done what they were sent.
func (f *front) rest() {
	var back []*batch
	for range f.made - len(f.window) {
		back = append(back, <-f.free)
	}
	for _, b := range back {
		f.free <- b
	}
}

// finished waits until Finish and InOrder have had every record whose turn it is.
func (f *front) finished() {
	switch w := f.workers[0]; {
	case w.deliver != nil: // the loop has them
	case f.cfg.Workers == 0:
		w.send()
	default:
		f.writer.settle()
	}
}

// keeps returns the bytes that a stream keeps, about. The workers must be idle.
func (f *front) keeps(s *dissect.Stream) int {
	kept := s.Engine.State
	n := streamBytes
	if running, ok := kept.(*stream); ok {
		kept = running.conv
	}
	return n + f.meter.Of(kept)
}

// streamBytes is what the engine and a router keep of a stream.
const streamBytes = 512
