package teeworlds

import (
	"bufio"
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/snapshot"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/teehistorian"
)

var pieces = []dissect.Piece{
	{
		Name: protocolName + ".packet", Versions: pieceVersions,
		Doc:    "a datagram: header, and control message, chunks or connless message",
		Decode: decodePacket,
	},
	{
		Name: protocolName + ".chunk", Versions: pieceVersions,
		Doc:    "chunks of a packet, decompressed, without the header of the packet",
		Decode: decodeChunks,
	},
	{
		Name: protocolName + ".message", Versions: pieceVersions,
		Doc:    "a message without the header of a chunk: its number, then its fields",
		Decode: decodeMessage,
	},
	{
		Name: protocolName + ".snapshot", Versions: pieceVersions,
		Doc:    "the data of a complete snapshot, reassembled: a delta of an empty one",
		Decode: func(rec *dissect.Record, o dissect.PieceOptions) { decodeSnapshot(rec, o, true) },
	},
	{
		Name: protocolName + ".snapshot_delta", Versions: pieceVersions,
		Doc:    "the data of a snapshot that is a difference to one that is not there",
		Decode: func(rec *dissect.Record, o dissect.PieceOptions) { decodeSnapshot(rec, o, false) },
	},
	{
		Name: protocolName + ".demo_chunk", Versions: pieceVersions,
		Doc:    "a chunk of a demo, with the marker of its tick or without",
		Decode: decodeDemoChunk,
	},
	{
		Name:   protocolName + ".teehistorian",
		Doc:    "chunks of a teehistorian file, all of one tick",
		Decode: decodeTeehistorian,
	},
}

// pieceVersions are the dialects by their names in records, the default first.
var pieceVersions = []string{tables.V07.String(), tables.V06.String(), tables.DDNet.String()}

// dialectOfPiece returns the dialect of a version of pieceVersions.
func dialectOfPiece(version string) tables.Dialect {
	for _, d := range []tables.Dialect{tables.V06, tables.DDNet} {
		if version == d.String() {
			return d
		}
	}
	return tables.V07
}

// openPiece opens the objects that the messages of a packet are in.
func openPiece(rec *dissect.Record, o dissect.PieceOptions) (c *conversation, d tables.Dialect) {
	c, d = newConversation(dissect.Options{}), dialectOfPiece(o.Version)
	b := rec.Payload
	c.fromClient = o.Direction == dissect.ClientToServer
	c.packet, c.reader = &packet{dialect: d, message: b, payload: b, coded: b}, new(message.Reader)
	rec.Direction, rec.Message = o.Direction, b
	rec.Tree.Open(&rootField, 0)
	rec.Tree.AddLabel(&versionField, d.String(), 0, 0)
	rec.Tree.Open(&chunksField, 0)
	return c, d
}

// closePiece closes what openPiece opened.
func closePiece(rec *dissect.Record, d tables.Dialect) {
	rec.Tree.CloseAll(len(rec.Payload) << 3)
	rec.Tree.Family = uint8(d)
}

// decodePacket decodes a datagram by itself.
func decodePacket(rec *dissect.Record, o dissect.PieceOptions) {
	rec.Hint, rec.Direction = uint64(dialectOfPiece(o.Version)), o.Direction
	newConversation(dissect.Options{}).Dissect(rec)
}

// decodeChunks decodes chunks without the header of a packet.
func decodeChunks(rec *dissect.Record, o dissect.PieceOptions) {
	c, d := openPiece(rec, o)
	b, t := rec.Payload, rec.Tree
	if len(b) == 0 {
		rec.Expert(dissect.Fault, message.ExpertTruncated, nil, 0, "a chunk begins with a header of %d bytes", chunkHeader)
	}
	for pos := 0; pos < len(b); {
		t.Open(&chunkField, pos<<3)
		pos = c.dissectChunk(rec, t, b, pos, false)
		t.Close(pos << 3)
	}
	closePiece(rec, d)
}

// decodeMessage decodes a message without the header of its chunk.
func decodeMessage(rec *dissect.Record, o dissect.PieceOptions) {
	c, d := openPiece(rec, o)
	rec.Tree.Open(&chunkField, 0)
	m := c.reader.Decode(rec.Tree, rec, d, c.fromClient, rec.Payload, 0)
	if rest := c.reader.Rest(); m.Def != nil && len(rest) > 0 {
		at := len(rec.Payload) - len(rest)
		rec.Expert(dissect.Note, message.ExpertTrailing, &message.RestField, at<<3,
			"%d bytes follow the last field", len(rest))
	}
	closePiece(rec, d)
}

// decodeSnapshot decodes the data of a snapshot.
func decodeSnapshot(rec *dissect.Record, o dissect.PieceOptions, complete bool) {
	_, d := openPiece(rec, o)
	rec.Tree.Open(&chunkField, 0)
	snapshot.NewReader(false).ReadAlone(rec, rec.Tree, d, complete, rec.Payload)
	closePiece(rec, d)
}

// decodeDemoChunk decodes a chunk of a demo.
func decodeDemoChunk(rec *dissect.Record, o dissect.PieceOptions) {
	d := dialectOfPiece(o.Version)
	version := demoMarkers
	if d == tables.DDNet {
		version = demoLast
	}
	r := &recording{
		in: bufio.NewReader(bytes.NewReader(rec.Payload)), version: version, dialect: d, tick: -1, index: 1,
	}
	p, err := r.Next()
	if err != nil { // a chunk that is not whole, or a marker alone
		rec.Tree.Open(&rootField, 0)
		rec.Tree.AddLabel(&versionField, d.String(), 0, 0)
		rec.Tree.AddBytes(&dissect.Undecoded, rec.Payload, 0, len(rec.Payload)<<3)
		rec.Expert(dissect.Fault, message.ExpertTruncated, nil, len(rec.Payload)<<3, "the piece ends before its chunk does")
		closePiece(rec, d)
		return
	}
	if rest := len(rec.Payload) - int(r.offset); rest > 0 {
		rec.Expert(dissect.Note, message.ExpertTrailing, nil, int(r.offset)<<3, "%d bytes follow the chunk", rest)
	}
	rec.Payload, rec.Hint, rec.Length = p.Payload, p.RecorderHint, p.Length
	rec.RecorderHint, rec.Recorder = p.RecorderHint, p.Recorder
	rec.Frame = p.Frame
	c := newConversation(dissect.Options{})
	c.packet = new(packet)
	c.dissectRecorded(rec)
	rec.Frame = 1
}

// decodeTeehistorian decodes chunks of a teehistorian file.
func decodeTeehistorian(rec *dissect.Record, _ dissect.PieceOptions) {
	rec.Hint = teehistorian.ChunksHint
	newConversation(dissect.Options{}).dissectTeehistorian(rec)
}
