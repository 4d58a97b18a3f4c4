package capture

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// A record is one packet of a file, before anything in it is decoded.
type record struct {
	data      []byte // valid until the next read
	wire      int    // length on the wire in bytes, not less than that of data
	time      int64  // Unix time in nanoseconds
	hasTime   bool
	linkType  layers.LinkType
	iface     int // number of the interface in its section
	ifaceName string
	comment   string // packet comments, joined by line feeds
	bare      bool   // without any header: a UDP payload
}

// Limits of a record.
const (
	// standardSnap is the largest packet that tcpdump and Wireshark write by default, in bytes:
	// MAXIMUM_SNAPLEN in tcpdump's netdissect.h. Some writers do not keep to the snap length they declare.
	standardSnap = 256 << 10

	// maxSnap leaves room in the buffer for headers and options.
	maxSnap = bufferSize - 64<<10
)

// maxCaptured is the largest captured length, in bytes, in a file with this snap length. A larger
// one is damage: neither the number nor the bytes after it can be trusted.
func maxCaptured(snapLen uint32) uint32 {
	if snapLen > standardSnap && snapLen <= maxSnap {
		return snapLen
	}
	return standardSnap
}

// wireLength returns the length on the wire, which fits an int and is at least the captured length,
// although some writers leave it 0.
func wireLength(captured, wire uint32) int { return int(min(max(captured, wire), math.MaxInt32)) }

// Sizes of the headers of a pcap file, in bytes: draft-ietf-opsawg-pcap, sections 4 and 5. A modified
// pcap has the interface's index, the protocol and the packet's type after a record's header:
// pcap_sf_patched_pkthdr in libpcap's sf-pcap.c.
const (
	pcapHeaderLen     = 24
	pcapRecordLen     = 16
	modifiedRecordLen = 24
)

// A pcapFile reads the records of a pcap file. A record is a slice of the input's buffer, without a copy: pcapgo's
// reader would copy each, and refuses some (docs/gopacket.md).
type pcapFile struct {
	in        *Input
	ahead     []byte // what the buffer shows from the next record on
	taken     int    // bytes of the buffer before these: of records that were read, and are valid until it is filled again
	linkType  layers.LinkType
	bigEndian bool
	headerLen int // of a record
	minor     uint16
	tick      int64  // nanoseconds that the fraction of a time stamp counts
	odd       uint64 // packets whose fraction is a second or more
	snapLen   uint32
	limit     uint32 // of captured bytes
}

func openPcap(in *Input) (*pcapFile, error) {
	h, err := in.Peek(pcapHeaderLen)
	if err != nil {
		return nil, in.brokenOff(err, "ends inside the file header")
	}
	f := &pcapFile{in: in, bigEndian: h[0] == magicPcap>>24} // the first byte of all three magic numbers
	if major := u16(h[4:], f.bigEndian); major != 2 {
		return nil, in.malformed("version %d of the pcap format is not known", major)
	}
	f.minor = u16(h[6:], f.bigEndian)
	f.tick = 1000
	if in.format == NanoPcap {
		f.tick = 1
	}
	f.headerLen = pcapRecordLen
	if in.format == ModifiedPcap {
		f.headerLen = modifiedRecordLen
	}
	f.snapLen = u32(h[16:], f.bigEndian)
	f.limit = maxCaptured(f.snapLen)
	f.linkType = layers.LinkType(u32(h[20:], f.bigEndian))
	return f, in.skip(pcapHeaderLen)
}

// next reads a record; io.EOF means that the file ends cleanly.
func (f *pcapFile) next(r *record) error {
	if len(f.ahead) < f.headerLen {
		if err := f.fill(f.headerLen); err != nil {
			if len(f.ahead) == 0 && err == io.EOF {
				return io.EOF
			}
			return f.in.brokenOff(err, "ends inside a record header")
		}
	}
	b := f.ahead
	captured, wire := u32(b[8:], f.bigEndian), u32(b[12:], f.bigEndian)
	// Files of versions before 2.4 may have the two lengths swapped: libpcap's sf-pcap.c.
	if f.minor < 3 || f.minor == 3 && captured > wire {
		captured, wire = wire, captured
	}
	if captured > f.limit {
		f.settle()
		return f.in.malformed("a packet record claims %d captured bytes, more than %d", captured, f.limit)
	}
	total := f.headerLen + int(captured)
	if len(b) < total {
		if err := f.fill(total); err != nil {
			return f.in.brokenOff(err, "ends inside a packet")
		}
		b = f.ahead
	}
	const second = 1e9
	fraction := int64(u32(b[4:], f.bigEndian)) * f.tick
	if fraction >= second {
		f.odd++
	}
	r.time, r.hasTime = int64(u32(b, f.bigEndian))*second+fraction, true
	r.linkType, r.wire = f.linkType, wireLength(captured, wire)
	r.data = b[f.headerLen:total:total]
	f.ahead, f.taken = b[total:], f.taken+total
	return nil
}

// fill makes at least n bytes from the next record on visible, or all that are left and an error.
func (f *pcapFile) fill(n int) (err error) {
	f.settle()
	f.ahead, err = f.in.peekAll(n)
	return err
}

// settle moves the input to the next record.
func (f *pcapFile) settle() {
	_ = f.in.skip(f.taken) // of bytes that are in the buffer
	f.taken = 0
}

func (f *pcapFile) describe(i int) (pcapgo.NgInterface, error) {
	if i != 0 {
		return pcapgo.NgInterface{}, fmt.Errorf("no interface %d", i)
	}
	return pcapgo.NgInterface{LinkType: f.linkType, SnapLength: f.snapLen}, nil
}

// The byte order is a flag and not a binary.ByteOrder, so that the compiler can inline.

func u16(b []byte, bigEndian bool) uint16 {
	if bigEndian {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

func u32(b []byte, bigEndian bool) uint32 {
	if bigEndian {
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

func u64(b []byte, bigEndian bool) uint64 {
	if bigEndian {
		return binary.BigEndian.Uint64(b)
	}
	return binary.LittleEndian.Uint64(b)
}
