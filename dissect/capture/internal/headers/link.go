package headers

import (
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// Supported link layers for which the library has no name. https://www.tcpdump.org/linktypes.html,
// where each is described.
const (
	linkRawBSD     = 12 // DLT_RAW, which some writers put in files instead of 101
	linkRawOpen    = 14 // DLT_RAW of OpenBSD
	linkPPPWithDir = 204
)

// LinkLayer decodes a packet from its link layer on.
func (d *Decoder) LinkLayer(linkType layers.LinkType, s Span) Outcome {
	if d.plain(linkType, s) {
		return Datagram
	}
	d.start()
	return d.link(linkType, s)
}

func (d *Decoder) link(linkType layers.LinkType, s Span) Outcome {
	switch linkType {
	case layers.LinkTypeEthernet:
		return d.ethernet(s)
	case layers.LinkTypeLinuxSLL:
		return d.cooked(s)
	case layers.LinkTypeLinuxSLL2:
		return d.cooked2(s)
	case layers.LinkTypeRaw, linkRawBSD, linkRawOpen, layers.LinkTypeIPv4, layers.LinkTypeIPv6:
		return d.ip(s)
	case layers.LinkTypeNull, layers.LinkTypeLoop:
		return d.loopback(s)
	case layers.LinkTypeIEEE802_11:
		return d.wifi(s)
	case layers.LinkTypeIEEE80211Radio:
		return d.radiotap(s)
	case layers.LinkTypePPP, layers.LinkTypePPP_HDLC, layers.LinkTypeC_HDLC:
		return d.serial(s)
	case linkPPPWithDir:
		if !s.has(1) {
			return d.bad("PPP")
		}
		return d.serial(s.from(1)) // after a byte with the direction
	case layers.LinkTypePPPEthernet:
		return d.pppoe(s)
	case linkPrism, linkAVS:
		return d.prism(s)
	case linkPPI:
		return d.ppi(s)
	case linkNFLOG:
		return d.nflog(s)
	case linkPKTAP:
		return d.pktap(s)
	case linkARCNETBSD:
		return d.arcnet(s, 3)
	case linkARCNETLinux:
		return d.arcnet(s, 5)
	case linkPDU:
		return d.exportedPDU(s)
	}
	return ForeignLink
}

// Payload takes the payload of a datagram that has no headers.
func (d *Decoder) Payload(s Span) Outcome {
	d.Packet.UDP, d.Packet.Payload, d.Packet.Length = true, s.Data, s.Wire
	return Datagram
}

// Ethernet protocol numbers for which the library has no name.
// https://www.iana.org/assignments/ieee-802-numbers.
const (
	etherERSPAN3  = 0x22eb // draft-foschiano-erspan-03, section 4.3
	etherEoIP     = 0x6400 // MikroTik's, in GRE only
	etherRARP     = 0x8035
	etherIPX      = 0x8137
	etherFlow     = 0x8808
	etherSlow     = 0x8809
	etherMACsec   = 0x88e5
	etherPTP      = 0x88f7
	etherQinQOld  = 0x9100 // used before 802.1ad defined a number
	etherQinQOld2 = 0x9200
	etherQinQOld3 = 0x9300

	minEtherType = 0x600 // smaller numbers are lengths: IEEE 802.3, section 3.2.6
)

// ethernet decodes an Ethernet frame without preamble.
func (d *Decoder) ethernet(s Span) Outcome {
	h := &d.headers.ethernet
	if h.DecodeFromBytes(s.Data, gopacket.NilDecodeFeedback) != nil {
		return d.bad("Ethernet")
	}
	// One of the two is 0: a frame has a protocol or a length.
	return d.etherType(h.EthernetType|layers.EthernetType(h.Length), s.from(len(h.Contents)))
}

// looksLikeEthernet reports whether s begins with an Ethernet header and something known follows.
func (s Span) looksLikeEthernet() bool {
	if !s.has(14) {
		return false
	}
	switch number := layers.EthernetType(s.u16(12)); number {
	case layers.EthernetTypeIPv4, layers.EthernetTypeIPv6:
		return s.from(14).looksLikeIP()
	case layers.EthernetTypeDot1Q, layers.EthernetTypeQinQ, layers.EthernetTypeMPLSUnicast,
		layers.EthernetTypeMPLSMulticast,
		layers.EthernetTypePPPoESession:
		return true
	default:
		return etherTypeName(number) != ""
	}
}

// etherType decodes what an Ethernet protocol number announces. The loop passes over tags.
func (d *Decoder) etherType(number layers.EthernetType, s Span) Outcome {
	for {
		switch number {
		case layers.EthernetTypeIPv4:
			return d.ipv4(s)
		case layers.EthernetTypeIPv6:
			return d.ipv6(s)
		case layers.EthernetTypeDot1Q, layers.EthernetTypeQinQ, etherQinQOld, etherQinQOld2, etherQinQOld3:
			h := &d.headers.dot1Q
			if h.DecodeFromBytes(s.Data, gopacket.NilDecodeFeedback) != nil {
				return d.bad("VLAN tag")
			}
			if d.Link != nil {
				d.Link.VLAN = append(d.Link.VLAN, h.VLANIdentifier)
			}
			number, s = h.Type, s.from(len(h.Contents))
			continue
		case layers.EthernetTypeMPLSUnicast, layers.EthernetTypeMPLSMulticast:
			return d.mpls(s)
		case layers.EthernetTypePPPoESession:
			return d.pppoe(s)
		case layers.EthernetTypePPP:
			return d.ppp(s)
		}
		if number < minEtherType {
			return d.llc(s.upTo(min(int(number), s.Wire)))
		}
		if name := etherTypeName(number); name != "" {
			return d.notUDP(name)
		}
		return d.bad("Ethernet")
	}
}

// llc decodes IEEE 802.2 logical link control, in which a SNAP header leads back to Ethernet's numbers.
func (d *Decoder) llc(s Span) Outcome {
	const spanningTree, snap, ui = 0x42, 0xaa, 3
	h := &d.headers.llc
	err := h.DecodeFromBytes(s.Data, gopacket.NilDecodeFeedback)
	switch {
	case !s.has(3):
		return d.bad("LLC")
	case h.DSAP == spanningTree && h.SSAP == spanningTree && !h.IG && !h.CR:
		return d.notUDP("STP")
	case err != nil || h.DSAP != snap || h.SSAP != snap || h.IG || h.CR || h.Control != ui:
		return d.notUDP("LLC")
	}
	s = s.from(len(h.Contents))
	to := &d.headers.snap
	if to.DecodeFromBytes(s.Data, gopacket.NilDecodeFeedback) != nil {
		return d.bad("LLC")
	}
	// The organisation is 0 (RFC 1042) or that of a bridge (IEEE 802.1H); others number as they like.
	if vendor := string(to.OrganizationalCode); vendor != "\x00\x00\x00" && vendor != "\x00\x00\xf8" ||
		to.Type < minEtherType {
		return d.notUDP("LLC")
	}
	return d.etherType(to.Type, s.from(len(to.Contents)))
}

// ARPHRD_ numbers of cooked headers whose protocol field is not an Ethernet number.
const (
	arphrdFrameRelay = 770
	arphrdGRE        = 778
	arphrdRadiotap   = 803
	arphrdNetlink    = 824
)

// cookedAddress is the number of address bytes in a cooked header. The library drops the packets of
// interfaces with longer ones, such as InfiniBand's.
const cookedAddress = 8

// cooked decodes a Linux cooked capture header, version 1.
func (d *Decoder) cooked(s Span) Outcome {
	header := s.Data
	if s.has(16) && s.u16(4) > cookedAddress {
		header = d.copyOf(header[:16])
		header[4], header[5] = 0, cookedAddress
	}
	h := &d.headers.cooked
	if h.DecodeFromBytes(header, gopacket.NilDecodeFeedback) != nil {
		return d.bad("Linux cooked")
	}
	return d.cookedPayload(h.AddrType, h.EthernetType, s.from(len(h.Contents)))
}

// cooked2 decodes a Linux cooked capture header, version 2.
func (d *Decoder) cooked2(s Span) Outcome {
	header := s.Data
	if s.has(20) && s.Data[11] > cookedAddress {
		header = d.copyOf(header[:20])
		header[11] = cookedAddress
	}
	h := &d.headers.cooked2
	if h.DecodeFromBytes(header, gopacket.NilDecodeFeedback) != nil {
		return d.bad("Linux cooked")
	}
	return d.cookedPayload(uint16(h.ARPHardwareType), h.ProtocolType, s.from(len(h.Contents)))
}

func (d *Decoder) cookedPayload(hardware uint16, protocol layers.EthernetType, s Span) Outcome {
	switch hardware {
	case arphrdRadiotap:
		return d.radiotap(s)
	case arphrdGRE:
		if protocol < minEtherType {
			return d.notUDP("Linux cooked")
		}
		return d.encapsulated(protocol, s)
	case arphrdFrameRelay, arphrdNetlink:
		return d.notUDP("Linux cooked")
	}
	const ieee8022 = 4
	switch {
	case protocol == ieee8022:
		return d.llc(s)
	case protocol < minEtherType: // Novell's 802.3 frames, CAN and others, never lengths
		return d.notUDP("Linux cooked")
	}
	return d.etherType(protocol, s)
}

// loopback decodes the header of BSD's loopback devices: the address family, in the byte order of the
// recording machine (null) or of the network (loop).
func (d *Decoder) loopback(s Span) Outcome {
	const familyIPv6Windows = 23
	h := &d.headers.loopback
	if h.DecodeFromBytes(s.Data, gopacket.NilDecodeFeedback) != nil {
		return d.bad("loopback")
	}
	s = s.from(len(h.Contents))
	switch h.Family {
	case layers.ProtocolFamilyIPv4:
		return d.ipv4(s)
	case layers.ProtocolFamilyIPv6Linux, familyIPv6Windows, layers.ProtocolFamilyIPv6BSD, layers.ProtocolFamilyIPv6FreeBSD,
		layers.ProtocolFamilyIPv6Darwin:
		return d.ipv6(s)
	}
	return d.bad("loopback")
}

// mpls decodes a stack of MPLS labels: RFC 3032. The labels do not name what is inside, except by
// agreement of the routers, so it is guessed as routers do (RFC 4928, section 2).
func (d *Decoder) mpls(s Span) Outcome {
	const bottom = 1 << 8
	for last := false; !last; s = s.from(4) {
		if !s.has(4) {
			return d.bad("MPLS")
		}
		last = s.u32(0)&bottom != 0
	}
	switch {
	case s.looksLikeIP():
		return d.ip(s)
	case s.has(4) && s.Data[0]>>4 == 0 && s.from(4).looksLikeEthernet():
		return d.tunnel(s.from(4), (*Decoder).ethernet) // after the control word of a pseudowire: RFC 4385, section 3
	case s.looksLikeEthernet():
		return d.tunnel(s, (*Decoder).ethernet)
	}
	return d.notUDP("MPLS")
}

// pppoe decodes a PPPoE session header: RFC 2516, section 4.
func (d *Decoder) pppoe(s Span) Outcome {
	const versionAndType = 0x11
	if !s.has(6) || s.Data[0] != versionAndType {
		return d.bad("PPPoE")
	}
	if s.Data[1] != 0 {
		return d.notUDP("PPPoE discovery")
	}
	length := int(s.u16(4))
	s = s.from(6)
	return d.ppp(s.upTo(min(length, s.Wire)))
}

// serial decodes a frame of a serial line: Cisco's HDLC, which has Ethernet's protocol numbers, or PPP.
func (d *Decoder) serial(s Span) Outcome {
	const unicast, multicast = 0x0f, 0x8f // addresses of Cisco HDLC: RFC 1547, section 4.3.1
	if s.has(4) && (s.Data[0] == unicast || s.Data[0] == multicast) {
		return d.etherType(layers.EthernetType(s.u16(2)), s.from(4))
	}
	return d.ppp(s)
}

// pppProtocol returns the protocol number of a PPP frame and what follows it: RFC 1661, section 2, with or without the
// address and control bytes of RFC 1662.
func (s Span) pppProtocol() (number uint16, rest Span, ok bool) {
	if s.has(2) && s.u16(0) == 0xff03 {
		s = s.from(2)
	}
	if !s.has(2) {
		return 0, s, false
	}
	if s.Data[0]&1 != 0 { // compressed: only the last byte of a number is odd
		return uint16(s.Data[0]), s.from(1), true
	}
	return s.u16(0), s.from(2), true
}

// ppp decodes a PPP frame.
func (d *Decoder) ppp(s Span) Outcome {
	number, s, ok := s.pppProtocol()
	if !ok {
		return d.bad("PPP")
	}
	switch number {
	case 0x21:
		return d.ipv4(s)
	case 0x57:
		return d.ipv6(s)
	case 0x281, 0x283:
		return d.mpls(s)
	}
	return d.notUDP("PPP")
}
