package engine

import (
	"bytes"
	"iter"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// Records dissects packets and gives their records in the order of the packets. Everything runs on the
// caller's goroutine, record by record: as soon as the packet is read, unless the record waits for a later one.
// An Engine spreads the same work over several processors.
//
// Of cfg everything counts but Workers, Finish, Output and Flush. A record is valid until the next one. An error of
// the packets comes last, after the records of everything before it, with a nil record; so does one of cfg, at
// once.
//
// Records that are dissected before their turn are kept whole: as many as the packets of 8 MiB of input, or of
// one second of capture time.
func Records(packets iter.Seq2[*dissect.Packet, error], cfg Config) iter.Seq2[*dissect.Record, error] {
	return func(yield func(*dissect.Record, error) bool) {
		cfg := cfg
		cfg.Workers, cfg.Finish = 1, func(_ int, dst []byte, _ *dissect.Record) ([]byte, error) { return dst, nil }
		s, err := newRecordLoop(&cfg, yield)
		if err != nil {
			yield(nil, err)
			return
		}
		for p, err := range packets {
			if err != nil {
				s.front.end()
				if !s.stopped {
					yield(nil, err)
				}
				return
			}
			if s.front.packet(p); s.stopped {
				return
			}
		}
		s.front.end()
	}
}

// A recordLoop passes records to the loop over them.
type recordLoop struct {
	front   front
	yield   func(*dissect.Record, error) bool
	stopped bool // the loop was left
	events  bool // they are wanted
	next    uint64
	early   map[uint64]*slot // by place: dissected before their turn
	spare   []*slot
}

func newRecordLoop(cfg *Config, yield func(*dissect.Record, error) bool) (*recordLoop, error) {
	claims, err := cfg.check()
	if err != nil {
		return nil, err
	}
	s := &recordLoop{yield: yield, events: cfg.Options.Events, early: make(map[uint64]*slot)}
	free := make(chan *batch, batchesPerWorker)
	w := newWorker(0, cfg, free, newWriter(cfg))
	w.deliver = s.deliver
	s.front = newFront(cfg, BatchSize{Packets: 1}, claims, []*worker{w}, free)
	return s, nil
}

// deliver takes a finished record, and yields all records whose turn it is.
func (s *recordLoop) deliver(r *slot) {
	if s.stopped {
		return
	}
	if r.seq != s.next {
		s.keep(r)
		return
	}
	s.give(r)
	for r := s.early[s.next]; r != nil && !s.stopped; r = s.early[s.next] {
		delete(s.early, s.next)
		s.give(r)
		if len(s.spare) < spareRecords && cap(r.buf) <= spareBytes {
			s.spare = append(s.spare, r)
		}
	}
}

func (s *recordLoop) give(r *slot) {
	s.next++
	r.Events.Unasked(!s.events)
	s.stopped = !s.yield(&r.Record, nil)
}

// keep stores a record until its turn, with copies of everything in the conversation's memory. r gets the
// memory of another record.
func (s *recordLoop) keep(r *slot) {
	var k *slot
	if n := len(s.spare); n > 0 {
		k = s.spare[n-1]
		s.spare = s.spare[:n-1]
		k.reset()
	} else {
		k = newSlot()
	}
	spare := *k
	*k = *r
	k.buf, k.next, k.age = spare.buf, nil, idle.Links[slot]{}
	k.Packet, k.buf = r.Clone(k.buf)
	k.Message = k.keepBytes(r.Message)
	k.Demo.Data = k.keepBytes(r.Demo.Data)
	if r.Demo.Begin != nil {
		head := *r.Demo.Begin
		head.Player = bytes.Clone(head.Player)
		k.Demo.Begin = &head
	}
	for i := range k.Files {
		k.Files[i].Data = k.keepBytes(k.Files[i].Data)
		k.Files[i].Refused = k.keepBytes(k.Files[i].Refused)
	}
	r.Scene = spare.Scene
	r.Tree, r.Experts, r.Events, r.Inputs, r.Files = spare.Tree, spare.Experts, spare.Events, spare.Inputs, spare.Files
	s.early[k.seq] = k
}
