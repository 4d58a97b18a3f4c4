package demos

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect/extract"
)

// Places in a header, and versions: CDemoHeader and CTimelineMarkers, src/engine/demo.h.
const (
	versionAt  = 7
	mapAt      = 72
	sizeAt     = 136
	crcAt      = 140
	typeAt     = 144
	lengthAt   = 152
	timeAt     = 156
	markersAt  = 176
	markersEnd = 436
	shaAt      = 452

	shortTicks = 5
)

// texts are the texts of a header, from where to where.
var texts = [...][2]int{{8, mapAt}, {mapAt, sizeAt}, {typeAt, lengthAt}, {timeAt, markersAt}}

// A copyHead is the header of a demo that is copied.
type copyHead struct {
	bytes   []byte
	carried []byte // the map
	version int
	length  uint32 // in seconds, as the file has it
	marked  int    // markers of the file's time line
	kept    int    // of them that the copy has
}

// take takes the header of a file, with the map that follows it. What players refuse is mended.
func (h *copyHead) take(b []byte, carried *extract.File, find func(string, [32]byte, uint32) []byte, m *mended) {
	h.bytes, h.version = bytes.Clone(b), int(b[versionAt])
	h.length = binary.BigEndian.Uint32(b[lengthAt:])
	for _, at := range texts {
		if field := h.bytes[at[0]:at[1]]; !validText(field) {
			mendText(field)
			m.texts = true
		}
	}
	if kind, _, _ := bytes.Cut(h.bytes[typeAt:lengthAt], []byte{0}); string(kind) != "client" && string(kind) != "server" {
		appendText(h.bytes[:typeAt], "client", lengthAt-typeAt)
		m.texts = true
	}
	size, crc := binary.BigEndian.Uint32(b[sizeAt:]), binary.BigEndian.Uint32(b[crcAt:])
	if carried != nil && uint32(len(carried.Data)) == size && crc32.ChecksumIEEE(carried.Data) == crc {
		h.carried = carried.Data
	} else if size > 0 {
		var sha [32]byte
		if len(b) >= HeaderSize {
			copy(sha[:], b[shaAt:])
		}
		if m.mapLost = true; find != nil && len(b) >= HeaderSize {
			h.carried = find(h.mapName(), sha, crc)
		}
	}
	binary.BigEndian.PutUint32(h.bytes[sizeAt:], uint32(len(h.carried)))
	if len(b) >= markersEnd {
		h.marked = min(int(binary.BigEndian.Uint32(b[markersAt:])), maxMarkers)
		for h.marked == 0 && h.kept < maxMarkers && h.markerAt(h.kept) > 0 { // the count alone is missing
			h.kept++
		}
		h.marked, h.kept = max(h.marked, h.kept), 0
	}
}

func (h *copyHead) markerAt(i int) int32 {
	return int32(binary.BigEndian.Uint32(h.bytes[markersAt+4+4*i:]))
}

// mapName returns the name of the map.
func (h *copyHead) mapName() string {
	name, _, _ := bytes.Cut(h.bytes[mapAt:sizeAt], []byte{0})
	return string(name)
}

// append appends the header of a copy from one tick to another: with its length, and the markers in it.
func (h *copyHead) append(dst []byte, first, last int32) []byte {
	dst = append(dst, h.bytes...)
	binary.BigEndian.PutUint32(dst[lengthAt:], uint32(last-first)/ticksPerSecond)
	if len(dst) < markersEnd {
		return dst
	}
	h.kept = 0
	before := first
	list := dst[markersAt+4 : markersEnd]
	clear(list)
	for i := range h.marked {
		if tick := h.markerAt(i); tick >= before && tick <= last {
			binary.BigEndian.PutUint32(list[4*h.kept:], uint32(tick))
			before = tick
			h.kept++
		}
	}
	binary.BigEndian.PutUint32(dst[markersAt:], uint32(h.kept))
	return dst
}

// ticksPerSecond is SERVER_TICK_SPEED, src/engine/shared/protocol.h.
const ticksPerSecond = 50

// validText reports whether players take a text of a header: it ends, and is UTF-8 (DDNet 20.1).
//
// CDemoHeader::Valid, src/engine/shared/demo.cpp.
func validText(field []byte) bool {
	text, _, ended := bytes.Cut(field, []byte{0})
	return ended && utf8.Valid(text)
}

// mendText makes a text valid: what is not is a question mark.
func mendText(field []byte) {
	text, _, _ := bytes.Cut(field, []byte{0})
	text = bytes.ToValidUTF8(text, []byte("?"))
	for len(text) >= len(field) || !utf8.Valid(text) {
		text = text[:len(text)-1]
	}
	clear(field[copy(field, bytes.Clone(text)):])
}

// mended is what a copy has other than the file.
type mended struct {
	texts   bool
	mapLost bool
	begun   bool // the first snapshot was coded whole
	recoded int  // later ones
	leaps   int  // ticks that were worked out
	marks   int  // markers that were written anew
	lost    []extract.DemoLost
	open    bool // the last loss goes on
}

// mostLost is how many losses the manifest has; the last one has those after it, too.
const mostLost = 256

// lose adds a chunk that the copy does not have.
func (m *mended) lose(c *Chunk, tick int32) {
	if !m.open && len(m.lost) < mostLost {
		m.lost = append(m.lost, extract.DemoLost{FirstTick: tick})
	}
	m.open = true
	one := &m.lost[len(m.lost)-1]
	one.LastTick = max(one.FirstTick, tick)
	one.Bytes += len(c.Data)
	switch c.Kind {
	case ChunkMessage:
		one.Messages++
	case ChunkSnapshot, ChunkDelta:
		one.Snapshots++
	}
}

// close ends a loss.
func (m *mended) close() { m.open = false }

// words says what was mended.
func (m *mended) words(h *copyHead, first, last int32) (list []string) {
	add := func(wrong bool, format string, args ...any) {
		if wrong {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	length := uint32(last-first) / ticksPerSecond
	add(h.length != length, "length in the header: %d s, was %d s", length, h.length)
	add(h.kept != h.marked, "marks of the time line: %d, were %d", h.kept, h.marked)
	add(m.texts, "texts of the header: without what players refuse")
	add(m.mapLost && len(h.carried) == 0, "map: left out, since its checksum or length is wrong")
	add(m.mapLost && len(h.carried) > 0, "map: from its own file, since the demo's has a wrong checksum or length")
	add(m.begun, "first snapshot: coded whole, with what clients know from messages before it")
	add(m.leaps > 0, "ticks that leap: %d, counted from the tick before", m.leaps)
	add(m.marks > 0, "markers of ticks: %d written anew", m.marks)
	add(m.recoded > 0, "snapshots coded whole after a loss: %d", m.recoded)
	return list
}
