package enet

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
)

// A commandReader finds the application's packets in those of the transport, for the router.
type commandReader struct {
	found []dissect.Payload // in the packet that was read last
}

// read finds the whole messages among the commands of a packet, which a scan explained.
func (r *commandReader) read(b []byte, g generation) {
	r.found = r.found[:0]
	var h commandHead
	for at := 0; at < len(b) && h.parse(b[at:], g) && h.number != 0; {
		c := commandTable[h.number]
		s := c.shapes[g]
		size := s.size
		switch {
		case g.long():
			size = h.size
		case s.lengthAt > 0:
			size += int(binary.BigEndian.Uint16(b[at+s.lengthAt:]))
		}
		if c.carries && !c.fragment && size > s.size {
			r.found = append(r.found, dissect.Payload{At: at + s.size, End: at + size, Reliable: h.flags&ackFlag != 0})
		}
		at += size
	}
}

// findReader looks at a packet of a recognised connection. It answers false while who reads the payloads may become
// known from later packets, and this one has some.
func (r *router) findReader(p *dissect.Packet, pr *pair, src flows.Side) bool {
	if r.readers.Empty() || pr.Decided || pr.Server == flows.Unknown || p.Truncated() {
		return true
	}
	explained := false
	for _, l := range layouts {
		if explained = l.generation == pr.generation && r.scan.explains(p.Payload, l); explained {
			break
		}
	}
	if !explained || r.scan.data == 0 {
		return true
	}
	if r.reader.read(r.scan.unpacked, pr.generation); len(r.reader.found) == 0 {
		return false // parts of messages show nothing, and wait with the others
	}
	return r.readers.Examine(&pr.Detection, p, pr.Server.Direction(src), r.scan.unpacked, r.reader.found)
}

// A carrier recognises the transport on ports that the user gave to a reader of payloads.
type carrier struct{ scan scanner }

// Mark looks for the beginning of a connection.
func (c *carrier) Mark(p *dissect.Packet) (hint uint64, d dissect.Direction, firm, ok bool) {
	g, ok := c.scan.connects(p.Payload)
	return uint64(g), dissect.ClientToServer, true, ok
}

// Sign reads what a packet shows of its sender's connection.
func (c *carrier) Sign(p *dissect.Packet, hint, pending uint64) dissect.Sign {
	return c.scan.sign(p.Payload, generation(hint&^hintGoesOn), pending)
}

// TakenBack returns the hint of a packet that ends a connection which goes on.
func (*carrier) TakenBack(hint uint64) uint64 { return hint | hintGoesOn }

// Explains reports whether commands explain a packet to its end. What the reader makes of their data does not
// matter: commands are enough.
func (c *carrier) Explains(p *dissect.Packet, _ func([]byte, *dissect.Payload) bool) (hint uint64,
	explained, certain bool,
) {
	for _, l := range layouts {
		if c.scan.explains(p.Payload, l) {
			return uint64(l.generation), true, false
		}
	}
	return 0, false, false
}
