package before

import "github.com/q3dissect/q3dissect/dissect"

// tunnel goes on with what an IP packet carries for another network.
func (d *decoder) tunnel(s span, decode func(*decoder, span) verdict) verdict {
	if !d.enter() {
		return d.is("too many tunnels")
	}
	return decode(d, s)
}

// try is a tunnel that may be none: what was learnt from garbage is taken back.
func (d *decoder) try(s span, decode func(*decoder, span) verdict) verdict {
	packet, src, dst, tunnels := *d.p, d.src, d.dst, d.tunnels
	var link dissect.Link
	if d.link != nil {
		link = *d.link
	}
	v := garbage
	if d.enter() {
		v = decode(d, s)
	}
	if v == garbage {
		*d.p, d.src, d.dst, d.tunnels = packet, src, dst, tunnels
		if d.link != nil {
			*d.link = link
		}
	}
	return v
}

// UDP ports of tunnels, as destination. What does not look like the tunnel, inside as well, is delivered
// as the UDP datagram that it is.
const (
	portVXLAN      = 4789 // RFC 7348, section 8
	portVXLANLinux = 8472 // what Linux took before, and still takes by itself
	portGeneve     = 6081 // RFC 8926, section 3.3
)

// vxlan decodes a VXLAN header: RFC 7348, section 5.
func (d *decoder) vxlan(s span) verdict {
	// Bit 3 of the first byte must be set. The first bit and bytes 1 to 3 are in use for group policies.
	const valid, policy = 0x08, 0x80
	if !s.has(8) || s.data[0]&^policy != valid || s.data[7] != 0 {
		return garbage
	}
	if s.data[0]&policy == 0 && s.u32(0)&0xffffff != 0 {
		return garbage
	}
	return d.ethernet(s.from(8))
}

// geneve decodes a Geneve header: RFC 8926, section 3.4.
func (d *decoder) geneve(s span) verdict {
	const controlAndCritical = 0xc0
	if !s.has(8) || s.data[0]>>6 != 0 || s.data[1]&^controlAndCritical != 0 || s.data[7] != 0 {
		return garbage
	}
	headerLen, protocol := 8+int(s.data[0]&0x3f)*4, s.u16(2)
	if !s.has(headerLen) {
		return garbage
	}
	return d.encapsulated(protocol, s.from(headerLen))
}

// encapsulated goes on with a protocol number as GRE and Geneve have it: Ethernet's, and one for frames.
func (d *decoder) encapsulated(protocol uint16, s span) verdict {
	if protocol == etherBridged {
		return d.ethernet(s)
	}
	if protocol < minEtherType {
		return garbage // no lengths here
	}
	return d.etherType(protocol, s)
}

// Bits of the first two bytes of a GRE header: RFC 2784, RFC 2890, routing of RFC 1701, version 1 of RFC 2637.
const (
	greChecksum = 1 << 15
	greRouting  = 1 << 14
	greKey      = 1 << 13
	greSequence = 1 << 12
	greAck      = 1 << 7
	greVersion  = 7
)

// gre decodes a GRE header of version 0, or of version 1, in which PPTP wraps PPP.
func (d *decoder) gre(s span) verdict {
	if !s.has(4) {
		return d.bad("GRE, cut short")
	}
	flags, protocol := s.u16(0), s.u16(2)
	version := flags & greVersion
	headerLen := 4
	if flags&(greChecksum|greRouting) != 0 {
		headerLen += 4
	}
	if flags&greKey != 0 {
		headerLen += 4
	}
	if flags&greSequence != 0 {
		headerLen += 4
	}
	if version > 1 || !s.has(headerLen) {
		return d.bad("GRE, bad header")
	}
	s = s.from(headerLen)
	// Edited: the list of routes ends, as RFC 1701 has it, with an entry of family 0 and length 0, and stands
	// before the acknowledgement.
	for more, n := flags&greRouting != 0, 0; more; n++ {
		if !s.has(4) || !s.has(4+int(s.data[3])) {
			return d.bad("GRE, bad header")
		}
		more = s.data[3] != 0 || s.u16(0) != 0
		if more && n >= 32 {
			return d.bad("GRE, bad header")
		}
		s = s.from(4 + int(s.data[3]))
	}
	if version == 1 && flags&greAck != 0 {
		if !s.has(4) {
			return d.bad("GRE, bad header")
		}
		s = s.from(4)
	}
	switch {
	case protocol == etherERSPAN && flags&greSequence == 0: // type I has no header
		return d.ethernet(s)
	case protocol == etherERSPAN || protocol == etherERSPAN3:
		return d.erspan(s)
	}
	if v := d.encapsulated(protocol, s); v != garbage {
		return v
	}
	return d.is("GRE")
}

// erspan decodes the header before a mirrored frame: draft-foschiano-erspan-03, sections 4.2 and 4.3.
func (d *decoder) erspan(s span) verdict {
	const typeII, typeIII = 1, 2
	if !s.has(8) {
		return d.bad("ERSPAN, cut short")
	}
	switch version := s.data[0] >> 4; {
	case version <= typeII: // 0 in early versions
		return d.ethernet(s.from(8))
	case version != typeIII || !s.has(12):
		return d.bad("ERSPAN, bad header")
	}
	headerLen, frameType := 12, s.data[10]>>2&0x1f
	if s.data[11]&1 != 0 { // a platform's own subheader
		headerLen += 8
	}
	if !s.has(headerLen) {
		return d.bad("ERSPAN, cut short")
	}
	const ipPacket = 2
	if frameType == ipPacket {
		return d.ip(s.from(headerLen))
	}
	return d.ethernet(s.from(headerLen))
}
