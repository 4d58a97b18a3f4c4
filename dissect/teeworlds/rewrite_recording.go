package teeworlds

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/demos"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/ghost"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/snapshot"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/teehistorian"
)

// give returns what was rewritten: the message of the recording, and what the file has in its place, nil for the same.
func (r *rewriter) give(rec *dissect.Record, payload, file []byte) {
	rec.Rewritten = &dissect.Rewritten{State: dissect.RewriteDone, Replaced: r.replaced, Payload: payload, File: file}
}

// historian rewrites a record of a teehistorian file.
func (r *rewriter) historian(rec *dissect.Record) {
	if r == nil {
		return
	}
	r.message, r.replaced = r.message[:0], 0
	t, b := rec.Tree, rec.Payload
	at := 0 // bytes that are written
	copyTo := func(to int) {
		r.message = append(r.message, b[at:to]...)
		at = to
	}
	top := t.Child(0, &teehistorian.Field)
	for n := range t.Children(top) {
		switch node := &t.Nodes[n]; {
		case node.Field == teehistorian.Header:
			r.json(t, n, b)
			at = len(b)
		case node.Field == teehistorian.Chunks:
			for c := range t.Children(n) {
				chunk := &t.Nodes[c]
				from, to := int(chunk.Bit)>>3, min(len(b), int(chunk.Bit+chunk.Bits)>>3)
				if from < at || to < from || chunk.Bits == 0 {
					continue
				}
				copyTo(from)
				if chunk.Field.Kind.Container() {
					r.chunkOf(t, c, b, from, to)
				} else {
					r.message = appendBlank(r.message, b[from:to])
				}
				at = to
			}
		case !node.Field.Kind.Container() && node.Bits > 0: // bytes after the end mark, or that were not read
			from, to := int(node.Bit)>>3, min(len(b), int(node.Bit+node.Bits)>>3)
			copyTo(from)
			r.message = append(r.message, make([]byte, to-from)...)
			at = to
		}
	}
	copyTo(len(b))
	r.give(rec, r.message, nil)
}

// chunkOf rewrites a chunk, which has the bytes from <= i < to. A chunk that has a length gets that of the new content.
func (r *rewriter) chunkOf(t *dissect.Tree, chunk int, b []byte, from, to int) {
	size := t.Find(chunk, teehistorian.SizeKey)
	if size < 0 || t.Nodes[size].Bits == 0 {
		r.arguments = teehistorian.ArgumentsOf(t, chunk)
		r.texts(t, chunk, b, from, to)
		r.arguments = dissect.NotPersonal
		return
	}
	at := int(t.Nodes[size].Bit) >> 3
	content := at + int(t.Nodes[size].Bits)>>3
	r.message = append(r.message, b[from:at]...)
	start := len(r.message)
	r.texts(t, chunk, b, content, to)
	r.data = append(r.data[:0], r.message[start:]...)
	missing := max(0, int(t.Nodes[size].Int())-(to-content)) // the file ends in it: it still does
	r.message = message.AppendInt(r.message[:start], int32(len(r.data)+missing))
	r.message = append(r.message, r.data...)
}

// json rewrites the header of a teehistorian file: texts in quotes, and what is between them.
func (r *rewriter) json(t *dissect.Tree, header int, b []byte) {
	at := 0
	for i, end := header+1, int(t.Nodes[header].End); i < end; i++ {
		n := &t.Nodes[i]
		from, to := int(n.Bit)>>3, int(n.Bit+n.Bits)>>3
		if n.Field.Kind != dissect.Text && n.Field != &dissect.Undecoded || n.Bits == 0 || from < at || to > len(b) {
			continue
		}
		r.message = append(r.message, b[at:from]...)
		at = to
		switch token := b[from:to]; {
		case n.Field == &dissect.Undecoded:
			r.message = appendBlank(r.message, token)
		case token[0] != '"': // a value of a kind that is not known
			r.message = append(r.message, `""`...)
			r.replaced++
		default:
			r.data = r.data[:0]
			var replaced bool
			if teehistorian.IsSetting(n.Field) {
				r.message, r.arguments = append(r.message, token...), tables.ArgumentsOf(t.Bytes(n))
				continue
			}
			r.data, replaced = r.appendValue(r.data, n.Field, t.Bytes(n), false)
			if r.arguments = dissect.NotPersonal; !replaced {
				r.message = append(r.message, token...)
				continue
			}
			if !bytes.Equal(r.data, t.Bytes(n)) {
				r.replaced++
			}
			quoted, _ := json.Marshal(string(r.data)) // a string always has a form
			r.message = append(r.message, quoted...)
		}
	}
	r.message, r.arguments = append(r.message, b[at:]...), dissect.NotPersonal
}

// recorded rewrites the header or a chunk of a demo. The map in it stays if files are kept.
func (r *rewriter) recorded(c *conversation, rec *dissect.Record) {
	if r == nil {
		return
	}
	r.message, r.replaced = r.message[:0], 0
	h, b := demoHint(rec.Hint), rec.Payload
	if h.chunk() == demoHeaderChunk && rec.Frame == 1 {
		r.demoHeader(rec)
		return
	}
	head, _ := demoSize(b)
	if h&hintHole != 0 {
		head = 0
	}
	t := rec.Tree
	chunk := t.Child(t.Child(0, &chunksField), &chunkField)
	w := &r.writer
	w.Dialect = h.dialect()
	switch {
	case chunk < 0: // it cannot be unpacked, and still cannot
		r.out = append(append(r.out[:0], b[:head]...), make([]byte, len(b)-head)...)
	case h.chunk() == demoMessage:
		// servers of 0.7 record what they send to each client, too: no player reads it
		r.blank = t.Find(chunk, snapshot.KeySnapSingle) >= 0 || t.Find(chunk, snapshot.KeySnap) >= 0
		r.texts(t, chunk, c.unpacked, 0, len(c.unpacked))
		r.blank = false
		r.out = w.Message(r.out[:0], r.message)
	default:
		var ok bool
		r.serial++
		tick := r.serial
		r.snapshots.Types = c.snapshots.Object
		if h.chunk() == demoDelta {
			r.data, _, ok = r.snapshots.Append(r.data[:0], h.dialect(), tick, tick-1, c.packet.inflated)
		} else {
			r.data, ok = r.snapshots.AppendWhole(r.data[:0], h.dialect(), tick, c.packet.inflated)
		}
		if !ok {
			r.snapshots.Same(tick, tick-1) // a snapshot that cannot be read is none
			r.data = appendBlank(r.data[:0], c.packet.inflated)
		}
		r.out = w.Chunk(r.out[:0], b[0]>>5&3, r.data)
	}
	r.give(rec, r.out, slices.Concat([]byte(rec.Before), r.out))
}

// demoHeader rewrites the header of a demo.
func (r *rewriter) demoHeader(rec *dissect.Record) {
	r.out = append(r.out[:0], rec.Payload...)
	name := r.out[demoMapNameAt:demoMapSizeAt]
	text, _, _ := bytes.Cut(name, []byte{0})
	text = r.with.AppendHarmless(nil, text)
	clear(name)
	copy(name[:len(name)-1], text)
	var carried []byte
	if p := rec.Attached; p != nil && int64(len(p.Data)) == p.File.Size {
		if kept := r.with.AppendFile(nil, p.Data); bytes.Equal(kept, p.Data) {
			carried = kept
		}
	}
	if carried == nil {
		if rec.Attached != nil {
			r.replaced++
		}
		binary.BigEndian.PutUint32(r.out[demoMapSizeAt:], 0)
	}
	r.give(rec, r.out, append(bytes.Clone(r.out), carried...))
}

// ghostRecord rewrites a record of a ghost. The chunks of the file come when their last item does.
func (r *rewriter) ghostRecord(rec *dissect.Record) {
	if r == nil {
		return
	}
	r.replaced = 0
	payload, file := r.ghosts.Rewrite(rec, r.with, &r.replaced)
	r.give(rec, payload, file)
}

// A recordedCopy is what a rewriter keeps of a recording.
type recordedCopy struct {
	writer demos.Writer
	serial int32 // of the snapshot: a demo's tick may be wrong
	blank  bool  // the bytes are a snapshot's
	ghosts ghost.Rewriter
	// arguments is what the arguments of a command, or the value of a setting, identify.
	arguments dissect.Personal
}
