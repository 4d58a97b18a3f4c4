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

// A pcapFile reads the records of a pcap file through a pcapgo.Reader that shares the input's
// buffer. A record is examined in that buffer, and edited if the library would refuse it, before
// the library reads it. So errors have an offset, and nothing is lost.
type pcapFile struct {
	in        *Input
	ahead     []byte // what the buffer shows from the next record on
	records   *pcapgo.Reader
	bigEndian bool
	extraLen  int // extra bytes in a modified record's header; the library takes them for part of the packet
	minor     uint16
	tick      int64  // nanoseconds that the fraction of a time stamp counts
	odd       uint64 // packets whose fraction is a second or more
	snapLen   uint32
	limit     uint32 // of captured bytes
}

// The library's buffer for a packet, in bytes: initially, and from the first packet on that does not fit. Larger
// packets are read all the same. Of many small captures a large buffer for each would be a third of the memory that is
// allocated.
const (
	pcapBuffer      = 4 << 10
	largePcapBuffer = 64 << 10
)

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
	f.order().PutUint16(h[6:], 4) // the library accepts no other
	if in.format == ModifiedPcap {
		f.extraLen = modifiedRecordLen - pcapRecordLen
		f.order().PutUint32(h, magicPcap)
	}
	if f.records, err = pcapgo.NewReader(in.buf); err != nil {
		return nil, in.malformed("a damaged file header: %v", err)
	}
	in.offset += pcapHeaderLen
	f.snapLen = f.records.Snaplen()
	f.limit = maxCaptured(f.snapLen)
	f.records.SetSnaplen(pcapBuffer)
	if f.limit > standardSnap {
		f.records.SetSnaplen(f.limit + uint32(f.extraLen))
	}
	return f, nil
}

// next reads a record; io.EOF means that the file ends cleanly.
func (f *pcapFile) next(r *record) error {
	if len(f.ahead) < pcapRecordLen+f.extraLen {
		var err error
		if f.ahead, err = f.in.peekAll(pcapRecordLen + f.extraLen); err != nil {
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
		return f.in.malformed("a packet record claims %d captured bytes, more than %d", captured, f.limit)
	}
	total := pcapRecordLen + f.extraLen + int(captured)
	if len(b) < total {
		var err error
		if b, err = f.in.peekAll(total); err != nil {
			return f.in.brokenOff(err, "ends inside a packet")
		}
	}
	r.wire = wireLength(captured, wire)
	if f.minor != 4 || f.extraLen > 0 || r.wire != int(wire) {
		f.order().PutUint32(b[8:], captured+uint32(f.extraLen))
		f.order().PutUint32(b[12:], uint32(r.wire+f.extraLen))
	}
	if total > pcapBuffer && f.limit <= standardSnap {
		f.records.SetSnaplen(largePcapBuffer)
	}
	const second = 1e9
	fraction := int64(u32(b[4:], f.bigEndian)) * f.tick // the library multiplies in 32 bits
	r.time, r.hasTime = int64(u32(b, f.bigEndian))*second+fraction, true
	data, _, err := f.records.ZeroCopyReadPacketData()
	if err != nil {
		return f.in.malformed("a packet record of %d bytes: %v", total, err)
	}
	f.ahead = b[total:]
	f.in.offset += int64(total)
	if fraction >= second {
		f.odd++
	}
	r.linkType = f.records.LinkType()
	r.data = data[f.extraLen:]
	return nil
}

func (f *pcapFile) order() binary.ByteOrder {
	if f.bigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func (f *pcapFile) describe(i int) (pcapgo.NgInterface, error) {
	if i != 0 {
		return pcapgo.NgInterface{}, fmt.Errorf("no interface %d", i)
	}
	return pcapgo.NgInterface{LinkType: f.records.LinkType(), SnapLength: f.snapLen}, nil
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
