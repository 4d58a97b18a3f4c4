package timeline

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
	g := &Game{Sides: redBlue, Events: []Event{
		scores(1, 1, 0), scores(2, 1, -2), scores(3, 21, -999), scores(4, -999, -9999),
	}}
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

// A match whose end was not seen lasts until the next one begins, the last one to the end of the input. A client that
// comes back sees the start of the same match again.
func TestMatchesWithoutEnd(t *testing.T) {
	t.Parallel()
	begins := func(at float64, number int64) Event { return Event{Time: at, Kind: "match_start", Match: &number} }
	first := int64(4)
	g := &Game{Events: []Event{
		begins(1, 4), begins(3, 4), begins(10, 5), begins(20, 6), {Time: 25, Kind: "match_end", Match: &first}, begins(30, 7),
	}}
	g.findMatches(40)
	var got [][2]float64
	for i := range g.Matches {
		got = append(got, [2]float64{g.Matches[i].From, g.Matches[i].To})
	}
	if diff := cmp.Diff([][2]float64{{1, 10}, {3, 10}, {10, 20}, {20, 25}, {30, 40}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
