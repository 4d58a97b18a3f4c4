package headers

import (
	"encoding/binary"

	"github.com/gopacket/gopacket/layers"
)

// FirstHeader detects the first header of a packet by the IP header that it is or that follows it;
// false if there is none.
func FirstHeader(b []byte) (linkType layers.LinkType, ok bool) {
	s := Span{b, len(b)}
	etherType := func(at, behind int) bool { return s.has(behind) && s.from(behind).isIPBehind(s.u16(at)) }
	switch {
	case s.isIP():
		return layers.LinkTypeRaw, true
	case etherType(12, 14), etherType(16, 18) && isTag(s.u16(12)), etherType(20, 22) &&
		isTag(s.u16(12)) && isTag(s.u16(16)):
		return layers.LinkTypeEthernet, true
	case etherType(14, 16):
		return layers.LinkTypeLinuxSLL, true // tcpdump -xx -i any
	case etherType(0, 20):
		return layers.LinkTypeLinuxSLL2, true
	// An address family, in either byte order.
	case s.has(4) && s.from(4).isIP() && (s.u32(0)>>24 == 0 || s.u32(0)<<8 == 0):
		return layers.LinkTypeNull, true
	}
	return 0, false
}

func isTag(etherType uint16) bool {
	t := layers.EthernetType(etherType)
	return t == layers.EthernetTypeDot1Q || t == layers.EthernetTypeQinQ
}

// isIPBehind reports whether s begins with the IP header that a protocol number of Ethernet announces.
func (s Span) isIPBehind(etherType uint16) bool {
	switch layers.EthernetType(etherType) {
	case layers.EthernetTypeIPv4:
		return s.isIP() && s.Data[0]>>4 == 4
	case layers.EthernetTypeIPv6:
		return s.isIP() && s.Data[0]>>4 == 6
	}
	return false
}

// isIP reports whether s begins with an IP header, with evidence that rules out chance: the lengths
// of IP and UDP agree, or the header's checksum is right.
func (s Span) isIP() bool {
	switch {
	case s.has(20) && s.Data[0]>>4 == 4:
		headerLen, total := int(s.Data[0]&0xf)*4, int(s.u16(2))
		if headerLen < 20 || total < headerLen || !s.has(headerLen) {
			return false
		}
		isUDP := s.Data[9] == uint8(layers.IPProtocolUDP) && s.has(headerLen+8) && int(s.u16(headerLen+4)) == total-headerLen
		return isUDP || Checksum(0, s.Data[:headerLen]) == 0xffff
	case s.has(40) && s.Data[0]>>4 == 6:
		length, next := int(s.u16(4)), layers.IPProtocol(s.Data[6])
		switch next {
		case layers.IPProtocolUDP:
			return s.has(48) && int(s.u16(44)) == length
		case layers.IPProtocolIPv6HopByHop, layers.IPProtocolIPv6Routing, layers.IPProtocolIPv6Fragment,
			layers.IPProtocolIPv6Destination:
			return 40+length == s.Wire
		}
	}
	return false
}

// Checksum adds bytes to a sum of 16-bit numbers with ones' complement, 0xffff for a header with a right checksum: RFC
// 1071. Of several calls only the last may have an odd number of bytes.
func Checksum(sum uint16, b []byte) uint16 {
	wide := uint64(sum)
	for ; len(b) >= 2; b = b[2:] {
		wide += uint64(binary.BigEndian.Uint16(b))
	}
	if len(b) > 0 {
		wide += uint64(b[0]) << 8
	}
	for wide > 0xffff {
		wide = wide>>16 + wide&0xffff
	}
	return uint16(wide)
}
