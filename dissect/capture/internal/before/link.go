package before

// Link layers that are decoded. https://www.tcpdump.org/linktypes.html, where each is described.
const (
	linkNull       = 0
	linkEthernet   = 1
	linkPPP        = 9
	linkRawBSD     = 12 // DLT_RAW, which some writers put in files instead of 101
	linkRawOpen    = 14 // DLT_RAW of OpenBSD
	linkPPPHDLC    = 50
	linkPPPEther   = 51
	linkRaw        = 101
	linkCHDLC      = 104
	linkWiFi       = 105
	linkLoop       = 108
	linkSLL        = 113
	linkRadiotap   = 127
	linkPPPWithDir = 204
	linkIPv4       = 228
	linkIPv6       = 229
	linkSLL2       = 276
)

func (d *decoder) linkLayer(linkType uint16, s span) verdict {
	d.start()
	switch linkType {
	case linkEthernet:
		return d.ethernet(s)
	case linkSLL:
		return d.cooked(s)
	case linkSLL2:
		return d.cooked2(s)
	case linkRaw, linkRawBSD, linkRawOpen, linkIPv4, linkIPv6:
		return d.ip(s)
	case linkNull, linkLoop:
		return d.loopback(s)
	case linkWiFi:
		return d.wifi(s)
	case linkRadiotap:
		return d.radiotap(s)
	case linkPPP, linkPPPHDLC, linkCHDLC:
		return d.serial(s)
	case linkPPPWithDir:
		if !s.has(1) {
			return d.bad("PPP")
		}
		return d.serial(s.from(1)) // behind a byte that tells the direction
	case linkPPPEther:
		return d.pppoe(s)
	}
	return foreignLink
}

// Protocol numbers of Ethernet: https://www.iana.org/assignments/ieee-802-numbers.
const (
	etherIPv4     = 0x0800
	etherARP      = 0x0806
	etherERSPAN3  = 0x22eb // draft-foschiano-erspan-03, section 4.3
	etherBridged  = 0x6558 // an Ethernet frame, in GRE and Geneve
	etherRARP     = 0x8035
	etherVLAN     = 0x8100
	etherIPX      = 0x8137
	etherIPv6     = 0x86dd
	etherFlow     = 0x8808
	etherSlow     = 0x8809
	etherPPP      = 0x880b // in GRE
	etherMPLS     = 0x8847
	etherMPLSUp   = 0x8848 // label assigned upstream
	etherPPPoEDis = 0x8863
	etherPPPoE    = 0x8864
	etherEAPOL    = 0x888e
	etherQinQ     = 0x88a8
	etherERSPAN   = 0x88be
	etherLLDP     = 0x88cc
	etherMACsec   = 0x88e5
	etherPTP      = 0x88f7
	etherQinQOld  = 0x9100 // before 802.1ad there was no number of its own
	etherQinQOld2 = 0x9200
	etherQinQOld3 = 0x9300

	minEtherType = 0x600 // smaller numbers are lengths: IEEE 802.3, section 3.2.6
)

// ethernet decodes an Ethernet frame without preamble.
func (d *decoder) ethernet(s span) verdict {
	if !s.has(14) {
		return d.bad("Ethernet")
	}
	return d.etherType(s.u16(12), s.from(14))
}

// looksLikeEthernet reports whether s begins with an Ethernet header and something known follows.
func (s span) looksLikeEthernet() bool {
	if !s.has(14) {
		return false
	}
	switch number := s.u16(12); number {
	case etherIPv4, etherIPv6:
		return s.from(14).looksLikeIP()
	case etherVLAN, etherQinQ, etherMPLS, etherMPLSUp, etherPPPoE:
		return true
	default:
		return etherTypeName(number) != ""
	}
}

// etherType goes on with what an Ethernet protocol number announces. Tags are part of the loop.
func (d *decoder) etherType(number uint16, s span) verdict {
	for {
		switch number {
		case etherIPv4:
			return d.ipv4(s)
		case etherIPv6:
			return d.ipv6(s)
		case etherVLAN, etherQinQ, etherQinQOld, etherQinQOld2, etherQinQOld3:
			if !s.has(4) {
				return d.bad("VLAN tag")
			}
			if d.link != nil {
				d.link.VLAN = append(d.link.VLAN, s.u16(0)&0xfff)
			}
			number, s = s.u16(2), s.from(4)
			continue
		case etherMPLS, etherMPLSUp:
			return d.mpls(s)
		case etherPPPoE:
			return d.pppoe(s)
		case etherPPP:
			return d.ppp(s)
		}
		if number < minEtherType {
			return d.llc(s.upTo(min(int(number), s.wire)))
		}
		if name := etherTypeName(number); name != "" {
			return d.is(name)
		}
		return d.bad("Ethernet")
	}
}

// llc decodes IEEE 802.2 logical link control, in which a SNAP header leads back to Ethernet's numbers.
func (d *decoder) llc(s span) verdict {
	const snap, ui = 0xaa, 3
	switch {
	case !s.has(3):
		return d.bad("LLC")
	case s.data[0] == 0x42 && s.data[1] == 0x42:
		return d.is("STP")
	case s.data[0] != snap || s.data[1] != snap || s.data[2] != ui:
		return d.is("LLC")
	case !s.has(8):
		return d.bad("LLC")
	}
	// The organisation is 0 (RFC 1042) or that of a bridge (IEEE 802.1H); others number as they like.
	if vendor := s.u32(3) >> 8; vendor != 0 && vendor != 0x0000f8 || s.u16(6) < minEtherType {
		return d.is("LLC")
	}
	return d.etherType(s.u16(6), s.from(8))
}

// ARPHRD_ numbers of the cooked headers under which the protocol is no Ethernet number.
const (
	arphrdFrameRelay = 770
	arphrdGRE        = 778
	arphrdRadiotap   = 803
	arphrdNetlink    = 824
)

// cooked decodes a Linux cooked capture header, version 1.
func (d *decoder) cooked(s span) verdict {
	if !s.has(16) {
		return d.bad("Linux cooked")
	}
	return d.cookedPayload(s.u16(2), s.u16(14), s.from(16))
}

// cooked2 decodes a Linux cooked capture header, version 2.
func (d *decoder) cooked2(s span) verdict {
	if !s.has(20) {
		return d.bad("Linux cooked")
	}
	return d.cookedPayload(s.u16(8), s.u16(0), s.from(20))
}

func (d *decoder) cookedPayload(hardware, protocol uint16, s span) verdict {
	switch hardware {
	case arphrdRadiotap:
		return d.radiotap(s)
	case arphrdGRE:
		return d.encapsulated(protocol, s)
	case arphrdFrameRelay, arphrdNetlink:
		return d.is("Linux cooked")
	}
	const ieee8022 = 4
	switch {
	case protocol == ieee8022:
		return d.llc(s)
	case protocol < minEtherType: // Novell's 802.3 frames, CAN and others, never lengths
		return d.is("Linux cooked")
	}
	return d.etherType(protocol, s)
}

// loopback decodes the header of BSD's loopback devices: the address family, in the byte order of the
// recording machine (null) or of the network (loop). As no family is above 255, the order shows.
func (d *decoder) loopback(s span) verdict {
	if !s.has(4) {
		return d.bad("loopback")
	}
	family := s.u32(0)
	if family > 0xff {
		family = uint32(s.data[0]) | uint32(s.data[1])<<8 | uint32(s.data[2])<<16 | uint32(s.data[3])<<24
	}
	switch family {
	case 2:
		return d.ipv4(s.from(4))
	case 10, 23, 24, 28, 30: // IPv6 of Linux; Windows; NetBSD, OpenBSD; FreeBSD; macOS
		return d.ipv6(s.from(4))
	}
	return d.bad("loopback")
}

// mpls decodes a stack of MPLS labels: RFC 3032. What is below it the labels do not tell, except by
// agreement of the routers, so it is guessed as routers do (RFC 4928, section 2).
func (d *decoder) mpls(s span) verdict {
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
	case s.has(4) && s.data[0]>>4 == 0 && s.from(4).looksLikeEthernet():
		return d.tunnel(s.from(4), (*decoder).ethernet) // behind the control word of a pseudowire: RFC 4385, section 3
	case s.looksLikeEthernet():
		return d.tunnel(s, (*decoder).ethernet)
	}
	return d.is("MPLS")
}

// pppoe decodes a PPPoE session header: RFC 2516, section 4.
func (d *decoder) pppoe(s span) verdict {
	const versionAndType = 0x11
	if !s.has(6) || s.data[0] != versionAndType {
		return d.bad("PPPoE")
	}
	if s.data[1] != 0 {
		return d.is("PPPoE discovery")
	}
	length := int(s.u16(4))
	s = s.from(6)
	return d.ppp(s.upTo(min(length, s.wire)))
}

// serial decodes a frame of a serial line: Cisco's HDLC, which has Ethernet's protocol numbers, or PPP.
func (d *decoder) serial(s span) verdict {
	const unicast, multicast = 0x0f, 0x8f // addresses of Cisco HDLC: RFC 1547, section 4.3.1
	if s.has(4) && (s.data[0] == unicast || s.data[0] == multicast) {
		return d.etherType(s.u16(2), s.from(4))
	}
	return d.ppp(s)
}

// ppp decodes a PPP frame: RFC 1661, section 2, with or without the address and control bytes of RFC 1662.
func (d *decoder) ppp(s span) verdict {
	if s.has(2) && s.u16(0) == 0xff03 {
		s = s.from(2)
	}
	if !s.has(2) {
		return d.bad("PPP")
	}
	number, n := s.u16(0), 2
	if s.data[0]&1 != 0 {
		number, n = uint16(s.data[0]), 1 // compressed: only the last byte of a number is odd
	}
	s = s.from(n)
	switch number {
	case 0x21:
		return d.ipv4(s)
	case 0x57:
		return d.ipv6(s)
	case 0x281, 0x283:
		return d.mpls(s)
	}
	return d.is("PPP")
}
