package capture

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture/internal/headers"
)

const (
	protocolUDP   = 17
	lengthUDP     = 8
	lengthIPv4    = 20
	lengthIPv6    = 40
	pseudoHeaders = 12 + lengthIPv6 // of checksums, at most
)

// appendHeaders appends headers for a datagram with addresses: IPv4 if both have four bytes, else IPv6, and UDP.
func appendHeaders(dst []byte, p *dissect.Packet) []byte {
	from, to := p.Src.Addr().Unmap(), p.Dst.Addr().Unmap()
	length := lengthUDP + len(p.Payload)
	start := len(dst)
	var pseudo [pseudoHeaders]byte
	var sums []byte
	if from.Is4() && to.Is4() {
		from, to := from.As4(), to.As4()
		dst = append(dst, 4<<4|lengthIPv4/4, 0)
		dst = binary.BigEndian.AppendUint16(dst, uint16(lengthIPv4+length))
		dst = append(dst, 0, 0, 0, 0, newTTL, protocolUDP, 0, 0)
		dst = append(append(dst, from[:]...), to[:]...)
		binary.BigEndian.PutUint16(dst[start+10:], ^headers.Checksum(0, dst[start:]))
		sums = append(append(pseudo[:0], from[:]...), to[:]...)
		sums = binary.BigEndian.AppendUint16(append(sums, 0, protocolUDP), uint16(length))
	} else {
		from, to := from.As16(), to.As16()
		dst = binary.BigEndian.AppendUint16(append(dst, 6<<4, 0, 0, 0), uint16(length))
		dst = append(dst, protocolUDP, newTTL)
		dst = append(append(dst, from[:]...), to[:]...)
		sums = append(append(pseudo[:0], from[:]...), to[:]...)
		sums = append(binary.BigEndian.AppendUint32(sums, uint32(length)), 0, 0, 0, protocolUDP)
	}
	udp := len(dst)
	for _, v := range [...]uint16{p.Src.Port(), p.Dst.Port(), uint16(length), 0} {
		dst = binary.BigEndian.AppendUint16(dst, v)
	}
	sum := ^headers.Checksum(headers.Checksum(headers.Checksum(0, sums), dst[udp:]), p.Payload)
	if sum == 0 {
		sum = 0xffff // none at all would be 0: RFC 768
	}
	binary.BigEndian.PutUint16(dst[udp+6:], sum)
	return dst
}
