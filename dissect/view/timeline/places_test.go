package timeline_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// CPMA's obituaries have no place: one at the origin, where nobody ever was, is none.
func TestNobodyDiesAtTheOrigin(t *testing.T) {
	t.Parallel()
	d, _ := collect(t, filepath.Join(reference.Folder(t, "demos", "matches"), "dm_68_cpma__3_matches_2_gamestates.dm_68"),
		timeline.Options{}, nil)
	placed := 0
	for _, e := range d.Games[0].Events {
		switch {
		case e.Kind != "kill" || e.Place == nil:
		case slices.Equal(e.Place, []int32{0, 0, 0}):
			t.Errorf("at %v s: %s at the origin", e.Time, e.Info)
		default:
			placed++
		}
	}
	if placed < 50 {
		t.Errorf("%d kills have places", placed)
	}
}
