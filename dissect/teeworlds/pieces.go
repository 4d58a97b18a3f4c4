package teeworlds

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
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

// decodePacket decodes a datagram by itself.
func decodePacket(rec *dissect.Record, o dissect.PieceOptions) {
	rec.Hint, rec.Direction = uint64(dialectOfPiece(o.Version)), o.Direction
	newConversation(dissect.Options{}).Dissect(rec)
}

// decodeChunks decodes chunks without the header of a packet.
func decodeChunks(rec *dissect.Record, o dissect.PieceOptions) {
	c := newConversation(dissect.Options{})
	b, d := rec.Payload, dialectOfPiece(o.Version)
	c.fromClient = o.Direction == dissect.ClientToServer
	c.packet, c.reader = &packet{dialect: d, message: b, payload: b, coded: b}, new(message.Reader)
	rec.Direction, rec.Message = o.Direction, b
	t := rec.Tree
	t.Open(&rootField, 0)
	t.AddLabel(&versionField, d.String(), 0, 0)
	t.Open(&chunksField, 0)
	if len(b) == 0 {
		rec.Expert(dissect.Fault, message.ExpertTruncated, nil, 0, "a chunk begins with a header of %d bytes", chunkHeader)
	}
	for pos := 0; pos < len(b); {
		t.Open(&chunkField, pos<<3)
		pos = c.dissectChunk(rec, t, b, pos, false)
		t.Close(pos << 3)
	}
	t.CloseAll(len(b) << 3)
	t.Family = uint8(d)
}
