package wire

import (
	"encoding/binary"
	"net/netip"
)

// rawIP is LINKTYPE_RAW: packets begin with their IP header.
const rawIP = 101

// Endpoints of the captures, from the ranges for documentation (RFC 5737).
var (
	Client = netip.MustParseAddrPort("198.51.100.7:5000")
	Server = netip.MustParseAddrPort("192.0.2.1:2300")
)

// Capture makes a pcap file of datagrams, which are so many milliseconds apart.
func Capture(datagrams []Datagram, apart int) []byte {
	little := binary.LittleEndian
	b := little.AppendUint32(nil, 0xa1b2c3d4)
	b = little.AppendUint16(b, 2)
	b = little.AppendUint16(b, 4)
	for _, n := range []uint32{0, 0, 65535, rawIP} {
		b = little.AppendUint32(b, n)
	}
	const began = 1700000000 // a time like any other
	for i, d := range datagrams {
		packet := ipv4(d)
		msec := i * apart
		for _, n := range []int{began + msec/1000, msec % 1000 * 1000, len(packet), len(packet)} {
			b = little.AppendUint32(b, uint32(n))
		}
		b = append(b, packet...)
	}
	return b
}

// ipv4 puts a datagram into UDP and IPv4.
func ipv4(d Datagram) []byte {
	src, dst := Server, Client
	if d.FromClient {
		src, dst = dst, src
	}
	length := 20 + 8 + len(d.Payload)
	b := []byte{0x45, 0}
	b = network.AppendUint16(b, uint16(length))
	b = append(b, 0, 0, 0, 0, 64, 17, 0, 0)
	from, to := src.Addr().As4(), dst.Addr().As4()
	b = append(append(b, from[:]...), to[:]...)
	network.PutUint16(b[10:], ^sum(0, b))
	at := len(b)
	b = network.AppendUint16(b, src.Port())
	b = network.AppendUint16(b, dst.Port())
	b = network.AppendUint16(b, uint16(8+len(d.Payload)))
	b = append(b, 0, 0)
	b = append(b, d.Payload...)
	pseudo := sum(0, b[12:20])
	pseudo = sum(pseudo, []byte{0, 17, byte((length - 20) >> 8), byte(length - 20)})
	check := ^sum(pseudo, b[at:])
	if check == 0 {
		check = 0xffff
	}
	network.PutUint16(b[at+6:], check)
	return b
}

// sum is the sum of RFC 1071, carried on from another.
func sum(start uint16, b []byte) uint16 {
	total := uint32(start)
	for i := range b {
		total += uint32(b[i]) << (8 * (1 - i&1))
	}
	for total > 0xffff {
		total = total>>16 + total&0xffff
	}
	return uint16(total)
}
