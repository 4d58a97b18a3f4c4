package quake3

import "github.com/q3dissect/q3dissect/dissect"

// LowestFirst reports how the bits of a byte are counted.
func (Protocol) LowestFirst() bool { return true }

// AppendWire appends the parts of datagrams that a message was made of. The cipher does not move bytes, so
// bit for bit the message follows the headers of its datagrams.
func (Protocol) AppendWire(dst []dissect.WirePiece, rec *dissect.Record, datagram func(frame uint64) []byte) []dissect.WirePiece {
	var frames [64]uint64
	parts := Protocol{}.AppendParts(frames[:0], rec)
	if len(parts) == 0 {
		header := len(rec.Payload) - len(rec.Message)
		if header < 0 || len(rec.Message) == 0 {
			return dst
		}
		return append(dst, piece(rec.Frame, header, 0, len(rec.Message)))
	}
	enc := legacy
	if rec.Root().Get(encodingField.Key).String() == native.String() {
		enc = native
	}
	for _, frame := range parts {
		payload := rec.Payload
		if frame != rec.Frame {
			payload = datagram(frame)
		}
		var h header
		if payload == nil || !h.parse(payload, rec.Direction == dissect.ClientToServer, enc) || !h.fragmented {
			continue
		}
		if n := min(h.size, len(payload)-h.length, len(rec.Message)-h.start); n > 0 {
			dst = append(dst, piece(frame, h.length, h.start, n))
		}
	}
	return dst
}

// piece is a part of a message that is transmitted unchanged; the arguments are in bytes.
func piece(frame uint64, wire, message, size int) dissect.WirePiece {
	return dissect.WirePiece{Frame: frame, Wire: wire << 3, Bits: size << 3, Message: message << 3, MessageBits: size << 3}
}
