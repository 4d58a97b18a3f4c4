package snapshot

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
)

const deltaSource = "CSnapshotDelta::UnpackDelta, src/engine/shared/snapshot.cpp"

// Fields that frame others, see dissect.Framing.
var (
	headField = dissect.Field{
		Key: "head", Kind: dissect.Uint, Unit: "values", Framing: dissect.Apart, Source: deltaSource,
		Doc: "the numbers before the items: of a delta how many are removed and updated, and a third that nobody uses; " +
			"of a complete one in a demo its size, the number of items and where each begins",
	}
	keyField = dissect.Field{
		Key: "key", Kind: dissect.Uint, Framing: dissect.Apart, Source: deltaSource,
		Doc: "type, id and, where it is sent, the number of values, as they are on the wire",
	}
)

// frames are the places of what frames the items of a delta.
type frames struct {
	head    message.Span
	keys    []message.Span // of the updates
	removed []message.Span
}

func (f *frames) reset() { *f = frames{keys: f.keys[:0], removed: f.removed[:0]} }

// between returns the bits from a position to that of the reader.
func between(from int, u *message.Unpacker) message.Span {
	return message.Span{Bit: from, Bits: u.Bit() - from}
}

// frame adds a place, if it is in one message.
func (s *snapshotHead) frame(t *dissect.Tree, f *dissect.Field, value uint64, at message.Span) {
	if t.Framed() && s.at >= 0 && at.Bits > 0 && !s.cut { // the data that are there have all of it
		t.Add(f, value, at.Bit, at.Bits)
	}
}

// frameKey adds the place of the key of an update.
func (p *Reader) frameKey(t *dissect.Tree, s *snapshotHead, i int) {
	if keys := p.delta.frames.keys; i < len(keys) {
		s.frame(t, &keyField, uint64(p.delta.updates[i].key), keys[i])
	}
}
