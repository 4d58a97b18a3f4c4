package demos

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// Parts of the first byte of a chunk, src/engine/shared/demo.cpp of DDNet.
const (
	TickMarker  = 0x80 // not set: the chunk has data
	Keyframe    = 0x40
	ShortTick   = 0x20 // since version 5: the tick is a step
	maxTickStep = 0x1f

	ChunkSnapshot = 1
	ChunkMessage  = 2
	ChunkDelta    = 3
)

// keyframeTicks is how many ticks after a keyframe the next snapshot is one: 5 seconds.
//
// CDemoRecorder::RecordSnapshot.
const keyframeTicks = 250

// A Snapshot is a state of the game: items with a type and an id each, sorted by Sort.
type Snapshot struct {
	items []item
	ints  []int32
}

// An item has its values in the snapshot's ints.
type item struct {
	key      uint32 // the type in the upper half, the id in the lower one
	from, to int
}

// Reset empties the snapshot.
func (s *Snapshot) Reset() { s.items, s.ints = s.items[:0], s.ints[:0] }

// Add adds an item of a size with zeros, and returns its values, which are valid until the next call.
func (s *Snapshot) Add(itemType, id, size int) []int32 {
	from := len(s.ints)
	s.ints = slices.Grow(s.ints, size)[:from+size]
	clear(s.ints[from:])
	s.items = append(s.items, item{uint32(itemType)<<16 | uint32(id)&0xffff, from, from + size})
	return s.ints[from:]
}

// AddType adds the item that gives a type number to the UUID of an object.
//
// CSnapshotBuilder::AddExtendedItemType, src/engine/shared/snapshot.cpp of DDNet.
func (s *Snapshot) AddType(itemType int, id tables.UUID) {
	values := s.Add(0, itemType, tables.UUIDInts)
	for i := range values {
		values[i] = int32(binary.BigEndian.Uint32(id[4*i:]))
	}
}

// Len returns the number of items.
func (s *Snapshot) Len() int { return len(s.items) }

func (s *Snapshot) values(i int) []int32 { return s.ints[s.items[i].from:s.items[i].to] }

func (s *Snapshot) sort() {
	slices.SortFunc(s.items, func(a, b item) int { return cmp.Compare(a.key, b.key) })
}

func (s *Snapshot) copyFrom(o *Snapshot) {
	s.items, s.ints = append(s.items[:0], o.items...), append(s.ints[:0], o.ints...)
}

// A Writer writes the chunks of a demo after its header. The zero value is ready.
type Writer struct {
	Dialect tables.Dialect
	Legacy  bool  // markers are those of versions 3 and 4
	Chunks  int   // that were written, markers of ticks left out
	First   int32 // tick
	Tick    int32 // the last one

	begun  bool
	key    int32 // tick of the last keyframe
	before Snapshot
	data   []byte
	coded  []byte

	// Of the difference that is being written.
	removed []uint32 // keys
	bases   []int    // of each item, in the snapshot before
}

// Begun reports whether there is a snapshot.
func (w *Writer) Begun() bool { return w.begun }

// Snapshot appends the snapshot of a tick, later than those before: all of it, or what changed. It sorts the items.
func (w *Writer) Snapshot(dst []byte, tick int32, s *Snapshot) []byte {
	if !w.begun || tick-w.key > keyframeTicks {
		dst = w.Whole(dst, tick, s)
	} else {
		s.sort()
		dst = w.Mark(dst, tick, false)
		if data, changed := w.appendDelta(w.data[:0], s); changed {
			w.data = data
			dst = w.chunk(dst, ChunkDelta)
		}
	}
	w.before.copyFrom(s)
	return dst
}

// Whole appends the snapshot of a tick, all of it, as a keyframe. It sorts the items.
func (w *Writer) Whole(dst []byte, tick int32, s *Snapshot) []byte {
	s.sort()
	dst = w.Mark(dst, tick, true)
	w.data = s.appendWhole(w.data[:0])
	return w.chunk(dst, ChunkSnapshot)
}

// Mark appends the marker of a tick. Without a snapshot after it the one before is shown again.
//
// CDemoRecorder::WriteTickMarker.
func (w *Writer) Mark(dst []byte, tick int32, whole bool) []byte {
	step := int64(tick) - int64(w.Tick)
	most, short := int64(maxTickStep), byte(ShortTick)
	if w.Legacy {
		most, short = maxTickStep|ShortTick, 0
	}
	switch {
	case !w.begun || whole || step > most:
		first := byte(TickMarker)
		if whole {
			first |= Keyframe
		}
		dst = binary.BigEndian.AppendUint32(append(dst, first), uint32(tick))
	default:
		dst = append(dst, TickMarker|short|byte(step))
	}
	w.at(tick, whole)
	return dst
}

// at takes over the tick of a marker.
func (w *Writer) at(tick int32, whole bool) {
	if !w.begun {
		w.begun, w.First = true, tick
	}
	if w.Tick = tick; whole {
		w.key = tick
	}
}

// appendWhole appends the snapshot as the game has it in memory: sizes, the place of each item, the items.
//
// CSnapshot, src/engine/shared/snapshot.h.
func (s *Snapshot) appendWhole(dst []byte) []byte {
	dst = message.AppendInt(dst, int32(4*(len(s.items)+len(s.ints))))
	dst = message.AppendInt(dst, int32(len(s.items)))
	at := int32(0)
	for i := range s.items {
		dst = message.AppendInt(dst, at)
		at += int32(4 * (1 + len(s.values(i))))
	}
	for i := range s.items {
		dst = message.AppendInt(dst, int32(s.items[i].key))
		for _, v := range s.values(i) {
			dst = message.AppendInt(dst, v)
		}
	}
	return dst
}

// appendDelta appends the difference to the snapshot before, and reports whether there is any.
//
// CSnapshotDelta::CreateDelta, src/engine/shared/snapshot.cpp.
func (w *Writer) appendDelta(dst []byte, s *Snapshot) (out []byte, changed bool) {
	w.removed, w.bases = w.removed[:0], w.bases[:0]
	before, old, updated := w.before.items, 0, 0
	for i := range s.items {
		key, base := s.items[i].key, added
		for ; old < len(before) && before[old].key < key; old++ {
			w.removed = append(w.removed, before[old].key)
		}
		if old < len(before) && before[old].key == key {
			if base = old; slices.Equal(w.before.values(old), s.values(i)) {
				base = same
			}
			old++
		}
		if w.bases = append(w.bases, base); base != same {
			updated++
		}
	}
	for _, it := range before[old:] {
		w.removed = append(w.removed, it.key)
	}
	if len(w.removed)+updated == 0 {
		return dst, false
	}
	dst = message.AppendInt(dst, int32(len(w.removed)))
	dst = message.AppendInt(dst, int32(updated))
	dst = message.AppendInt(dst, 0)
	for _, key := range w.removed {
		dst = message.AppendInt(dst, int32(key))
	}
	for i := range s.items {
		base := w.bases[i]
		if base == same {
			continue
		}
		itemType, values := int(s.items[i].key>>16), s.values(i)
		dst = message.AppendInt(dst, int32(itemType))
		dst = message.AppendInt(dst, int32(s.items[i].key&0xffff))
		if _, static := tables.ObjectSize(w.Dialect, itemType); !static {
			dst = message.AppendInt(dst, int32(len(values)))
		}
		for k, v := range values {
			if base != added {
				v -= w.before.values(base)[k]
			}
			dst = message.AppendInt(dst, v)
		}
	}
	return dst, true
}

// What an item has in place of the index of its base.
const (
	added = -1
	same  = -2 // it did not change
)

// Message appends a message: its number, then its fields. A demo has its bytes as ints, four in each, the lowest first.
func (w *Writer) Message(dst, payload []byte) []byte {
	var padded [4]byte
	w.data = w.data[:0]
	for len(payload) > 0 {
		clear(padded[:])
		payload = payload[copy(padded[:], payload):]
		w.data = message.AppendInt(w.data, int32(binary.LittleEndian.Uint32(padded[:])))
	}
	return w.chunk(dst, ChunkMessage)
}

// Chunk appends a chunk of a kind with data that is packed already.
func (w *Writer) Chunk(dst []byte, kind byte, data []byte) []byte {
	w.data = append(w.data[:0], data...)
	return w.chunk(dst, kind)
}

// chunk appends a chunk with the data, compressed.
//
// CDemoRecorder::Write.
func (w *Writer) chunk(dst []byte, kind byte) []byte {
	w.Chunks++
	w.coded = huffcodec.EncodeTeeworlds(w.coded[:0], w.data)
	size := len(w.coded)
	switch first := kind << 5; {
	case size < 30:
		dst = append(dst, first|byte(size))
	case size < 256:
		dst = append(dst, first|30, byte(size))
	default:
		dst = append(dst, first|31, byte(size), byte(size>>8))
	}
	return append(dst, w.coded...)
}
