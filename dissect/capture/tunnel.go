package capture

import (
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/q3dissect/q3dissect/dissect"
)

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

// vxlan decodes a VXLAN header: RFC 7348, section 5. The bits of group policies may be set, no reserved ones:
// the library does not look at them.
func (d *decoder) vxlan(s span) verdict {
	h := &d.headers.vxlan
	if h.DecodeFromBytes(s.data, gopacket.NilDecodeFeedback) != nil || !h.ValidIDFlag || s.data[0]&^0x88 != 0 || s.data[7] != 0 {
		return garbage
	}
	if !h.GBPExtension && s.u32(0)&0xffffff != 0 {
		return garbage
	}
	return d.ethernet(s.from(len(h.Contents)))
}

// geneve decodes a Geneve header: RFC 8926, section 3.4.
func (d *decoder) geneve(s span) verdict {
	const controlAndCritical = 0xc0
	if !s.has(8) || s.data[0]>>6 != 0 || s.data[1]&^controlAndCritical != 0 || s.data[7] != 0 {
		return garbage
	}
	headerLen, protocol := 8+int(s.data[0]&0x3f)*4, layers.EthernetType(s.u16(2))
	if !s.has(headerLen) {
		return garbage
	}
	return d.encapsulated(protocol, s.from(headerLen))
}

// encapsulated goes on with a protocol number as GRE and Geneve have it: Ethernet's, and one for frames.
func (d *decoder) encapsulated(protocol layers.EthernetType, s span) verdict {
	if protocol == layers.EthernetTypeTransparentEthernetBridging {
		return d.ethernet(s)
	}
	if protocol < minEtherType {
		return garbage // no lengths here
	}
	return d.etherType(protocol, s)
}

// gre decodes a GRE header of version 0 (RFC 2784, RFC 2890, routing of RFC 1701), or of version 1, in which
// PPTP wraps PPP (RFC 2637).
func (d *decoder) gre(s span) verdict {
	if !s.has(4) {
		return d.bad("GRE, cut short")
	}
	h := &d.headers.gre
	if h.DecodeFromBytes(s.data, gopacket.NilDecodeFeedback) != nil || h.Version > 1 {
		return d.bad("GRE, bad header")
	}
	s = s.from(len(h.Contents))
	switch {
	case h.Protocol == layers.EthernetTypeERSPAN && !h.SeqPresent: // type I has no header
		return d.ethernet(s)
	case h.Protocol == layers.EthernetTypeERSPAN || h.Protocol == etherERSPAN3:
		return d.erspan(s)
	}
	if v := d.encapsulated(h.Protocol, s); v != garbage {
		return v
	}
	return d.is("GRE")
}

// erspan decodes the header before a mirrored frame: draft-foschiano-erspan-03, sections 4.2 and 4.3.
func (d *decoder) erspan(s span) verdict {
	const typeIII, ipPacket = 2, 2
	if !s.has(8) {
		return d.bad("ERSPAN, cut short")
	}
	if s.data[0]>>4 != typeIII {
		h := &d.headers.erspan2
		if h.DecodeFromBytes(s.data, gopacket.NilDecodeFeedback) != nil {
			return d.bad("ERSPAN, bad header")
		}
		return d.ethernet(s.from(len(h.Contents)))
	}
	if !s.has(12) {
		return d.bad("ERSPAN, bad header")
	}
	headerLen, frameType := 12, s.data[10]>>2&0x1f
	if s.data[11]&1 != 0 { // a platform's own subheader
		headerLen += 8
	}
	if !s.has(headerLen) {
		return d.bad("ERSPAN, cut short")
	}
	if frameType == ipPacket {
		return d.ip(s.from(headerLen))
	}
	return d.ethernet(s.from(headerLen))
}
