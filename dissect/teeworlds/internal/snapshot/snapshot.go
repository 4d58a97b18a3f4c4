// Package snapshot reads snapshots: it reassembles their parts, applies deltas to their bases, and
// verifies the checksum that the server sends.
package snapshot

import (
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// Limits of snapshots, src/engine/shared/snapshot.h.
const (
	MaxParts         = 64
	MaxPartBytes     = 900 // MAX_SNAPSHOT_PACKSIZE: of every part but the last
	maxSnapshotItems = 1024
	maxSnapshotBytes = 65536
)

// Fields of a snapshot and its items.
var (
	Field = dissect.Field{
		Key: "snapshot", Kind: dissect.Object, Doc: "the snapshot that this chunk completes, with the base's values added",
		Source: "CSnapshotDelta::UnpackDelta, src/engine/shared/snapshot.cpp; CClient::ProcessServerPacket, " +
			"src/engine/client/client.cpp",
		Children: []*dissect.Field{
			&Tick, &BaseTick, &partsField, &crcField, &crcOKField, &baseAssumedField, &baseMissingField, &ItemsField,
			&RemovedField, &message.RestField, &dissect.Undecoded,
		},
		Frame: []*dissect.Field{&headField},
	}
	Tick             = dissect.Field{Key: "tick", Kind: dissect.Int, Unit: "ticks", Doc: "when the snapshot was made"}
	BaseTick         = dissect.Field{Key: "base_tick", Kind: dissect.Int, Unit: "ticks", Doc: "the snapshot that it is a difference to; negative: to none, it is complete"}
	partsField       = dissect.Field{Key: "parts", Kind: dissect.Uint, Doc: "messages that it came in; absent where nothing has changed"}
	crcField         = dissect.Field{Key: "crc", Kind: dissect.Int, Doc: "sum of all values of all items, as the server says"}
	crcOKField       = dissect.Field{Key: "crc_ok", Kind: dissect.Bool, Doc: "whether the sum is right", Source: "CSnapshot::Crc, src/engine/shared/snapshot.cpp"}
	baseAssumedField = dissect.Field{
		Key: "base_assumed", Kind: dissect.Bool,
		Doc: "true: the base was not seen; the values rest on a neighbouring snapshot, from which the base differed in " +
			"nothing, as the sum shows",
	}
	baseMissingField = dissect.Field{
		Key: "base_missing", Kind: dissect.Bool,
		Doc: "true: the base was not seen, so that only items are known that do not depend on it",
	}
	ItemsField = dissect.Field{
		Key: "items", Kind: dissect.List, Doc: "items that are new or have changed, in the order of the wire; with --state " +
			"all of them", Children: []*dissect.Field{&itemField},
	}
	itemField = dissect.Field{
		Kind: dissect.Object, Doc: "one item; its values are absolute",
		Frame: []*dissect.Field{&keyField},
	}
	itemType    = dissect.Field{Key: "type", Kind: dissect.Int, Doc: "number of the object's type; from 16384 on it means a UUID"}
	itemID      = dissect.Field{Key: "id", Kind: dissect.Int, Doc: "which item of the type: a client, or a running number"}
	UpdateField = dissect.Field{
		Key: "update", Kind: dissect.Label, Doc: "new: not in the base; delta: a difference to the item in the base; " +
			"unchanged: as in the base, with --state; unknown: its values in the base are not known",
	}
	itemDifferences = dissect.Field{
		Key: "differences", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Int}},
		Doc: "of an unknown item, what was sent: differences to its values in the base, or the values if it is new",
	}
	RemovedField = dissect.Field{
		Key: "removed", Kind: dissect.List, Doc: "items of the base that are no more",
		Children: []*dissect.Field{{
			Kind: dissect.Object, Children: []*dissect.Field{&itemType, &itemID}, Frame: []*dissect.Field{&keyField},
		}},
	}
)

// Complete gives an item the objects of every dialect. It is for those who ask what a record can contain.
var Complete = sync.OnceFunc(func() {
	itemField.Children = append([]*dissect.Field{&itemType, &itemID, &UpdateField, &itemDifferences},
		message.ItemFields()...)
})

// Keys of the messages that carry snapshots.
const (
	KeySnap       = "snap"
	KeySnapSingle = "snapsingle"
	KeySnapEmpty  = "snapempty"
)

// The change of an item since the base.
const (
	updateNew       = "new"
	updateDelta     = "delta"
	UpdateUnchanged = "unchanged"
	updateUnknown   = "unknown"
)

// A Reader reads the snapshots of one session.
type Reader struct {
	Untimed  bool // the tick of the recorded snapshot is not known
	state    bool // unchanged items are wanted too
	dialect  tables.Dialect
	history  history
	partials partials
	none     snapshot // the empty base of complete snapshots
	newest   int32    // tick of the newest snapshot
	doubt    doubt    // about that
	recent   uint16   // whether each of the last snapshots was empty, a bit for each
	parts    assembly
	delta    delta
	extended extendedTypes
	packed   []byte // the history, at rest; otherwise nil
}

// NewReader returns the Reader of a new session. If state is set, the unchanged items of a snapshot
// are shown too.
func NewReader(state bool) *Reader { return &Reader{state: state, newest: -1} }

// Latest returns the tick of the newest snapshot, or -1 if there is none or p is nil.
func (p *Reader) Latest() int32 {
	if p == nil {
		return -1
	}
	return p.newest
}

// At returns the snapshot of a tick, if it is completely known.
func (p *Reader) At(tick int32) (*snapshot, bool) { return p.history.find(tick) }

// Forget drops everything when ticks restart.
func (p *Reader) Forget() {
	if p != nil {
		p.history.reset()
		p.partials.reset()
		p.parts.reset()
		p.newest, p.doubt = -1, doubt{}
	}
}

// An assembly collects the parts of one snapshot.
//
// CClient::ProcessServerPacket in src/engine/client/client.cpp. The game computes the total length
// from the part that arrives last, which is wrong if parts arrive out of order.
type assembly struct {
	active      bool
	tick        int32
	offset, crc int32
	num         int
	have        uint64
	last        int // bytes in the last part
	data        []byte
}

func (a *assembly) reset() { a.active = false }

// complete reports whether every part is there.
func (a *assembly) complete() bool { return a.have == 1<<a.num-1 }

// add adds a part, and returns the data once it is complete.
func (a *assembly) add(m *message.Message) (whole []byte) {
	part, num := int(m.Ints[tables.KeepPart]), int(m.Ints[tables.KeepParts])
	if !a.active || a.tick != m.Ints[tables.KeepTick] || a.num != num {
		*a = assembly{
			active: true, tick: m.Ints[tables.KeepTick], offset: m.Ints[tables.KeepDelta],
			crc: m.Ints[tables.KeepCRC], num: num, data: a.data,
		}
		if need := num * MaxPartBytes; cap(a.data) < need {
			a.data = make([]byte, need)
		}
		a.data = a.data[:num*MaxPartBytes]
	}
	copy(a.data[part*MaxPartBytes:], m.Data)
	a.have |= 1 << part
	if part == num-1 {
		a.last = len(m.Data)
	}
	if !a.complete() {
		return nil
	}
	a.active = false
	return a.data[:(num-1)*MaxPartBytes+a.last]
}

// Take decodes the snapshot that a message contains or completes, into the open chunk. payload is
// the message, which begins at bit position at.
func (p *Reader) Take(rec *dissect.Record, t *dissect.Tree, d tables.Dialect, m *message.Message,
	payload []byte, at int,
) {
	p.dialect = d
	tick := m.Ints[tables.KeepTick]
	s := snapshotHead{
		tick: tick, offset: m.Ints[tables.KeepDelta], crc: m.Ints[tables.KeepCRC], data: m.Data,
		parts: 1, at: -1, cut: m.Failed,
	}
	switch {
	case m.Def.Key == KeySnap:
		if !p.takePart(rec, m, &s) {
			return
		}
	case m.Def.Key == KeySnapSingle:
		// The position of the data follows from its capacity, since it is a slice of the payload.
		s.at = at + (cap(payload)-cap(m.Data))<<3
	default:
		s.parts = 0
	}
	stale, aside := p.arrive(tick)
	if stale {
		rec.Expert(dissect.Note, message.ExpertSnapshotStale, &Field, at, "tick %d came after tick %d: a client drops it",
			tick, p.newest)
	}
	s.aside = aside
	p.dissect(rec, t, &s)
}

// takePart takes a part of a snapshot. It reports whether s is complete now.
func (p *Reader) takePart(rec *dissect.Record, m *message.Message, s *snapshotHead) bool {
	a := &p.parts
	part, num := m.Ints[tables.KeepPart], m.Ints[tables.KeepParts]
	switch {
	case num < 1 || num > MaxParts || part < 0 || part >= num || m.Failed:
		return false // already reported
	case len(m.Data) > MaxPartBytes || part < num-1 && len(m.Data) != MaxPartBytes:
		rec.Expert(dissect.Warning, message.ExpertSnapshotPart, nil, 0,
			"part %d of %d has %d bytes; all but the last have %d", part, num, len(m.Data), MaxPartBytes)
		return false
	case p.overtaken(s.tick):
		rec.Expert(dissect.Note, message.ExpertSnapshotStale, nil, 0,
			"a part of tick %d came after one of tick %d: a client drops it", s.tick, a.tick)
		return false
	case a.active && s.tick != a.tick:
		rec.Expert(dissect.Note, message.ExpertSnapshotLost, nil, 0, "the snapshot of tick %d was never complete", a.tick)
	}
	if s.data = a.add(m); s.data == nil {
		return false
	}
	s.offset, s.crc, s.parts = a.offset, a.crc, a.num
	return true
}

// A snapshotHead is what is known about a snapshot before its items are read.
type snapshotHead struct {
	tick, offset, crc int32
	data              []byte
	parts             int  // 0: nothing changed
	at                int  // position of the data in the message, in bits; -1 if it is from several messages
	cut               bool // the data is incomplete
	aside             bool // it must not replace others yet
}

// base returns the tick of this snapshot's base.
func (s *snapshotHead) base() int32 { return s.tick - s.offset }

// dissect adds a snapshot to the open chunk, and stores it.
func (p *Reader) dissect(rec *dissect.Record, t *dissect.Tree, s *snapshotHead) {
	t.Open(&Field, max(0, s.at))
	defer t.Close(0)
	t.AddInt(&Tick, int64(s.tick), 0, 0)
	t.AddInt(&BaseTick, int64(s.base()), 0, 0)
	if s.parts > 0 {
		t.Add(&partsField, uint64(s.parts), 0, 0)
		t.AddInt(&crcField, int64(s.crc), 0, 0)
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

// apply adds the snapshot that the data makes of its base, and stores it.
func (p *Reader) apply(rec *dissect.Record, t *dissect.Tree, s *snapshotHead, base *snapshot) {
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
		t.AddBool(&crcOKField, d.crc == s.crc, 0, 0)
		if d.crc != s.crc {
			rec.Expert(dissect.Warning, message.ExpertSnapshotCRC, &crcField, max(0, s.at),
				"the items add up to %d, the server says %d", d.crc, s.crc)
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
		p.store(s, base)
	case s.parts == 0 || d.crc == s.crc: // a client drops a snapshot with a wrong sum
		p.store(s, d.take())
	}
}
