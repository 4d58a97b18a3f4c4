package payloads

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
)

// A Pair is what a transport's router knows of the traffic between two endpoints, whatever the transport.
type Pair struct {
	Stream    *dissect.Stream // nil before the first datagram that is the transport's
	Server    flows.Side
	Connected bool // there is more than queries between the two
	Foreign   bool // it was tried in vain
	Detection      // who reads the payloads
}

// Shown reports whether there are records of the pair.
func (p *Pair) Shown() bool { return p.Stream != nil }

// Route returns the route of a datagram of the transport that one side sent.
func (p *Pair) Route(src flows.Side, hint uint64) dissect.Route {
	if p.Stream == nil {
		p.Stream = new(dissect.Stream)
		p.Foreign = false
	}
	return dissect.Route{
		Decision: dissect.Mine, Stream: p.Stream, Direction: p.Server.Direction(src),
		Hint: hint, Reading: p.Reading,
	}
}

// Claim records that the user assigned a port of the pair to the transport, and returns the route of a datagram.
func (p *Pair) Claim(server, src flows.Side, hint uint64) dissect.Route {
	p.Connected = true
	if p.Server == flows.Unknown {
		p.Server = server
	}
	return p.Route(src, hint)
}
