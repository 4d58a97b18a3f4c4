package headers

import (
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/q3dissect/q3dissect/dissect"
)

// tunnel decodes a packet of another network that an IP packet carries.
func (d *Decoder) tunnel(s Span, decode func(*Decoder, Span) Outcome) Outcome {
	if !d.enter() {
		return d.notUDP("too many tunnels")
	}
	return decode(d, s)
}

// try decodes a possible tunnel, and undoes its effects if the result is garbage.
func (d *Decoder) try(s Span, decode func(*Decoder, Span) Outcome) Outcome {
	packet, src, dst, tunnels := *d.Packet, d.src, d.dst, d.tunnels
	var link dissect.Link
	if d.Link != nil {
		link = *d.Link
	}
	v := Garbage
	if d.enter() {
		v = decode(d, s)
	}
	if v == Garbage {
		*d.Packet, d.src, d.dst, d.tunnels = packet, src, dst, tunnels
		if d.Link != nil {
			*d.Link = link
		}
	}
	return v
}

// UDP destination ports of tunnels. A datagram whose content does not look like the tunnel is
// delivered as a plain UDP datagram.
const (
	portVXLAN      = 4789 // RFC 7348, section 8
	portVXLANLinux = 8472 // Linux's earlier and still default port
	portVXLANGPE   = 4790 // draft-ietf-nvo3-vxlan-gpe, section 3.1
	portGeneve     = 6081 // RFC 8926, section 3.3
)

// vxlan decodes a VXLAN header: RFC 7348, section 5. A receiver ignores reserved bits. Where some are set that are not
// those of group policies, what follows must look like a frame, since a game may use the port.
func (d *Decoder) vxlan(s Span) Outcome {
	h := &d.headers.vxlan
	if h.DecodeFromBytes(s.Data, gopacket.NilDecodeFeedback) != nil || !h.ValidIDFlag {
		return Garbage
	}
	reserved := s.Data[0]&^0x88 != 0 || s.Data[7] != 0 || !h.GBPExtension && s.u32(0)&0xffffff != 0
	s = s.from(len(h.Contents))
	if reserved && !s.looksLikeEthernet() {
		return Garbage
	}
	return d.ethernet(s)
}

// vxlanGPE decodes a VXLAN header with a protocol: draft-ietf-nvo3-vxlan-gpe-13, section 3. Without the bit for a
// protocol it is a plain VXLAN header.
func (d *Decoder) vxlanGPE(s Span) Outcome {
	const version, valid, hasProtocol, management = 0x30, 0x08, 0x04, 0x01
	if !s.has(8) || s.Data[0]&(version|valid|management) != valid {
		return Garbage
	}
	protocol := s.Data[3]
	if s.Data[0]&hasProtocol == 0 {
		protocol = 3
	}
	switch s = s.from(8); {
	case (protocol == 1 || protocol == 2) && s.looksLikeIP():
		return d.ip(s)
	case protocol == 3 && s.looksLikeEthernet():
		return d.ethernet(s)
	}
	return Garbage
}

// geneve decodes a Geneve header: RFC 8926, section 3.4.
func (d *Decoder) geneve(s Span) Outcome {
	const controlAndCritical = 0xc0
	if !s.has(8) || s.Data[0]>>6 != 0 || s.Data[1]&^controlAndCritical != 0 || s.Data[7] != 0 {
		return Garbage
	}
	headerLen, protocol := 8+int(s.Data[0]&0x3f)*4, layers.EthernetType(s.u16(2))
	if !s.has(headerLen) {
		return Garbage
	}
	return d.encapsulated(protocol, s.from(headerLen))
}

// encapsulated continues with a protocol number as GRE and Geneve have it: Ethernet's, and one for frames.
func (d *Decoder) encapsulated(protocol layers.EthernetType, s Span) Outcome {
	if protocol == layers.EthernetTypeTransparentEthernetBridging {
		return d.ethernet(s)
	}
	if protocol < minEtherType {
		return Garbage // no lengths here
	}
	return d.etherType(protocol, s)
}

// gre decodes a GRE header of version 0 (RFC 2784, RFC 2890, routing of RFC 1701), or of version 1, in which
// PPTP wraps PPP (RFC 2637).
func (d *Decoder) gre(s Span) Outcome {
	if !s.has(4) {
		return d.bad("GRE, cut short")
	}
	h := &d.headers.gre
	if h.DecodeFromBytes(s.Data, gopacket.NilDecodeFeedback) != nil || h.Version > 1 {
		return d.bad("GRE, bad header")
	}
	s = s.from(len(h.Contents))
	switch {
	case h.Protocol == etherEoIP && h.KeyPresent:
		return d.eoip(int(h.Key>>16), s)
	case h.Protocol == layers.EthernetTypeERSPAN && !h.SeqPresent: // type I has no header
		return d.ethernet(s)
	case h.Protocol == layers.EthernetTypeERSPAN || h.Protocol == etherERSPAN3:
		return d.erspan(s)
	}
	if v := d.encapsulated(h.Protocol, s); v != Garbage {
		return v
	}
	return d.notUDP("GRE")
}

// erspan decodes the header before a mirrored frame: draft-foschiano-erspan-03, sections 4.2 and 4.3.
func (d *Decoder) erspan(s Span) Outcome {
	const typeIII, ipPacket = 2, 2
	if !s.has(8) {
		return d.bad("ERSPAN, cut short")
	}
	if s.Data[0]>>4 != typeIII {
		h := &d.headers.erspan2
		if h.DecodeFromBytes(s.Data, gopacket.NilDecodeFeedback) != nil {
			return d.bad("ERSPAN, bad header")
		}
		return d.ethernet(s.from(len(h.Contents)))
	}
	if !s.has(12) {
		return d.bad("ERSPAN, bad header")
	}
	headerLen, frameType := 12, s.Data[10]>>2&0x1f
	if s.Data[11]&1 != 0 { // a platform's own subheader
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
