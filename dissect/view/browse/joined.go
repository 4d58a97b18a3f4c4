package browse

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// A part is a run of whole bytes of a datagram that may be in a message.
type part struct {
	frame uint64
	at    int // in the datagram, in bytes
	bytes []byte
	used  bool
}

// joinPieces finds where a message travelled that a transport joined of several datagrams: the records of these say at
// which bytes they carried parts of one. A part that was packed has no place of its own, and gets no piece.
func (s *Session) joinPieces(c *cursors, a *Record) {
	if a.joined {
		return
	}
	a.joined = true
	frames := a.reassembledFrom()
	if len(a.Layers) < 2 || a.Layers[1].Name != layerMessage || len(a.Pieces) > 0 || len(frames) == 0 {
		return
	}
	parts := hexParts(a)
	payloads := map[uint64][]byte{a.Layers[0].Frame: a.Layers[0].Bytes}
	for _, frame := range frames {
		if _, ok := payloads[frame]; ok {
			continue
		}
		n, exact := s.index.find(a.File, frame)
		if !exact {
			continue
		}
		other, err := c.record(s, n)
		if err != nil {
			continue // the row has the reason, when it is shown
		}
		payloads[frame] = other.Layers[0].Bytes
		parts = append(parts, hexParts(other)...)
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(len(b.bytes), len(a.bytes)) })
	a.place(parts, payloads)
}

// reassembledFrom returns the frames from which the record's transport reassembled its messages.
func (a *Record) reassembledFrom() (frames []uint64) {
	for i := range a.Fields {
		f := &a.Fields[i]
		if !strings.Contains(f.Path, "reassembled_from[") {
			continue
		}
		if n, err := strconv.ParseUint(f.Value, 10, 64); err == nil {
			frames = append(frames, n)
		}
	}
	return frames
}

// hexParts returns what a record shows of its datagram as bytes alone.
func hexParts(a *Record) (parts []part) {
	wire := &a.Layers[0]
	for i := range a.Fields {
		f := &a.Fields[i]
		from, to := int(f.Bit>>3), int((f.Bit+f.Bits)>>3)
		if f.Layer != 0 || f.Bits == 0 || (f.Bit|f.Bits)&7 != 0 || to > len(wire.Bytes) ||
			a.Descriptions[f.About].Kind != dissect.Hex.String() {
			continue
		}
		parts = append(parts, part{frame: wire.Frame, at: from, bytes: wire.Bytes[from:to]})
	}
	return parts
}

// place covers the message with parts, the longest first, each once. What is between them comes from the record's
// own datagram, if those bytes are in one place of it alone.
func (a *Record) place(parts []part, payloads map[uint64][]byte) {
	message := a.Layers[1].Bytes
	for at := 0; at < len(message); {
		if p := next(parts, message[at:]); p != nil {
			p.used = true
			a.addPiece(p.frame, payloads[p.frame], p.at, at, len(p.bytes))
			at += len(p.bytes)
			continue
		}
		end := at + 1
		for end < len(message) && next(parts, message[end:]) == nil {
			end++
		}
		own, rest := a.Layers[0].Bytes, message[at:end]
		if from := bytes.Index(own, rest); from >= 0 && !bytes.Contains(own[from+1:], rest) {
			a.addPiece(a.Layers[0].Frame, own, from, at, len(rest))
		}
		at = end
	}
}

// next returns the longest part with which a text begins, or nil.
func next(parts []part, text []byte) *part {
	for i := range parts {
		if p := &parts[i]; !p.used && bytes.HasPrefix(text, p.bytes) {
			return p
		}
	}
	return nil
}

// addPiece notes that size bytes of the message at a place stood in a datagram. All three are in bytes.
func (a *Record) addPiece(frame uint64, payload []byte, wire, message, size int) {
	n := slices.IndexFunc(a.Layers, func(l Layer) bool { return l.Name == layerWire && l.Frame == frame })
	if n < 0 {
		n = len(a.Layers)
		a.Layers = append(a.Layers, Layer{Name: layerWire, Frame: frame, Bytes: payload, Length: len(payload)})
	}
	a.Pieces = append(a.Pieces, Piece{
		Layer: n, Wire: wire << 3, Bits: size << 3, Message: message << 3,
		MessageBits: size << 3,
	})
}
