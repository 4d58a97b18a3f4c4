package flows

import "github.com/q3dissect/q3dissect/dissect"

// enoughHits is how many packets that fit prove a session, if they are more than those that do not.
const enoughHits = 8

// Evidence counts the packets of a session that is known by words alone, which anybody can send, until it is proven.
type Evidence struct {
	frame  uint16 // the newest packet: one that waits is asked about again
	Hits   uint8  // packets that fit the session
	Misses uint8  // packets that do not
}

// Proven reports whether the session needs no test any more.
func (e *Evidence) Proven() bool { return e.Hits >= enoughHits && e.Hits > e.Misses }

// Prove makes the session proven.
func (e *Evidence) Prove() { e.Hits, e.Misses = enoughHits, 0 }

// Add counts a packet, and returns how sure it is that the packet is the session's.
func (e *Evidence) Add(p *dissect.Packet, fits bool) dissect.Doubt {
	doubt, count := dissect.Unlikely, &e.Misses
	if fits {
		doubt, count = dissect.Unproven, &e.Hits
	}
	if frame := uint16(p.Frame); int16(frame-e.frame) > 0 {
		e.frame = frame
		*count += min(1, 255-*count)
	}
	return doubt
}
