package snapshot

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A Rewriter rewrites the data of snapshots with other texts in their items. Of possible bases it
// only keeps the items with texts.
type Rewriter struct {
	// Types returns the description of a type, or nil: Reader.Object of the session.
	Types func(d tables.Dialect, itemType int) *tables.Object

	with  dissect.Rewriting
	ticks [historyTicks]snapshotTexts
	u     message.Unpacker
	from  []int32 // the values of the item being read
	to    []int32
	text  []byte
	next  []itemTexts
}

// NewRewriter returns the Rewriter of a new session.
func NewRewriter(with dissect.Rewriting) *Rewriter {
	return &Rewriter{with: with, Types: tables.LookupObject}
}

// snapshotTexts are the known texts in the snapshot of a tick.
type snapshotTexts struct {
	tick    int32
	present bool
	known   bool        // every item with texts is known; otherwise only those since the capture began
	items   []itemTexts // never changed
}

// itemTexts is an item with texts, or with values of unknown meaning, which become 0: its original and its new values.
type itemTexts struct {
	key           Key
	before, after []int32
}

// Forget drops everything when ticks restart.
func (w *Rewriter) Forget() {
	for i := range w.ticks {
		w.ticks[i] = snapshotTexts{}
	}
}

// base returns what is known about the texts in a snapshot. For one that was not seen, that is the
// last one before it.
func (w *Rewriter) base(tick int32) ([]itemTexts, bool) {
	if tick < 0 {
		return nil, true
	}
	if t := &w.ticks[uint32(tick)%historyTicks]; t.present && t.tick == tick {
		return t.items, t.known
	}
	last := snapshotTexts{tick: -1}
	for i := range w.ticks {
		if t := &w.ticks[i]; t.present && t.tick < tick && t.tick > last.tick {
			last = *t
		}
	}
	return last.items, false
}

func (w *Rewriter) put(tick int32, known bool, items []itemTexts) {
	w.ticks[uint32(tick)%historyTicks] = snapshotTexts{tick: tick, present: true, known: known, items: items}
}

// Same records a snapshot in which nothing changed.
func (w *Rewriter) Same(tick, base int32) {
	items, known := w.base(base)
	w.put(tick, known, items)
}

// Append appends the data of a snapshot with other texts. shift is the change of the sum of its
// values. It returns false if the data cannot be read, or is a delta to texts that are not known.
func (w *Rewriter) Append(dst []byte, d tables.Dialect, tick, base int32, data []byte) (out []byte,
	shift int32, ok bool,
) {
	items, known := w.base(base)
	w.next = append(w.next[:0], items...)
	u := &w.u
	u.Reset(data, 0)
	removed, updated := u.Int(), u.Int()
	u.Int() // not used
	if removed < 0 || removed > maxSnapshotItems || updated < 0 || updated > maxSnapshotItems {
		return dst, 0, false
	}
	for i := int32(0); i < removed && !u.Failed(); i++ {
		key := Key(u.Int())
		w.next = slices.DeleteFunc(w.next, func(t itemTexts) bool { return t.key == key })
	}
	dst = append(dst, data[:u.Pos()]...)
	for i := int32(0); i < updated && !u.Failed(); i++ {
		if dst, ok = w.appendUpdate(dst, d, data, items, known); !ok {
			return dst, 0, false
		}
	}
	if u.Failed() {
		return dst, 0, false
	}
	for i := range w.next {
		shift += sum(w.next[i].after) - sum(w.next[i].before)
	}
	if !slices.EqualFunc(w.next, items, sameWording) {
		items = slices.Clone(w.next)
	}
	w.put(tick, known, items)
	return dst, shift, true
}

// AppendWhole appends a snapshot that a demo has as the game has it in memory. It returns false if it cannot be read.
func (w *Rewriter) AppendWhole(dst []byte, d tables.Dialect, tick int32, data []byte) (out []byte, ok bool) {
	u := &w.u
	u.Reset(data, 0)
	size, count := u.Int(), u.Int()
	if u.Failed() || size < 0 || size > maxSnapshotBytes || count < 0 || count > maxSnapshotItems {
		return dst, false
	}
	offsets := make([]int32, 0, count+1)
	for range count {
		offsets = append(offsets, u.Int())
	}
	offsets = append(offsets, size)
	dst = append(dst, data[:u.Pos()]...)
	w.next = w.next[:0]
	for i := range int(count) {
		ints := (int(offsets[i+1]) - int(offsets[i])) / 4
		if u.Failed() || ints < 1 || ints > u.Left() {
			return dst, false
		}
		key := Key(u.Int())
		w.from = w.from[:0]
		for range ints - 1 {
			w.from = append(w.from, u.Int())
		}
		def := w.Types(d, key.Type())
		described := 0
		w.to = append(w.to[:0], w.from...)
		if def != nil {
			described = min(def.Size, len(w.to))
			w.replaceTexts(def, w.to)
		}
		clear(w.to[described:])
		dst = appendInts(message.AppendInt(dst, int32(key)), w.to)
		if !slices.Equal(w.from, w.to) || def == nil || def.HasText() {
			w.keep(itemTexts{key: key, before: slices.Clone(w.from), after: slices.Clone(w.to)})
		}
	}
	if u.Failed() {
		return dst, false
	}
	w.put(tick, true, slices.Clone(w.next))
	return append(dst, make([]byte, u.Left())...), true
}

// appendUpdate appends one item.
func (w *Rewriter) appendUpdate(dst []byte, d tables.Dialect, data []byte, items []itemTexts,
	known bool,
) ([]byte, bool) {
	u := &w.u
	start := u.Pos()
	key := makeKey(u.Int(), u.Int())
	size, static := tables.ObjectSize(d, key.Type())
	if !static {
		size = int(u.Int())
	}
	if size < 0 || size > u.Left() {
		return dst, false
	}
	head := u.Pos()
	w.from = w.from[:0]
	for range size {
		w.from = append(w.from, u.Int())
	}
	def := w.Types(d, key.Type())
	if def != nil && !def.HasText() && size <= def.Size {
		return append(dst, data[start:u.Pos()]...), true
	}
	if u.Failed() || !known && def != nil && def.HasText() {
		return dst, false
	}
	described := 0 // values that the table describes
	if def != nil {
		described = min(def.Size, size)
	}
	dst = append(dst, data[start:head]...)
	if !known { // no sum can be checked: it is enough that values of unknown meaning do not change
		clear(w.from[described:])
		return appendInts(dst, w.from), true
	}
	before := slices.IndexFunc(items, func(t itemTexts) bool { return t.key == key })
	if before >= 0 {
		old := items[before].before
		if len(old) != size {
			return dst, false
		}
		for i := range w.from {
			w.from[i] += old[i]
		}
	}
	w.to = append(w.to[:0], w.from...)
	if def != nil {
		w.replaceTexts(def, w.to)
	}
	clear(w.to[described:])
	for i, v := range w.to {
		if before >= 0 {
			v -= items[before].after[i]
		}
		dst = message.AppendInt(dst, v)
	}
	w.keep(itemTexts{key: key, before: slices.Clone(w.from), after: slices.Clone(w.to)})
	return dst, true
}

// keep records the values of an item in the snapshot being read.
func (w *Rewriter) keep(item itemTexts) {
	if i := slices.IndexFunc(w.next, func(t itemTexts) bool { return t.key == item.key }); i >= 0 {
		w.next[i] = item
		return
	}
	w.next = append(w.next, item)
}

// replaceTexts replaces the texts in the values of an item.
func (w *Rewriter) replaceTexts(def *tables.Object, ints []int32) {
	at := 0
	for i := range def.Parts {
		p := &def.Parts[i]
		if at+p.Ints > len(ints) {
			return
		}
		for from := at; p.Kind == tables.KindIntText && from < at+p.Ints; from += p.Size {
			w.replaceText(tables.Personal(p.Field), ints[from:from+p.Size])
		}
		at += p.Ints
	}
}

func (w *Rewriter) replaceText(personal dissect.Personal, ints []int32) {
	var buf [4 * message.MaxTextInts]byte
	text := message.AppendText(buf[:0], ints)
	if len(text) == 0 {
		return
	}
	if personal == dissect.NotPersonal {
		w.text = w.with.AppendText(w.text[:0], text)
	} else {
		w.text = w.with.AppendPersonal(w.text[:0], personal, text)
	}
	message.PutText(ints, w.text)
}

func appendInts(dst []byte, values []int32) []byte {
	for _, v := range values {
		dst = message.AppendInt(dst, v)
	}
	return dst
}

func sameWording(a, b itemTexts) bool {
	return a.key == b.key && slices.Equal(a.before, b.before) && slices.Equal(a.after, b.after)
}

func sum(values []int32) (n int32) {
	for _, v := range values {
		n += v
	}
	return n
}
