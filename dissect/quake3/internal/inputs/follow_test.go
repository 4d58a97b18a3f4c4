package inputs

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// setSlot sets a field of a state: a state whose values are their own places shows where it is.
func setSlot(s *tables.State, slot tables.Slot, value uint32) {
	var places tables.Values
	for i := range places {
		places[i] = uint32(i)
	}
	s.Values[slot.Value(&places)], s.Known = value, s.Known|slot.Mask
}

// TestFollowed: the view of a followed player counts while he lives. Quake Live sends the follower's own type of
// movement with it, 2, and bit 12 of pm_flags; the types of Quake III are in pmtype_t, code/game/bg_public.h.
func TestFollowed(t *testing.T) {
	const normal, spectator, dead, followBit = 0, 2, 3, 1 << 12
	quakeLive := []uint8{tables.FamilyQuakeLive73, tables.FamilyQuakeLive91 - 1, tables.FamilyQuakeLive91}
	for _, tt := range []struct {
		name        string
		kind, flags uint32
		health      int32
		want        bool
	}{
		{"a player", normal, 0, 100, true},
		{"a dead player", dead, 0, 0, false},
		{"a followed player", spectator, followBit, 100, true},
		{"with other flags", spectator, followBit | 1<<9 | 1<<13, 1, true},
		{"a dead followed player", spectator, followBit, 0, false},
		{"a followed player below none", spectator, followBit, -40, false},
		{"a free spectator", spectator, 0, 100, false},
		{"a free spectator with other flags", spectator, 1<<11 | 1<<13, 100, false},
	} {
		for _, family := range quakeLive {
			r := New()
			gen := tables.GenerationOf(73)
			r.slots = slotsOf(gen)
			var p world.Player
			for _, slot := range [...]tables.Slot{r.slots.number, r.slots.view[0], r.slots.view[1]} {
				setSlot(&p.State, slot, 0)
			}
			setSlot(&p.State, r.slots.pmType, tt.kind)
			setSlot(&p.State, r.slots.pmFlags, tt.flags)
			p.Arrays[stats][health], p.ArraysKnown[stats] = tt.health, 1
			if _, got := r.player(tables.NumbersOf(family), &p); got != tt.want {
				t.Errorf("%s, family %d: %v", tt.name, family, got)
			}
		}
	}
}

// TestSwitched: a view after that of another player is marked, also if nothing of the other could be measured.
func TestSwitched(t *testing.T) {
	r := New()
	r.slots = slotsOf(tables.GenerationOf(68))
	for i, tt := range []struct {
		number, kind uint32
		want         bool
	}{{2, 0, false}, {2, 0, false}, {5, 0, true}, {5, 0, false}, {2, 0, true}, {7, 3, true}, {2, 0, true}, {2, 0, false}} {
		var p world.Player
		for _, slot := range [...]tables.Slot{r.slots.view[0], r.slots.view[1]} {
			setSlot(&p.State, slot, 0)
		}
		setSlot(&p.State, r.slots.number, tt.number)
		setSlot(&p.State, r.slots.pmType, tt.kind)
		if in, _ := r.player(tables.NumbersOf(0), &p); in.Switched != tt.want {
			t.Errorf("snapshot %d: %v", i, in.Switched)
		}
	}
}
