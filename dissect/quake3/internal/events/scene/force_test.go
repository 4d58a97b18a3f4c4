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
		{3, 3, 1 << 7},              // continues
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

// A push and a pull are powerups, which begin anew with the next one.
func TestThrows(t *testing.T) {
	t.Parallel()
	const client, push, pull = 3, 1 << 9, 1<<9 | 1<<3
	var sc Scene
	sc.numbers.throws = throws{9, 3}
	var got []Power
	for _, look := range []struct {
		snapshot, powerups uint32
		again              bool
	}{
		{1, push, false}, // had begun before
		{2, push, false},
		{3, 1 << 5, false},        // ends, with a flag
		{4, push | 1<<5, false},   // a push
		{5, pull | 1<<5, false},   // a pull before it ends
		{6, push, false},          // a push before that ends
		{7, push, true},           // another one, by its time
		{8, 0, true},              // nothing
		{10, pull, false},         // a snapshot without him: unknown when it began
		{11, 1 << 3, false},       // no such state
		{12, pull | 1<<10, false}, // a pull
	} {
		sc.snapshots, sc.Seen.Powers = look.snapshot, nil
		sc.seeThrow(client, look.powerups, look.again)
		got = append(got, sc.Seen.Powers...)
	}
	want := []Power{
		{client, forcePush}, {client, forcePull}, {client, forcePush}, {client, forcePush}, {client, forcePull},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
