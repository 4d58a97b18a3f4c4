package payloads

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
)

// An Ending is the end of a connection. Anybody can send one, so it waits for what follows: it is taken back if the one
// in whose name it came goes on, within the time for which a datagram waits. The zero value waits for nothing.
type Ending struct{ of *ending } // nil: there was none, as in most pairs

type ending struct {
	pending end
	back    end    // the last one that was taken back
	until   uint64 // frame that showed it
	time    int64  // of the end that waits
	newest  uint64 // frame that was looked at last: a datagram that waits is asked about again
}

// An end is a datagram that ends a connection, and its copies.
type end struct {
	ends, connection uint64
	by               flows.Side
}

// late is how long after the end what was sent before it may come, in nanoseconds.
const late = 10e6

// Pending returns the number of the end that waits; 0: none does.
func (e *Ending) Pending() uint64 {
	if e.of == nil {
		return 0
	}
	return e.of.pending.ends
}

// Waits looks at a datagram of one side, and reports whether its decision waits for what follows.
func (e *Ending) Waits(p *dissect.Packet, src flows.Side, s dissect.Sign, last bool) bool {
	if e.of == nil {
		if s.Ends == 0 {
			return false
		}
		e.of = &ending{}
	}
	return e.of.waits(p, src, s, last)
}

func (e *ending) waits(p *dissect.Packet, src flows.Side, s dissect.Sign, last bool) bool {
	this := end{s.Ends, s.Connection, src}
	if p.Frame > e.newest {
		e.newest = p.Frame
		w := &e.pending
		if w.ends != 0 && w.by == src && w.connection == s.Connection && s.GoesOn &&
			(!p.HasTime || p.Time-e.time >= late) {
			e.back, e.until, e.pending = e.pending, p.Frame, end{}
		}
		if s.Begins && w.by == src {
			e.pending = end{}
		}
		if s.Ends != 0 && w.ends == 0 {
			e.pending, e.time = this, p.Time
		}
	}
	waits := s.Ends != 0 && e.pending == this
	if waits && last {
		e.pending = end{}
		return false
	}
	return waits
}

// TakenBack reports whether a datagram of one side ends a connection that goes on.
func (e *Ending) TakenBack(p *dissect.Packet, src flows.Side, s dissect.Sign) bool {
	return s.Ends != 0 && e.of != nil && p.Frame < e.of.until && e.of.back == end{s.Ends, s.Connection, src}
}
