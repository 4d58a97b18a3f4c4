package teeworlds

import (
	"github.com/q3dissect/q3dissect/dissect"
)

const (
	keyMapData    = "map_data"
	keyMapDetails = "map_details"
)

// A fileReader puts the pieces of maps where they belong. A nil reader does nothing.
//
// A piece of 0.6 has a number. One of 0.7 has none: pieces come in order, in vital chunks, so it is their
// sequence numbers that tell how many are missing. CClient::ProcessServerPacket in src/engine/client/client.cpp.
type fileReader struct {
	session   int // -1 before the first handshake that was seen
	announced bool
	open      bool // a piece came
	head      dissect.FileHead
	details   dissect.FileHead // what DDNet says before it announces the map
	pieceSize int64            // 0: not known

	// Of 0.7.
	next    int64 // number of the next piece
	assumed bool  // chunks are missing that may not have been pieces
	last    int   // sequence number of the server's last vital chunk, from the announcement on
	early   map[int]earlyChunk
}

// An earlyChunk came before others that go before it. A receiver drops it and has it sent again, but the
// capture may not have that.
type earlyChunk struct {
	piece bool
	cut   bool
	data  []byte
}

// maxEarly bounds the chunks that wait: the server keeps no more to be sent again, in bytes,
// NET_CONN_BUFFERSIZE in src/engine/shared/network.h.
const maxEarly = 32 << 10

func newFileReader(opts dissect.Options) *fileReader {
	if !opts.Files {
		return nil
	}
	return &fileReader{session: -1}
}

// restart forgets the connection.
func (f *fileReader) restart() {
	if f != nil {
		*f = fileReader{session: f.session + 1}
	}
}

// A vitalChunk is a chunk of the server's that did not come before.
type vitalChunk struct {
	dialect  dialect
	sequence int
	gap      bool // others that go before it did not come yet
	cut      bool // the capture may not have all of it
}

// take says what a chunk with a message adds to a map.
func (f *fileReader) take(rec *dissect.Record, chunk vitalChunk, m *message) {
	if f == nil {
		return
	}
	before := len(rec.Files)
	f.chunk(rec, chunk, m)
	for i := before; i < len(rec.Files); i++ {
		rec.Files[i].Session = max(f.session, 0)
	}
}

func (f *fileReader) chunk(rec *dissect.Record, chunk vitalChunk, m *message) {
	key := ""
	if m.def != nil && m.system && (!m.failed || chunk.cut) {
		key = m.def.key
	}
	if key == keyMapData && chunk.dialect != v07 {
		f.numbered(rec, m)
	}
	var piece earlyChunk
	if key == keyMapData {
		piece = earlyChunk{piece: true, cut: chunk.cut, data: m.data}
	}
	switch {
	case chunk.gap:
		f.keep(chunk.sequence, piece)
		return
	case f.announced:
		f.skip(rec, chunk.dialect, (chunk.sequence-f.last-1)&(maxSequence-1))
	}
	f.last = chunk.sequence
	switch key {
	case keyMapDetails:
		f.details = dissect.FileHead{}
		if !m.failed && len(m.data) == 32 {
			f.details = dissect.FileHead{
				Name: append([]byte{}, m.text...), SHA256: append([]byte{}, m.data...),
				Size: int64(m.ints[keepMapSize]), CRC32: uint32(m.ints[keepMapCRC]),
			}
		}
	case keyMapChange:
		f.announce(m)
	case keyMapData:
		if chunk.dialect == v07 {
			f.ordered(rec, piece)
		}
	}
}

// announce takes over which map it is.
func (f *fileReader) announce(m *message) {
	details := f.details
	*f = fileReader{session: f.session, last: f.last}
	if m.failed {
		return
	}
	f.announced = true
	f.head = dissect.FileHead{
		Name: append([]byte{}, m.text...), Extension: "map", Size: int64(m.ints[keepMapSize]), CRC32: uint32(m.ints[keepMapCRC]), HasCRC32: true,
	}
	f.pieceSize = max(int64(m.ints[keepChunkSize]), 0)
	switch {
	case len(m.data) == 32:
		f.head.SHA256 = append([]byte{}, m.data...)
	case string(details.Name) == string(f.head.Name) && details.Size == f.head.Size && details.CRC32 == f.head.CRC32:
		f.head.SHA256 = details.SHA256
	}
}

// keep keeps a chunk that others have to come before.
func (f *fileReader) keep(sequence int, chunk earlyChunk) {
	if !f.announced || len(f.early)*maxPayload >= maxEarly {
		return
	}
	if f.early == nil {
		f.early = map[int]earlyChunk{}
	}
	if _, there := f.early[sequence]; !there {
		chunk.data = append([]byte{}, chunk.data...)
		f.early[sequence] = chunk
	}
}

// skip passes over chunks that did not come in order, because the capture does not have them, but that the
// client acknowledged.
func (f *fileReader) skip(rec *dissect.Record, d dialect, count int) {
	for range count {
		f.last = (f.last + 1) & (maxSequence - 1)
		switch chunk, there := f.early[f.last]; {
		case d != v07:
		case !there:
			f.next++
			f.assumed = true
		case chunk.piece:
			f.ordered(rec, chunk)
		}
	}
	clear(f.early)
}

// ordered takes a piece of 0.7.
func (f *fileReader) ordered(rec *dissect.Record, piece earlyChunk) {
	if !f.announced || f.pieceSize == 0 || len(piece.data) == 0 {
		f.next++
		return
	}
	offset := f.next * f.pieceSize
	f.next++
	left := f.head.Size - offset
	if left <= 0 {
		return
	}
	f.begin(rec)
	want := min(left, f.pieceSize)
	data := piece.data[:min(int64(len(piece.data)), want)]
	rec.Files = append(rec.Files, dissect.FilePart{Offset: offset, Data: data, Assumed: f.assumed})
	if left > f.pieceSize || piece.cut {
		return
	}
	// A last piece of the size that is left shows that as many came before as there should have.
	proven := int64(len(piece.data)) == want && want < f.pieceSize
	rec.Files = append(rec.Files, dissect.FilePart{Offset: f.head.Size, End: true, Assumed: f.assumed && !proven})
}

// numbered takes a piece of 0.6.
func (f *fileReader) numbered(rec *dissect.Record, m *message) {
	crc, chunk, last := uint32(m.ints[keepMapCRC]), int64(m.ints[keepChunk]), m.ints[keepLast] == 1
	if m.failed || chunk < 0 || len(m.data) == 0 {
		return
	}
	switch {
	case f.open && f.head.CRC32 == crc:
	case f.announced && f.head.CRC32 == crc:
	case f.announced:
		return // the game takes no piece of another map
	default:
		f.open, f.pieceSize = false, 0
		f.head = dissect.FileHead{Extension: "map", Size: -1, CRC32: crc, HasCRC32: true}
	}
	if !last && f.pieceSize == 0 {
		f.pieceSize = int64(len(m.data))
	}
	offset := chunk * f.pieceSize
	switch {
	case last && f.head.Size >= 0:
		offset = f.head.Size - int64(len(m.data))
	case f.pieceSize == 0 && chunk > 0: // where it belongs is not known
		return
	}
	if offset < 0 {
		return
	}
	f.begin(rec)
	rec.Files = append(rec.Files, dissect.FilePart{Offset: offset, Data: m.data})
	if last {
		rec.Files = append(rec.Files, dissect.FilePart{Offset: offset + int64(len(m.data)), End: true})
	}
}

// begin begins the file with the first piece.
func (f *fileReader) begin(rec *dissect.Record) {
	if f.open {
		return
	}
	f.open = true
	head := f.head
	rec.Files = append(rec.Files, dissect.FilePart{Begin: true, File: &head})
}
