package netchan

// An Arrivals window distinguishes new messages of a direction from repeated ones.
//
// Anybody can send a packet with any number, so a number counts for certain only when its message could be read and
// is near the one before. One in doubt counts when a second message continues from it: until then the window without it
// is kept too.
type Arrivals struct {
	all  window // of everything that arrived
	sure window // the same without the last message in doubt
}

// A window has the last numbers that arrived.
type window struct {
	newest uint32 // the highest number
	seen   uint64 // bit i: message newest-i was seen; 0: none was
}

// FromFirst returns the window of a direction that is seen from its first message on: messages count from 1.
func FromFirst() Arrivals {
	w := window{seen: 1}
	return Arrivals{all: w, sure: w}
}

// near is how far a number may be ahead of the newest one, to count by itself.
const near = 64

// An Arrival is what the sequence number shows about a message.
type Arrival struct {
	Duplicate, Late bool
	LostBefore      uint32
	Far             bool // the number is far ahead: the message counts when another one continues from it
	Reverts         bool // the message continues from before one that was far ahead, which does not count any more
}

// Behind reports whether a receiver drops the message for its number.
func (r *Arrival) Behind() bool { return r.Duplicate || r.Late }

// Arrive records a message's number. read reports whether the message could be read.
func (a *Arrivals) Arrive(sequence uint32, read bool) (r Arrival) {
	if a.all == a.sure {
		if r = a.all.arrive(sequence); read && !r.Far {
			a.sure.newest, a.sure.seen = a.all.newest, a.all.seen // one copy of both would wait for the writes
		}
		return r
	}
	before := a.all
	r = a.all.arrive(sequence)
	if r.Behind() && (read || before.newest-sequence > near) {
		sure := a.sure
		if q := sure.arrive(sequence); !q.Far && q.rank() < r.rank() {
			if a.all = sure; read {
				a.sure = sure
			}
			q.Reverts = true
			return q
		}
	}
	switch {
	case r.Behind():
	case r.Far:
		a.sure = before
	case read:
		a.sure = a.all
	default:
		a.sure = before
	}
	return r
}

// rank orders what becomes of a message.
func (r *Arrival) rank() int {
	switch {
	case r.Duplicate:
		return 2
	case r.Late:
		return 1
	}
	return 0
}

// arrive records a number.
func (w *window) arrive(sequence uint32) (r Arrival) {
	if w.seen == 0 { // the first message of the session that was seen
		w.newest, w.seen = sequence, 1
		return r
	}
	if sequence > w.newest {
		step := sequence - w.newest
		r.LostBefore, r.Far = step-1, step > near
		w.newest = sequence
		if step < 64 {
			w.seen = w.seen<<step | 1
		} else {
			w.seen = 1
		}
		return r
	}
	back := w.newest - sequence
	if back < 64 && w.seen&(1<<back) == 0 {
		w.seen |= 1 << back
		r.Late = true
		return r
	}
	r.Duplicate = back < 64
	r.Late = !r.Duplicate
	return r
}

// Fills reports whether a number is that of a message that was passed over shortly before: one that comes late.
func (a *Arrivals) Fills(sequence uint32) bool {
	back := a.all.newest - sequence
	return sequence <= a.all.newest && back < 64 && a.all.seen&(1<<back) == 0
}

// Ahead reports whether a number is higher than all before.
func (a *Arrivals) Ahead(sequence uint32) bool { return sequence > a.all.newest }
