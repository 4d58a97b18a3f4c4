package engine

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// Whatever a slot had, after reset it is a new one; only memory is kept. The record itself is tested where it is.
func TestSlotResetForgets(t *testing.T) {
	t.Parallel()
	s := newSlot()
	s.buf, s.seq, s.nth, s.heldIn, s.lane, s.next = []byte("old"), 1, 2, new(stream), 1, newSlot()
	s.Frame, s.Damaged = 7, true
	list := idle.NewList(func(s *slot) *idle.Links[slot] { return &s.age })
	list.Push(s)
	list.Push(newSlot())
	s.reset()
	if len(s.buf) != 0 || cap(s.buf) == 0 || s.seq != 0 || s.nth != 0 || s.heldIn != nil || s.lane != 0 || s.next != nil ||
		s.age != (idle.Links[slot]{}) || s.Frame != 0 || s.Damaged {
		t.Errorf("after reset: %+v", s)
	}
}

// A slot that waits lends the memory for its results to the one that takes its place.
func TestLend(t *testing.T) {
	t.Parallel()
	from, to := newSlot(), &slot{}
	tree := from.Tree
	from.MessageDone, from.Message = true, []byte("m")
	from.lend(to)
	if to.Tree != tree || from.Tree != nil || from.Message != nil || to.MessageDone {
		t.Errorf("from %+v to %+v", from, to)
	}
}
