package quake3

import (
	"encoding/binary"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
)

// A router tells which datagrams are the family's, and which conversation they belong to. It sees every
// datagram in the order of the capture and keeps little: for each pair of endpoints what is known of it.
//
// A conversation is a client of a server: the server's endpoint, the client's address, and its qport
// once that is known, since the client's port may change. SV_PacketEvent in code/server/sv_main.c.
type router struct {
	pairs   map[pairKey]*pair
	clients map[clientKey]*stream
	servers map[netip.AddrPort]int64 // endpoints known to be servers, when last seen
	claimed map[uint16]bool          // ports of -d
	streams int
	oob     oob.Packet
	judge   *conversation // decodes on trial
	fresh   pair          // the pair that is being looked at for the first time
}

// A pairKey is two endpoints, the lower one first.
type pairKey struct{ low, high netip.AddrPort }

type clientKey struct {
	server netip.AddrPort
	client netip.Addr
	qport  uint16
}

// A stream is a conversation as the router knows it.
type stream struct {
	id       int
	hint     sessionHint
	qport    uint16
	hasQport bool
	plays    bool // has a session, or is about to: a challenge was asked for
}

// A pair is what is known of the traffic between two endpoints. Either can be the server: a game server
// asks its master, which asks back.
type pair struct {
	byServer [2]*stream // where the lower, the higher endpoint is the server
	trial    *trial     // nil: none is going on
	foreign  bool
	last     int64
}

// A sessionHint is what the router found out about a session that began before the capture: its encoding
// in the low bits, and for native the challenge above.
type sessionHint uint64

func makeHint(e encoding, challenge int32) sessionHint {
	return sessionHint(uint32(challenge))<<8 | sessionHint(e)
}

func (h sessionHint) unpack() (e encoding, challenge int32) { return encoding(h & 0xff), int32(h >> 8) }

func newRouter() *router {
	return &router{
		pairs: map[pairKey]*pair{}, clients: map[clientKey]*stream{}, servers: map[netip.AddrPort]int64{}, claimed: map[uint16]bool{},
	}
}

// Claim makes every datagram of a port the family's.
func (r *router) Claim(port uint16, _ string) { r.claimed[port] = true }

// Expire forgets pairs without a session that were idle, and servers.
func (r *router) Expire(before int64) {
	for key, p := range r.pairs {
		if p.last < before && !p.plays() {
			delete(r.pairs, key)
		}
	}
	for server, last := range r.servers {
		if last < before {
			delete(r.servers, server)
		}
	}
}

func (p *pair) plays() bool {
	return p.byServer[0] != nil && p.byServer[0].plays || p.byServer[1] != nil && p.byServer[1].plays
}

// Route says what a datagram is.
func (r *router) Route(p *dissect.Packet, last bool) dissect.Route {
	if p.Recorded() {
		return dissect.Route{Verdict: dissect.Mine, Direction: dissect.ServerToClient, Hint: p.Hint}
	}
	key, srcHigh := pairKey{p.Src, p.Dst}, 0
	if p.Dst.Compare(p.Src) < 0 {
		key, srcHigh = pairKey{p.Dst, p.Src}, 1
	}
	claimed := len(r.claimed) > 0 && (r.claimed[p.Src.Port()] || r.claimed[p.Dst.Port()])
	if pr, ok := r.pairs[key]; ok {
		return r.route(p, pr, srcHigh, claimed, last)
	}
	// Most of a capture can be foreign: a pair is kept only once there is something to remember.
	r.fresh = pair{}
	route := r.route(p, &r.fresh, srcHigh, claimed, last)
	if r.fresh.byServer[0] != nil || r.fresh.byServer[1] != nil || r.fresh.trial != nil {
		pr := r.fresh
		r.pairs[key] = &pr
	}
	return route
}

func (r *router) route(p *dissect.Packet, pr *pair, src int, claimed, last bool) dissect.Route {
	if p.HasTime {
		pr.last = p.Time
	}
	if oob.HasMarker(p.Payload) {
		return r.routeOOB(p, pr, src, claimed, last)
	}
	return r.routeSequenced(p, pr, src, claimed, last)
}

// minSequenced is the least that a sequenced packet of an unknown pair must have: a header and a
// message of one number and an end.
const minSequenced = 8

// route gives a stream's route; the server is the lower (0) or higher (1) endpoint.
func (s *stream) route(server, src int) dissect.Route {
	d := dissect.ClientToServer
	if server == src {
		d = dissect.ServerToClient
	}
	return dissect.Route{Verdict: dissect.Mine, Conversation: s.id, Direction: d, Hint: uint64(s.hint)}
}

func (r *router) newStream() *stream {
	s := &stream{id: r.streams}
	r.streams++
	return s
}

// at gives the pair's stream for the server's side, made if need be.
func (r *router) at(pr *pair, server int) *stream {
	if pr.byServer[server] == nil {
		pr.byServer[server] = r.newStream()
		pr.foreign = false
	}
	return pr.byServer[server]
}

// known gives the pair's stream and its server's side. Where both sides are servers the one with a
// session counts.
func (pr *pair) known() (s *stream, server int) {
	a, b := pr.byServer[0], pr.byServer[1]
	if a == nil || b != nil && b.plays && !a.plays {
		return b, 1
	}
	return a, 0
}

// routeOOB routes an out-of-band packet: its command tells who is the server.
func (r *router) routeOOB(p *dissect.Packet, pr *pair, src int, claimed, last bool) dissect.Route {
	r.oob.Parse(p.Payload)
	s, server := pr.known()
	switch r.oob.Direction {
	case dissect.ClientToServer:
		server = 1 - src
	case dissect.ServerToClient:
		server = src
	default:
		return r.routeUndirected(p, pr, s, server, src, claimed, last)
	}
	endpoint := p.Src
	if server != src {
		endpoint = p.Dst
	}
	if !r.oob.Strong() && s == nil && !r.isServer(endpoint) && !claimed {
		if last {
			return dissect.Route{}
		}
		return dissect.Route{Verdict: dissect.Undecided}
	}
	r.servers[endpoint] = p.Time
	s = r.at(pr, server)
	switch r.oob.Kind {
	case oob.GetChallenge, oob.ChallengeResponse, oob.ConnectResponse:
		s.plays = true
	case oob.Connect:
		s = r.connect(p, pr, s, server)
	}
	return s.route(server, src)
}

// routeUndirected routes a packet whose words do not tell who says them.
func (r *router) routeUndirected(p *dissect.Packet, pr *pair, s *stream, server, src int, claimed, last bool) dissect.Route {
	switch {
	case s != nil:
	case r.isServer(p.Dst):
		server = 1 - src
	case r.isServer(p.Src):
		server = src
	case claimed:
		server = 1 - src
		if r.claimed[p.Src.Port()] {
			server = src
		}
	case last || r.oob.Kind == oob.Unknown:
		return dissect.Route{}
	default:
		return dissect.Route{Verdict: dissect.Undecided}
	}
	if s == nil {
		s = r.at(pr, server)
	}
	route := s.route(server, src)
	if pr.byServer[0] != nil && pr.byServer[1] != nil && !s.plays {
		route.Direction = dissect.Undecidable
	}
	return route
}

func (r *router) isServer(endpoint netip.AddrPort) bool {
	_, ok := r.servers[endpoint]
	return ok
}

// connect notes the qport that a client connects with, and finds the stream it had before under another
// port.
func (r *router) connect(p *dissect.Packet, pr *pair, s *stream, server int) *stream {
	s.plays = true
	if !r.oob.HasQport || s.hasQport && s.qport == r.oob.Qport {
		return s
	}
	key := clientKey{p.Dst, p.Src.Addr(), r.oob.Qport}
	if old := r.clients[key]; old != nil {
		s = old
	} else {
		if s.hasQport { // another client behind the same port
			s = r.newStream()
			s.plays = true
		}
		s.qport, s.hasQport = r.oob.Qport, true
		r.clients[key] = s
	}
	pr.byServer[server] = s
	return s
}

// routeSequenced routes a packet of the netchan.
func (r *router) routeSequenced(p *dissect.Packet, pr *pair, src int, claimed, last bool) dissect.Route {
	s, server := pr.known()
	if s != nil && s.plays {
		if server != src {
			s = r.follow(p, pr, s, server)
		}
		return s.route(server, src)
	}
	if moved := r.moved(p); moved != nil {
		pr.byServer[1-src] = moved
		return moved.route(1-src, src)
	}
	if !claimed && (pr.foreign || s == nil && len(p.Payload) < minSequenced) {
		return dissect.Route{}
	}
	return r.try(p, pr, src, claimed, last)
}

// follow keeps a client to its stream by the qport: another client may use the port now.
func (r *router) follow(p *dissect.Packet, pr *pair, s *stream, server int) *stream {
	if len(p.Payload) < 6 {
		return s
	}
	qport := binary.LittleEndian.Uint16(p.Payload[4:])
	if s.hasQport {
		if s.qport == qport {
			return s
		}
		if other := r.clients[clientKey{p.Dst, p.Src.Addr(), qport}]; other != nil {
			pr.byServer[server] = other
			return other
		}
		return s
	}
	s.qport, s.hasQport = qport, true
	r.clients[clientKey{p.Dst, p.Src.Addr(), qport}] = s
	return s
}

// moved finds the stream of a client that sends from another port than before.
func (r *router) moved(p *dissect.Packet) *stream {
	if len(p.Payload) < minSequenced || !r.isServer(p.Dst) {
		return nil
	}
	return r.clients[clientKey{p.Dst, p.Src.Addr(), binary.LittleEndian.Uint16(p.Payload[4:])}]
}
