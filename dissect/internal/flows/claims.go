package flows

import "github.com/q3dissect/q3dissect/dissect"

// Claims are the ports that the user gave to a protocol, with what was said of each. The zero value has none.
type Claims[T any] struct{ ports map[uint16]T }

// Add notes a port.
func (c *Claims[T]) Add(port uint16, as T) {
	if c.ports == nil {
		c.ports = map[uint16]T{}
	}
	c.ports[port] = as
}

// Of finds what was said of a packet's ports. The receiver's counts first.
func (c *Claims[T]) Of(p *dissect.Packet) (as T, ok bool) {
	if len(c.ports) == 0 {
		return as, false
	}
	if as, ok = c.ports[p.Dst.Port()]; ok {
		return as, true
	}
	as, ok = c.ports[p.Src.Port()]
	return as, ok
}

// Server is the side with a claimed port, or Unknown where both or neither have one.
func (c *Claims[T]) Server(p *dissect.Packet) Side {
	_, from := c.ports[p.Src.Port()]
	_, to := c.ports[p.Dst.Port()]
	switch {
	case from == to:
		return Unknown
	case from:
		return Sender(p)
	}
	return Sender(p).Other()
}
