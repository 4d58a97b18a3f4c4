package capture

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/q3dissect/q3dissect/dissect/internal/hexdump"
)

// hexHead is how much of a text is looked at, in bytes, to find out whether it is a hex dump.
const hexHead = 64 << 10

// A hexFile reads the packets of a text with hex dumps.
type hexFile struct {
	in   *Input
	text *hexdump.Reader
}

// openHex gives the dumps of a text, if it has some.
func openHex(in *Input) (*hexFile, bool) {
	head, _ := in.Peek(hexHead) // the text may be shorter
	if !hexdump.Sniff(head) {
		return nil, false
	}
	return &hexFile{in: in, text: hexdump.NewReader(in)}, true
}

func (f *hexFile) next(r *record) error {
	dump, err := f.text.Next()
	var fault *hexdump.Error
	switch {
	case err == io.EOF:
		return err
	case errors.As(err, &fault):
		return &Error{Code: MalformedFile, Offset: fault.Offset, Message: fault.Error()}
	case err != nil:
		return f.in.brokenOff(err, "the text cannot be read")
	}
	*r = record{data: dump.Data, wire: len(dump.Data), time: dump.Time, hasTime: dump.HasTime}
	linkType, ok := firstHeader(dump.Data)
	r.linkType, r.bare = linkType, !ok
	return nil
}

func (f *hexFile) describe(int) (pcapgo.NgInterface, error) { return pcapgo.NgInterface{}, nil }

// firstHeader finds out which header a packet begins with, by the IP header that it is or that follows; false where
// there is none.
func firstHeader(b []byte) (linkType layers.LinkType, ok bool) {
	s := span{b, len(b)}
	etherType := func(at, behind int) bool { return s.has(behind) && s.from(behind).isIPBehind(s.u16(at)) }
	switch {
	case s.isIP():
		return layers.LinkTypeRaw, true
	case etherType(12, 14), etherType(16, 18) && isTag(s.u16(12)), etherType(20, 22) && isTag(s.u16(12)) && isTag(s.u16(16)):
		return layers.LinkTypeEthernet, true
	case etherType(14, 16):
		return layers.LinkTypeLinuxSLL, true // tcpdump -xx -i any
	case etherType(0, 20):
		return layers.LinkTypeLinuxSLL2, true
	case s.has(4) && s.from(4).isIP() && (s.u32(0)>>24 == 0 || s.u32(0)<<8 == 0): // an address family, in either byte order
		return layers.LinkTypeNull, true
	}
	return 0, false
}

func isTag(etherType uint16) bool {
	t := layers.EthernetType(etherType)
	return t == layers.EthernetTypeDot1Q || t == layers.EthernetTypeQinQ
}

// isIPBehind reports whether s begins with the IP header that a protocol number of Ethernet announces.
func (s span) isIPBehind(etherType uint16) bool {
	switch layers.EthernetType(etherType) {
	case layers.EthernetTypeIPv4:
		return s.isIP() && s.data[0]>>4 == 4
	case layers.EthernetTypeIPv6:
		return s.isIP() && s.data[0]>>4 == 6
	}
	return false
}

// isIP reports whether s begins with an IP header, as nothing else would by chance: the lengths of IP and UDP agree,
// or the header's checksum is right.
func (s span) isIP() bool {
	switch {
	case s.has(20) && s.data[0]>>4 == 4:
		headerLen, total := int(s.data[0]&0xf)*4, int(s.u16(2))
		if headerLen < 20 || total < headerLen || !s.has(headerLen) {
			return false
		}
		isUDP := s.data[9] == uint8(layers.IPProtocolUDP) && s.has(headerLen+8) && int(s.u16(headerLen+4)) == total-headerLen
		return isUDP || checksum(s.data[:headerLen]) == 0xffff
	case s.has(40) && s.data[0]>>4 == 6:
		length, next := int(s.u16(4)), layers.IPProtocol(s.data[6])
		switch next {
		case layers.IPProtocolUDP:
			return s.has(48) && int(s.u16(44)) == length
		case layers.IPProtocolIPv6HopByHop, layers.IPProtocolIPv6Routing, layers.IPProtocolIPv6Fragment, layers.IPProtocolIPv6Destination:
			return 40+length == s.wire
		}
	}
	return false
}

// checksum is the one's complement sum of an even number of bytes, 0xffff for a header with a right checksum: RFC 1071.
func checksum(b []byte) uint16 {
	sum := uint32(0)
	for ; len(b) >= 2; b = b[2:] {
		sum += uint32(binary.BigEndian.Uint16(b))
	}
	sum = sum>>16 + sum&0xffff
	return uint16(sum>>16 + sum)
}
