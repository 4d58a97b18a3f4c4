package teeworlds

import "github.com/q3dissect/q3dissect/dissect"

// showLeft adds what follows the last item.
func (p *play) showLeft(rec *dissect.Record, t *dissect.Tree, s *snapshotHead) {
	d := &p.delta
	if d.fault != nil || d.left == 0 {
		return
	}
	rest := s.data[len(s.data)-d.left:]
	bit, bits := d.place(s, len(rest))
	t.AddBytes(&restField, rest, bit, bits)
	rec.Expert(dissect.Note, expertTrailing, &restField, bit, "%d bytes follow the last item", len(rest))
}

// place gives where so many bytes stand in the message that are read next; nowhere if the snapshot came in several.
func (d *delta) place(s *snapshotHead, size int) (bit, bits int) {
	if s.at < 0 {
		return 0, 0
	}
	return d.u.Bit(), size << 3
}

// fault says why a snapshot could not be read to its end.
func (p *play) fault(rec *dissect.Record, t *dissect.Tree, s *snapshotHead) {
	d := &p.delta
	if s.cut {
		return // said already
	}
	rest := d.u.Rest()
	bit, bits := d.place(s, len(rest))
	if len(rest) > 0 {
		t.AddBytes(&dissect.Undecoded, rest, bit, bits)
	}
	if d.resized { // the games do not expect it either, but newer versions of DDNet may do it
		rec.Expert(dissect.Warning, expertSizeDiffers, &itemsField, bit, "%v", d.fault)
		return
	}
	rec.Expert(dissect.Fault, faultCode(d.fault), &itemsField, bit, "%v", d.fault)
}

// showItems adds the items that changed, those that are gone, and with --state those that stayed.
func (p *play) showItems(rec *dissect.Record, t *dissect.Tree, s *snapshotHead) {
	if t == nil {
		return
	}
	d := &p.delta
	t.Open(&itemsField, max(0, s.at))
	for i := range d.updates {
		u := &d.updates[i]
		update := updateNew
		if u.base >= 0 {
			update = updateDelta
		}
		at := d.spansOf(u, s)
		t.Open(&itemField, startOf(at))
		p.showItem(t, rec, u.key, update, d.valuesOf(u), at)
		t.Close(0)
	}
	if p.state && d.fault == nil {
		for i := range d.base.items {
			if d.fate[i] != fateKept {
				continue
			}
			it := &d.base.items[i]
			t.Open(&itemField, 0)
			p.showItem(t, nil, it.key, updateUnchanged, d.base.values(it), nil)
			t.Close(0)
		}
	}
	t.Close(0)
	p.showRemoved(t, s)
}

// showRemoved adds the keys of the items that are gone.
func (p *play) showRemoved(t *dissect.Tree, s *snapshotHead) {
	d := &p.delta
	t.Open(&removedField, max(0, s.at))
	for _, key := range d.removed {
		t.Open(removedField.Children[0], 0)
		key.show(t)
		t.Close(0)
	}
	t.Close(0)
}

// spansOf gives where the values of an update were read; nil where nothing tells, as they are from several messages.
func (d *delta) spansOf(u *update, s *snapshotHead) []span {
	if s.at < 0 {
		return nil
	}
	return d.spans[u.start : u.start+u.size]
}

// startOf gives where the first of several values was read.
func startOf(at []span) int {
	if len(at) == 0 {
		return 0
	}
	return at[0].bit
}

// showItem adds the fields of one item.
func (p *play) showItem(t *dissect.Tree, rec *dissect.Record, key itemKey, update string, values []int32, at []span) {
	key.show(t)
	t.AddLabel(&itemUpdate, update, 0, 0)
	addItem(t, rec, p.object(p.dialect, key.itemType()), values, at)
}

// An itemKey is type and id of an item: the type in the upper 16 bits.
type itemKey uint32

func makeKey(itemType, id int32) itemKey { return itemKey(itemType)<<16 | itemKey(id)&0xffff }

func (k itemKey) itemType() int { return int(k >> 16) }
func (k itemKey) id() int       { return int(k & 0xffff) }

func (k itemKey) show(t *dissect.Tree) {
	t.AddInt(&itemType, int64(k.itemType()), 0, 0)
	t.AddInt(&itemID, int64(k.id()), 0, 0)
}

// extendedTypes are the objects that numbers from 0x7fff downward stand for. They are the same for all clients of a
// server until it ends. nil: not known.
type extendedTypes []*objectDef

// maxItemType is the highest number of a type.
const maxItemType = 0x7fff

// object gives the description of a type, or nil.
func (p *play) object(d dialect, itemType int) *objectDef {
	if itemType < extendedObjects {
		return lookupObject(d, itemType)
	}
	if i := maxItemType - itemType; i >= 0 && i < len(p.extended) {
		return p.extended[i]
	}
	return nil
}

// learnTypes takes over what the items of type 0 say.
func (p *play) learnTypes(d *delta) {
	for i := range d.updates {
		u := &d.updates[i]
		if u.key.itemType() != 0 || u.key.id() < extendedObjects || u.key.id() > maxItemType || u.size < uuidInts {
			continue
		}
		at := maxItemType - u.key.id()
		for len(p.extended) <= at {
			p.extended = append(p.extended, nil)
		}
		p.extended[at] = lookupExtendedObject(uuidOfInts(d.values[u.start : u.start+uuidInts]))
	}
}
