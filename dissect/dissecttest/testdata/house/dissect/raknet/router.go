package raknet

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
)

// A router finds pings and pongs by their magic. All datagrams of two endpoints are one stream.
type router struct {
	pairs  flows.Table[pair]
	claims flows.DecodeAs[struct{}]
}

type pair struct {
	stream *dissect.Stream
	server flows.Side
}

// Route recognises a datagram.
func (r *router) Route(p *dissect.Packet, now int64, _ bool) dissect.Route {
	from := flows.Sender(p)
	server := flows.Unknown
	switch idOf(p.Payload) {
	case idPing:
		server = from.Other()
	case idPong:
		server = from
	default:
		if _, claimed := r.claims.Of(p); !claimed {
			return dissect.Route{}
		}
		server = r.claims.Server(p)
	}
	e := r.pairs.Find(p, now)
	if e == nil {
		e = r.pairs.Add(p, now)
		e.Value.stream = new(dissect.Stream)
	}
	if server != flows.Unknown {
		e.Value.server = server
	}
	return dissect.Route{Decision: dissect.Mine, Stream: e.Value.stream, Direction: e.Value.server.Direction(from)}
}

// idOf returns the identifier of a ping or pong, and 0 for everything else.
func idOf(b []byte) byte {
	at := magicInPing
	if len(b) > 0 && b[0] == idPong {
		at = magicInPong
	}
	if len(b) < at+len(magic) || b[0] != idPing && b[0] != idPong || string(b[at:at+len(magic)]) != magic {
		return 0
	}
	return b[0]
}

// Claim makes every datagram of a port the protocol's.
func (r *router) Claim(port uint16, _ string) { r.claims.Add(port, struct{}{}) }

// Expire forgets pairs that were idle for long.
func (r *router) Expire(before int64) { r.pairs.Expire(before) }
