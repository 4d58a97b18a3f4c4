package pictures

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Who gives up has no score any more: the line of his team ends where it was. Nor has it one after a restart.
func TestScoresOfForfeits(t *testing.T) {
	t.Parallel()
	scores := func(at, red, blue float64) Event {
		return Event{Time: at, Kind: "score", TeamGame: true, Scores: &[2]float64{red, blue}}
	}
	g := &Game{Events: []Event{scores(1, 1, 0), scores(2, 1, -2), scores(3, 21, -999), scores(4, -999, -9999)}}
	m := Match{From: 0, To: 4, Ended: true}
	g.score(&m)
	want := []Score{
		{Name: "red", Team: "red", Points: [][2]float64{{1, 1}, {2, 1}, {3, 21}}},
		{Name: "blue", Team: "blue", Points: [][2]float64{{1, 0}, {2, -2}}},
	}
	if diff := cmp.Diff(want, m.Scores); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
