package snapshot

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// TakeRecorded decodes a snapshot of a demo into the open chunk: a complete one, or a delta to the
// previous one. Of an Untimed one tick is near that of the record.
func (p *Reader) TakeRecorded(rec *dissect.Record, t *dissect.Tree, d tables.Dialect, tick int32,
	complete bool, data []byte,
) {
	p.dialect = d
	t.Open(&Field, 0)
	defer t.Close(len(data) << 3)
	if !p.Untimed {
		t.AddInt(&Tick, int64(tick), 0, 0)
	}
	base, baseTick, ok := &p.none, int32(-1), true
	if !complete {
		baseTick = p.newest
		base, ok = p.history.find(baseTick)
	}
	t.AddInt(&BaseTick, int64(baseTick), 0, 0)
	if !ok {
		t.AddBool(&baseMissingField, true, 0, 0)
		rec.Expert(dissect.Note, message.ExpertBaseMissing, &BaseTick, 0, "there is no snapshot before")
		return
	}
	delta := &p.delta
	delta.reset(base, d, t != nil)
	if complete {
		delta.readFull(data)
	} else {
		delta.read(data, 0)
	}
	if delta.fault == nil {
		delta.apply(&p.history)
		p.learnTypes(delta)
	}
	s := snapshotHead{tick: tick, data: data}
	p.showItems(rec, t, &s)
	p.showLeft(rec, t, &s)
	if delta.fault != nil {
		p.fault(rec, t, &s)
		return
	}
	p.newest = tick
	p.history.put(p.newest, delta.take())
}

// Exact reports whether the recorded snapshot that was read last ends with its data, and removed what was there.
func (p *Reader) Exact() bool {
	d := &p.delta
	removed := 0
	for _, fate := range d.fate {
		if fate == fateRemoved {
			removed++
		}
	}
	return d.left == 0 && removed == len(d.removed)
}

// readFull reads a snapshot that a demo has in the game's memory layout: length of the data and
// number of items, the offset of each item, and the items with their keys.
//
// CSnapshot in src/engine/shared/snapshot.h.
func (d *delta) readFull(data []byte) {
	u := &d.u
	u.Reset(data, 0)
	size, count := u.Int(), u.Int()
	if !u.Failed() && (size < 0 || size > maxSnapshotBytes || count < 0 || count > maxSnapshotItems ||
		int(count) > u.Left()) {
		u.Malformed("a snapshot of %d bytes with %d items", size, count)
	}
	d.offsets = d.offsets[:0]
	for i := int32(0); i < count && !u.Failed(); i++ {
		d.offsets = append(d.offsets, u.Int())
	}
	d.offsets = append(d.offsets, size)
	if d.placed && !u.Failed() {
		d.frames.head = between(0, u)
	}
	for i := 0; i < int(count) && !u.Failed(); i++ {
		ints := (int64(d.offsets[i+1]) - int64(d.offsets[i])) / 4
		if ints < 1 || ints > int64(u.Left()) {
			u.Malformed("item %d begins at byte %d and ends at %d", i, d.offsets[i], d.offsets[i+1])
			break
		}
		head := u.Bit()
		up := update{key: Key(u.Int()), start: int32(len(d.values)), size: int32(ints - 1), base: -1}
		place := between(head, u)
		for range ints - 1 {
			at := u.Bit()
			d.values = append(d.values, u.Int())
			if d.placed {
				d.spans = append(d.spans, message.Span{Bit: at, Bits: u.Bit() - at})
			}
		}
		if u.Failed() {
			break
		}
		d.fresh = append(d.fresh, uint64(up.key)<<32|uint64(len(d.updates)))
		d.updates = append(d.updates, up)
		if d.placed {
			d.frames.keys = append(d.frames.keys, place)
		}
	}
	d.fault, d.left = u.Err(), u.Left()
}
