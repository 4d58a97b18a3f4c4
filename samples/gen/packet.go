package main

import "encoding/binary"

// A linkType is what a packet begins with, www.tcpdump.org/linktypes.html.
type linkType uint16

const (
	linkNull      linkType = 0
	linkEthernet  linkType = 1
	linkRaw       linkType = 101
	linkLoop      linkType = 108
	linkLinuxSLL  linkType = 113
	linkIPv4      linkType = 228
	linkIPv6      linkType = 229
	linkLinuxSLL2 linkType = 276
)

// A location has the places of a packet's headers, in bytes from its start.
type location struct {
	ip, transport int
	size          int  // of an address: 4 or 16
	protocol      byte // of the transport header
	first         bool // the transport header is there: not a later fragment
}

// locate finds the IP header of a packet. It reports false for what is not IP, or cut within the headers.
func locate(link linkType, data []byte) (location, bool) {
	ip := 0
	switch link {
	case linkEthernet:
		ip = 14
		for ip <= len(data) && isVLAN(binary.BigEndian.Uint16(data[ip-2:])) {
			ip += 4
		}
	case linkNull, linkLoop:
		ip = 4
	case linkLinuxSLL:
		ip = 16
	case linkLinuxSLL2:
		ip = 20
	case linkRaw, linkIPv4, linkIPv6:
	default:
		return location{}, false
	}
	if ip >= len(data) {
		return location{}, false
	}
	return locateIP(data, ip)
}

func isVLAN(etherType uint16) bool { return etherType == 0x8100 || etherType == 0x88a8 }

func locateIP(data []byte, ip int) (location, bool) {
	b := data[ip:]
	switch {
	case b[0]>>4 == 4 && len(b) >= 20:
		header := int(b[0]&15) * 4
		l := location{
			ip: ip, transport: ip + header, size: 4, protocol: b[9],
			first: binary.BigEndian.Uint16(b[6:])&0x1fff == 0,
		}
		return l, header >= 20
	case b[0]>>4 == 6 && len(b) >= 40:
		l := location{ip: ip, transport: ip + 40, size: 16, protocol: b[6], first: true}
		const fragment = 44 // RFC 8200, section 4.5
		if l.protocol == fragment && len(b) >= 48 {
			l.transport += 8
			l.protocol, l.first = b[40], binary.BigEndian.Uint16(b[42:])>>3 == 0
		}
		return l, true
	}
	return location{}, false
}

// The protocols whose checksum covers the addresses.
const (
	tcp = 6
	udp = 17
)

// ports returns the ports of a UDP datagram, or of its first fragment.
func (l location) ports(data []byte) (src, dst uint16, ok bool) {
	if l.protocol != udp || !l.first || len(data) < l.transport+4 {
		return 0, 0, false
	}
	return binary.BigEndian.Uint16(data[l.transport:]), binary.BigEndian.Uint16(data[l.transport+2:]), true
}

// addresses returns source and destination, which lie in data one after the other.
func (l location) addresses(data []byte) (src, dst []byte) {
	at := l.ip + 12
	if l.size == 16 {
		at = l.ip + 8
	}
	return data[at : at+l.size], data[at+l.size : at+2*l.size]
}

// setAddress overwrites one of the addresses and keeps right checksums right (RFC 1624, equation 3).
func (l location) setAddress(data, old, address []byte) {
	if l.size == 4 {
		adjust(data[l.ip+10:], old, address)
	}
	if l.first {
		switch at := l.transport; {
		case l.protocol == udp && len(data) >= at+8 && (data[at+6] != 0 || data[at+7] != 0):
			if adjust(data[at+6:], old, address); data[at+6] == 0 && data[at+7] == 0 {
				data[at+6], data[at+7] = 0xff, 0xff // 0 would mean that there is none
			}
		case l.protocol == tcp && len(data) >= at+18:
			adjust(data[at+16:], old, address)
		}
	}
	copy(old, address)
}

// adjust changes a checksum for words that change.
func adjust(checksum, before, after []byte) {
	sum := uint32(^binary.BigEndian.Uint16(checksum))
	for i := 0; i < len(before); i += 2 {
		sum += uint32(^binary.BigEndian.Uint16(before[i:])) + uint32(binary.BigEndian.Uint16(after[i:]))
	}
	for sum>>16 != 0 {
		sum = sum&0xffff + sum>>16
	}
	binary.BigEndian.PutUint16(checksum, ^uint16(sum))
}
