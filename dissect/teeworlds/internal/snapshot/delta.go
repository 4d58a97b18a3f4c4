package snapshot

import (
	"fmt"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// An update is an item that a delta carries. Its values are absolute once it is read.
type update struct {
	key         Key
	start, size int32 // in the delta's values
	base        int32 // index of the item in the base; -1: none
}

// The fate of an item of the base: one of these, or the index of its update.
const (
	fateKept    = -1
	fateRemoved = -2
)

// A delta is the content of a snapshot message; it builds the snapshot from a base.
type delta struct {
	base    *snapshot
	dialect tables.Dialect
	placed  bool // spans are wanted

	removed []Key
	updates []update
	values  []int32
	spans   []message.Span // the span of each value
	fate    []int32        // by item of the base
	left    int            // bytes after the last item
	offsets []int32        // of the items of a demo's snapshot

	next *snapshot // the result of apply
	crc  int32

	frames  frames
	fault   error
	resized bool // the fault is an item whose size differs from the base
	u       message.Unpacker
	fresh   []uint64 // key and index of the updates whose items are not in the base
}

// reset starts a delta against a base.
func (d *delta) reset(base *snapshot, dialect tables.Dialect, placed bool) {
	d.base, d.dialect, d.placed, d.fault, d.crc, d.left, d.resized = base, dialect, placed, nil, 0, 0, false
	d.removed, d.updates, d.values, d.spans, d.fresh = d.removed[:0], d.updates[:0], d.values[:0], d.spans[:0], d.fresh[:0]
	d.fate = d.fate[:0]
	for range base.Items {
		d.fate = append(d.fate, fateKept)
	}
	d.u.Reset(nil, 0)
	d.frames.reset()
}

// read reads the data of a delta, which begin at bit position at.
//
// CSnapshotDelta::UnpackDelta in src/engine/shared/snapshot.cpp.
func (d *delta) read(data []byte, at int) {
	u := &d.u
	u.Reset(data, at)
	removed, updated := u.Int(), u.Int()
	u.Int() // CData::m_NumTempItems, not used
	if d.placed && !u.Failed() {
		d.frames.head = between(at, u)
	}
	if !u.Failed() && (removed < 0 || removed > maxSnapshotItems || updated < 0 || updated > maxSnapshotItems) {
		u.SetPos(0)
		u.Malformed("%d removed and %d updated items; a snapshot has at most %d", removed, updated, maxSnapshotItems)
	}
	for i := int32(0); i < removed && !u.Failed(); i++ {
		from := u.Bit()
		key := Key(u.Int())
		if u.Failed() {
			break
		}
		d.removed = append(d.removed, key)
		if d.placed {
			d.frames.removed = append(d.frames.removed, between(from, u))
		}
		if i := d.base.find(key); i >= 0 {
			d.fate[i] = fateRemoved
		}
	}
	for i := int32(0); i < updated && !u.Failed(); i++ {
		d.readUpdate(u)
	}
	d.fault, d.left = u.Err(), u.Left()
}

// readUpdate reads one item.
func (d *delta) readUpdate(u *message.Unpacker) {
	start, head := u.Pos(), u.Bit()
	itemType, id := u.Int(), u.Int()
	if u.Failed() {
		return
	}
	if itemType < 0 || itemType > maxItemType || id < 0 || id > 0xffff {
		u.SetPos(start)
		u.Malformed("there is no item %d of type %d", id, itemType)
		return
	}
	size, static := tables.ObjectSize(d.dialect, int(itemType))
	if !static {
		size = int(u.Int())
	}
	key := makeKey(itemType, id)
	up := update{key: key, start: int32(len(d.values)), size: int32(size), base: int32(d.base.find(key))}
	var from []int32
	if up.base >= 0 {
		from = d.base.Values(&d.base.Items[up.base])
	}
	switch {
	case u.Failed():
		return
	case size < 0 || size > u.Left(): // each takes at least one byte
		u.Fail(fmt.Errorf("%w: item %d of type %d has %d values", dissect.ErrTruncated, id, itemType, size))
		return
	case from != nil && len(from) != size:
		u.SetPos(start)
		d.resized = true
		u.Malformed("item %d of type %d has %d values, and %d in the snapshot before", id, itemType, size, len(from))
		return
	}
	place := between(head, u)
	for i := range size {
		at := u.Bit()
		v := u.Int()
		if from != nil {
			v += from[i]
		}
		d.values = append(d.values, v)
		if d.placed {
			d.spans = append(d.spans, message.Span{Bit: at, Bits: u.Bit() - at})
		}
	}
	if u.Failed() {
		return
	}
	if up.base >= 0 {
		d.fate[up.base] = int32(len(d.updates))
	} else {
		d.fresh = append(d.fresh, uint64(key)<<32|uint64(len(d.updates)))
	}
	d.updates = append(d.updates, up)
	if d.placed {
		d.frames.keys = append(d.frames.keys, place)
	}
}

// apply builds the new snapshot, with its items sorted by key, and sums its values.
func (d *delta) apply(h *history) {
	if d.next == nil {
		d.next = h.empty()
	}
	d.applyTo(d.next)
}

// applyTo is apply into a snapshot of the caller.
func (d *delta) applyTo(s *snapshot) {
	s.Items = slices.Grow(s.Items[:0], len(d.base.Items)+len(d.fresh))
	s.ints = slices.Grow(s.ints[:0], len(d.base.ints)+len(d.values))
	slices.Sort(d.fresh)
	fresh := 0
	for i := range d.base.Items {
		it := &d.base.Items[i]
		for ; fresh < len(d.fresh) && Key(d.fresh[fresh]>>32) < it.Key; fresh++ {
			d.addFresh(s, fresh)
		}
		switch fate := d.fate[i]; fate {
		case fateKept:
			s.add(it.Key, d.base.Values(it))
		case fateRemoved:
		default:
			s.add(it.Key, d.valuesOf(&d.updates[fate]))
		}
	}
	for ; fresh < len(d.fresh); fresh++ {
		d.addFresh(s, fresh)
	}
	for _, v := range s.ints {
		d.crc += v
	}
	if len(s.Items) > maxSnapshotItems || 4*len(s.ints) > maxSnapshotBytes {
		d.fault = fmt.Errorf("%w: a snapshot of %d items and %d values", dissect.ErrMalformed, len(s.Items), len(s.ints))
	}
}

// addFresh adds an item that is not in the base; of two with the same key the later one counts.
func (d *delta) addFresh(s *snapshot, i int) {
	if i+1 < len(d.fresh) && d.fresh[i+1]>>32 == d.fresh[i]>>32 {
		return
	}
	u := &d.updates[uint32(d.fresh[i])]
	s.add(u.key, d.valuesOf(u))
}

func (d *delta) valuesOf(u *update) []int32 { return d.values[u.start : u.start+u.size] }

func (s *snapshot) add(key Key, values []int32) {
	s.Items = append(s.Items, item{key, int32(len(s.ints)), int32(len(values))})
	s.ints = append(s.ints, values...)
}

// take returns the snapshot that apply has built; it then belongs to the caller.
func (d *delta) take() *snapshot {
	s := d.next
	d.next = nil
	return s
}
