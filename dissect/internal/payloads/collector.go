// Package payloads has what transports share for the packets of applications: collecting those of a datagram
// for their reader, and finding the reader.
package payloads

import "github.com/q3dissect/q3dissect/dissect"

// A Collector collects the application's packets of one datagram. Its memory is reused.
type Collector struct {
	dissect.Carried
	buffer   []byte // memory for Space with joined packets
	unpacked bool   // Space begins with the decompressed datagram
}

// Begin begins a datagram. The collected packets are in the record's Carried.
func (c *Collector) Begin(rec *dissect.Record) {
	c.Carried = dissect.Carried{Space: rec.Payload, Payloads: c.Payloads[:0]}
	c.unpacked = false
	rec.Carried = &c.Carried
}

// Unpack sets the decompressed datagram, which is copied, as the base of positions.
func (c *Collector) Unpack(plain []byte) {
	c.buffer = append(c.buffer[:0], plain...)
	c.Space, c.Joined, c.unpacked = c.buffer, true, true
}

// Unpacked reports whether Space begins with the decompressed datagram.
func (c *Collector) Unpacked() bool { return c.unpacked }

// Add adds a packet in b[p.At:p.End], a part of the datagram or of the decompressed datagram.
func (c *Collector) Add(b []byte, p dissect.Payload) {
	if c.Joined && !c.unpacked {
		c.Join(b[p.At:p.End], p)
		return
	}
	c.Payloads = append(c.Payloads, p)
}

// Join adds a reassembled packet. Positions then refer to the joined packets of the record, one after the
// other.
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
