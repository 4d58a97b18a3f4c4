package directplay8

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
	"github.com/q3dissect/q3dissect/dissect/internal/payloads"
)

// A router finds out which datagrams belong to the transport, and which conversation they belong to: that of their two
// endpoints. It keeps a pair only once there is something to remember of it.
type router struct {
	pairs    flows.Table[pair]
	claims   flows.DecodeAs[struct{}]
	readers  payloads.Readers
	frames   frameReader
	glimpses []glimpse // of pairs that are no candidates; nil before the first
}

// A pair is what is known of the traffic between two endpoints.
type pair struct {
	payloads.Pair
	answered bool // the other side has answered the handshake: what frames are like is agreed on
	carries  bool // the connection was answered, or data frames were seen, and no end
	session  uint32
	begunBy  flows.Side
	asked    uint32     // the connection of a handshake that nobody answered while another one carries frames
	askedBy  flows.Side // who asked for it

	// What is known of the frames that carry payloads.
	minor  int8 // of the version + 1; 0: not known
	signed bool

	// Of connections without a handshake.
	candidate *candidate
	evidence  flows.Evidence
	tried     uint64 // newest packet that was tested: one that is asked about again proves nothing
	failed    uint8  // candidates that failed
	ending    payloads.Ending
}

func newRouter(readers []*dissect.Protocol) *router {
	return &router{readers: payloads.NewReaders(protocolName, readers)}
}

// Claim makes every datagram of a port the transport's.
func (r *router) Claim(port uint16, _ string) { r.claims.Add(port, struct{}{}) }

// Expire forgets pairs without a connection that were idle: queries, and what was tried in vain.
func (r *router) Expire(before int64) { r.pairs.Expire(before) }

// Route decides whether a datagram is the protocol's.
func (r *router) Route(p *dissect.Packet, now int64, last bool) dissect.Route {
	if r.pairs.Unknown(p) && r.foreign(p) {
		return dissect.Route{}
	}
	return r.examine(p, now, last)
}

// examine is Route of a datagram that may be the transport's.
func (r *router) examine(p *dissect.Packet, now int64, last bool) dissect.Route {
	pr := r.pairs.Visit(p, now)
	route := r.route(p, pr, r.pairs.Sender(), last)
	if r.pairs.Leave(now, *pr != (pair{}), pr.Connected) && pr.Stream != nil {
		pr.Stream.MarkForgotten()
	}
	return route
}

// Owns reports whether a datagram's endpoints have a connection.
func (r *router) Owns(p *dissect.Packet) (session, fits bool) {
	e := r.pairs.Peek(flows.PairOf(p))
	if e == nil || e.Value.Stream == nil || !e.Value.Connected || !e.Value.evidence.Proven() {
		return false, false
	}
	return true, canBe(p)
}

// canBe reports whether a datagram can be one of a connection by its content.
func canBe(p *dissect.Packet) bool {
	return markOf(p.Payload).found || likelihoodOf(p.Payload, p.Truncated()) != never
}

// foreign reports, at little cost, that a datagram is foreign if nothing is known of its pair: it has no mark, is no
// query, and a connection whose beginning was not seen would not be looked for in it.
func (r *router) foreign(p *dissect.Packet) bool {
	if _, claimed := r.claims.Of(p); claimed {
		return false
	}
	b := p.Payload
	switch {
	case len(b) == 0:
		return true
	case b[0] == 0:
		return discoveryMark(b) == 0
	case b[0]&commandData == 0 && b[0]&^commandPoll != 0x80: // neither a mark nor an acknowledgement
		return true
	}
	return !markOf(b).found && likelihoodOf(b, p.Truncated()) < likely
}

func (r *router) route(p *dissect.Packet, pr *pair, src flows.Side, last bool) dissect.Route {
	if _, claimed := r.claims.Of(p); claimed {
		return r.routeClaimed(p, pr, src)
	}
	if len(p.Payload) == 0 {
		return dissect.Route{}
	}
	marked, doubt := pr.readMark(p.Payload, src), dissect.NoDoubt
	if !marked && pr.Connected && !pr.evidence.Proven() {
		doubt = pr.evidence.Add(p, canBe(p))
	}
	if !marked && p.Payload[0] == 0 {
		return r.routeWeakDiscovery(p, pr, src, last)
	}
	if !marked && !pr.Connected && !r.try(p, pr, src) { // queries make no connection
		if pr.candidate != nil && !last {
			return dissect.Route{Decision: dissect.Undecided}
		}
		return dissect.Route{}
	}
	if !r.findReader(p, pr, src) && !last {
		return dissect.Route{Decision: dissect.Undecided}
	}
	sign := signOf(p.Payload, pr.ending.Pending())
	if pr.ending.Waits(p, src, sign, last) {
		return dissect.Route{Decision: dissect.Undecided}
	}
	hint := uint64(0)
	if pr.ending.TakenBack(p, src, sign) {
		hint = hintGoesOn
	}
	route := pr.Route(src, hint)
	route.Doubt = doubt
	return route
}

// readMark looks for a mark, and notes what it shows.
func (pr *pair) readMark(b []byte, src flows.Side) bool {
	m := markOf(b)
	if !m.found {
		pr.carries = pr.carries || pr.Connected && len(b) > 0 && b[0]&commandData != 0
		return false
	}
	pr.candidate, pr.Foreign = nil, false
	if m.firm && !pr.begins(b, src, flows.Server(src, m.direction)) {
		return true
	}
	if endMark(b) {
		pr.carries, pr.answered = false, false
	}
	pr.Connected = pr.Connected || m.connects
	if server := flows.Server(src, m.direction); m.firm || pr.Server == flows.Unknown {
		pr.Server = server
	}
	return true
}

// begins reports whether a handshake counts, and records what the connection's frames are read with. Anybody can send
// one, so in the middle of a connection that of another one counts when the other side answers.
func (pr *pair) begins(b []byte, src, server flows.Side) bool {
	session, agreed := sessionOf(b), pr.answered
	switch {
	case pr.minor != 0 && pr.session == session && pr.carries && pr.Server != server:
		return false
	case pr.minor != 0 && pr.session == session:
		pr.answered = pr.answered || src != pr.begunBy
		pr.carries = pr.carries || pr.answered
	case pr.carries && (pr.asked != session || pr.askedBy != src.Other()):
		pr.asked, pr.askedBy = session, src
		return false
	default:
		pr.Detection, pr.signed, pr.answered = payloads.Detection{}, false, false
		pr.session, pr.begunBy, pr.asked, pr.askedBy = session, src, 0, flows.Unknown
	}
	pr.minor = int8(b[4]) + 1
	pr.signed = pr.signed || b[1] == opSigned && !agreed
	return true
}

// routeClaimed routes a datagram of a port that the user named.
func (r *router) routeClaimed(p *dissect.Packet, pr *pair, src flows.Side) dissect.Route {
	pr.readMark(p.Payload, src)
	return pr.Claim(r.claims.Server(p), src, 0)
}

// routeWeakDiscovery routes a query that does not identify itself. It is DirectPlay's if it goes to its port or to an
// endpoint known to speak it; one that has a GUID also if it is answered.
func (r *router) routeWeakDiscovery(p *dissect.Packet, pr *pair, src flows.Side, last bool) dissect.Route {
	kind := discoveryMark(p.Payload)
	switch {
	case kind == 0 && pr.Connected:
		return pr.routeUnlikely(src)
	case kind == 0:
		return dissect.Route{}
	case p.Dst.Port() == discoveryPort || pr.Stream != nil:
	case kind == queryOfInvented && !last:
		return dissect.Route{Decision: dissect.Undecided}
	default:
		return dissect.Route{}
	}
	pr.candidate, pr.Foreign = nil, false
	if pr.Server == flows.Unknown {
		pr.Server = src.Other()
	}
	return pr.routeUnlikely(src)
}

// routeUnlikely routes a datagram that begins with a zero, as those of many protocols do.
func (pr *pair) routeUnlikely(src flows.Side) dissect.Route {
	route := pr.Route(src, 0)
	route.Doubt = dissect.Unlikely
	return route
}
