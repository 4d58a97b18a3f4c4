package enet

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
	"github.com/q3dissect/q3dissect/dissect/internal/payloads"
)

// A router finds the datagrams that belong to the transport, and the conversation between their two
// endpoints. It keeps a pair only once there is something to remember about it.
type router struct {
	pairs   flows.Table[pair]
	claims  flows.DecodeAs[generation]
	readers payloads.Readers
	scan    scanner
	reader  commandReader
}

// A pair is what is known about the traffic between two endpoints.
type pair struct {
	payloads.Pair
	generation generation
	candidate  *candidate
	evidence   flows.Evidence
	ending     payloads.Ending
}

func newRouter(readers []*dissect.Protocol) *router {
	return &router{readers: payloads.NewReaders(protocolName, readers)}
}

// Claim makes every datagram of a port the transport's. A name other than the protocol's is that of a generation.
func (r *router) Claim(port uint16, as string) {
	g := generations
	if as == generationNames[photon] {
		g = photon
	}
	r.claims.Add(port, g)
}

// Expire drops idle pairs without a connection, which are no candidates any more.
func (r *router) Expire(before int64) { r.pairs.Expire(before) }

// Route classifies a datagram.
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
	return true, r.explains(p, &e.Value) || r.scan.head.packed // compressed in another way
}

// explains reports whether a datagram is commands of a connection's generation.
func (r *router) explains(p *dissect.Packet, pr *pair) bool {
	l := layout{generation: pr.generation}
	fits := r.scan.explains(p.Payload, l)
	if !fits && l.generation.recent() {
		l.checksum = true
		fits = r.scan.explains(p.Payload, l)
	}
	return fits
}

// foreign reports, at little cost, that a datagram is foreign if nothing is known of its pair: it asks for no
// connection, and does not look like a packet of one.
func (r *router) foreign(p *dissect.Packet) bool {
	if _, claimed := r.claims.Of(p); claimed {
		return false
	}
	if len(p.Payload) == 0 {
		return true
	}
	if _, asks := r.scan.connects(p.Payload); asks {
		return false
	}
	return !r.scan.begins(p.Payload)
}

func (r *router) route(p *dissect.Packet, pr *pair, src flows.Side, last bool) dissect.Route {
	if as, claimed := r.claims.Of(p); claimed {
		return r.routeClaimed(p, pr, src, as)
	}
	if len(p.Payload) == 0 {
		return dissect.Route{}
	}
	marked, doubt := r.readMark(p, pr, src), dissect.NoDoubt
	if !marked && pr.Connected && !pr.evidence.Proven() {
		doubt = pr.evidence.Add(p, r.explains(p, pr))
	}
	if !marked && !pr.Connected && !r.try(p, pr, src) {
		if pr.candidate != nil && !last {
			return dissect.Route{Decision: dissect.Undecided}
		}
		return dissect.Route{}
	}
	if !r.findReader(p, pr, src) && !last {
		return dissect.Route{Decision: dissect.Undecided}
	}
	sign := r.scan.sign(p.Payload, pr.generation, pr.ending.Pending())
	if pr.ending.Waits(p, src, sign, last) {
		return dissect.Route{Decision: dissect.Undecided}
	}
	hint := uint64(pr.generation)
	if pr.ending.TakenBack(p, src, sign) {
		hint |= hintGoesOn
	}
	route := pr.Route(src, hint)
	route.Doubt = doubt
	return route
}

// readMark looks for the beginning of a connection, and records what it shows.
func (r *router) readMark(p *dissect.Packet, pr *pair, src flows.Side) bool {
	g, ok := r.scan.connects(p.Payload)
	if !ok {
		return false
	}
	if g == v10 && photonPort(p) {
		g = photon
	}
	if pr.Connected && pr.Server == src { // a server asks no client for a connection: somebody else sent it
		return true
	}
	pr.candidate, pr.Foreign, pr.Connected = nil, false, true
	pr.generation, pr.Server = g, src.Other()
	pr.Detection = payloads.Detection{}
	return true
}

// routeClaimed routes a datagram of a port that the user named, perhaps with the generation.
func (r *router) routeClaimed(p *dissect.Packet, pr *pair, src flows.Side, as generation) dissect.Route {
	pr.Connected = true
	if !r.readMark(p, pr, src) && pr.Stream == nil {
		pr.generation = r.generationOf(p)
	}
	if as < generations {
		pr.generation = as
	}
	return pr.Claim(r.claims.Server(p), src, uint64(pr.generation))
}

// generationOf finds the generation of an unmarked packet.
func (r *router) generationOf(p *dissect.Packet) generation {
	for _, l := range layouts {
		if r.scan.scan(p.Payload, l) {
			if l.generation == v10 && (r.scan.photon || photonPort(p)) && r.scan.scan(p.Payload, layout{generation: photon}) {
				return photon
			}
			return l.generation
		}
	}
	return v13
}
