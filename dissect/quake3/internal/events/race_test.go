package events

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// TestRaceResult reads the scores of a race of Quake Live: times in milliseconds; the shortest wins.
func TestRaceResult(t *testing.T) {
	for _, tt := range []struct {
		name, command string
		want          result
	}{
		{
			"three finished, one is on the way, one watches",
			"scores_race 4 0 31234 40 12 1 30999 20 12 2 2147483647 30 1 3 45000 10 3 4 1000 10 3",
			result{scores: []place{{1, 30999, true}, {0, 31234, true}, {3, 45000, true}}, winner: 1},
		},
		{"no time, the shortest, the longest", "scores_race 3 0 0 40 12 1 1 20 12 2 2147483646 30 1", result{scores: []place{{1, 1, true}, {2, math.MaxInt32 - 1, true}}, winner: 1}},
		{"a draw", "scores_race 2 0 31234 40 12 1 31234 20 12", result{scores: []place{{0, 31234, true}, {1, 31234, true}}, winner: -1}},
		{"nobody finished", "scores_race 2 0 2147483647 40 12 1 -1 20 12", result{winner: -1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGameView(nil)
			g.family, g.match.family = tables.FamilyQuakeLive91, tables.FamilyQuakeLive91
			g.match.gametype, g.match.hasGametype = 2, true
			for i := range 5 {
				team := 0
				if i == 4 {
					team = teamSpectator
				}
				g.roster.players[i] = player{present: true, team: team}
			}
			var words token.Words
			words.Split([]byte(tt.command))
			g.readScores(&words)
			got, sure := g.ending()
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(result{}, place{})); diff != "" || !sure {
				t.Errorf("sure %t (-want +got):\n%s", sure, diff)
			}
		})
	}
}

func TestFinishTime(t *testing.T) {
	for text, want := range map[string]int64{
		"31:432": 31432, "3:38:208 (est. 1)": 218208, "1:00:00:001": 3600001, "432": -1, "31:43": -1, "31:4x2": -1,
		"-1:432": -1, "": -1, "1:1:1:1:432": -1,
		"2147483647:2147483647:2147483647:999": (math.MaxInt32*3600+math.MaxInt32*60+math.MaxInt32)*1000 + 999,
	} {
		if got, ok := finishTime([]byte(text)); ok != (want >= 0) || ok && got != want {
			t.Errorf("%q: %d, %t", text, got, ok)
		}
	}
}
