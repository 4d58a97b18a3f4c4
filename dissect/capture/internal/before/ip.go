package before

import (
	"net/netip"
	"time"

	"github.com/q3dissect/q3dissect/reassembly"
)

// IP protocols that matter here: https://www.iana.org/assignments/protocol-numbers.
const (
	protoHopByHop = 0
	protoIPv4     = 4
	protoTCP      = 6
	protoUDP      = 17
	protoDCCP     = 33
	protoIPv6     = 41
	protoRouting  = 43
	protoFragment = 44
	protoGRE      = 47
	protoAuth     = 51
	protoDestOpts = 60
	protoSCTP     = 132
	protoMobility = 135
	protoUDPLite  = 136
	protoHIP      = 139
	protoShim6    = 140
)

// ip decodes a header of either version.
func (d *decoder) ip(s span) verdict {
	if s.has(1) && s.data[0]>>4 == 6 {
		return d.ipv6(s)
	}
	return d.ipv4(s)
}

// looksLikeIP reports whether s begins with an IP header and its lengths agree with that of s.
func (s span) looksLikeIP() bool {
	switch {
	case s.has(20) && s.data[0]>>4 == 4:
		headerLen, total := int(s.data[0]&0xf)*4, int(s.u16(2))
		return headerLen >= 20 && total >= headerLen && total <= s.wire
	case s.has(40) && s.data[0]>>4 == 6:
		return 40+int(s.u16(4)) <= s.wire
	}
	return false
}

// ipv4 decodes an IPv4 header: RFC 791, section 3.1. Options are skipped.
func (d *decoder) ipv4(s span) verdict {
	if !s.has(20) || s.data[0]>>4 != 4 {
		return d.bad("IPv4, bad header")
	}
	headerLen, total := int(s.data[0]&0xf)*4, int(s.u16(2))
	if total == 0 {
		total = s.wire // not filled in yet: the network card cuts the packet up after the capture
	}
	if headerLen < 20 || total < headerLen {
		return d.bad("IPv4, bad header")
	}
	s = s.upTo(total)
	if !s.has(headerLen) {
		return d.bad("IPv4, cut short")
	}
	id, fragment, proto := s.u16(4), s.u16(6), s.data[9]
	d.src, d.dst = netip.AddrFrom4([4]byte(s.data[12:])), netip.AddrFrom4([4]byte(s.data[16:]))
	d.ports(0, 0)
	if d.link != nil {
		d.link.TTL, d.link.IPID, d.link.HasIPID = s.data[8], uint32(id), true
	}
	const moreFragments, offsetMask = 1 << 13, 1<<13 - 1
	s = s.from(headerLen)
	if fragment&(moreFragments|offsetMask) != 0 {
		return d.fragment(s, "IPv4 fragment", reassembly.IPFragment{
			IPKey:  reassembly.IPKey{ID: uint32(id), Proto: proto},
			Offset: int(fragment&offsetMask) * 8,
			More:   fragment&moreFragments != 0,
		})
	}
	return d.transport(proto, s)
}

// ipv6 decodes an IPv6 header: RFC 8200, section 3.
func (d *decoder) ipv6(s span) verdict {
	if !s.has(40) || s.data[0]>>4 != 6 {
		return d.bad("IPv6, bad header")
	}
	if d.link != nil {
		d.link.TTL, d.link.IPID, d.link.HasIPID = s.data[7], 0, false
	}
	d.src, d.dst = netip.AddrFrom16([16]byte(s.data[8:])), netip.AddrFrom16([16]byte(s.data[24:]))
	d.ports(0, 0)
	length, next := int(s.u16(4)), s.data[6]
	s = s.from(40)
	if length > 0 { // 0 is a jumbogram (RFC 2675), or not filled in yet
		s = s.upTo(length)
	}
	return d.transport(next, s)
}

// transport goes on with what an IP header announces. Extension headers are part of the loop.
func (d *decoder) transport(proto uint8, s span) verdict {
	v6 := d.src.Is6()
	for {
		var n int // of an extension header
		switch proto {
		case protoUDP:
			return d.udp(s)
		case protoIPv4:
			return d.tunnel(s, (*decoder).ipv4)
		case protoIPv6:
			return d.tunnel(s, (*decoder).ipv6)
		case protoGRE:
			return d.tunnel(s, (*decoder).gre)
		case protoAuth: // RFC 4302, section 2.2: counts words
			if s.has(8) {
				n = (int(s.data[1]) + 2) * 4
			}
		case protoHopByHop, protoRouting, protoDestOpts, protoMobility, protoHIP, protoShim6:
			if !v6 {
				return d.is(ipProtocolName(proto, v6))
			}
			if s.has(8) {
				n = (int(s.data[1]) + 1) * 8
			}
		case protoFragment:
			if !v6 {
				return d.is(ipProtocolName(proto, v6))
			}
			if s.has(8) {
				if d.link != nil {
					d.link.IPID, d.link.HasIPID = s.u32(4), true
				}
				if s.u16(2)&^6 != 0 {
					return d.fragment6(s)
				}
				n = 8 // a fragment that is the whole (RFC 6946)
			}
		default:
			if s.has(4) && (proto == protoTCP || proto == protoSCTP || proto == protoDCCP || proto == protoUDPLite) {
				d.ports(s.u16(0), s.u16(2))
			}
			return d.is(ipProtocolName(proto, v6))
		}
		if n == 0 || !s.has(n) {
			return d.is("IP, cut short")
		}
		proto, s = s.data[0], s.from(n)
	}
}

// ports fills in the packet's addresses.
func (d *decoder) ports(src, dst uint16) {
	d.p.Src, d.p.Dst = netip.AddrPortFrom(d.src, src), netip.AddrPortFrom(d.dst, dst)
}

// fragment6 decodes an IPv6 fragment header: RFC 8200, section 4.5. Offset and flag share 16 bits so that
// the offset needs no shift.
func (d *decoder) fragment6(s span) verdict {
	field := s.u16(2)
	return d.fragment(s.from(8), "IPv6 fragment", reassembly.IPFragment{
		IPKey:  reassembly.IPKey{ID: s.u32(4), Proto: s.data[0]},
		Offset: int(field &^ 7),
		More:   field&1 != 0,
	})
}

// fragment keeps a fragment, and goes on with the whole payload if it is the last one missing.
//
// Both families go through our own reassembly and none through ip4defrag, which keeps slices of the read
// buffer, wants every fragment captured whole, and does not say in which frames they were.
func (d *decoder) fragment(s span, note string, f reassembly.IPFragment) verdict {
	if d.src.Is4() && !leadsToUDP(f.Proto) {
		return d.is(note)
	}
	f.Src, f.Dst = d.src, d.dst
	f.Length, f.Data = s.wire, s.data
	f.Frame = d.p.Frame
	if d.p.HasTime {
		f.Time = time.Unix(0, d.p.Time)
	}
	r, err := d.fragments.Add(f)
	if err != nil || r.Datagram == nil {
		return d.is(note)
	}
	// Copied, because a tunnel may hold fragments too, and r is valid only until the next Add.
	d.whole = append(d.whole[:0], r.Datagram...)
	d.frames = append(d.frames[:0], r.Frames...)
	if len(d.frames) > 1 {
		d.p.IPFragments = d.frames
	}
	if v := d.transport(r.Proto, span{d.whole, r.Length}); v != garbage {
		return v
	}
	return d.is(note) // never garbage: whoever tries must not lose d.whole
}

// leadsToUDP reports whether there may be a UDP datagram behind an IPv4 protocol. Fragments of others
// are not kept.
func leadsToUDP(proto uint8) bool {
	switch proto {
	case protoUDP, protoIPv4, protoIPv6, protoGRE, protoAuth:
		return true
	}
	return false
}

// udp decodes a UDP header: RFC 768.
func (d *decoder) udp(s span) verdict {
	const headerLen = 8
	if !s.has(headerLen) {
		return d.is("UDP, cut short")
	}
	length := int(s.u16(4))
	if length == 0 {
		length = s.wire // a jumbogram (RFC 2675, section 4), or not filled in yet
	}
	if length < headerLen {
		return d.is("UDP, bad length")
	}
	src, dst := s.u16(0), s.u16(2)
	s = s.upTo(min(length, s.wire)).from(headerLen)
	v := garbage
	switch dst {
	case portVXLAN, portVXLANLinux:
		v = d.try(s, (*decoder).vxlan)
	case portGeneve:
		v = d.try(s, (*decoder).geneve)
	}
	if v != garbage {
		return v
	}
	d.ports(src, dst)
	d.p.UDP, d.p.Payload, d.p.Length = true, s.data, s.wire
	return datagram
}
