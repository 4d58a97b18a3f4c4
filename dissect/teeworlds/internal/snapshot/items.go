package snapshot

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// showLeft adds the bytes after the last item.
func (p *Reader) showLeft(rec *dissect.Record, t *dissect.Tree, s *snapshotHead) {
	d := &p.delta
	if d.fault != nil || d.left == 0 {
		return
	}
	rest := s.data[len(s.data)-d.left:]
	bit, bits := d.place(s, len(rest))
	t.AddBytes(&message.RestField, rest, bit, bits)
	rec.Expert(dissect.Note, message.ExpertTrailing, &message.RestField, bit, "%d bytes follow the last item", len(rest))
}

// place returns the bits in the message of the next size bytes, or 0 if the snapshot came in
// several messages.
func (d *delta) place(s *snapshotHead, size int) (bit, bits int) {
	if s.at < 0 {
		return 0, 0
	}
	return d.u.Bit(), size << 3
}

// fault adds an entry with the reason why a snapshot could not be read to its end.
func (p *Reader) fault(rec *dissect.Record, t *dissect.Tree, s *snapshotHead) {
	d := &p.delta
	if s.cut {
		return // said already
	}
	rest := d.u.Rest()
	bit, bits := d.place(s, len(rest))
	if len(rest) > 0 {
		t.AddBytes(&dissect.Undecoded, rest, bit, bits)
	}
	if d.resized { // the games do not expect this either, but newer versions of DDNet may do it
		rec.Expert(dissect.Warning, message.ExpertSizeDiffers, &ItemsField, bit, "%v", d.fault)
		return
	}
	rec.Expert(dissect.Fault, message.FaultCode(d.fault), &ItemsField, bit, "%v", d.fault)
}

// showItems adds the items that changed, those that were removed, and with --state the unchanged
// ones.
func (p *Reader) showItems(rec *dissect.Record, t *dissect.Tree, s *snapshotHead) {
	if t == nil {
		return
	}
	d := &p.delta
	s.frame(t, &headField, uint64(len(d.updates)+len(d.removed)), d.frames.head)
	t.Open(&ItemsField, max(0, s.at))
	for i := range d.updates {
		u := &d.updates[i]
		update := updateNew
		if u.base >= 0 {
			update = updateDelta
		}
		at := d.spansOf(u, s)
		t.Open(&itemField, startOf(at))
		p.frameKey(t, s, i)
		p.showItem(t, rec, u.key, update, d.valuesOf(u), at)
		t.Close(0)
	}
	if p.state && d.fault == nil {
		for i := range d.base.Items {
			if d.fate[i] != fateKept {
				continue
			}
			it := &d.base.Items[i]
			t.Open(&itemField, 0)
			p.showItem(t, nil, it.Key, UpdateUnchanged, d.base.Values(it), nil)
			t.Close(0)
		}
	}
	t.Close(0)
	p.showRemoved(t, s)
}

// showRemoved adds the keys of the removed items.
func (p *Reader) showRemoved(t *dissect.Tree, s *snapshotHead) {
	d := &p.delta
	t.Open(&RemovedField, max(0, s.at))
	for i, key := range d.removed {
		t.Open(RemovedField.Children[0], 0)
		key.show(t)
		if i < len(d.frames.removed) {
			s.frame(t, &keyField, uint64(key), d.frames.removed[i])
		}
		t.Close(0)
	}
	t.Close(0)
}

// spansOf returns the spans of the values of an update, or nil if they come from several messages.
func (d *delta) spansOf(u *update, s *snapshotHead) []message.Span {
	if s.at < 0 {
		return nil
	}
	return d.spans[u.start : u.start+u.size]
}

// startOf returns the position of the first of several values.
func startOf(at []message.Span) int {
	if len(at) == 0 {
		return 0
	}
	return at[0].Bit
}

// showItem adds the fields of one item.
func (p *Reader) showItem(t *dissect.Tree, rec *dissect.Record, key Key, update string,
	values []int32, at []message.Span,
) {
	key.show(t)
	t.AddLabel(&UpdateField, update, 0, 0)
	message.AddItem(t, rec, p.Object(p.dialect, key.Type()), values, at)
}

// A Key is the type and id of an item, with the type in the upper 16 bits.
type Key uint32

func makeKey(itemType, id int32) Key { return Key(itemType)<<16 | Key(id)&0xffff }

// Type returns the number of the item's type.
func (k Key) Type() int { return int(k >> 16) }

// ID returns the item's id within its type.
func (k Key) ID() int { return int(k & 0xffff) }

func (k Key) show(t *dissect.Tree) {
	t.AddInt(&itemType, int64(k.Type()), 0, 0)
	t.AddInt(&itemID, int64(k.ID()), 0, 0)
}

// extendedTypes are the objects of the type numbers from 0x7fff downward, or nil where not known.
// They are the same for all clients of a server as long as it runs.
type extendedTypes []*tables.Object

// maxItemType is the highest type number.
const maxItemType = 0x7fff

// Object returns the description of a type, or nil.
func (p *Reader) Object(d tables.Dialect, itemType int) *tables.Object {
	if itemType < tables.ExtendedObjects {
		return tables.LookupObject(d, itemType)
	}
	if i := maxItemType - itemType; i >= 0 && i < len(p.extended) {
		return p.extended[i]
	}
	return nil
}

// learnTypes records the types that items of type 0 declare.
func (p *Reader) learnTypes(d *delta) {
	for i := range d.updates {
		u := &d.updates[i]
		if u.key.Type() != 0 || u.key.ID() < tables.ExtendedObjects || u.key.ID() > maxItemType || u.size < tables.UUIDInts {
			continue
		}
		at := maxItemType - u.key.ID()
		for len(p.extended) <= at {
			p.extended = append(p.extended, nil)
		}
		p.extended[at] = tables.LookupExtendedObject(tables.UUIDOfInts(d.values[u.start : u.start+tables.UUIDInts]))
	}
}
