package capture

import (
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// Block types and sizes, in bytes: draft-ietf-opsawg-pcapng, section 4.
const (
	blockSection    = 0x0a0d0d0a
	blockInterface  = 1
	blockPacket     = 2 // obsolete
	blockSimple     = 3
	blockStatistics = 5
	blockEnhanced   = 6

	blockHeadLen      = 8  // type and total length
	blockFrameLen     = 12 // with the total length once more at the end
	sectionBodyLen    = 16
	interfaceBodyLen  = 8
	packetBodyLen     = 20 // of an enhanced and of an obsolete packet block, before the packet
	simpleBodyLen     = 4
	statisticsBodyLen = 12

	// maxForeignBlock bounds blocks that are skipped; a larger one is damage. Wireshark has the same
	// limit: MAX_BLOCK_SIZE in wiretap/pcapng.c.
	maxForeignBlock = 16 << 20

	// maxInterfaces limits the memory that a section can take: as many as an obsolete packet block
	// can number.
	maxInterfaces = 1 << 16

	noDropCount = math.MaxUint16 // in an obsolete packet block
)

// A pcapngFile reads the packets of a pcapng file, which may have several sections, each with its own byte order and
// interfaces. The packets come from a pcapgo.NgReader, which reads from the pcapngFile: it receives only complete,
// checked blocks of the types that it needs.
type pcapngFile struct {
	in        *Input
	packets   *pcapgo.NgReader // nil until the first packet is read
	rest      []byte           // of the current block, still to be read
	size      int              // of the current block, in bytes; the input is positioned at its start
	err       error            // of the next block
	rec       record           // of the current packet, without its data
	bigEndian bool
	ifaces    []pcapngInterface // of the present section
	drops     drops             // of earlier sections
	comments  commentList
	frame     uint64 // packets so far, for the comments
	keepText  bool   // records get their comments
	comment   []byte // of the present record
}

// drops counts packets that the capturing side lost.
type drops struct {
	n     uint64
	known bool
}

func (d *drops) add(n uint64) { d.n, d.known = d.n+n, true }

// next reads the next packet and all other blocks before it; io.EOF means that the file ends
// cleanly.
func (f *pcapngFile) next(r *record) (err error) {
	if f.packets == nil {
		f.packets, err = pcapgo.NewNgReader(f, pcapgo.NgReaderOptions{WantMixedLinkType: true})
	}
	var data []byte
	var ci gopacket.CaptureInfo
	if err == nil {
		data, ci, err = f.packets.ZeroCopyReadPacketData()
	}
	switch {
	case f.err != nil:
		return f.err
	case err != nil:
		return f.in.malformed("a block of %d bytes: %v", f.size, err)
	}
	*r = f.rec
	r.data, r.iface = data, ci.InterfaceIndex
	return nil
}

// Read passes the next block to the NgReader, or the rest of the current one.
func (f *pcapngFile) Read(p []byte) (int, error) {
	for len(f.rest) == 0 && f.err == nil {
		f.err = f.load()
	}
	if len(f.rest) == 0 {
		return 0, f.err
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// load moves to the next block and reads the parts of it that the NgReader does not report.
func (f *pcapngFile) load() error {
	if err := f.in.skip(f.size); err != nil {
		return err
	}
	f.size = 0
	b, err := f.block()
	if err != nil {
		return err
	}
	f.size = len(b)
	switch body := b[blockHeadLen : len(b)-4]; u32(b, f.bigEndian) {
	case blockEnhanced, blockPacket:
		err = f.packet(body, u32(b, f.bigEndian) == blockPacket, &f.rec)
	case blockSimple:
		err = f.simplePacket(body, &f.rec)
	case blockInterface:
		err = f.addInterface(body)
	case blockSection:
		err = f.section(body)
	case blockStatistics:
		return f.statistics(body)
	default:
		return nil
	}
	if err == nil {
		f.rest = b
	}
	return err
}

// hide puts an end of options before the first option, after they were read here. For a damaged one the library loses
// the rest of the file, for each it allocates, and most resolutions and the drop counts of big-endian files it gets
// wrong.
func hide(options []byte) {
	if len(options) >= 4 {
		clear(options[:4])
	}
}

// block returns the next complete block; too large blocks of unknown types are skipped. The input
// stays at the start of the block, so that errors have its offset.
func (f *pcapngFile) block() ([]byte, error) {
	for {
		total, known, err := f.head()
		if err != nil {
			return nil, err
		}
		if !known && total > bufferSize {
			if err := f.skipLarge(total); err != nil {
				return nil, err
			}
			continue
		}
		b, err := f.in.Peek(int(total))
		if err != nil {
			return nil, f.in.brokenOff(err, "ends inside a block")
		}
		if end := b[total-4:]; u32(end, f.bigEndian) != total {
			return nil, f.wrongEnd(end, total)
		}
		return b, nil
	}
}

// head looks at the head of the next block: its length in bytes, and whether its type is one of ours.
func (f *pcapngFile) head() (total uint32, known bool, err error) {
	b, err := f.in.Peek(blockHeadLen)
	if len(b) == 0 && err == io.EOF {
		return 0, false, io.EOF
	}
	if err != nil {
		return 0, false, f.in.brokenOff(err, "ends inside a block header")
	}
	limit := uint32(maxForeignBlock)
	switch u32(b, f.bigEndian) {
	case blockSection: // it declares its own byte order
		if b, err = f.in.Peek(SniffLen); err != nil {
			return 0, false, f.in.brokenOff(err, "ends inside a section header")
		}
		if !isByteOrderMagic(b[8:]) {
			return 0, false, f.in.malformed("a section header without byte-order magic")
		}
		f.bigEndian = b[8] == magicByteOrder>>24
		known, limit = true, bufferSize
	case blockInterface, blockPacket, blockSimple, blockStatistics, blockEnhanced:
		known, limit = true, bufferSize
	}
	total = u32(b[4:], f.bigEndian)
	if total < blockFrameLen || total%4 != 0 || total > limit {
		return 0, false, f.in.malformed("a block of impossible length, %d bytes", total)
	}
	return total, known, nil
}

// skipLarge discards a block that does not fit the buffer.
func (f *pcapngFile) skipLarge(total uint32) error {
	start := f.in.offset
	err := f.in.skip(int(total) - 4)
	var end []byte
	if err == nil {
		end, err = f.in.Peek(4)
	}
	var e *Error
	switch {
	case err != nil:
		e = f.in.brokenOff(err, "ends inside a block")
	case u32(end, f.bigEndian) != total:
		e = f.wrongEnd(end, total)
	default:
		return f.in.skip(4)
	}
	e.Offset = start
	return e
}

func (f *pcapngFile) wrongEnd(end []byte, total uint32) *Error {
	return f.in.malformed("a block of %d bytes ends with the length %d", total, u32(end, f.bigEndian))
}

// section begins a new section: section 4.1.
func (f *pcapngFile) section(body []byte) error {
	if len(body) < sectionBodyLen {
		return f.in.malformed("a section header of %d bytes", len(body))
	}
	// Readers take 1.2 for 1.0. Another minor number belongs to files that readers of 1.0 cannot read (section 4.1).
	if major, minor := u16(body[4:], f.bigEndian), u16(body[6:], f.bigEndian); major != 1 || minor != 0 && minor != 2 {
		return f.in.malformed("version %d.%d of the pcapng format is not known", major, minor)
	}
	f.drops = f.allDrops()
	f.ifaces = f.ifaces[:0]
	f.sectionOptions(body[sectionBodyLen:])
	body[6], body[7] = 0, 0 // the library accepts no other minor version
	hide(body[sectionBodyLen:])
	return nil
}

// packet takes an enhanced packet block (section 4.3) or its obsolete forerunner (appendix A), which
// differs in the first four bytes only: a 16-bit interface and a count of drops.
func (f *pcapngFile) packet(body []byte, obsolete bool, r *record) error {
	if len(body) < packetBodyLen {
		return f.in.malformed("a packet block of %d bytes", len(body))
	}
	id := u32(body, f.bigEndian)
	lost := uint16(noDropCount)
	if obsolete {
		id, lost = uint32(u16(body, f.bigEndian)), u16(body[2:], f.bigEndian)
	}
	if int64(id) >= int64(len(f.ifaces)) {
		return f.in.malformed("a packet of interface %d, which is not described", id)
	}
	iface := &f.ifaces[id]
	captured, wire := u32(body[12:], f.bigEndian), u32(body[16:], f.bigEndian)
	padded := (int64(captured) + 3) &^ 3
	if captured > iface.limit || padded > int64(len(body)-packetBodyLen) {
		return f.in.malformed("a packet block claims %d captured bytes", captured)
	}
	f.frame++
	ticks := uint64(u32(body[4:], f.bigEndian))<<32 | uint64(u32(body[8:], f.bigEndian))
	r.time, r.hasTime = iface.nanoseconds(ticks)
	r.linkType, r.ifaceName = iface.linkType, iface.name
	r.wire = wireLength(captured, wire)
	r.comment = ""
	if lost != noDropCount {
		iface.packetDrops.add(uint64(lost))
	}
	if rest := body[packetBodyLen+padded:]; len(rest) > 0 {
		r.comment = f.packetOptions(iface, rest)
		hide(rest)
	}
	return nil
}

// simplePacket takes a packet of the first interface that has no time: section 4.4.
func (f *pcapngFile) simplePacket(body []byte, r *record) error {
	if len(body) < simpleBodyLen {
		return f.in.malformed("a simple packet block of %d bytes", len(body))
	}
	if len(f.ifaces) == 0 {
		return f.in.malformed("a packet of interface 0, which is not described")
	}
	iface := &f.ifaces[0]
	wire := u32(body, f.bigEndian)
	captured := wire
	if iface.snapLen > 0 {
		captured = min(captured, iface.snapLen)
	}
	if captured > iface.limit || int64(captured) > int64(len(body)-simpleBodyLen) {
		return f.in.malformed("a simple packet block of %d bytes for a packet of %d", len(body), captured)
	}
	f.frame++
	*r = record{
		wire: wireLength(captured, wire), linkType: iface.linkType, ifaceName: iface.name,
	}
	return nil
}

func (f *pcapngFile) describe(i int) (pcapgo.NgInterface, error) {
	if i < 0 || i >= len(f.ifaces) {
		return pcapgo.NgInterface{}, fmt.Errorf("no interface %d", i)
	}
	iface := &f.ifaces[i]
	return pcapgo.NgInterface{Name: iface.name, LinkType: iface.linkType, SnapLength: iface.snapLen}, nil
}

// allDrops sums up the drops of the whole file.
func (f *pcapngFile) allDrops() drops {
	sum := f.drops
	for i := range f.ifaces {
		if d := f.ifaces[i].drops(); d.known {
			sum.add(d.n)
		}
	}
	return sum
}

// A pcapngInterface is one interface of a section.
type pcapngInterface struct {
	name     string
	linkType layers.LinkType
	snapLen  uint32 // bytes, 0 if unlimited
	limit    uint32 // of captured bytes

	resolution uint8 // of the time stamps, in the coding of if_tsresol
	offset     int64 // if_tsoffset, in seconds

	statistics  drops // of the last statistics block
	packetDrops drops // summed up from the packets
}

// drops returns the interface's own count if there is one, or else the sum over the packets in the
// file.
func (i *pcapngInterface) drops() drops {
	if i.statistics.known {
		return i.statistics
	}
	return i.packetDrops
}

// nanoseconds converts a time stamp to Unix time; false if that is outside of what 64 bits hold.
//
// if_tsresol: the high bit distinguishes a negative power of 2 from one of 10, the others are the exponent.
func (i *pcapngInterface) nanoseconds(ticks uint64) (int64, bool) {
	const second = 1_000_000_000
	var hi, lo uint64
	exponent := uint(i.resolution & 0x7f)
	switch {
	case i.resolution&0x80 != 0:
		hi, lo = bits.Mul64(ticks, second)
		if exponent >= 64 {
			hi, lo, exponent = 0, hi, exponent-64
		}
		lo = lo>>exponent | hi<<(64-exponent)
		hi >>= exponent
	case exponent <= 9:
		hi, lo = bits.Mul64(ticks, powerOf10(9-exponent))
	case exponent <= 9+19:
		lo = ticks / powerOf10(exponent-9)
	}
	seconds, rest := bits.Div64(hi%second, lo, second) // hi is below second unless the time is beyond all years
	if hi >= second || seconds > math.MaxInt64 {
		return 0, false
	}
	sum := int64(seconds) + i.offset
	if sum < math.MinInt64/second || sum >= math.MaxInt64/second || i.offset > 0 && sum < i.offset {
		return 0, false
	}
	return sum*second + int64(rest), true
}

// powerOf10 returns 10 to the n, which is at most 19.
func powerOf10(n uint) uint64 {
	p := uint64(1)
	for ; n > 0; n-- {
		p *= 10
	}
	return p
}
