package headers

import (
	"net/netip"

	"github.com/gopacket/gopacket/layers"
)

// ARPHRD_ numbers of the interfaces of most cooked captures: linux/if_arp.h. Their protocol field is an Ethernet
// number.
const (
	arphrdEther    = 1
	arphrdLoopback = 772
)

// plain decodes what most packets are, at fixed offsets: Ethernet or Linux cooked, IPv4 without options or IPv6 without
// extension headers, not a fragment, UDP, not a port of a tunnel. It returns false, and changes nothing, for all
// others and for whatever is damaged: the library's layers decode these. FuzzPlain compares the two.
func (d *Decoder) plain(linkType layers.LinkType, s Span) bool {
	var etherType uint16
	switch {
	case linkType == layers.LinkTypeEthernet && s.has(14):
		etherType, s = s.u16(12), s.from(14)
	case linkType == layers.LinkTypeLinuxSLL && s.has(16) && isPlainHardware(s.u16(2)):
		etherType, s = s.u16(14), s.from(16)
	case linkType == layers.LinkTypeLinuxSLL2 && s.has(20) && isPlainHardware(s.u16(8)):
		etherType, s = s.u16(0), s.from(20)
	default:
		return false
	}
	switch layers.EthernetType(etherType) {
	case layers.EthernetTypeIPv4:
		return d.plainIPv4(s)
	case layers.EthernetTypeIPv6:
		return d.plainIPv6(s)
	}
	return false
}

func isPlainHardware(number uint16) bool { return number == arphrdEther || number == arphrdLoopback }

// plainIPv4 is ipv4 for a header of 20 bytes that is not of a fragment.
func (d *Decoder) plainIPv4(s Span) bool {
	const headerLen, versionAndLength, fragment = 20, 0x45, 0x3fff // any offset, or more fragments: RFC 791, section 3.1
	if !s.has(headerLen+8) || s.Data[0] != versionAndLength || s.Data[9] != byte(layers.IPProtocolUDP) ||
		s.u16(6)&fragment != 0 {
		return false
	}
	total := int(s.u16(2))
	if total < headerLen+8 {
		return false
	}
	if !d.plainUDP(s.upTo(total).from(headerLen), netip.AddrFrom4([4]byte(s.Data[12:])),
		netip.AddrFrom4([4]byte(s.Data[16:]))) {
		return false
	}
	if d.Link != nil {
		d.Link.TTL, d.Link.IPID, d.Link.HasIPID = s.Data[8], uint32(s.u16(4)), true
	}
	return true
}

// plainIPv6 is ipv6 for a header that UDP follows.
func (d *Decoder) plainIPv6(s Span) bool {
	const headerLen = 40
	if !s.has(headerLen+8) || s.Data[0]>>4 != 6 || s.Data[6] != byte(layers.IPProtocolUDP) {
		return false
	}
	length := int(s.u16(4))
	if length < 8 {
		return false
	}
	if !d.plainUDP(s.from(headerLen).upTo(length), netip.AddrFrom16([16]byte(s.Data[8:])),
		netip.AddrFrom16([16]byte(s.Data[24:]))) {
		return false
	}
	if d.Link != nil {
		d.Link.TTL, d.Link.IPID, d.Link.HasIPID = s.Data[7], 0, false
	}
	return true
}

// plainUDP is udp for a whole header with a length, outside of tunnels.
func (d *Decoder) plainUDP(s Span, src, dst netip.Addr) bool {
	length := int(s.u16(4))
	from, to := s.u16(0), s.u16(2)
	if length < 8 || length > s.Wire || tunnelAt(from, to) != nil {
		return false
	}
	d.Packet.Src, d.Packet.Dst = netip.AddrPortFrom(src, from), netip.AddrPortFrom(dst, to)
	d.Packet.UDP, d.Packet.Payload, d.Packet.Length = true, s.Data[8:min(length, len(s.Data))], min(length, s.Wire)-8
	return true
}
