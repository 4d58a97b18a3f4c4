package ghost

import (
	"bytes"
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// Personal returns what a field of a record identifies.
func Personal(f *dissect.Field) dissect.Personal {
	if f == &ownerField {
		return dissect.PersonName
	}
	return dissect.NotPersonal
}

// A Rewriter makes the records of a ghost without what identifies people, and the chunks of the file out of them.
type Rewriter struct {
	head    [chunkHead]byte
	left    int // items of the chunk that are to come
	items   []byte
	payload []byte
	file    []byte
}

// skinNameInts is the length of a skin's name.
const skinNameInts = 6

// Rewrite returns a record and what the file has at its place: a chunk where its last item is, else nothing.
func (w *Rewriter) Rewrite(rec *dissect.Record, with dissect.Rewriting, replaced *int) (payload, file []byte) {
	h, b := Hint(rec.Hint), rec.Payload
	w.payload, w.file = append(w.payload[:0], b...), w.file[:0]
	switch {
	case h&hintHeader != 0:
		if len(b) >= mapAt {
			text, _, _ := bytes.Cut(b[ownerAt:mapAt], []byte{0})
			clear(w.payload[ownerAt:mapAt])
			copy(w.payload[ownerAt:mapAt-1], with.AppendPersonal(nil, dissect.PersonName, text))
			*replaced++
		} else {
			clear(w.payload[min(len(b), ownerAt):])
		}
		return w.payload, w.payload
	case h&hintDamaged != 0:
		clear(w.payload[min(len(b), chunkHead):])
		return w.payload, w.payload
	}
	if h.item() == 0 {
		w.head, w.items = [chunkHead]byte(b), w.items[:0]
		w.left = int(w.head[1])
		w.payload = w.payload[:chunkHead]
		b = b[chunkHead:]
	} else {
		w.payload = w.payload[:0]
	}
	start := len(w.payload)
	w.payload = w.appendItem(w.payload, b, h, with, replaced)
	w.items = append(w.items, w.payload[start:]...)
	if w.left--; w.left > 0 {
		return w.payload, w.file[:0:0]
	}
	data := huffcodec.EncodeTeeworlds(nil, w.items)
	binary.BigEndian.PutUint16(w.head[2:], uint16(len(data)))
	w.file = append(append(w.file, w.head[:]...), data...)
	return w.payload, w.file
}

// appendItem appends the ints of an item. Characters stay; a skin has another name; nothing else is known to be
// harmless.
func (w *Rewriter) appendItem(dst, b []byte, h Hint, with dissect.Rewriting, replaced *int) []byte {
	kind := h.kind()
	if kind.character() || kind == typeStartTick {
		return append(dst, b...)
	}
	var ints []int32
	var u message.Unpacker
	for u.Reset(b, 0); u.Left() > 0 && !u.Failed(); {
		ints = append(ints, u.Int())
	}
	if kind != typeSkin || h.item() > 0 || len(ints) < skinNameInts {
		clear(ints)
	} else {
		name := message.AppendText(nil, ints[:skinNameInts])
		message.PutText(ints[:skinNameInts], with.AppendText(nil, name))
		*replaced++
	}
	for _, n := range ints {
		dst = message.AppendInt(dst, n)
	}
	return dst
}
