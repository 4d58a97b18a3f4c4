package headers

import (
	"encoding/binary"
	"net/netip"

	"github.com/gopacket/gopacket/layers"

	"github.com/q3dissect/q3dissect/dissect"
)

// icmp records an ICMP packet, with the datagram that it quotes if it is an error about one: RFC 792, RFC 4443.
func (d *Decoder) icmp(s Span, v6 bool) Outcome {
	const headerLen = 8
	if s.has(headerLen) && dissect.Quotes(v6, s.Data[0]) {
		q := &d.quote
		*q = dissect.Quote{V6: v6, Type: s.Data[0], Code: s.Data[1], By: d.src, To: d.dst}
		q.MTU = mtu(s, q)
		if quoted(unextended(s, v6), q) {
			d.Packet.Quote = q
		}
	}
	if v6 {
		return d.notUDP(ipProtocolName(layers.IPProtocolICMPv6, v6))
	}
	return d.notUDP(ipProtocolName(layers.IPProtocolICMPv4, v6))
}

// mtu returns the MTU in an error that needs fragmentation: RFC 1191, section 4; RFC 4443, section 3.2.
func mtu(s Span, q *dissect.Quote) int {
	switch {
	case q.Kind() != dissect.QuotedNeedsFragmentation:
		return 0
	case q.V6:
		return int(min(s.u32(4), 0xffff))
	}
	return int(s.u16(6))
}

// unextended returns what an error quotes, without the extensions that may follow: RFC 4884, section 4. The length
// counts words of 32 bits, in ICMPv6 of 64, and is 0 where there are none.
func unextended(s Span, v6 bool) Span {
	words, icmpType := int(s.Data[5])*4, s.Data[0]
	can := icmpType == 3 || icmpType == 11 || icmpType == 12
	if v6 {
		words, can = int(s.Data[4])*8, icmpType == 1 || icmpType == 3
	}
	if s = s.from(8); can && words > 0 && words < s.Wire {
		s = s.upTo(words)
	}
	return s
}

// quoted fills in the datagram that is quoted; false if it is none of UDP, or its ports are not quoted. Lengths in its
// headers are not compared with those of the quote, which is a part of it.
func quoted(s Span, q *dissect.Quote) bool {
	var src, dst netip.Addr
	switch {
	case !q.V6 && s.has(20) && s.Data[0]>>4 == 4:
		headerLen := int(s.Data[0]&0xf) * 4
		if headerLen < 20 || !s.has(headerLen) || s.Data[9] != byte(layers.IPProtocolUDP) || s.u16(6)&0x1fff != 0 {
			return false
		}
		src, dst = netip.AddrFrom4([4]byte(s.Data[12:])), netip.AddrFrom4([4]byte(s.Data[16:]))
		s = s.from(headerLen)
	case q.V6 && s.has(40) && s.Data[0]>>4 == 6:
		next := s.Data[6]
		src, dst = netip.AddrFrom16([16]byte(s.Data[8:])), netip.AddrFrom16([16]byte(s.Data[24:]))
		for s = s.from(40); next != byte(layers.IPProtocolUDP); {
			n := extension(next, s)
			if n == 0 || !s.has(n) {
				return false
			}
			next, s = s.Data[0], s.from(n)
		}
	default:
		return false
	}
	if !s.has(8) {
		return false
	}
	q.Src, q.Dst = netip.AddrPortFrom(src, s.u16(0)), netip.AddrPortFrom(dst, s.u16(2))
	length := int(binary.BigEndian.Uint16(s.Data[4:]))
	if length < 8 {
		return false
	}
	q.Length = length - 8
	q.Payload = s.Data[8:min(len(s.Data), length)]
	return true
}

// extension returns the length of an IPv6 extension header in a quote, 0 for a header that no datagram follows: RFC
// 8200, section 4.
func extension(next byte, s Span) int {
	switch layers.IPProtocol(next) {
	case layers.IPProtocolIPv6HopByHop, layers.IPProtocolIPv6Routing, layers.IPProtocolIPv6Destination:
		if s.has(8) {
			return (int(s.Data[1]) + 1) * 8
		}
	case layers.IPProtocolIPv6Fragment:
		if s.has(8) && s.u16(2)&^7 == 0 { // the first one
			return 8
		}
	}
	return 0
}
