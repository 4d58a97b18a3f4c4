package snapshot

import (
	"math/bits"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// If the capture lacks the base of later snapshots, the items of the base are assumed: an item that
// was not sent since a nearby snapshot is taken to be as it was there. The checksum that the server
// sends, the sum of all values, confirms or refutes this for all items at once. Until it fits, only
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

// A trust says whether an item of a partial is present with its assumed values.
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

func (p *partial) bytes() int { return p.snap.bytes() + len(p.trust) + 4*cap(p.absent) }

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

// maxAssumed is the maximum distance, in ticks, between a base and a snapshot used in its place:
// half a second. More time means more changes, and some changes cancel out in the sum.
const maxAssumed = 25

// near returns the complete snapshots next to a tick: the last one before and the first one after
// it, or nil.
func (h *history) near(tick int32) (before, after *snapshot) {
	for i := int32(1); i <= maxAssumed && (before == nil || after == nil); i++ {
		if s, ok := h.find(tick - i); ok && before == nil {
			before = s
		}
		if s, ok := h.find(tick + i); ok && after == nil {
			after = s
		}
	}
	return before, after
}

// near returns the last partial before a tick, or nil.
func (l *partials) near(tick int32) (before *partial) {
	for _, p := range l.list {
		if p.tick < tick && p.tick >= tick-maxAssumed && (before == nil || p.tick >= before.tick) {
			before = p
		}
	}
	return before
}

// recover looks for a complete snapshot that can take the place of the base of s, and returns nil
// if there is none. The delta d has read s without a base.
func (p *Reader) recover(s *snapshotHead, dialect tables.Dialect) *snapshot {
	if own := p.partials.find(s.base()); own != nil && !own.hasOff && p.fits(&own.snap, 0, s, dialect) {
		return &own.snap
	}
	before, after := p.history.near(s.base())
	for _, assumed := range [...]*snapshot{before, after} {
		if assumed != nil && p.fits(assumed, 0, s, dialect) {
			return assumed
		}
	}
	if last := p.partials.near(s.base()); last != nil && !last.hasOff && p.fits(&last.snap, 0, s, dialect) {
		return &last.snap
	}
	return nil
}

// fits reports whether the delta makes a snapshot of base whose sum differs by off from the
// server's, without contradictions: the delta removes only items that exist, and changed items have
// possible sizes and values.
func (p *Reader) fits(base *snapshot, off int32, s *snapshotHead, dialect tables.Dialect) bool {
	d := &p.delta
	sum := off
	for _, v := range base.ints {
		sum += v
	}
	for _, v := range d.values {
		sum += v
	}
	for _, key := range d.removed {
		i := base.find(key)
		if i < 0 {
			return false
		}
		for _, v := range base.Values(&base.Items[i]) {
			sum -= v
		}
	}
	if sum != s.crc {
		return false
	}
	for i := range d.updates {
		u := &d.updates[i]
		var from []int32
		if at := base.find(u.key); at >= 0 {
			from = base.Values(&base.Items[at])
		}
		if from != nil && len(from) != int(u.size) || !p.possible(dialect, u.key, from, d.valuesOf(u)) {
			return false
		}
	}
	for i := range base.Items {
		if it := &base.Items[i]; off == 0 && !p.possible(dialect, it.Key, nil, base.Values(it)) {
			return false
		}
	}
	return true
}

// calmSnapshots is how many of the last snapshots must be empty for the sum to count as proof.
// While players move, the changes of a missing snapshot can cancel out: two players moving in
// opposite directions are enough.
const (
	recentSnapshots = 16
	calmSnapshots   = 4
)

// seen records whether a snapshot changed nothing.
func (p *Reader) seen(empty bool) {
	p.recent <<= 1
	if empty {
		p.recent |= 1
	}
}

// calm reports whether hardly anything has changed recently.
func (p *Reader) calm() bool { return bits.OnesCount16(p.recent) >= calmSnapshots }

// possible reports whether the values of an item, given as differences to from, are in their
// ranges.
func (p *Reader) possible(dialect tables.Dialect, key Key, from, values []int32) bool {
	def := p.Object(dialect, key.Type())
	if def == nil {
		return true
	}
	at := 0
	for i := range def.Parts {
		part := &def.Parts[i]
		if at+part.Ints > len(values) {
			return true
		}
		if part.Times == tables.Single && (part.Kind == tables.KindNumber || part.Kind == tables.KindBool) {
			v := values[at]
			if from != nil {
				v += from[at]
			}
			if v < part.Min || v > part.Max {
				return false
			}
		}
		at += part.Ints
	}
	return true
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
	rec.Expert(dissect.Note, message.ExpertBaseMissing, &BaseTick, max(0, s.at), "the snapshot of tick %d was not seen", s.base())
	next := p.assume(s, p.dialect)
	p.showPartial(rec, t, s, next)
	if d.fault != nil {
		p.fault(rec, t, s)
		return
	}
	p.showLeft(rec, t, s)
	p.partials.put(next)
}

// assume makes the partial of s. The delta d was read without a base; afterwards it has the assumed
// values.
func (p *Reader) assume(s *snapshotHead, dialect tables.Dialect) *partial {
	d := &p.delta
	own := p.partials.find(s.base())
	last := own
	if last == nil {
		last = p.partials.near(s.base())
	}
	if last != nil && last.hasOff && s.parts > 0 && d.fault == nil && p.calm() && p.fits(&last.snap, last.off, s, dialect) {
		last.confirm()
		own = last // nothing changed in between
	}
	base := &p.none
	before, _ := p.history.near(s.base())
	switch {
	case own != nil:
		base = &own.snap
	case before != nil:
		base, last = before, nil
	case last != nil:
		base = &last.snap
	}
	placed := d.placed
	next := p.partials.empty(s.tick)
	if d.fault != nil {
		return next
	}
	d.reset(base, dialect, placed)
	if s.parts > 0 {
		d.read(s.data, max(0, s.at))
	}
	if d.resized { // the assumption is wrong
		own, last = nil, nil
		d.reset(&p.none, dialect, placed)
		d.read(s.data, max(0, s.at))
	}
	if d.fault != nil {
		return next
	}
	d.applyTo(&next.snap)
	next.absent = append(next.absent, d.removed...)
	if own != nil {
		next.absent = append(next.absent, own.absent...)
	}
	slices.Sort(next.absent)
	next.absent = slices.DeleteFunc(slices.Compact(next.absent), func(key Key) bool { return next.snap.find(key) >= 0 })
	for i := range next.snap.Items {
		t := trustOf(next.snap.Items[i].Key, own, last)
		if t == conserved && s.parts > 0 { // the sum could have confirmed it
			t = assumed
		}
		next.trust = append(next.trust, t)
	}
	switch {
	case s.parts > 0:
		next.off, next.hasOff = s.crc-d.crc, true
	case last != nil:
		next.off, next.hasOff = last.off, last.hasOff
	}
	return next
}

// trustOf returns the trust in an item whose base is own, or the assumption last.
func trustOf(key Key, own, last *partial) trust {
	from := own
	if from == nil {
		from = last
	}
	if from == nil {
		return assumed
	}
	t := assumed
	if i := from.snap.find(key); i >= 0 {
		t = from.trust[i]
	} else if from.isAbsent(key) {
		t = sure
	}
	if own == nil {
		return min(t, conserved)
	}
	return t
}

// showPartial adds the items of a partial: the values of those that are certain, and for the others
// the differences that were sent.
func (p *Reader) showPartial(rec *dissect.Record, t *dissect.Tree, s *snapshotHead, next *partial) {
	if t == nil {
		return
	}
	d := &p.delta
	t.Open(&ItemsField, max(0, s.at))
	for i := range d.updates {
		u := &d.updates[i]
		at := d.spansOf(u, s)
		t.Open(&itemField, startOf(at))
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
