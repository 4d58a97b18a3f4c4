package before

import (
	"encoding/binary"
	"io"
	"math"
)

// A record is one packet of a file, before anything in it is decoded.
type record struct {
	data      []byte // valid until the next read
	wire      int    // length on the wire in bytes, not less than that of data
	time      int64  // Unix time in nanoseconds
	hasTime   bool
	linkType  uint16
	ifaceName string
	comment   string // packet comments, joined by line feeds
}

// Limits of a record.
const (
	// standardSnap is the largest packet that tcpdump and Wireshark write unless told otherwise, in bytes:
	// MAXIMUM_SNAPLEN in tcpdump's netdissect.h. Some writers do not keep to the snap length they declare.
	standardSnap = 256 << 10

	// maxSnap leaves room in the buffer for headers and options.
	maxSnap = bufferSize - 64<<10
)

// maxCaptured is the largest captured length in bytes that a file with this snap length may have. More
// is damage: the number is not to be believed, nor what follows.
func maxCaptured(snapLen uint32) uint32 {
	if snapLen > standardSnap && snapLen <= maxSnap {
		return snapLen
	}
	return standardSnap
}

// wireLength is the length on the wire: not less than what was captured, though some writers leave it 0,
// and within an int.
func wireLength(captured, wire uint32) int { return int(min(max(captured, wire), math.MaxInt32)) }

// Sizes of the headers of a pcap file, in bytes: draft-ietf-opsawg-pcap, sections 4 and 5. A modified
// pcap has the interface's index, the protocol and the packet's type behind a record's header:
// pcap_sf_patched_pkthdr in libpcap's sf-pcap.c.
const (
	pcapHeaderLen     = 24
	pcapRecordLen     = 16
	modifiedRecordLen = 24
)

// A pcapFile reads the records of a pcap file.
type pcapFile struct {
	in        *Input
	bigEndian bool
	headerLen int   // of a record, in bytes
	tick      int64 // nanoseconds
	minor     uint16
	linkType  uint16
	limit     uint32 // of captured bytes
}

func openPcap(in *Input) (*pcapFile, error) {
	h, err := in.Peek(pcapHeaderLen)
	if err != nil {
		return nil, in.brokenOff(err, "ends inside the file header")
	}
	f := &pcapFile{in: in, headerLen: pcapRecordLen, tick: 1000}
	switch in.format {
	case ModifiedPcap:
		f.headerLen = modifiedRecordLen
	case NanoPcap:
		f.tick = 1
	}
	f.bigEndian = h[0] == magicPcap>>24 // the first byte of all three magic numbers
	if major := f.u16(h[4:]); major != 2 {
		return nil, in.malformed("version %d of the pcap format is not known", major)
	}
	f.minor = f.u16(h[6:])
	f.limit = maxCaptured(f.u32(h[16:]))
	f.linkType = f.u16(h[20:])
	if f.bigEndian {
		f.linkType = f.u16(h[22:]) // the upper half holds the length of the frame check sequence
	}
	return f, in.skip(pcapHeaderLen)
}

// next reads a record; io.EOF says that the file ends where it may.
func (f *pcapFile) next(r *record) error {
	h, err := f.in.Peek(f.headerLen)
	if err != nil {
		if len(h) == 0 && err == io.EOF {
			return io.EOF
		}
		return f.in.brokenOff(err, "ends inside a record header")
	}
	captured, wire := f.u32(h[8:]), f.u32(h[12:])
	// Files of versions before 2.4 may have the two lengths swapped: libpcap's sf-pcap.c.
	if f.minor < 3 || f.minor == 3 && captured > wire {
		captured, wire = wire, captured
	}
	if captured > f.limit {
		return f.in.malformed("a packet record claims %d captured bytes, more than %d", captured, f.limit)
	}
	total := f.headerLen + int(captured)
	b, err := f.in.Peek(total)
	if err != nil {
		return f.in.brokenOff(err, "ends inside a packet")
	}
	r.time = int64(f.u32(b))*1e9 + int64(f.u32(b[4:])*uint32(f.tick)) // edited: wraps, as gopacket does
	r.hasTime = true
	r.linkType = f.linkType
	r.data = b[f.headerLen:]
	r.wire = wireLength(captured, wire)
	return f.in.skip(total)
}

func (f *pcapFile) u16(b []byte) uint16 { return u16(b, f.bigEndian) }
func (f *pcapFile) u32(b []byte) uint32 { return u32(b, f.bigEndian) }

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
