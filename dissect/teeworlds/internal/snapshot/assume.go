package snapshot

import (
	"math/bits"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

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

// calmSnapshots of the last recentSnapshots must be empty for the sum to count as proof.
// While players move, the changes of a missing snapshot can cancel out: two players moving in
// opposite directions are enough.
const (
	recentSnapshots = 16 // bits of Reader.recent
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

// assume makes the partial of s. The delta d was read without a base; afterwards it has the assumed
// values.
func (p *Reader) assume(s *snapshotHead, dialect tables.Dialect) *partial {
	d := &p.delta
	base, own, last := p.assumedBase(s, dialect)
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
	next.setAbsent(d.removed, own)
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

// assumedBase returns the snapshot to assume as the base of s, and the partials that it comes from: own if it is the
// base itself, last if it is the base or one shortly before. Both are nil if the snapshot is a complete one, or empty.
func (p *Reader) assumedBase(s *snapshotHead, dialect tables.Dialect) (base *snapshot, own, last *partial) {
	own = p.partials.find(s.base())
	last = own
	if last == nil {
		last = p.partials.near(s.base())
	}
	if last != nil && last.hasOff && s.parts > 0 && p.delta.fault == nil && p.calm() &&
		p.fits(&last.snap, last.off, s, dialect) {
		last.confirm()
		own = last // nothing changed in between
	}
	before, _ := p.history.near(s.base())
	switch {
	case own != nil:
		return &own.snap, own, last
	case before != nil:
		return before, nil, nil
	case last != nil:
		return &last.snap, nil, last
	}
	return &p.none, nil, nil
}

// setAbsent lists the items that are certainly absent: those that were removed, and those that were absent in the base.
func (p *partial) setAbsent(removed []Key, base *partial) {
	p.absent = append(p.absent, removed...)
	if base != nil {
		p.absent = append(p.absent, base.absent...)
	}
	slices.Sort(p.absent)
	p.absent = slices.DeleteFunc(slices.Compact(p.absent), func(key Key) bool { return p.snap.find(key) >= 0 })
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
