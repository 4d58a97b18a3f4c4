// Package files reassembles the maps that servers send in pieces.
package files

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

const (
	keyMapData    = "map_data"
	keyMapDetails = "map_details"
	keyMapChange  = "map_change"
)

// A Reader finds the position of each piece of a map. A nil reader does nothing.
//
// Pieces of 0.6 are numbered. Those of 0.7 are not: they are sent in order in vital chunks, so the
// sequence numbers of the chunks show how many are missing. CClient::ProcessServerPacket in
// src/engine/client/client.cpp.
type Reader struct {
	session   int // -1 before the first handshake seen
	announced bool
	open      bool // a piece was seen
	head      extract.FileHead
	details   extract.FileHead // of DDNet, before it announces the map
	pieceSize int64            // 0: not known

	// Of 0.7.
	next    int64 // number of the next piece
	assumed bool  // some of the missing chunks may not have been pieces
	last    int   // sequence number of the server's last vital chunk since the announcement
	early   map[int]earlyChunk
}

// An earlyChunk arrived before chunks that precede it. The receiver drops it and has it sent again,
// but the capture may lack the repetition.
type earlyChunk struct {
	piece bool
	cut   bool
	data  []byte
}

// maxEarly limits the waiting chunks, in bytes: a server keeps no more than that for resending,
// NET_CONN_BUFFERSIZE in src/engine/shared/network.h.
const maxEarly = 32 << 10

// NewReader returns a Reader of the files of a stream, or nil if they are not wanted.
func NewReader(opts dissect.Options) *Reader {
	if !opts.Files {
		return nil
	}
	return &Reader{session: -1}
}

// Restart drops the state of the connection.
func (f *Reader) Restart() {
	if f != nil {
		*f = Reader{session: f.session + 1}
	}
}

// A Chunk is a chunk from the server that is not a repetition.
type Chunk struct {
	Dialect  tables.Dialect
	Sequence int
	Gap      bool // preceding chunks have not arrived yet
	Cut      bool // the capture may lack part of it
}

// Take returns what a chunk's message adds to a map.
func (f *Reader) Take(rec *dissect.Record, chunk Chunk, m *message.Message) {
	if f == nil {
		return
	}
	before := len(rec.Files)
	f.chunk(rec, chunk, m)
	for i := before; i < len(rec.Files); i++ {
		rec.Files[i].Session = max(f.session, 0)
	}
}

func (f *Reader) chunk(rec *dissect.Record, chunk Chunk, m *message.Message) {
	key := ""
	if m.Def != nil && m.System && (!m.Failed || chunk.Cut) {
		key = m.Def.Key
	}
	if key == keyMapData && chunk.Dialect != tables.V07 {
		f.numbered(rec, m)
	}
	var piece earlyChunk
	if key == keyMapData {
		piece = earlyChunk{piece: true, cut: chunk.Cut, data: m.Data}
	}
	switch {
	case chunk.Gap:
		f.keep(chunk.Sequence, piece)
		return
	case f.announced:
		f.skip(rec, chunk.Dialect, (chunk.Sequence-f.last-1)&(tables.MaxSequence-1))
	}
	f.last = chunk.Sequence
	switch key {
	case keyMapDetails:
		f.details = extract.FileHead{}
		if !m.Failed && len(m.Data) == 32 {
			f.details = extract.FileHead{
				Name: append([]byte{}, m.Text...), SHA256: append([]byte{}, m.Data...),
				Size: int64(m.Ints[tables.KeepMapSize]), CRC32: uint32(m.Ints[tables.KeepMapCRC]),
			}
		}
	case keyMapChange:
		f.announce(m)
	case keyMapData:
		if chunk.Dialect == tables.V07 {
			f.ordered(rec, piece)
		}
	}
}

// announce records which map is sent.
func (f *Reader) announce(m *message.Message) {
	details := f.details
	*f = Reader{session: f.session, last: f.last}
	if m.Failed {
		return
	}
	f.announced = true
	f.head = extract.FileHead{
		Name: append([]byte{}, m.Text...), Extension: "map", Size: int64(m.Ints[tables.KeepMapSize]),
		CRC32: uint32(m.Ints[tables.KeepMapCRC]), HasCRC32: true,
	}
	f.pieceSize = max(int64(m.Ints[tables.KeepChunkSize]), 0)
	switch {
	case len(m.Data) == 32:
		f.head.SHA256 = append([]byte{}, m.Data...)
	case string(details.Name) == string(f.head.Name) && details.Size == f.head.Size && details.CRC32 == f.head.CRC32:
		f.head.SHA256 = details.SHA256
	}
}

// keep stores a chunk until those that precede it arrive.
func (f *Reader) keep(sequence int, chunk earlyChunk) {
	if !f.announced || len(f.early)*tables.MaxPayload >= maxEarly {
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

// skip passes over chunks that the capture lacks but the client has acknowledged.
func (f *Reader) skip(rec *dissect.Record, d tables.Dialect, count int) {
	for range count {
		f.last = (f.last + 1) & (tables.MaxSequence - 1)
		switch chunk, there := f.early[f.last]; {
		case d != tables.V07:
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
func (f *Reader) ordered(rec *dissect.Record, piece earlyChunk) {
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
	rec.Files = append(rec.Files, extract.File{Offset: offset, Data: data, Assumed: f.assumed})
	if left > f.pieceSize || piece.cut {
		return
	}
	// If the last piece has exactly the remaining size, the number of pieces before it was right.
	proven := int64(len(piece.data)) == want && want < f.pieceSize
	rec.Files = append(rec.Files, extract.File{Offset: f.head.Size, End: true, Assumed: f.assumed && !proven})
}

// numbered takes a piece of 0.6.
func (f *Reader) numbered(rec *dissect.Record, m *message.Message) {
	crc, chunk, last := uint32(m.Ints[tables.KeepMapCRC]), int64(m.Ints[tables.KeepChunk]), m.Ints[tables.KeepLast] == 1
	if m.Failed || chunk < 0 || len(m.Data) == 0 {
		return
	}
	switch {
	case f.open && f.head.CRC32 == crc:
	case f.announced && f.head.CRC32 == crc:
	case f.announced:
		return // the game ignores pieces of another map
	default:
		f.open, f.pieceSize = false, 0
		f.head = extract.FileHead{Extension: "map", Size: -1, CRC32: crc, HasCRC32: true}
	}
	if !last && f.pieceSize == 0 {
		f.pieceSize = int64(len(m.Data))
	}
	offset := chunk * f.pieceSize
	switch {
	case last && f.head.Size >= 0:
		offset = f.head.Size - int64(len(m.Data))
	case f.pieceSize == 0 && chunk > 0: // its position is not known
		return
	}
	if offset < 0 {
		return
	}
	f.begin(rec)
	rec.Files = append(rec.Files, extract.File{Offset: offset, Data: m.Data})
	if last {
		rec.Files = append(rec.Files, extract.File{Offset: offset + int64(len(m.Data)), End: true})
	}
}

// begin begins the file with the first piece.
func (f *Reader) begin(rec *dissect.Record) {
	if f.open {
		return
	}
	f.open = true
	head := f.head
	rec.Files = append(rec.Files, extract.File{Begin: true, File: &head})
}
