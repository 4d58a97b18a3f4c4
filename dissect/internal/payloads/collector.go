// Package payloads has what transports do alike with the packets of applications: collect those of a datagram for
// their reader, and find out who the reader is.
package payloads

import "github.com/q3dissect/q3dissect/dissect"

// A Collector collects the application's packets of one datagram. Its memory is used again.
type Collector struct {
	dissect.Carried
	buffer   []byte // memory for Space when it is put together
	unpacked bool   // Space begins with what the datagram was decompressed to
}

// Begin begins a datagram. The record carries what is collected.
func (c *Collector) Begin(rec *dissect.Record) {
	c.Carried = dissect.Carried{Space: rec.Payload, Payloads: c.Payloads[:0], Names: c.Names}
	c.unpacked = false
	rec.Carried = &c.Carried
}

// Unpack says that places count in what the datagram was decompressed to, which is copied.
func (c *Collector) Unpack(plain []byte) {
	c.buffer = append(c.buffer[:0], plain...)
	c.Space, c.Joined, c.unpacked = c.buffer, true, true
}

// Unpacked reports whether Space begins with what the datagram was decompressed to.
func (c *Collector) Unpacked() bool { return c.unpacked }

// Add adds a packet that stands in the datagram, or in what it was decompressed to: in b[p.At:p.End].
func (c *Collector) Add(b []byte, p dissect.Payload) {
	if c.Joined && !c.unpacked {
		c.Join(b[p.At:p.End], p)
		return
	}
	c.Payloads = append(c.Payloads, p)
}

// Join adds a packet that was put together. Places count in what is put together then: the packets of the record
// one after the other.
func (c *Collector) Join(payload []byte, p dissect.Payload) {
	if !c.Joined {
		c.Joined = true
		whole := c.Space
		c.buffer = c.buffer[:0]
		for i, q := range c.Payloads {
			at := len(c.buffer)
			c.buffer = append(c.buffer, whole[q.At:q.End]...)
			c.Payloads[i].At, c.Payloads[i].End = at, len(c.buffer)
		}
	}
	at := len(c.buffer)
	c.buffer = append(c.buffer, payload...)
	c.Space = c.buffer
	p.At, p.End = at, len(c.buffer)
	c.Payloads = append(c.Payloads, p)
}
