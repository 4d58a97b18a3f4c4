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

// Keys of the messages that carry snapshots.
const (
	keySnap       = "snap"
	keySnapSingle = "snapsingle"
	keySnapEmpty  = "snapempty"
)

// What became of an item since the base.
const (
	updateNew       = "new"
	updateDelta     = "delta"
	updateUnchanged = "unchanged"
	updateUnknown   = "unknown"
)

// A play reads the snapshots of one session.
type play struct {
	state    bool // unchanged items are wanted too
	dialect  dialect
	history  history
	partials partials
	none     snapshot // what a complete snapshot is a difference to
	newest   int32    // tick of the newest snapshot
	recent   uint16   // whether each of the last snapshots was empty, a bit for each
	parts    assembly
	delta    delta
	extended extendedTypes
}

// newPlay gives what a session begins with. state: the unchanged items of a snapshot are shown too.
func newPlay(state bool) *play { return &play{state: state, newest: -1} }

// latest is the tick of the newest snapshot; -1 where there is none, or p is nil.
func (p *play) latest() int32 {
	if p == nil {
		return -1
	}
	return p.newest
}

// at gives the snapshot of a tick, if it is known whole.
func (p *play) at(tick int32) (*snapshot, bool) { return p.history.find(tick) }

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

// take decodes the snapshot that a message is or completes, into the chunk that is open. payload is the message, which
// begins at bit position at.
func (p *play) take(rec *dissect.Record, t *dissect.Tree, d dialect, m *message, payload []byte, at int) {
	p.dialect = d
	tick := m.ints[keepTick]
	s := snapshotHead{tick: tick, offset: m.ints[keepDelta], crc: m.ints[keepCRC], data: m.data, parts: 1, at: -1, cut: m.failed}
	switch {
	case m.def.key == keySnap:
		if !p.takePart(rec, m, &s) {
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
	p.dissect(rec, t, &s)
}

// restartTicks is how far ticks may step back before it is taken for a new beginning.
const restartTicks = 500

// takePart takes a part of a snapshot. It reports whether s is complete now.
func (p *play) takePart(rec *dissect.Record, m *message, s *snapshotHead) bool {
	a := &p.parts
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

// dissect adds a snapshot to the chunk that is open, and keeps it.
func (p *play) dissect(rec *dissect.Record, t *dissect.Tree, s *snapshotHead) {
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
		p.dissectPartial(rec, t, s)
		return
	}
	p.apply(rec, t, s, base)
}

// apply adds what the data of a snapshot make of its base, and keeps it.
func (p *play) apply(rec *dissect.Record, t *dissect.Tree, s *snapshotHead, base *snapshot) {
	d := &p.delta
	d.reset(base, p.dialect, t != nil)
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
	p.showItems(rec, t, s)
	if d.fault != nil {
		p.fault(rec, t, s)
		return
	}
	p.showLeft(rec, t, s)
	switch {
	case same:
		p.history.put(s.tick, base)
	case s.parts == 0 || d.crc == s.crc: // a client drops what has a wrong sum
		p.history.put(s.tick, d.take())
	}
}
