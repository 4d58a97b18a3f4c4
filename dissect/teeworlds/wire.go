package teeworlds

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// appendWire locates the bytes of a message after the header in the datagram: each is either a byte
// or a symbol of the Huffman code.
func appendWire(dst []dissect.WirePiece, rec *dissect.Record, _ func(frame uint64) []byte) []dissect.WirePiece {
	if rec.Recorded() || len(rec.Message) == 0 {
		return dst
	}
	var p packet
	if p.parse(rec.Payload, tables.Dialect(rec.Hint)); p.short {
		return dst
	}
	at := p.header << 3
	if !p.has(flagCompression) || p.has(flagConnless) {
		return append(dst, dissect.WirePiece{
			Frame: rec.Frame, Wire: at, Bits: len(rec.Message) << 3,
			MessageBits: len(rec.Message) << 3,
		})
	}
	for i, b := range rec.Message {
		n := huffcodec.TeeworldsCodeLength(b)
		dst = append(dst, dissect.WirePiece{Frame: rec.Frame, Wire: at, Bits: n, Message: i << 3, MessageBits: 8})
		at += n
	}
	return dst
}
