package enet

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/flows"
	"github.com/q3dissect/q3dissect/dissect/internal/payloads"
)

// A router finds the datagrams that belong to the transport, and the conversation between their two
// endpoints. It keeps a pair only once there is something to remember about it.
type router struct {
	pairs   flows.Table[pair]
	claims  flows.Claims[generation]
	readers payloads.Readers
	scan    scanner
	reader  commandReader
}

// A pair is what is known about the traffic between two endpoints.
type pair struct {
	stream     *dissect.Stream // nil before the first datagram that is the transport's
	server     flows.Side
	generation generation
	connected  bool
	foreign    bool
	trial      *trial

	payloads.Detection // who reads the payloads
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

// Expire drops idle pairs without a connection, whose trials have failed.
func (r *router) Expire(before int64) { r.pairs.Expire(before) }

// Shown reports whether there are records of the pair.
func (p *pair) Shown() bool { return p.stream != nil }

// Route classifies a datagram.
func (r *router) Route(p *dissect.Packet, now int64, last bool) dissect.Route {
	pr := r.pairs.Visit(p, now)
	route := r.route(p, pr, r.pairs.Sender(), last)
	if r.pairs.Leave(p, now, *pr != (pair{}), pr.connected) && pr.stream != nil {
		pr.stream.MarkForgotten()
	}
	return route
}

func (r *router) route(p *dissect.Packet, pr *pair, src flows.Side, last bool) dissect.Route {
	if as, claimed := r.claims.Of(p); claimed {
		return r.routeClaimed(p, pr, src, as)
	}
	if len(p.Payload) == 0 {
		return dissect.Route{}
	}
	if !r.readMark(p, pr, src) && !pr.connected && !r.try(p, pr, src) {
		if pr.trial != nil && !last {
			return dissect.Route{Decision: dissect.Undecided}
		}
		return dissect.Route{}
	}
	if !r.findReader(p, pr, src) && !last {
		return dissect.Route{Decision: dissect.Undecided}
	}
	return pr.route(src)
}

// route returns the pair's route for a datagram of one side.
func (pr *pair) route(src flows.Side) dissect.Route {
	if pr.stream == nil {
		pr.stream = new(dissect.Stream)
		pr.foreign = false
	}
	return dissect.Route{
		Decision: dissect.Mine, Stream: pr.stream, Direction: pr.server.Direction(src), Hint: uint64(pr.generation), Reading: pr.Reading,
	}
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
	if pr.connected && pr.server == src { // a server asks no client for a connection: somebody else sent it
		return true
	}
	pr.trial, pr.foreign, pr.connected = nil, false, true
	pr.generation, pr.server = g, src.Other()
	pr.Detection = payloads.Detection{}
	return true
}

// routeClaimed routes a datagram of a port that the user named, perhaps with the generation.
func (r *router) routeClaimed(p *dissect.Packet, pr *pair, src flows.Side, as generation) dissect.Route {
	pr.connected = true
	if !r.readMark(p, pr, src) && pr.stream == nil {
		pr.generation = r.generationOf(p)
	}
	if as < generations {
		pr.generation = as
	}
	if pr.server == flows.Unknown {
		pr.server = r.claims.Server(p)
	}
	return pr.route(src)
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
