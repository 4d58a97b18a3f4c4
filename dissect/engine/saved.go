package engine

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// A SavedState is the state of a stream after one of its datagrams. It never changes.
type SavedState struct {
	Stream int
	Frame  uint64 // of the datagram
	Size   int    // bytes of memory, about

	protocol    int
	conv        any // for the protocol's Restore
	datagrams   uint64
	last, noted idle.Moment
}

// A Saver keeps states of streams while an input is dissected, for NewReplayFrom.
type Saver struct {
	// Every is how many datagrams lie between two states of a stream, more where a record waits.
	Every uint64
	// Save takes a state. It is called by the workers' goroutines, for the states of one stream in their order.
	Save func(s *SavedState)
}

// save gives the state of a stream to the Saver, if it is time. Every datagram up to frame was dissected.
func (w *worker) save(s *stream, frame uint64) {
	if s.datagrams-s.saved < w.cfg.Saver.Every || s.oldest() != nil || s.payloads != nil {
		return
	}
	s.saved = s.datagrams
	if state := s.state(w.cfg.Protocols[s.protocol], frame); state != nil {
		w.cfg.Saver.Save(state)
	}
}

// state copies the state of a stream; nil: it cannot be copied.
func (s *stream) state(p *dissect.Protocol, frame uint64) *SavedState {
	if p.Save == nil {
		return nil
	}
	conv, size := p.Save(s.conv)
	if conv == nil {
		return nil
	}
	return &SavedState{
		Stream: s.number, Frame: frame, Size: size, protocol: s.protocol, conv: conv, datagrams: s.datagrams,
		last: s.last, noted: s.noted,
	}
}

// NewReplayFrom begins with the datagram that follows a saved state, which stays as it is. It was saved with the same
// Protocols and Options.
func NewReplayFrom(cfg Config, file string, state *SavedState, show func(*dissect.Record)) *Replay {
	r := NewReplay(cfg, file, state.Stream, show)
	conv := cfg.Protocols[state.protocol].Restore(cfg.Options, state.conv)
	s := &stream{
		of: r.stream, number: state.Stream, protocol: state.protocol, conv: conv,
		datagrams: state.datagrams, last: state.last, noted: state.noted, active: true,
	}
	r.stream.Engine.State = s
	r.worker.active.Push(s)
	return r
}
