// Package router finds the datagrams of the family, and the conversation of each.
package router

import (
	"encoding/binary"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
	"github.com/q3dissect/q3dissect/dissect/internal/payloads"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/gamespy"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A Router finds the datagrams of the family, and the conversation of each. It sees every datagram in the order
// of the capture and keeps little state: one pair for every two endpoints.
//
// A conversation is a client of a server: the server's endpoint, the client's address, and its qport once that
// is known, since the client's port may change. SV_PacketEvent in code/server/sv_main.c.
type Router struct {
	pairs   flows.Table[pair]
	clients flows.Map[clientKey, *stream]
	servers flows.Map[flows.Endpoint, struct{}] // endpoints known to be servers, by the time of the last evidence
	floods  *floods                             // nil before the first connect
	ports   flows.Ports                         // of all servers that ever were known
	claims  flows.DecodeAs[struct{}]
	oob     oob.Packet
	decodes decoder

	plain     []byte // a packet that is not scrambled any more
	scrambler netchan.Scrambler
}

// A decoder reports whether a message can be decoded to its end: of the native encoding, or of the scrambled one.
type decoder func(enc netchan.Encoding, body []byte, fromClient bool) bool

// A stream is the router's view of a conversation.
type stream struct {
	dissect.Stream
	hint     Hint
	qport    uint16
	hasQport bool
	plays    bool // has a session, or is about to: a challenge was given
	heard    heard
	asked    bool // for a connection
	foreign  bool // there were queries of another engine
	gamespy  bool // an answer to GameSpy's queries named a game of the family
	evidence evidence
}

// heard is what the first sequenced packet of a stream was.
type heard uint8

const (
	heardNothing heard = iota
	heardFirst
	heardLate // half of the handshake is missing, and no number was one of a session's beginning
)

// A pair is the state of the traffic between two endpoints. Either can be the server: a game server queries its
// master, which queries back.
type pair struct {
	byServer  [2]*stream // the streams with the lower and with the higher endpoint as the server
	pending   *stream    // of a client that requested a connection with another qport, until it is answered; nil: none
	heuristic *heuristic // nil: none is in progress
	asks      flows.Side // the client of pending
	silent    bool       // nothing sequenced came since it asked
	foreign   bool
	hears     bool     // a sequenced packet of the server came
	turns     [2]bool  // the lower, the higher endpoint sent a word of the other side while a session was played
	given     [2]int32 // challenges that were given for a connection, the newest first
	ending    payloads.Ending
}

// A Hint is what the router found out about a session that began before the capture: its encoding in the
// low bits, and for native the challenge above.
type Hint uint64

// MakeHint returns a hint of an encoding and, for native, a challenge.
func MakeHint(e netchan.Encoding, challenge int32) Hint {
	return Hint(uint32(challenge))<<8 | Hint(e)
}

// Unpack returns the encoding and the challenge.
func (h Hint) Unpack() (e netchan.Encoding, challenge int32) {
	return netchan.Encoding(h & 0xff), int32(h >> 8)
}

// New returns a router.
func New(decodes func(enc netchan.Encoding, body []byte, fromClient bool) bool) *Router {
	return &Router{decodes: decodes}
}

// Claim assigns every datagram of a port to the family.
func (r *Router) Claim(port uint16, _ string) { r.claims.Add(port, struct{}{}) }

// Expire forgets pairs without a session that were idle, and servers.
func (r *Router) Expire(before int64) {
	r.pairs.Expire(before)
	r.servers.Expire(before)
}

func (p *pair) plays() bool {
	return p.byServer[0] != nil && p.byServer[0].plays || p.byServer[1] != nil && p.byServer[1].plays
}

// Shown reports whether there are records of the pair.
func (p *pair) Shown() bool { return p.byServer[0] != nil || p.byServer[1] != nil }

// markForgotten marks the streams of a pair as having been known before.
func (p *pair) markForgotten() {
	for _, s := range p.byServer {
		if s != nil {
			s.MarkForgotten()
		}
	}
}

// Route decides which conversation a datagram belongs to.
func (r *Router) Route(p *dissect.Packet, now int64, last bool) dissect.Route {
	_, claimed := r.claims.Of(p)
	if !claimed && r.foreign(p) && r.pairs.Unknown(p) {
		return dissect.Route{}
	}
	return r.examine(p, now, claimed, last)
}

// examine is Route of a datagram that may be the family's.
func (r *Router) examine(p *dissect.Packet, now int64, claimed, last bool) dissect.Route {
	pr := r.pairs.Visit(p, now)
	var a datagram // field by field: a copy of what was just written in other sizes waits for the writing
	a.Packet, a.now, a.src, a.claimed, a.last = p, now, r.pairs.Sender(), claimed, last
	route := r.route(&a, pr)
	if r.pairs.Leave(now, pr.byServer[0] != nil || pr.byServer[1] != nil || pr.heuristic != nil, pr.plays()) {
		pr.markForgotten()
	}
	return route
}

// Recall returns the session of a datagram's endpoints. Out-of-band packets show their direction by themselves.
func (r *Router) Recall(p *dissect.Packet) dissect.Route {
	e := r.pairs.Peek(flows.PairOf(p))
	if e == nil || oob.HasMarker(p.Payload) {
		return dissect.Route{}
	}
	s, server := e.Value.known()
	if s == nil || !s.plays && len(p.Payload) > 0 {
		return dissect.Route{}
	}
	return s.route(server, flows.Sender(p))
}

// foreign reports, at little cost, that a datagram is foreign if nothing is known of its pair: no packet of the family
// begins like it, and no server is known that a client could have moved to it from another port.
func (r *Router) foreign(p *dissect.Packet) bool {
	b := p.Payload
	if len(b) > 0 && b[0] == queryMark {
		if _, ok := gamespy.Direction(b); ok {
			return false
		}
	}
	if len(b) < minSequenced {
		return !oob.HasMarker(b) && !isPadding(b)
	}
	if word := binary.LittleEndian.Uint32(b); word != oobMarker {
		sequence := word &^ netchan.FragmentBit
		return sequence-1 >= maxSequence && !r.ports.Has(p.Dst.Port())
	}
	return false
}

// isPadding reports whether a packet can be a scrambled message of a server with nothing but padding.
func isPadding(b []byte) bool {
	const header = 4
	return len(b) > header && len(b) < minSequenced && b[header] == tables.SvcNop &&
		binary.LittleEndian.Uint32(b)-1 < maxSequence
}

// oobMarker is what an out-of-band packet has in place of a sequence number.
const oobMarker = 1<<32 - 1

// A datagram is one that Route is called for.
type datagram struct {
	*dissect.Packet
	now           int64
	src           flows.Side
	claimed, last bool
}

// endpoints returns the server's endpoint, given its side, and the other one.
func (a *datagram) endpoints(server flows.Side) (endpoint, client netip.AddrPort) {
	if server == a.src {
		return a.Src, a.Dst
	}
	return a.Dst, a.Src
}

func (r *Router) route(a *datagram, pr *pair) dissect.Route {
	if oob.HasMarker(a.Payload) {
		return r.routeOOB(a, pr)
	}
	if len(a.Payload) > 0 && a.Payload[0] == queryMark {
		if direction, ok := gamespy.Direction(a.Payload); ok {
			return pr.routeGameSpy(a, flows.Server(a.src, direction))
		}
	}
	return r.routeSequenced(a, pr)
}

// holdsSession reports whether there is more for a session than words and a packet that anybody can send.
func (s *stream) holdsSession() bool {
	e := &s.evidence
	return s.plays && s.heard != heardNothing && (e.accepted || e.packets.Hits > 0 || e.packets.Proven())
}

// minSequenced is the least size of a sequenced packet of an unknown pair: a header and a message of one number
// and an end.
const minSequenced = 8

// route returns a stream's route for a datagram from one side.
func (s *stream) route(server, src flows.Side) dissect.Route {
	return dissect.Route{Decision: dissect.Mine, Stream: &s.Stream, Direction: server.Direction(src), Hint: uint64(s.hint)}
}

// at returns the pair's stream for the server's side, a new one if needed.
func (pr *pair) at(server flows.Side) *stream {
	s := &pr.byServer[server.Index()]
	if *s == nil {
		*s = &stream{}
		pr.foreign = false
	}
	return *s
}

// known returns the pair's stream and its server's side. If both sides are servers the one with a session
// counts.
func (pr *pair) known() (s *stream, server flows.Side) {
	a, b := pr.byServer[0], pr.byServer[1]
	if a == nil || b != nil && b.plays && !a.plays {
		return b, flows.High
	}
	return a, flows.Low
}

// routeOOB routes an out-of-band packet: its command shows which side is the server.
func (r *Router) routeOOB(a *datagram, pr *pair) dissect.Route {
	r.oob.Parse(a.Payload)
	s, server := pr.known()
	if q := r.oob.Foreign(); q.Engine != oob.NoEngine && (q.Alone || s != nil && s.foreign) {
		return pr.routeForeign(a, q)
	}
	if s != nil && s.foreign && !s.plays && !a.claimed && !r.oob.Strong() {
		return dissect.Route{}
	}
	if engine := r.speaksAgainst(a, s); engine != oob.NoEngine {
		return r.giveUp(a, pr, s, server, engine)
	}
	if r.oob.Direction == dissect.Undecidable {
		return r.routeUndirected(a, pr, s, server)
	}
	server = flows.Server(a.src, r.oob.Direction)
	endpoint, _ := a.endpoints(server)
	if !r.oob.Strong() && s == nil && !r.isServer(endpoint) && !a.claimed {
		if a.last {
			return dissect.Route{}
		}
		return dissect.Route{Decision: dissect.Undecided}
	}
	if s != nil && s.holdsSession() && pr.byServer[server.Index()] == nil {
		// One of them alone does not turn round who is the server.
		if pr.turns[a.src.Index()] = true; !pr.turns[a.src.Other().Index()] {
			return s.route(server.Other(), a.src)
		}
	}
	if s = pr.at(server); pr.pending != nil && pr.asks != server &&
		(r.oob.Kind == oob.ConnectResponse || r.oob.Kind == oob.Print && pr.silent) {
		s = pr.pending
	}
	switch r.oob.Kind {
	case oob.GetChallenge: // other engines' clients ask for one as well
		s.evidence.addOOB(&r.oob)
		return s.route(server, a.src)
	case oob.ConnectResponse:
		if pr.begins(s, server) {
			s.plays, s.evidence.accepted, pr.byServer[server.Index()], pr.pending = true, true, s, nil
		}
	case oob.ChallengeResponse:
		if r.oob.HasChallenge && r.oob.Challenge != pr.given[0] {
			pr.given[1], pr.given[0] = pr.given[0], r.oob.Challenge
		}
		s.plays = s.plays || pr.begins(s, server)
	case oob.Connect:
		s = r.connect(a, pr, s, server)
	}
	if a.claimed || r.oob.Direction == dissect.ServerToClient || r.oob.Kind == oob.Connect {
		r.noteServer(endpoint, a.now)
	}
	s.evidence.addOOB(&r.oob)
	route := s.route(server, a.src)
	if r.oob.Kind == oob.Connect && a.HasTime && r.flooded(a) {
		route.Hint |= floodHint
	}
	return route
}

// routeForeign routes a query of another engine, or an answer. What else is between the endpoints is not the family's,
// unless a word of it shows that.
func (pr *pair) routeForeign(a *datagram, q oob.Foreign) dissect.Route {
	server := flows.Server(a.src, q.Direction)
	if !pr.Shown() {
		defer func() { pr.foreign = true }()
	}
	s := pr.at(server)
	s.foreign = true
	return s.route(server, a.src)
}

// routeUndirected routes a packet whose command is sent by both sides.
func (r *Router) routeUndirected(a *datagram, pr *pair, s *stream, server flows.Side) dissect.Route {
	switch {
	case s != nil:
	case r.oob.Kind == oob.Unknown && !a.claimed: // anybody can send a text to a server
		return dissect.Route{}
	case r.isServer(a.Dst):
		server = a.src.Other()
	case r.isServer(a.Src):
		server = a.src
	case a.claimed:
		server = r.claimedServer(a)
	case a.last:
		return dissect.Route{}
	default:
		return dissect.Route{Decision: dissect.Undecided}
	}
	if s == nil {
		s = pr.at(server)
	}
	route := s.route(server, a.src)
	if pr.byServer[0] != nil && pr.byServer[1] != nil && !s.plays {
		route.Direction = dissect.Undecidable
	}
	if r.oob.Kind == oob.Disconnect {
		return pr.ends(a, s, server, route)
	}
	return route
}

// routeSequenced routes a packet of the netchan.
func (r *Router) routeSequenced(a *datagram, pr *pair) dissect.Route {
	s, server := pr.known()
	pr.silent = false
	if s != nil && s.plays {
		// the session asked for last is the only one that can be
		if pr.pending != nil && s.heard == heardNothing && server == a.src {
			s, pr.byServer[server.Index()], pr.pending = pr.pending, pr.pending, nil
		}
		if s.heard == heardNothing { // only then: its worker reads the stream too
			if s.heard = heardFirst; !(s.asked && s.evidence.accepted) {
				s.heard = heardLate
			}
		}
		if s.heard == heardLate && !lateNumber(a.Payload) {
			s.heard, pr.heuristic = heardFirst, nil
		}
		if s.heard == heardLate && !s.evidence.packets.Proven() && !a.claimed && !pr.foreign {
			if route := r.try(a, pr); route.Decision != dissect.Foreign {
				return route
			}
		}
		pr.hears = pr.hears || server == a.src
		holds, doubt := r.holds(a, s, server)
		var route dissect.Route
		switch {
		case !holds:
			route = r.giveUp(a, pr, s, server, oob.NoEngine)
		case server != a.src:
			route = r.follow(a, pr, s, server).route(server, a.src)
		default:
			route = pr.ends(a, s, server, s.route(server, a.src))
		}
		route.Doubt = doubt
		return route
	}
	if moved := r.moved(a); moved != nil {
		server = a.src.Other()
		pr.byServer[server.Index()] = moved
		route := moved.route(server, a.src)
		if !moved.evidence.packets.Proven() && !a.claimed {
			route.Doubt = dissect.Unproven
		}
		return route
	}
	if !a.claimed && (pr.foreign || s == nil && len(a.Payload) < minSequenced && !isPadding(a.Payload)) {
		return dissect.Route{}
	}
	return r.try(a, pr)
}
