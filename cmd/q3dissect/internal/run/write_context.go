package run

import (
	"errors"
	"slices"
	"sync"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// A survey is the result of the first pass for --with-context: the packets of one input that match, the streams
// that they belong to, and the fragments of messages that match or that others need. The second pass adds a sum of each
// packet that matches, as it reads in the input, by frame.
type survey struct {
	mu           sync.Mutex // workers add at the same time, in the second pass beside the output's goroutine
	match, parts frameBits
	streams      map[int]uint64 // by number: the last packet that matches
	late         map[int]bool   // by number: streams whose key was recovered, from all that there is of them
	sums         map[uint64]uint64
}

func newSurvey() *survey {
	return &survey{streams: make(map[int]uint64), late: make(map[int]bool), sums: make(map[uint64]uint64)}
}

// frameBits is a set of frame numbers: a bit for each packet up to the last one in it.
type frameBits []uint64

func (f *frameBits) add(frame uint64) {
	for uint64(len(*f)) <= frame/64 {
		*f = append(*f, 0)
	}
	(*f)[frame/64] |= 1 << (frame % 64)
}

func (f frameBits) has(frame uint64) bool {
	return frame/64 < uint64(len(f)) && f[frame/64]>>(frame%64)&1 != 0
}

// survey reads an input for the first time.
func (r *pass) survey(name string) error {
	if name == input.Standard {
		return errors.New("--with-context reads its input twice; write standard input to a file first")
	}
	cfg := r.config()
	found, accepter := newSurvey(), r.newAccepter()
	cfg.Before, cfg.Output = nil, nil // streams without a match are read too: they have the packets that others need
	cfg.Finish = func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
		found.add(rec, accepter.accepts(worker, rec))
		return dst, nil
	}
	r.writing.found = found
	reading := r.reading()
	reading.All, reading.NoText = false, r.found
	in, err := open.File(name, reading)
	if err != nil {
		return nil // the second pass reports it
	}
	defer in.Close()
	r.recovering(&cfg, name, false)
	packets, done := r.source(in, name)
	defer done(nil)
	e, err := engine.New(cfg)
	if err != nil {
		return err
	}
	_ = open.Feed(e, packets, nil) // the second pass reports it
	_, err = e.Close()
	return err
}

// keyRecovered is the code of the entry that each session has whose key is not in the capture.
const keyRecovered = "key_recovered"

// add notes a record if it matches, and the fragments of its message if it matches or others need it.
func (s *survey) add(rec *dissect.Record, matches bool) {
	recovered := slices.ContainsFunc(rec.Experts, func(e dissect.Expert) bool { return e.Code == keyRecovered })
	if !matches && !recovered && !rec.Carries() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if recovered {
		s.late[rec.Stream] = true
	}
	if matches {
		s.match.add(rec.Frame)
		s.streams[rec.Stream] = max(s.streams[rec.Stream], rec.Frame)
	}
	parts := rec.IPFragments
	if rec.Protocol != nil && rec.Protocol.AppendParts != nil {
		parts = rec.Protocol.AppendParts(slices.Clone(parts), rec)
	}
	for _, frame := range parts {
		s.parts.add(frame)
	}
}

// accepts decides in the second pass whether a record's packet is written. Nothing depends on a later packet.
func (s *survey) accepts(rec *dissect.Record) bool {
	_, matches := s.streams[rec.Stream]
	switch {
	case s.match.has(rec.Frame):
		return true
	case rec.Stream < 0:
		return s.parts.has(rec.Frame) // of a datagram in IP fragments
	case s.late[rec.Stream]:
		return matches
	case rec.Frame > s.streams[rec.Stream]:
		return false
	}
	return s.parts.has(rec.Frame) || rec.Carries()
}
