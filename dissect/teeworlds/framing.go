package teeworlds

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

const headerSource = "CNetBase::SendPacket, src/engine/shared/network.cpp"

// Fields that frame others, see dissect.Framing.
var (
	flagBitsField = dissect.Field{
		Key: "other_flags", Kind: dissect.List, Framing: dissect.Apart, Source: headerSource,
		Children: []*dissect.Field{{Kind: dissect.Uint, Bits: 1, Framing: dissect.Apart}},
		Doc:      "the bits in the place of flags that are clear, or that no flag has, from the highest on",
	}
	connlessMark = dissect.Field{
		Key: "connless_mark", Kind: dissect.Hex, Framing: dissect.Apart,
		Source: "CNetBase::SendPacketConnless, src/engine/shared/network.cpp",
		Doc:    "the rest of the bytes that mark a connless packet: in 0.7 its version",
	}
	messagePart = dissect.Field{
		Key: "message_part", Kind: dissect.Uint, Unit: "bytes", Framing: dissect.Apart, Source: headerSource,
		Doc: "how much of the datagram is its message, as it was sent: compressed or not",
	}
	controlCode = dissect.Field{
		Key: "control_code", Name: "NET_CTRLMSG_*", Kind: dissect.Uint, Bits: 8, Framing: dissect.Apart,
		Source: headerSource, Doc: "number of the control message",
	}
	sequenceHigh = dissect.Field{
		Key: "sequence_high", Kind: dissect.Uint, Framing: dissect.Apart, Source: chunkSource,
		Doc: "the upper bits of the sequence number",
	}
	unusedBits = dissect.Field{
		Key: "unused", Kind: dissect.Uint, Framing: dissect.Apart, Source: chunkSource,
		Doc: "bits in the place of a sequence number, which only vital chunks have",
	}
	sizeLow = dissect.Field{
		Key: "size_low", Kind: dissect.Uint, Framing: dissect.Apart, Source: chunkSource,
		Doc: "the lower bits of the size",
	}
	demoMagicField = dissect.Field{
		Key: "magic", Kind: dissect.Hex, Bits: 56, Framing: dissect.Apart, Source: demoHeaderSource,
		Doc: "TWDEMO and a zero",
	}
	demoMarkerCount = dissect.Field{
		Key: "marker_count", Name: "m_NumTimelineMarkers", Kind: dissect.Uint, Bits: 32, Framing: dissect.Apart,
		Source: demoHeaderSource, Doc: "how many places for markers are used",
	}
	demoUnusedMarkers = dissect.Field{
		Key: "unused_markers", Kind: dissect.Hex, Framing: dissect.Apart, Source: demoHeaderSource,
		Doc: "the other places for markers",
	}
	demoSHA256Mark = dissect.Field{
		Key: "map_sha256_mark", Kind: dissect.Hex, Bits: 128, Framing: dissect.Apart, Source: demoHeaderSource,
		Doc: "the UUID that precedes the SHA-256",
	}
	demoChunkHead = dissect.Field{
		Key: "chunk_head", Kind: dissect.List, Framing: dissect.Apart,
		Children: []*dissect.Field{{Kind: dissect.Uint, Bits: 8, Framing: dissect.Apart}},
		Source:   "CDemoRecorder::Write, src/engine/shared/demo.cpp",
		Doc:      "the byte with type and size of the chunk, and those with more of its size",
	}
	paddingZeros = dissect.Field{
		Key: "padding", Kind: dissect.Hex, Framing: dissect.Apart,
		Source: "CDemoRecorder::RecordMessage, src/engine/shared/demo.cpp",
		Doc:    "zeros that make the length of the message in a demo a multiple of 4",
	}
)

const chunkSource = "CNetChunkHeader::Unpack, src/engine/shared/network.cpp"

// frame shows what frames the fields of the header of a packet of size bytes.
func (p *packet) frame(t *dissect.Tree, datagram []byte) {
	if !t.Framed() || p.short || len(datagram) == 0 {
		return
	}
	named := p.flagBits()
	t.Open(&flagBitsField, 0)
	for at := range 6 {
		if bit := byte(0x80) >> at; named&bit == 0 {
			t.Add(flagBitsField.Children[0], uint64(datagram[0]>>(7-at)&1), at, 1)
		}
	}
	t.Close(6)
	if p.has(flagConnless) {
		end := p.header << 3
		switch {
		case p.response != nil:
			end = 8
		case p.extra != nil:
			end = 16
		}
		if end > 6 && end <= len(datagram)<<3 {
			t.AddBytes(&connlessMark, datagram[:end>>3], 6, end-6)
		}
		if p.extra != nil {
			if from := 16 + len(p.extra)<<3; from < p.header<<3 && p.header <= len(datagram) {
				t.AddBytes(&connlessMark, datagram[from>>3:p.header], from, p.header<<3-from)
			}
		}
		return
	}
	if n := len(datagram) - p.header; n > 0 && p.dialect != tables.Unknown {
		t.Add(&messagePart, uint64(n), p.header<<3, n<<3)
	}
}

// flagBits returns the bits of the flags that are shown.
func (p *packet) flagBits() (set byte) {
	bits := &flagBits06
	if p.dialect == tables.V07 {
		bits = &flagBits07
	}
	for i, bit := range bits {
		if p.flags&(1<<i) != 0 {
			set |= bit
		}
	}
	return set
}

// frame shows the bits of the header that its fields have apart.
func (h *chunkHead) frame(t *dissect.Tree, b []byte, at int, d tables.Dialect) {
	if !t.Framed() {
		return
	}
	high := 4
	if d == tables.V07 {
		high = 2
	}
	first := &unusedBits
	if h.vital {
		first = &sequenceHigh
	}
	t.Add(first, uint64(b[1])>>(8-high), at+8, high)
	t.Add(&sizeLow, uint64(b[1])&(1<<(8-high)-1), at+8+high, 8-high)
}

// frameDemoHeader shows what is between the fields of a demo's header.
func frameDemoHeader(t *dissect.Tree, b []byte, version int) {
	if !t.Framed() {
		return
	}
	t.AddBytes(&demoMagicField, b[:demoVersionByte], 0, demoVersionByte<<3)
	if version < demoMarkers {
		return
	}
	count := binary.BigEndian.Uint32(b[demoHead3:])
	t.Add(&demoMarkerCount, uint64(count), demoHead3<<3, 32)
	if from := demoHead3 + 4 + 4*int(min(count, 64)); from < demoHead4 {
		t.AddBytes(&demoUnusedMarkers, b[from:demoHead4], from<<3, (demoHead4-from)<<3)
	}
	if len(b) >= demoHead6 {
		t.AddBytes(&demoSHA256Mark, b[demoHead4:demoHead4+tables.UUIDBytes], demoHead4<<3, tables.UUIDBytes<<3)
	}
}
