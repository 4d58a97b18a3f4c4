package dissect

// A lane holds the records of one direction that wait, in order: the oldest for something that the
// other direction has to bring, the others for the oldest.
type lane struct{ oldest, newest *Record }

// laneOf gives the lane of a direction that is known.
func laneOf(d Direction) uint8 {
	if d == ClientToServer {
		return 0
	}
	return 1
}

// spareRecords is how many records a worker keeps the memory of, spareBytes how much of each.
const (
	spareRecords = 256
	spareBytes   = 4 << 10
)

// hold puts the working record at the end of its lane, with bytes of its own, and takes another one to
// work on. The memory for trees is passed on: a record that waits has none.
func (w *worker) hold(s *stream) {
	r := w.rec
	if n := len(w.spare); n > 0 {
		w.rec = w.spare[n-1]
		w.spare = w.spare[:n-1]
	} else {
		w.rec = new(Record)
	}
	r.lend(w.rec)
	r.Packet, r.buf = r.Clone(r.buf[:0])
	r.home = s

	l := &s.lanes[r.lane]
	if l.newest == nil {
		l.oldest = r
	} else {
		l.newest.next = r
	}
	l.newest = r
	w.held.push(r)
}

// try dissects the oldest record of a lane again. It reports whether the record is finished.
func (w *worker) try(s *stream, r *Record, final bool) bool {
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
	w.held.remove(r)
	w.finish(r)

	r.lend(w.rec)
	if len(w.spare) < spareRecords && cap(r.buf) <= spareBytes {
		*r = Record{buf: r.buf}
		w.spare = append(w.spare, r)
	}
	return true
}

// unblock dissects what the record that was finished last may have unblocked, as far as it goes. Where both
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

// release lets the oldest record of a stream out as it is, and then what it kept waiting.
func (w *worker) release(s *stream, r *Record) {
	w.try(s, r, true)
	w.unblock(s)
}

// releaseOverdue lets out what a stream has held for too long when a datagram of it comes at a moment.
func (w *worker) releaseOverdue(s *stream, now moment) {
	for r := s.oldest(); r != nil; r = s.oldest() {
		if !r.at.overdue(now) && s.datagrams-r.nth < waitDatagrams {
			return
		}
		w.release(s, r)
	}
}

// oldest is the record of the stream that has waited longest, or nil.
func (s *stream) oldest() *Record {
	a, b := s.lanes[0].oldest, s.lanes[1].oldest
	if a == nil || b != nil && b.nth < a.nth {
		return b
	}
	return a
}

// lend gives another record the memory for what a dissection leaves behind, emptied.
func (r *Record) lend(to *Record) {
	to.tree, to.Experts, to.Events, to.Inputs = r.tree, r.Experts[:0], r.Events, r.Inputs[:0]
	to.tree.Reset()
	to.Events.Reset()
	to.Tree, to.Damaged, to.MessageDone = &to.tree, false, false
	r.tree, r.Experts, r.Events, r.Inputs, r.Tree, r.Message = Tree{}, nil, Tree{}, nil, nil, nil
}

// Links join the elements of an ageList.
type links[T any] struct{ older, newer *T }

// An ageList is a doubly linked list in the order in which its elements came.
type ageList[T any] struct {
	oldest, newest *T
	links          func(*T) *links[T] // of an element
}

func (l *ageList[T]) push(e *T) {
	*l.links(e) = links[T]{older: l.newest}
	if l.newest == nil {
		l.oldest = e
	} else {
		l.links(l.newest).newer = e
	}
	l.newest = e
}

func (l *ageList[T]) remove(e *T) {
	at := l.links(e)
	if at.older == nil {
		l.oldest = at.newer
	} else {
		l.links(at.older).newer = at.newer
	}
	if at.newer == nil {
		l.newest = at.older
	} else {
		l.links(at.newer).older = at.older
	}
	*at = links[T]{}
}
