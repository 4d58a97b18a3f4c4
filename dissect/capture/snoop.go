package capture

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// Sizes of the headers of a snoop file, in bytes: RFC 1761.
const (
	snoopHeaderLen = 16
	snoopRecordLen = 24
)

// snoopLinkTypes are the link layers of snoop files: RFC 1761, section 3, and IANA's snoop datalink types.
var snoopLinkTypes = map[uint32]layers.LinkType{
	0: layers.LinkTypeEthernet, // IEEE 802.3
	2: layers.LinkTypeTokenRing,
	4: layers.LinkTypeEthernet,
	5: layers.LinkTypeC_HDLC,
	8: layers.LinkTypeFDDI,
}

// A snoopFile reads the records of a capture of Solaris' snoop. pcapgo's reader refuses packets above 4,096 bytes, and
// its errors have no offset.
type snoopFile struct {
	in       *Input
	linkType layers.LinkType
	pending  int // bytes of the last record, which the buffer still has
}

func openSnoop(in *Input) (*snoopFile, error) {
	h, err := in.Peek(snoopHeaderLen)
	if err != nil {
		return nil, in.brokenOff(err, "ends inside the file header")
	}
	if version := binary.BigEndian.Uint32(h[8:]); version != 2 {
		return nil, in.malformed("version %d of the snoop format is not known", version)
	}
	number := binary.BigEndian.Uint32(h[12:])
	linkType, ok := snoopLinkTypes[number]
	if !ok {
		return nil, in.malformed("data link type %d of the snoop format is not read", number)
	}
	return &snoopFile{in: in, linkType: linkType, pending: snoopHeaderLen}, nil
}

// next reads a record; io.EOF means that the file ends cleanly.
func (f *snoopFile) next(r *record) error {
	if err := f.in.skip(f.pending); err != nil {
		return f.in.brokenOff(err, "ends inside a packet")
	}
	f.pending = 0
	h, err := f.in.Peek(snoopRecordLen)
	if err != nil {
		if len(h) == 0 && err == io.EOF {
			return io.EOF
		}
		return f.in.brokenOff(err, "ends inside a record header")
	}
	wire, captured, total := binary.BigEndian.Uint32(h), binary.BigEndian.Uint32(h[4:]), binary.BigEndian.Uint32(h[8:])
	if captured > standardSnap {
		return f.in.malformed("a packet record claims %d captured bytes, more than %d", captured, standardSnap)
	}
	if total < snoopRecordLen+captured || total > snoopRecordLen+standardSnap+4096 {
		return f.in.malformed("a packet record of %d bytes claims %d captured bytes", total, captured)
	}
	r.time = int64(binary.BigEndian.Uint32(h[16:]))*1e9 + int64(binary.BigEndian.Uint32(h[20:]))*1e3
	b, err := f.in.Peek(snoopRecordLen + int(captured))
	if err != nil {
		return f.in.brokenOff(err, "ends inside a packet")
	}
	r.data, r.wire = b[snoopRecordLen:], wireLength(captured, wire)
	r.hasTime, r.linkType = true, f.linkType
	f.pending = int(total)
	return nil
}

func (f *snoopFile) describe(i int) (pcapgo.NgInterface, error) {
	if i != 0 {
		return pcapgo.NgInterface{}, fmt.Errorf("no interface %d", i)
	}
	return pcapgo.NgInterface{LinkType: f.linkType}, nil
}
