package headers

import "github.com/gopacket/gopacket/layers"

// UDP ports of mirrors and of access networks. A datagram whose content does not look like the tunnel's is delivered as
// a plain UDP datagram, so that a game may use the port.
const (
	portL2TP   = 1701  // RFC 2661, section 8.1; RFC 3931, section 4.1.2.1
	portGTPU   = 2152  // 3GPP TS 29.281, section 4.4.2
	portCAPWAP = 5247  // RFC 5415, section 3.1: the data channel
	portTZSP   = 37008 // what MikroTik's sniffer and its firewall action sniff-tzsp send to
)

// tunnelAt returns the decoder of the tunnel that a UDP port is assigned to, or nil. The peers of the last three answer
// from the same port.
func tunnelAt(src, dst uint16) func(*Decoder, Span) Outcome {
	switch dst {
	case portVXLAN, portVXLANLinux:
		return (*Decoder).vxlan
	case portVXLANGPE:
		return (*Decoder).vxlanGPE
	case portGeneve:
		return (*Decoder).geneve
	case portTZSP:
		return (*Decoder).tzsp
	}
	switch {
	case dst == portL2TP || src == portL2TP:
		return (*Decoder).l2tp
	case dst == portGTPU || src == portGTPU:
		return (*Decoder).gtpU
	case dst == portCAPWAP || src == portCAPWAP:
		return (*Decoder).capwap
	}
	return nil
}

// tzsp decodes TaZmen Sniffer Protocol: a header, tagged fields, and a frame. There is no specification; the numbers
// are those of Wireshark's packet-tzsp.c.
func (d *Decoder) tzsp(s Span) Outcome {
	const version, received, transmitted = 1, 0, 1
	const tagPadding, tagEnd, tagOriginalLength = 0, 1, 41
	if !s.has(5) || s.Data[0] != version || s.Data[1] != received && s.Data[1] != transmitted {
		return Garbage
	}
	encapsulation, original := s.u16(2), 0
	s = s.from(4)
	for {
		if !s.has(1) {
			return Garbage
		}
		tag := s.Data[0]
		if tag == tagEnd {
			break
		}
		length := 1
		if tag != tagPadding {
			if !s.has(2) || !s.has(2+int(s.Data[1])) {
				return Garbage
			}
			length = 2 + int(s.Data[1])
			if tag == tagOriginalLength && length == 4 {
				original = int(s.u16(2))
			}
		}
		s = s.from(length)
	}
	s = s.from(1)
	s.Wire = max(s.Wire, original) // the sender may have cut the frame
	switch encapsulation {
	case 1:
		return d.ethernet(s)
	case 18:
		return d.wifi(s)
	case 119, 127:
		return d.prism(s)
	}
	return Garbage
}

// l2tp decodes a data message of L2TP over UDP: RFC 2661, section 3.1, and RFC 3931, section 4.1.2.1. Control messages
// are no tunnel.
func (d *Decoder) l2tp(s Span) Outcome {
	const control, hasLength, hasSequence, hasOffset, priority = 0x8000, 0x4000, 0x0800, 0x0200, 0x0100
	if !s.has(8) {
		return Garbage
	}
	flags := s.u16(0)
	switch {
	case flags == 3 && s.u16(2) == 0 && s.u32(4) != 0:
		return d.l2tpSession(s.from(8))
	case flags&control != 0 || flags&^(hasLength|hasSequence|hasOffset|priority) != 2:
		return Garbage
	}
	headerLen := 6 // flags, tunnel, session
	if flags&hasLength != 0 {
		length := int(s.u16(2))
		if length > s.Wire {
			return Garbage
		}
		s = s.upTo(length)
		headerLen += 2
	}
	if flags&hasSequence != 0 {
		headerLen += 4
	}
	if flags&hasOffset != 0 {
		if headerLen += 2; !s.has(headerLen) {
			return Garbage
		}
		headerLen += int(s.u16(headerLen - 2))
	}
	if !s.has(headerLen) || !s.from(headerLen).looksLikePPP() {
		return Garbage
	}
	return d.ppp(s.from(headerLen))
}

// l2tpIP decodes L2TPv3 that runs over IP: RFC 3931, section 4.1.1.
func (d *Decoder) l2tpIP(s Span) Outcome {
	if s.has(4) && s.u32(0) != 0 { // the session of control messages is 0
		if v := d.l2tpSession(s.from(4)); v != Garbage {
			return v
		}
	}
	return d.notUDP("L2TP")
}

// l2tpSession decodes what follows the session of L2TPv3. The peers agree on a cookie of 0, 4 or 8 bytes, on a sublayer
// of 0 or 4 bytes, and on what follows: so it is looked for.
func (d *Decoder) l2tpSession(s Span) Outcome {
	for skip := 0; skip <= 12 && s.has(skip); skip += 4 {
		switch inner := s.from(skip); {
		case inner.looksLikeEthernet():
			return d.ethernet(inner)
		case inner.looksLikePPP():
			return d.ppp(inner)
		}
	}
	return Garbage
}

// looksLikePPP reports whether s begins with a PPP frame of a protocol that L2TP usually carries.
func (s Span) looksLikePPP() bool {
	number, s, _ := s.pppProtocol() // 0 is no protocol
	switch number {
	case 0x21, 0x57:
		return s.looksLikeIP()
	case 0xc021, 0xc023, 0xc223, 0x8021, 0x8057, 0x80fd: // LCP, PAP, CHAP, IPCP, IPv6CP, CCP
		return s.has(4) && int(s.u16(2)) <= s.Wire
	}
	return false
}

// gtpU decodes a G-PDU of GTP-U, the tunnel between the stations of a mobile network: 3GPP TS 29.281, section 5.1.
func (d *Decoder) gtpU(s Span) Outcome {
	const versionMask, version, optional, hasExtension, gPDU = 0xf8, 0x30, 0x07, 0x04, 255
	if !s.has(8) || s.Data[0]&versionMask != version || s.Data[1] != gPDU || 8+int(s.u16(2)) > s.Wire {
		return Garbage
	}
	flags, next := s.Data[0], byte(0)
	s = s.upTo(8 + int(s.u16(2))).from(8)
	if flags&optional != 0 {
		if !s.has(4) {
			return Garbage
		}
		if flags&hasExtension != 0 {
			next = s.Data[3]
		}
		s = s.from(4)
	}
	for next != 0 { // extension headers: length in words, content, type of the next
		if !s.has(1) || s.Data[0] == 0 || !s.has(4*int(s.Data[0])) {
			return Garbage
		}
		length := 4 * int(s.Data[0])
		next, s = s.Data[length-1], s.from(length)
	}
	if !s.looksLikeIP() {
		return Garbage
	}
	return d.ip(s)
}

// capwap decodes a data message of CAPWAP, between a Wi-Fi access point and its controller: RFC 5415, section 4.3.
func (d *Decoder) capwap(s Span) Outcome {
	const native, fragment, keepAlive, reserved = 1 << 8, 1 << 7, 1 << 3, 7
	const wifi = 1
	if !s.has(8) || s.Data[0] != 0 { // version and type; 1 is DTLS
		return Garbage
	}
	word := s.u32(0)
	headerLen, binding := int(word>>19&0x1f)*4, word>>9&0x1f
	offset := s.u16(6)
	switch {
	case headerLen < 8 || !s.has(headerLen) || word&(keepAlive|reserved) != 0 || offset&reserved != 0:
		return Garbage
	case word&fragment != 0:
		return d.notUDP("CAPWAP fragment")
	case s.u32(4) != 0 && offset != 0:
		return Garbage
	}
	s = s.from(headerLen)
	if word&native == 0 {
		if !s.looksLikeEthernet() {
			return Garbage
		}
		return d.ethernet(s)
	}
	if binding != wifi || !s.has(24) {
		return Garbage
	}
	// Cisco's send the two bytes of the frame control in the other order
	if s.Data[0]&0x0f != wifiTypeData && s.Data[1]&0x0f == wifiTypeData {
		d.swapped = append(d.swapped[:0], s.Data...)
		d.swapped[0], d.swapped[1] = s.Data[1], s.Data[0]
		s.Data = d.swapped
	}
	return d.wifi(s)
}

// eoip decodes MikroTik's Ethernet over IP, GRE of version 1 with a protocol of its own whose key is the length and the
// number of the tunnel.
func (d *Decoder) eoip(length int, s Span) Outcome {
	if length == 0 {
		return d.notUDP("EoIP keepalive")
	}
	return d.ethernet(s.upTo(min(length, s.Wire)))
}

// arcnet decodes an ARCNET frame as BSD and Linux capture it: RFC 1201, and RFC 1051 for the older numbers. headerLen
// is that of the addresses and the protocol; Linux puts an offset between them.
func (d *Decoder) arcnet(s Span, headerLen int) Outcome {
	const ip, arp, ipv6, oldIP, oldARP = 212, 213, 196, 240, 241
	const exception = 0xff
	if !s.has(headerLen) {
		return d.bad("ARCNET")
	}
	protocol := s.Data[headerLen-1]
	s = s.from(headerLen)
	if protocol == ip || protocol == arp || protocol == ipv6 {
		if s.has(4) && s.Data[0] == exception { // four bytes of padding before the same header
			s = s.from(4)
		}
		if !s.has(3) {
			return d.bad("ARCNET")
		}
		split := s.Data[0]
		if s = s.from(3); split != 0 {
			return d.notUDP("ARCNET fragment")
		}
	}
	switch protocol {
	case ip, oldIP:
		return d.ipv4(s)
	case ipv6:
		return d.ipv6(s)
	case arp, oldARP:
		return d.etherType(layers.EthernetTypeARP, s)
	}
	return d.notUDP("ARCNET")
}
