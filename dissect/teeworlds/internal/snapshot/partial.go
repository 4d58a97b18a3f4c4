package snapshot

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
)

// If the capture lacks the base of later snapshots, the items of the base are assumed: an item that
// was not sent since a nearby snapshot is taken to be as it was there. The checksum that the server
// sends, the sum of all values, confirms or refutes this for all items at once. Until it matches, only
// items are shown that do not depend on the assumption: those that were seen to be absent, and new
// ones.

// A partial is what is known and assumed about a snapshot.
type partial struct {
	tick   int32
	snap   snapshot // the items assumed to be present, with their assumed values
	trust  []trust  // by item of snap
	absent []Key    // sorted: items that are certainly absent

	// off is the server's sum minus that of the assumed values: their error.
	off    int32
	hasOff bool
}

// A trust is whether an item of a partial is present with its assumed values.
type trust uint8

const (
	assumed   trust = iota
	conserved       // yes, unless a snapshot that was not seen changed it
	sure            // yes
)

// partials are the latest snapshots that are not completely known, the oldest first.
type partials struct {
	list  []*partial
	spare *partial
	size  int // bytes, about
}

// Limits of the memory: as many ticks as a client needs to acknowledge a snapshot, and half the
// memory of the completely known snapshots.
const (
	maxPartials      = 64
	maxPartialsBytes = historyBytes / 2
)

func (p *partial) bytes() int {
	return 12*cap(p.snap.Items) + 4*cap(p.snap.ints) + len(p.trust) + 4*cap(p.absent)
}

func (l *partials) reset() { l.list, l.size = l.list[:0], 0 }

// find returns the partial of a tick, or nil.
func (l *partials) find(tick int32) *partial {
	for i := len(l.list) - 1; i >= 0; i-- {
		if l.list[i].tick == tick {
			return l.list[i]
		}
	}
	return nil
}

// empty returns a partial to fill.
func (l *partials) empty(tick int32) *partial {
	p := l.spare
	if p == nil {
		p = new(partial)
	}
	l.spare = nil
	p.tick, p.hasOff = tick, false
	p.snap.Items, p.snap.ints, p.trust, p.absent = p.snap.Items[:0], p.snap.ints[:0], p.trust[:0], p.absent[:0]
	return p
}

// put stores a partial.
func (l *partials) put(p *partial) {
	l.list = append(l.list, p)
	l.size += p.bytes()
	for len(l.list) > maxPartials || l.size > maxPartialsBytes && len(l.list) > 1 {
		l.spare = l.list[0]
		l.size -= l.spare.bytes()
		l.list = slices.Delete(l.list, 0, 1)
	}
}

// isSure reports whether an item is certainly present with the values in the partial.
func (p *partial) isSure(key Key) bool {
	i := p.snap.find(key)
	return i >= 0 && p.trust[i] == sure
}

// confirm promotes conserved items to sure.
func (p *partial) confirm() {
	for i, t := range p.trust {
		if t == conserved {
			p.trust[i] = sure
		}
	}
}

func (p *partial) isAbsent(key Key) bool {
	_, ok := slices.BinarySearch(p.absent, key)
	return ok
}

// dissectPartial adds a snapshot whose base is not completely known to the open one.
func (p *Reader) dissectPartial(rec *dissect.Record, t *dissect.Tree, s *snapshotHead) {
	d := &p.delta
	d.reset(&p.none, p.dialect, t != nil)
	if s.parts > 0 {
		d.read(s.data, max(0, s.at))
		if d.fault == nil && p.calm() {
			if base := p.recover(s, p.dialect); base != nil {
				t.AddBool(&baseAssumedField, true, 0, 0)
				p.apply(rec, t, s, base)
				return
			}
		}
	}
	t.AddBool(&baseMissingField, true, 0, 0)
	rec.Expert(dissect.Note, message.ExpertBaseMissing, &BaseTick, max(0, s.at),
		"the snapshot of tick %d was not seen", s.base())
	next := p.assume(s, p.dialect)
	p.showPartial(rec, t, s, next)
	if d.fault != nil {
		p.fault(rec, t, s)
		return
	}
	p.showLeft(rec, t, s)
	p.partials.put(next)
}

// showPartial adds the items of a partial: the values of those that are certain, and for the others
// the differences that were sent.
func (p *Reader) showPartial(rec *dissect.Record, t *dissect.Tree, s *snapshotHead, next *partial) {
	if t == nil {
		return
	}
	d := &p.delta
	s.frame(t, &headField, uint64(len(d.updates)+len(d.removed)), d.frames.head)
	t.Open(&ItemsField, max(0, s.at))
	for i := range d.updates {
		u := &d.updates[i]
		at := d.spansOf(u, s)
		t.Open(&itemField, startOf(at))
		p.frameKey(t, s, i)
		if next.isSure(u.key) {
			update := updateNew
			if u.base >= 0 {
				update = updateDelta
			}
			p.showItem(t, rec, u.key, update, d.valuesOf(u), at)
		} else {
			p.showUnknown(t, u, at)
		}
		t.Close(0)
	}
	if p.state && d.fault == nil {
		for i := range next.snap.Items {
			it := &next.snap.Items[i]
			if next.trust[i] != sure || slices.ContainsFunc(d.updates, func(u update) bool { return u.key == it.Key }) {
				continue
			}
			t.Open(&itemField, 0)
			p.showItem(t, nil, it.Key, UpdateUnchanged, next.snap.Values(it), nil)
			t.Close(0)
		}
	}
	t.Close(0)
	p.showRemoved(t, s)
}

// showUnknown adds the differences sent for an item whose values are not known.
func (p *Reader) showUnknown(t *dissect.Tree, u *update, at []message.Span) {
	d := &p.delta
	u.key.show(t)
	t.AddLabel(&UpdateField, updateUnknown, 0, 0)
	var from []int32
	if u.base >= 0 {
		from = d.base.Values(&d.base.Items[u.base])
	}
	t.Open(&itemDifferences, startOf(at))
	for i, v := range d.valuesOf(u) {
		if from != nil {
			v -= from[i]
		}
		where := message.Span{}
		if i < len(at) {
			where = at[i]
		}
		t.AddInt(itemDifferences.Children[0], int64(v), where.Bit, where.Bits)
	}
	t.Close(0)
}
