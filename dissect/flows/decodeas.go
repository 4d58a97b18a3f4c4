package flows

import "github.com/q3dissect/q3dissect/dissect"

// DecodeAs holds the ports that the user assigned to a protocol, with a value for each. The zero value has none.
type DecodeAs[T any] struct{ ports map[uint16]T }

// Add adds a port with its value.
func (c *DecodeAs[T]) Add(port uint16, as T) {
	if c.ports == nil {
		c.ports = map[uint16]T{}
	}
	c.ports[port] = as
}

// Of returns the value of a packet's port. The receiver's port goes first.
func (c *DecodeAs[T]) Of(p *dissect.Packet) (as T, ok bool) {
	if len(c.ports) == 0 {
		return as, false
	}
	if as, ok = c.ports[p.Dst.Port()]; ok {
		return as, true
	}
	as, ok = c.ports[p.Src.Port()]
	return as, ok
}

// Server returns the side with an assigned port, or Unknown if both or neither have one.
func (c *DecodeAs[T]) Server(p *dissect.Packet) Side {
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
