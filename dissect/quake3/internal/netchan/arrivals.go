package netchan

// An Arrivals window distinguishes new messages of a direction from repeated ones.
type Arrivals struct {
	Newest uint32 // the highest number
	seen   uint64 // bit i: message newest-i was seen
	tooFar uint32 // a number too far ahead to be believed until another follows it; 0: none
}

// FromFirst returns the window of a direction that is seen from its first message on: messages count from 1.
func FromFirst() Arrivals { return Arrivals{seen: 1} }

// maxJump is how many messages can be missing at once: an hour of play. A single number further ahead is
// damage, and must not make every later message late.
const maxJump = 1 << 17

// An Arrival is what the sequence number shows about a message.
type Arrival struct {
	Duplicate, Late bool
	LostBefore      uint32
}

// Arrive records a message's number.
func (a *Arrivals) Arrive(sequence uint32) (r Arrival) {
	if a.seen == 0 { // the first message of the session that was seen
		a.Newest, a.seen = sequence, 1
		return r
	}
	if sequence > a.Newest {
		step := sequence - a.Newest
		r.LostBefore = step - 1
		if step > maxJump && (sequence <= a.tooFar || sequence-a.tooFar > maxJump) {
			a.tooFar = sequence
			return r
		}
		a.Newest, a.tooFar = sequence, 0
		if step < 64 {
			a.seen = a.seen<<step | 1
		} else {
			a.seen = 1
		}
		return r
	}
	back := a.Newest - sequence
	if back < 64 && a.seen&(1<<back) == 0 {
		a.seen |= 1 << back
		r.Late = true
		return r
	}
	r.Duplicate = back < 64
	r.Late = !r.Duplicate
	return r
}
