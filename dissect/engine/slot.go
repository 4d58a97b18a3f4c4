package engine

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// A slot is a record with its place in the engine.
type slot struct {
	dissect.Record
	buf    []byte  // owns the payload of a record that waits
	seq    uint64  // place in the output, or unseen
	nth    uint64  // number of the datagram in its stream, from 1
	heldIn *stream // its stream, while it waits
	lane   uint8   // of the stream's lanes, the one it waits in
	next   *slot   // in the lane
	age    idle.Links[slot]
}

func newSlot() *slot { return &slot{Record: *dissect.NewRecord()} }

// reset makes the slot ready for another packet and keeps its memory.
func (s *slot) reset() {
	s.Reset()
	s.buf, s.seq, s.nth = s.buf[:0], 0, 0
	s.heldIn, s.lane, s.next, s.age = nil, 0, nil, idle.Links[slot]{}
}

// lend moves the memory for the results of a dissection to another slot, emptied.
func (s *slot) lend(to *slot) {
	to.Tree, to.Experts, to.Events, to.Inputs = s.Tree, s.Experts[:0], s.Events, s.Inputs[:0]
	to.Scene, s.Scene = s.Scene, to.Scene
	to.Tree.Reset()
	to.Events.Reset()
	to.Scene.Reset()
	to.Damaged, to.MessageDone, to.Unsupported, to.Refused, to.Undeciphered = false, false, false, false, false
	s.Scene.Reset()
	s.Tree, s.Experts, s.Events, s.Inputs, s.Message = nil, nil, dissect.Tree{}, nil, nil
}

// keepBytes appends bytes to the slot's own memory, and returns them there.
func (s *slot) keepBytes(b []byte) []byte {
	if b == nil {
		return nil
	}
	n := len(s.buf)
	s.buf = append(slices.Grow(s.buf, len(b)), b...)
	return s.buf[n:len(s.buf):len(s.buf)]
}
