package router

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
)

// goesOnHint marks a word of the server that ends a session which goes on. It is beyond what else a Hint has.
const goesOnHint = 1 << 49

// GoesOn reports whether the datagram ends a session, and its server went on with it.
func (h Hint) GoesOn() bool { return h&goesOnHint != 0 }

// ends lets a word that ends a session wait for what follows, and marks it if its server goes on. A server says so who
// does not know the client: he has no more packets for him, SV_PacketEvent in code/server/sv_main.c.
func (pr *pair) ends(a *datagram, s *stream, server flows.Side, route dissect.Route) dissect.Route {
	if s == nil || !s.plays || server != a.src || route.Decision != dissect.Mine {
		return route
	}
	var sign dissect.Sign
	if oob.HasMarker(a.Payload) {
		sign.Ends = 1
	} else {
		sign.GoesOn = true
	}
	switch {
	case pr.ending.Waits(a.Packet, a.src, sign, a.last):
		return dissect.Route{Decision: dissect.Undecided}
	case pr.ending.TakenBack(a.Packet, a.src, sign):
		route.Hint |= goesOnHint
	}
	return route
}
