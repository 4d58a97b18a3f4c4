package flows

import "github.com/q3dissect/q3dissect/dissect"

// A Side is one endpoint of a pair: the one with the lower address and port, or the other. Which of the two is
// the server is a Side too.
type Side uint8

// The sides. Unknown is the zero value.
const (
	Unknown Side = iota
	Low
	High
)

// Sender returns the side that sent a packet. Between an endpoint and itself it is Low.
func Sender(p *dissect.Packet) Side {
	if a, b := EndpointOf(p.Src), EndpointOf(p.Dst); b.less(a) {
		return High
	}
	return Low
}

// Other returns the opposite side; of Unknown it is Unknown.
func (s Side) Other() Side {
	switch s {
	case Low:
		return High
	case High:
		return Low
	}
	return Unknown
}

// Index returns 0 for Low and 1 for High, for arrays with an element for each side. Unknown has none.
func (s Side) Index() int { return int(s) - 1 }

// Direction returns the direction of a datagram from a side if s is the server.
func (s Side) Direction(from Side) dissect.Direction {
	switch s {
	case Unknown:
		return dissect.Undecidable
	case from:
		return dissect.ServerToClient
	}
	return dissect.ClientToServer
}

// Server returns the server's side, given the sender and the direction of a datagram.
func Server(from Side, d dissect.Direction) Side {
	switch d {
	case dissect.ServerToClient:
		return from
	case dissect.ClientToServer:
		return from.Other()
	}
	return Unknown
}
