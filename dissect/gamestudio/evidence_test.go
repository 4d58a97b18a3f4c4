package gamestudio

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// TestEvidence: a connection is GameStudio's after 8 packets that can be read to their end, 2 of them from each side,
// with 4 kinds of messages, and 4 such packets for each one that cannot be read. It is foreign after 64 packets, or
// after 4 that cannot be read if there was no other.
func TestEvidence(t *testing.T) {
	t.Parallel()
	enough := counts{clean: 8, sides: [2]int{2, 6}, kinds: [2]uint64{0b11, 0b11}}
	with := func(change func(*counts)) counts {
		c := enough
		change(&c)
		return c
	}
	for _, v := range []struct {
		name string
		c    counts
		want dissect.Decision
	}{
		{"enough", enough, dissect.Mine},
		{"seven packets", with(func(c *counts) { c.clean = 7 }), dissect.Undecided},
		{"one packet of a side", with(func(c *counts) { c.sides = [2]int{7, 1} }), dissect.Undecided},
		{"three kinds", with(func(c *counts) { c.kinds[0] = 0b1 }), dissect.Undecided},
		{"two that cannot be read", with(func(c *counts) { c.failed = 2 }), dissect.Mine},
		{"three that cannot be read", with(func(c *counts) { c.failed = 3 }), dissect.Undecided},
		{"64 packets, too few of them", with(func(c *counts) { c.failed = 56 }), dissect.Foreign},
		{"63 packets, too few of them", with(func(c *counts) { c.failed = 55 }), dissect.Undecided},
		{"four, and none can be read", counts{failed: 4}, dissect.Foreign},
		{"three, and none can be read", counts{failed: 3}, dissect.Undecided},
	} {
		ev := newEvidence(nil)
		ev.editions[late], ev.editions[edition2002] = counts{failed: evidenceLimit}, v.c
		if ev.decide(); ev.decision != v.want || v.want == dissect.Mine && ev.edition != edition2002 {
			t.Errorf("%s: %v of edition %v", v.name, ev.decision, ev.edition)
		}
	}
}
