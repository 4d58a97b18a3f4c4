package router

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A packet is dissected as the family's only on evidence. Words that other engines share count as the family's
// until something contradicts it: an answer or a handshake in the form of another engine, or packets of a
// session that are not of the netchan. The traffic is then given up: one record reports it, and later packets
// between the two endpoints are ignored until a word of the family comes again.

// Packets of a session with a handshake that are needed as evidence.
const (
	enoughMisses = 16 // packets that do not fit, with less than one in eight that does: the session is given up
	lastDoubt    = 64 // packets after which the session is believed
	// firstStatic is the first protocol whose messages begin as is tested here.
	firstStatic = 66
)

// evidence is the evidence that a stream is one of the game.
type evidence struct {
	answered bool // a server has answered in the family's form
	sure     bool // its packets need no test any more
	givenUp  bool
	accepted bool // a server has accepted the client
	packets  flows.Evidence
}

// speaksAgainst returns the engine that a packet is characteristic of, if that counts: a stream with an answer
// in the family's form, or with a session, is not given up for a word.
func (r *Router) speaksAgainst(a *datagram, s *stream) oob.Engine {
	if a.claimed || s != nil && (s.evidence.answered || s.plays) {
		return oob.NoEngine
	}
	return r.oob.Engine()
}

// giveUp drops a pair because of a datagram that contradicts it. Without a stream there is nothing to drop.
func (r *Router) giveUp(a *datagram, pr *pair, s *stream, server flows.Side, engine oob.Engine) dissect.Route {
	if s == nil {
		return dissect.Route{}
	}
	route := s.route(server, a.src)
	route.Hint |= uint64(MakeGivenUp(engine))
	s.evidence.givenUp = true
	*pr = pair{foreign: true}
	endpoint, _ := a.endpoints(server)
	r.servers.Drop(flows.EndpointOf(endpoint))
	return route
}

// addOOB adds the evidence of an out-of-band packet of the family.
func (e *evidence) addOOB(p *oob.Packet) {
	e.answered = e.answered || p.Direction == dissect.ServerToClient && p.Strong()
	if p.Protocol > 0 && (p.Protocol < firstStatic || tables.FramingOf(p.Protocol) == tables.FramingUnknown) {
		e.sure = true
	}
}

// begins reports whether an answer begins a session: one of the other direction does not turn round because of it,
// unless it was asked for.
func (pr *pair) begins(s *stream, server flows.Side) bool {
	other := pr.byServer[server.Other().Index()]
	if other == nil || !other.plays {
		return true
	}
	if s.asked {
		other.plays = false
	}
	return s.asked
}

// holds tests a packet of a session whose handshake was seen, and reports whether the session is still believed. doubt
// is about the packet, where another protocol has a session of the endpoints.
func (r *Router) holds(a *datagram, s *stream, server flows.Side) (holds bool, doubt dissect.Doubt) {
	e := &s.evidence
	switch {
	case a.claimed || e.packets.Proven():
		return true, dissect.NoDoubt
	case e.sure && !e.answered: // it is not tested, and known by what one side sent
		return true, dissect.Unlikely
	case e.sure || a.Truncated():
		return true, dissect.Unproven
	}
	fits := false
	for enc := netchan.Legacy; enc <= netchan.Native && !fits; enc++ {
		var g candidate
		fits = g.fits(r, a.Packet, server != a.src, enc)
	}
	doubt = e.packets.Add(a.Packet, fits)
	hits, misses := int(e.packets.Hits), int(e.packets.Misses)
	if e.packets.Proven() || hits+misses >= lastDoubt {
		e.sure = true
	}
	return misses < enoughMisses || 8*hits >= misses, doubt
}

// The hint of a stream that is given up has the engine above the challenge, + 1.
const givenUpShift = 40

// MakeGivenUp returns the hint of a stream that is given up for another engine.
func MakeGivenUp(e oob.Engine) Hint { return Hint(e+1) << givenUpShift }

// GivenUp reports whether the datagram is the last of its stream, and which engine it resembles.
func (h Hint) GivenUp() (e oob.Engine, ok bool) {
	e = oob.Engine(h >> givenUpShift)
	return e - 1, e != 0
}
