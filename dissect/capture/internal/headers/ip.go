package headers

import (
	"net/netip"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/q3dissect/q3dissect/reassembly"
)

// IP protocols that the library has no name for: https://www.iana.org/assignments/protocol-numbers.
const (
	protoDCCP     = 33
	protoL2TP     = 115
	protoMobility = 135
	protoHIP      = 139
	protoShim6    = 140
)

// ip decodes a header of either version.
func (d *Decoder) ip(s Span) Outcome {
	if s.has(1) && s.Data[0]>>4 == 6 {
		return d.ipv6(s)
	}
	return d.ipv4(s)
}

// looksLikeIP reports whether s begins with an IP header and its lengths agree with that of s.
func (s Span) looksLikeIP() bool {
	switch {
	case s.has(20) && s.Data[0]>>4 == 4:
		headerLen, total := int(s.Data[0]&0xf)*4, int(s.u16(2))
		return headerLen >= 20 && total >= headerLen && total <= s.Wire
	case s.has(40) && s.Data[0]>>4 == 6:
		return 40+int(s.u16(4)) <= s.Wire
	}
	return false
}

// ipv4 decodes an IPv4 header: RFC 791, section 3.1. Options are skipped.
func (d *Decoder) ipv4(s Span) Outcome {
	if !s.has(20) || s.Data[0]>>4 != 4 { // the library takes any version
		return d.bad("IPv4, bad header")
	}
	header, headerLen, total := s.Data, int(s.Data[0]&0xf)*4, int(s.u16(2))
	if headerLen > 20 { // the library drops a packet for a damaged option
		header = d.copyOf(header[:20])
		header[0] = 0x45
	}
	if total == 0 {
		total = s.Wire // not filled in yet: the network card segments the packet after the capture
	}
	h := &d.headers.ipv4
	if h.DecodeFromBytes(header, gopacket.NilDecodeFeedback) != nil || total < headerLen {
		return d.bad("IPv4, bad header")
	}
	s = s.upTo(total)
	if !s.has(headerLen) {
		return d.bad("IPv4, cut short")
	}
	d.src, d.dst = netip.AddrFrom4([4]byte(h.SrcIP)), netip.AddrFrom4([4]byte(h.DstIP))
	d.ports(0, 0)
	if d.Link != nil {
		d.Link.TTL, d.Link.IPID, d.Link.HasIPID = h.TTL, uint32(h.Id), true
	}
	s = s.from(headerLen)
	if more := h.Flags&layers.IPv4MoreFragments != 0; more || h.FragOffset != 0 {
		return d.fragment(s, "IPv4 fragment", reassembly.IPFragment{
			IPKey:  reassembly.IPKey{ID: uint32(h.Id), Proto: uint8(h.Protocol)},
			Offset: int(h.FragOffset) * 8,
			More:   more,
		})
	}
	return d.transport(h.Protocol, s)
}

// ipv6 decodes an IPv6 header: RFC 8200, section 3.
func (d *Decoder) ipv6(s Span) Outcome {
	if !s.has(40) || s.Data[0]>>4 != 6 { // the library takes any version
		return d.bad("IPv6, bad header")
	}
	header, length, next := s.Data, int(s.u16(4)), layers.IPProtocol(s.Data[6])
	if length == 0 || next == layers.IPProtocolIPv6HopByHop {
		// The library drops a packet whose length is not filled in yet, and those with a damaged or cut hop-by-hop header.
		header = d.copyOf(header[:40])
		header[5], header[6] = 1, byte(layers.IPProtocolNoNextHeader)
	}
	h := &d.headers.ipv6
	if h.DecodeFromBytes(header, gopacket.NilDecodeFeedback) != nil {
		return d.bad("IPv6, bad header")
	}
	if d.Link != nil {
		d.Link.TTL, d.Link.IPID, d.Link.HasIPID = h.HopLimit, 0, false
	}
	d.src, d.dst = netip.AddrFrom16([16]byte(h.SrcIP)), netip.AddrFrom16([16]byte(h.DstIP))
	d.ports(0, 0)
	s = s.from(len(h.Contents))
	if length > 0 { // 0 is a jumbogram (RFC 2675), or not filled in yet
		s = s.upTo(length)
	}
	return d.transport(next, s)
}

// transport decodes what an IP header announces. The loop passes over extension headers.
func (d *Decoder) transport(proto layers.IPProtocol, s Span) Outcome {
	v6 := d.src.Is6()
	for {
		if ofOtherVersion(proto, v6) {
			return d.notUDP(ipProtocolName(proto, v6))
		}
		n := 0 // bytes of an extension header
		switch proto {
		case layers.IPProtocolUDP:
			return d.udp(s)
		case layers.IPProtocolIPv4:
			return d.tunnel(s, (*Decoder).ipv4)
		case layers.IPProtocolIPv6:
			return d.tunnel(s, (*Decoder).ipv6)
		case layers.IPProtocolGRE:
			return d.tunnel(s, (*Decoder).gre)
		case protoL2TP:
			return d.tunnel(s, (*Decoder).l2tpIP)
		case layers.IPProtocolICMPv4, layers.IPProtocolICMPv6:
			return d.icmp(s, v6)
		case layers.IPProtocolAH: // RFC 4302, section 2.2: counts words
			if s.has(8) {
				n = (int(s.Data[1]) + 2) * 4
			}
		case layers.IPProtocolIPv6HopByHop, layers.IPProtocolIPv6Routing, layers.IPProtocolIPv6Destination,
			protoMobility, protoHIP, protoShim6:
			if s.has(8) {
				n = (int(s.Data[1]) + 1) * 8
			}
		case layers.IPProtocolIPv6Fragment:
			if !s.has(8) {
				break
			}
			if d.Link != nil {
				d.Link.IPID, d.Link.HasIPID = s.u32(4), true
			}
			if s.u16(2)&^6 != 0 {
				return d.fragment6(s)
			}
			n = 8 // a fragment that is the whole (RFC 6946)
		default:
			if s.has(4) && hasPorts(proto) {
				d.ports(s.u16(0), s.u16(2))
			}
			return d.notUDP(ipProtocolName(proto, v6))
		}
		if n == 0 || !s.has(n) {
			return d.notUDP("IP, cut short")
		}
		proto, s = layers.IPProtocol(s.Data[0]), s.from(n)
	}
}

// ofOtherVersion reports whether a protocol exists only over the other version of IP.
func ofOtherVersion(proto layers.IPProtocol, v6 bool) bool {
	switch proto {
	case layers.IPProtocolICMPv4:
		return v6
	case layers.IPProtocolICMPv6, layers.IPProtocolIPv6HopByHop, layers.IPProtocolIPv6Routing,
		layers.IPProtocolIPv6Destination, layers.IPProtocolIPv6Fragment, protoMobility, protoHIP, protoShim6:
		return !v6
	}
	return false
}

// hasPorts reports whether a protocol's header begins with two ports, as UDP's does.
func hasPorts(proto layers.IPProtocol) bool {
	return proto == layers.IPProtocolTCP || proto == layers.IPProtocolSCTP || proto == protoDCCP ||
		proto == layers.IPProtocolUDPLite
}

// ports fills in the packet's addresses.
func (d *Decoder) ports(src, dst uint16) {
	d.Packet.Src, d.Packet.Dst = netip.AddrPortFrom(d.src, src), netip.AddrPortFrom(d.dst, dst)
}

// fragment6 decodes an IPv6 fragment header: RFC 8200, section 4.5. Offset and flag share 16 bits so that
// the offset needs no shift.
func (d *Decoder) fragment6(s Span) Outcome {
	field := s.u16(2)
	return d.fragment(s.from(8), "IPv6 fragment", reassembly.IPFragment{
		IPKey:  reassembly.IPKey{ID: s.u32(4), Proto: s.Data[0]},
		Offset: int(field &^ 7),
		More:   field&1 != 0,
	})
}

// fragment stores a fragment, and continues with the complete payload if it was the last one
// missing.
//
// Both families use our own reassembly, not ip4defrag, which keeps slices of the read buffer,
// requires every fragment to be captured completely, and does not report their frames.
func (d *Decoder) fragment(s Span, note string, f reassembly.IPFragment) Outcome {
	if d.src.Is4() && !leadsToUDP(layers.IPProtocol(f.Proto)) {
		return d.notUDP(note)
	}
	f.Src, f.Dst = d.src, d.dst
	f.Length, f.Data = s.Wire, s.Data
	f.Frame = d.Packet.Frame
	if d.Packet.HasTime {
		f.Time = time.Unix(0, d.Packet.Time)
	}
	r, err := d.fragments.Add(f)
	if err != nil || r.Datagram == nil {
		return d.notUDP(note)
	}
	// Copied, because a tunnel may hold fragments too, and r is valid only until the next Add.
	d.whole = append(d.whole[:0], r.Datagram...)
	d.frames = append(d.frames[:0], r.Frames...)
	if len(d.frames) > 1 {
		d.Packet.IPFragments = d.frames
	}
	if v := d.transport(layers.IPProtocol(r.Proto), Span{d.whole, r.Length}); v != Garbage {
		return v
	}
	return d.notUDP(note) // never garbage: a failed attempt must not lose d.whole
}

// leadsToUDP reports whether an IPv4 protocol may contain a UDP datagram. Fragments of others are
// not stored.
func leadsToUDP(proto layers.IPProtocol) bool {
	switch proto {
	case layers.IPProtocolUDP, layers.IPProtocolIPv4, layers.IPProtocolIPv6, layers.IPProtocolGRE,
		layers.IPProtocolAH, protoL2TP:
		return true
	}
	return false
}

// noteLength is the note of a datagram whose UDP header claims more bytes than its IP packet has.
const noteLength = "UDP length of more bytes than the packet has"

// udp decodes a UDP header: RFC 768.
func (d *Decoder) udp(s Span) Outcome {
	h := &d.headers.udp
	if h.DecodeFromBytes(s.Data, gopacket.NilDecodeFeedback) != nil {
		if s.has(8) {
			d.Wrong++
			return d.notUDP("UDP, bad length")
		}
		return d.notUDP("UDP, cut short")
	}
	wire := s.Wire // of a jumbogram (RFC 2675, section 4), and where the length is not filled in yet
	lies := int(h.Length) > wire
	if h.Length > 0 {
		wire = min(int(h.Length), wire)
	}
	src, dst := uint16(h.SrcPort), uint16(h.DstPort)
	s = Span{h.Payload, wire - len(h.Contents)}
	if tunnel := tunnelAt(src, dst); tunnel != nil {
		if v := d.try(s, tunnel); v != Garbage {
			return v
		}
	}
	if lies {
		d.Wrong++
		d.Packet.Note = noteLength
	}
	d.ports(src, dst)
	d.Packet.UDP, d.Packet.Payload, d.Packet.Length = true, s.Data, s.Wire
	return Datagram
}
