package engine

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// A lane holds the waiting records of one direction, in order: the oldest waits for a datagram of the other
// direction, the others for the oldest.
type lane struct{ oldest, newest *slot }

// laneOf returns the lane of a known direction.
func laneOf(d dissect.Direction) uint8 {
	if d == dissect.ClientToServer {
		return 0
	}
	return 1
}

// spareRecords is how many records a worker keeps for reuse, spareBytes how much memory of each.
const (
	spareRecords = 256
	spareBytes   = 4 << 10
)

// hold moves the present record to the end of its lane, with a copy of its bytes, and continues with another
// record. The memory for the tree moves on to that one: a record that waits has none.
func (w *worker) hold(s *stream) {
	r := w.rec
	if n := len(w.spare); n > 0 {
		w.rec = w.spare[n-1]
		w.spare = w.spare[:n-1]
	} else {
		w.rec = newSlot()
	}
	r.lend(w.rec)
	r.Packet, r.buf = r.Clone(r.buf[:0])
	r.heldIn = s

	l := &s.lanes[r.lane]
	if l.newest == nil {
		l.oldest = r
	} else {
		l.newest.next = r
	}
	l.newest = r
	w.held.Push(r)
}

// try dissects the oldest record of a lane again. It reports whether the record is finished.
func (w *worker) try(s *stream, r *slot, final bool) bool {
	w.rec.lend(r)
	r.Final = final
	if !w.dissect(s, r) && !final {
		r.lend(w.rec)
		return false
	}
	l := &s.lanes[r.lane]
	if l.oldest = r.next; l.oldest == nil {
		l.newest = nil
	}
	w.held.Remove(r)
	w.finish(r)

	r.lend(w.rec)
	if len(w.spare) < spareRecords && cap(r.buf) <= spareBytes {
		*r = slot{buf: r.buf}
		w.spare = append(w.spare, r)
	}
	return true
}

// unblock dissects the records that the last finished one may have unblocked, as far as possible. If both
// directions wait, the older record is tried first.
func (w *worker) unblock(s *stream) {
	for r := s.oldest(); r != nil; r = s.oldest() {
		if w.try(s, r, false) {
			continue
		}
		if r = s.lanes[r.lane^1].oldest; r == nil || !w.try(s, r, false) {
			return
		}
	}
}

// release finishes the oldest record of a stream as it is, and then those that waited for it.
func (w *worker) release(s *stream, r *slot) {
	w.try(s, r, true)
	w.unblock(s)
}

// releaseOverdue finishes the records of a stream that have waited too long at the moment of a new datagram.
func (w *worker) releaseOverdue(s *stream, now idle.Moment) {
	for r := s.oldest(); r != nil; r = s.oldest() {
		if !r.Engine.At.Overdue(now) && s.datagrams-r.nth < idle.WaitDatagrams {
			return
		}
		w.release(s, r)
	}
}

// oldest returns the record of the stream that has waited longest, or nil.
func (s *stream) oldest() *slot {
	a, b := s.lanes[0].oldest, s.lanes[1].oldest
	if a == nil || b != nil && b.nth < a.nth {
		return b
	}
	return a
}
