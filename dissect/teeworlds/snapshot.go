package teeworlds

import (
	"github.com/q3dissect/q3dissect/dissect"
)

// Limits of snapshots, src/engine/shared/snapshot.h.
const (
	maxSnapshotParts = 64
	maxPartSize      = 900 // MAX_SNAPSHOT_PACKSIZE: of every part but the last
	maxSnapshotItems = 1024
	maxSnapshotBytes = 65536
)

// Fields of a snapshot and its items.
var (
	snapshotField = dissect.Field{
		Key: "snapshot", Kind: dissect.Object, Doc: "the snapshot that this chunk completes, with the base's values added",
		Source: "CSnapshotDelta::UnpackDelta, src/engine/shared/snapshot.cpp; CClient::ProcessServerPacket, src/engine/client/client.cpp",
		Children: []*dissect.Field{
			&snapTick, &snapBaseTick, &snapParts, &snapCRC, &snapCRCOK, &snapBaseAssumed, &snapBaseMissing, &itemsField, &removedField, &restField, &dissect.Undecoded,
		},
	}
	snapTick        = dissect.Field{Key: "tick", Kind: dissect.Int, Unit: "ticks", Doc: "when the snapshot was made"}
	snapBaseTick    = dissect.Field{Key: "base_tick", Kind: dissect.Int, Unit: "ticks", Doc: "the snapshot that it is a difference to; negative: to none, it is complete"}
	snapParts       = dissect.Field{Key: "parts", Kind: dissect.Uint, Doc: "messages that it came in; absent where nothing has changed"}
	snapCRC         = dissect.Field{Key: "crc", Kind: dissect.Int, Doc: "sum of all values of all items, as the server says"}
	snapCRCOK       = dissect.Field{Key: "crc_ok", Kind: dissect.Bool, Doc: "whether the sum is right", Source: "CSnapshot::Crc, src/engine/shared/snapshot.cpp"}
	snapBaseAssumed = dissect.Field{
		Key: "base_assumed", Kind: dissect.Bool,
		Doc: "true: the base was not seen; what is here rests on a snapshot next to it, of which the base differed in nothing, as the sum shows",
	}
	snapBaseMissing = dissect.Field{
		Key: "base_missing", Kind: dissect.Bool,
		Doc: "true: the base was not seen, so that only items are known that do not depend on it",
	}
	itemsField = dissect.Field{
		Key: "items", Kind: dissect.List, Doc: "items that are new or have changed, in the order of the wire; with --state all of them", Children: []*dissect.Field{&itemField},
	}
	itemField = dissect.Field{
		Kind: dissect.Object, Doc: "one item; its values are absolute", Children: append([]*dissect.Field{&itemType, &itemID, &itemUpdate, &itemDifferences}, objectFields...),
	}
	itemType   = dissect.Field{Key: "type", Kind: dissect.Int, Doc: "number of the object's type; from 16384 on one that stands for a UUID"}
	itemID     = dissect.Field{Key: "id", Kind: dissect.Int, Doc: "which item of the type: a client, or a running number"}
	itemUpdate = dissect.Field{
		Key: "update", Kind: dissect.Label, Doc: "new: not in the base; delta: a difference to the item in the base; unchanged: as in the base, with --state; unknown: its values in the base are not known",
	}
	itemDifferences = dissect.Field{
		Key: "differences", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Int}},
		Doc: "of an unknown item, what was sent: differences to its values in the base, or the values if it is new",
	}
	removedField = dissect.Field{
		Key: "removed", Kind: dissect.List, Doc: "items of the base that are no more",
		Children: []*dissect.Field{{Kind: dissect.Object, Children: []*dissect.Field{&itemType, &itemID}}},
	}
)

// Keys of the messages that a conversation learns from.
const (
	keySnap       = "snap"
	keySnapSingle = "snapsingle"
	keySnapEmpty  = "snapempty"
	keyMapChange  = "map_change"
)

// What became of an item since the base.
const (
	updateNew       = "new"
	updateDelta     = "delta"
	updateUnchanged = "unchanged"
	updateUnknown   = "unknown"
)

// A play is what snapshots need.
type play struct {
	history  history
	partials partials
	none     snapshot // what a complete snapshot is a difference to
	newest   int32    // tick of the newest snapshot
	recent   uint16   // whether each of the last snapshots was empty, a bit for each
	parts    assembly
	delta    delta
	extended extendedTypes
}

// forget begins anew: ticks count from the start.
func (p *play) forget() {
	if p != nil {
		p.history.reset()
		p.partials.reset()
		p.parts.reset()
		p.newest = -1
	}
}

// An assembly collects the parts of one snapshot.
//
// CClient::ProcessServerPacket in src/engine/client/client.cpp. The original takes as the whole's length that of the
// part which comes last, which is wrong where parts come out of order.
type assembly struct {
	active      bool
	tick        int32
	offset, crc int32
	num         int
	have        uint64
	last        int // bytes of the last part
	data        []byte
}

func (a *assembly) reset() { a.active = false }

// complete reports whether every part is there.
func (a *assembly) complete() bool { return a.have == 1<<a.num-1 }

// add takes a part, and gives the whole once it is complete.
func (a *assembly) add(m *message) (whole []byte) {
	part, num := int(m.ints[keepPart]), int(m.ints[keepParts])
	if !a.active || a.tick != m.ints[keepTick] || a.num != num {
		*a = assembly{active: true, tick: m.ints[keepTick], offset: m.ints[keepDelta], crc: m.ints[keepCRC], num: num, data: a.data}
		if need := num * maxPartSize; cap(a.data) < need {
			a.data = make([]byte, need)
		}
		a.data = a.data[:num*maxPartSize]
	}
	copy(a.data[part*maxPartSize:], m.data)
	a.have |= 1 << part
	if part == num-1 {
		a.last = len(m.data)
	}
	if !a.complete() {
		return nil
	}
	a.active = false
	return a.data[:(num-1)*maxPartSize+a.last]
}

// takeSnapshot decodes the snapshot that a message is or completes.
func (c *conversation) takeSnapshot(rec *dissect.Record, t *dissect.Tree, m *message, payload []byte, at int) {
	if m.failed && len(m.data) == 0 {
		return
	}
	if c.play == nil {
		c.play = &play{newest: -1}
	}
	p := c.play
	tick := m.ints[keepTick]
	s := snapshotHead{tick: tick, offset: m.ints[keepDelta], crc: m.ints[keepCRC], data: m.data, parts: 1, at: -1, cut: m.failed}
	switch {
	case m.def.key == keySnap:
		if !c.takePart(rec, m, &s) {
			return
		}
	case m.def.key == keySnapSingle:
		// Where the data stand: what is behind them in memory tells, since they are part of the payload.
		s.at = at + (cap(payload)-cap(m.data))<<3
	default:
		s.parts = 0
	}
	if int64(p.newest)-int64(tick) > restartTicks {
		p.forget() // ticks began anew, and the message that says so was not seen
	}
	if tick < p.newest {
		rec.Expert(dissect.Note, expertSnapshotStale, &snapshotField, at, "tick %d came after tick %d: a client drops it", tick, p.newest)
	}
	p.newest = max(p.newest, tick)
	c.dissectSnapshot(rec, t, &s)
}

// restartTicks is how far ticks may step back before it is taken for a new beginning.
const restartTicks = 500

// takePart takes a part of a snapshot. It reports whether s is complete now.
func (c *conversation) takePart(rec *dissect.Record, m *message, s *snapshotHead) bool {
	a := &c.play.parts
	part, num := m.ints[keepPart], m.ints[keepParts]
	switch {
	case num < 1 || num > maxSnapshotParts || part < 0 || part >= num || m.failed:
		return false // said already
	case len(m.data) > maxPartSize || part < num-1 && len(m.data) != maxPartSize:
		rec.Expert(dissect.Warning, expertSnapshotPart, nil, 0, "part %d of %d has %d bytes; all but the last have %d", part, num, len(m.data), maxPartSize)
		return false
	case a.active && s.tick < a.tick:
		rec.Expert(dissect.Note, expertSnapshotStale, nil, 0, "a part of tick %d came after one of tick %d: a client drops it", s.tick, a.tick)
		return false
	case a.active && s.tick > a.tick:
		rec.Expert(dissect.Note, expertSnapshotLost, nil, 0, "the snapshot of tick %d was never complete", a.tick)
	}
	if s.data = a.add(m); s.data == nil {
		return false
	}
	s.offset, s.crc, s.parts = a.offset, a.crc, a.num
	return true
}

// A snapshotHead is what is known of a snapshot before its items.
type snapshotHead struct {
	tick, offset, crc int32
	data              []byte
	parts             int  // 0: nothing changed
	at                int  // position of the data in the message, in bits; -1: they are from several
	cut               bool // the data are not all there
}

// base is the tick of the snapshot that this one is a difference to.
func (s *snapshotHead) base() int32 { return s.tick - s.offset }

// dissectSnapshot adds a snapshot to the chunk that is open, and keeps it.
func (c *conversation) dissectSnapshot(rec *dissect.Record, t *dissect.Tree, s *snapshotHead) {
	p := c.play
	t.Open(&snapshotField, max(0, s.at))
	defer t.Close(0)
	t.AddInt(&snapTick, int64(s.tick), 0, 0)
	t.AddInt(&snapBaseTick, int64(s.base()), 0, 0)
	if s.parts > 0 {
		t.Add(&snapParts, uint64(s.parts), 0, 0)
		t.AddInt(&snapCRC, int64(s.crc), 0, 0)
	}
	p.seen(s.parts == 0)
	base, ok := &p.none, true
	if s.base() >= 0 {
		base, ok = p.history.find(s.base())
	}
	if !ok {
		c.dissectPartial(rec, t, s)
		return
	}
	c.applySnapshot(rec, t, s, base)
}

// applySnapshot adds what the data of a snapshot make of its base, and keeps it.
func (c *conversation) applySnapshot(rec *dissect.Record, t *dissect.Tree, s *snapshotHead, base *snapshot) {
	p := c.play
	d := &p.delta
	d.reset(base, c.packet.dialect, t != nil)
	if s.parts > 0 {
		d.read(s.data, max(0, s.at))
	}
	same := s.parts == 0 && base != &p.none
	if d.fault == nil && !same {
		d.apply(&p.history)
	}
	if d.fault == nil && s.parts > 0 {
		t.AddBool(&snapCRCOK, d.crc == s.crc, 0, 0)
		if d.crc != s.crc {
			rec.Expert(dissect.Warning, expertSnapshotCRC, &snapCRC, max(0, s.at), "the items add up to %d, the server says %d", d.crc, s.crc)
		}
		p.learnTypes(d)
	}
	c.showItems(rec, t, s)
	if d.fault != nil {
		c.snapshotFault(rec, t, s)
		return
	}
	c.showLeft(rec, t, s)
	switch {
	case same:
		p.history.put(s.tick, base)
	case s.parts == 0 || d.crc == s.crc: // a client drops what has a wrong sum
		p.history.put(s.tick, d.take())
	}
}

// showLeft adds what follows the last item.
func (c *conversation) showLeft(rec *dissect.Record, t *dissect.Tree, s *snapshotHead) {
	d := &c.play.delta
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

// snapshotFault says why a snapshot could not be read to its end.
func (c *conversation) snapshotFault(rec *dissect.Record, t *dissect.Tree, s *snapshotHead) {
	d := &c.play.delta
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
func (c *conversation) showItems(rec *dissect.Record, t *dissect.Tree, s *snapshotHead) {
	if t == nil {
		return
	}
	p := c.play
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
		c.showItem(t, rec, u.key, update, d.valuesOf(u), at)
		t.Close(0)
	}
	if c.opts.State && d.fault == nil {
		for i := range d.base.items {
			if d.fate[i] != fateKept {
				continue
			}
			it := &d.base.items[i]
			t.Open(&itemField, 0)
			c.showItem(t, nil, it.key, updateUnchanged, d.base.values(it), nil)
			t.Close(0)
		}
	}
	t.Close(0)
	c.showRemoved(t, s)
}

// showRemoved adds the keys of the items that are gone.
func (c *conversation) showRemoved(t *dissect.Tree, s *snapshotHead) {
	d := &c.play.delta
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
func (c *conversation) showItem(t *dissect.Tree, rec *dissect.Record, key itemKey, update string, values []int32, at []span) {
	key.show(t)
	t.AddLabel(&itemUpdate, update, 0, 0)
	addItem(t, rec, c.play.object(c.packet.dialect, key.itemType()), values, at)
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
