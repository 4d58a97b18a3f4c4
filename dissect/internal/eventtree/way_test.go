package eventtree

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestWay compares the path since a time with the sum of the moves after it, with pauses and when parts were joined.
func TestWay(t *testing.T) {
	for name, steps := range map[string]int{"short": 40, "long": 5000, "a day": 200_000} {
		var w Way
		type move struct {
			end, ms  int64
			distance float64
		}
		var moves []move
		now := int64(1000)
		for i := range steps {
			ms := int64(20 + i%3*20)
			if now += ms; i%50 == 49 {
				now += 500 // nobody was seen
				continue
			}
			moves = append(moves, move{now, ms, float64(i % 7)})
			w.Add(now, ms, float64(i%7))
		}
		if len(w.parts) > maxWayParts {
			t.Errorf("%s: %d parts", name, len(w.parts))
		}
		for _, from := range []int64{0, 1000, now / 4, now / 2, now - 3000, now - 60, now, now + 1} {
			var want Pace
			for _, m := range moves {
				if m.end-m.ms >= from {
					want.Join(Pace{m.distance, m.ms, m.distance * 1000 / float64(m.ms)})
				}
			}
			got := w.Since(from)
			// A part is cut in proportion: its moves are of like length.
			slack := float64(w.step) * 0.4
			near := cmpopts.EquateApprox(0.01, slack)
			if diff := cmp.Diff(want.Distance, got.Distance, near); diff != "" {
				t.Errorf("%s since %d: %s", name, from, diff)
			}
			if math.Abs(float64(want.Seen-got.Seen)) > float64(w.step)*1.2 || got.Top > 301 {
				t.Errorf("%s since %d: %+v, not %+v", name, from, got, want)
			}
		}
	}
	var w Way
	w.Add(10_000, 100, 5)
	w.Add(200, 100, 7) // another map
	if got := w.Since(0); got.Distance != 7 {
		t.Errorf("after the clock went back: %+v", got)
	}
	if got := (*Way)(nil).Since(0); got != (Pace{}) {
		t.Errorf("of nobody: %+v", got)
	}
}
