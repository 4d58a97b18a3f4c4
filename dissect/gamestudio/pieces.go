package gamestudio

import "github.com/q3dissect/q3dissect/dissect"

var pieces = []dissect.Piece{{
	Name: gameName + ".message", Versions: []string{late.String(), edition2002.String()},
	Doc:    "the messages of one packet of the transport",
	Decode: decodeMessages,
}}

// decodeMessages decodes the messages of one packet.
func decodeMessages(rec *dissect.Record, o dissect.PieceOptions) {
	if rec.Direction = o.Direction; o.Version == edition2002.String() {
		rec.Hint = uint64(is2002)
	}
	(&conversation{}).Dissect(rec)
}
