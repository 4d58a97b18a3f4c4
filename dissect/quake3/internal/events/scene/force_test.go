package scene

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A power counts once, when it begins; a player who was out of view may have used it all the time.
func TestForcePowersBegin(t *testing.T) {
	t.Parallel()
	const style, powers, client = 1, 2, 3
	var sc Scene
	sc.slots.force.known = true
	var got []Power
	for _, look := range []struct {
		snapshot, style, powers uint32
	}{
		{1, 2, 1 << 2},              // used already when first seen
		{2, 2, 1<<2 | 1<<7},         // 7 begins
		{3, 3, 1 << 7},              // goes on
		{4, 3, 0},                   // ends
		{5, 3, 1<<7 | 1<<2 | 1<<20}, // 2 and 7 begin; there is no power 20
		{7, 1, 1 << 4},              // a snapshot without him: unknown when it began
		{8, 1, 1<<4 | 1},            // 0 begins
	} {
		var state tables.State
		state.Put(style, look.style)
		state.Put(powers, look.powers)
		sc.snapshots, sc.Seen.Powers = look.snapshot, nil
		sc.seeForce(client, &state, style, powers)
		got = append(got, sc.Seen.Powers...)
		if s, known := sc.Style(client); !known || s != look.style {
			t.Errorf("snapshot %d: style %d, %v", look.snapshot, s, known)
		}
	}
	if diff := cmp.Diff([]Power{{client, 7}, {client, 2}, {client, 7}, {client, 0}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if sc.snapshots++; true {
		if _, known := sc.Style(client); known {
			t.Error("the style of a player out of view is known")
		}
	}
}
