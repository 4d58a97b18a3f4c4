package catalogue

import (
	"cmp"
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/view/internal/match"
)

// A ListingRace is what happened in a race besides the best times.
type ListingRace struct {
	Starts      int           `json:"starts"`      // that were seen
	Checkpoints int           `json:"checkpoints"` // that were passed, as far as that was seen
	Finishes    int           `json:"finishes"`
	Runners     []ListingRun  `json:"runners"`         // the best run of each player, the best first
	Teams       []ListingTeam `json:"teams,omitempty"` // finishes of teams, the best first
}

// A ListingRun is the best run of a player. Distance and speeds are absent where snapshots did not show it.
type ListingRun struct {
	Name     string `json:"name"`
	Flag     string `json:"flag,omitempty"` // of runs with a flag: whose it was
	Time     int64  `json:"time"`           // ms
	Finishes int    `json:"finishes"`       // of runs with a flag: captures
	Distance int64  `json:"distance,omitempty"`
	Speed    int64  `json:"speed,omitempty"`
	TopSpeed int64  `json:"top_speed,omitempty"`
}

// A ListingTeam is the finish of a team.
type ListingTeam struct {
	Time    int64    `json:"time"` // ms
	Players []string `json:"players"`
}

// listingOf returns the race as the catalogue has it; nil: only its finishes were seen, which are listed apart.
func listingOf(r *match.Runs) *ListingRace {
	ways := slices.ContainsFunc(r.Finished, func(x match.Run) bool { return x.Distance > 0 })
	if len(r.Starts)+len(r.Checkpoints)+len(r.Teams) == 0 && !ways {
		return nil
	}
	l := &ListingRace{
		Starts: len(r.Starts), Checkpoints: len(r.Checkpoints), Finishes: len(r.Finished), Runners: bestRuns(r.Finished),
	}
	if l.Runners == nil {
		l.Runners = []ListingRun{}
	}
	for _, x := range r.Teams {
		l.Teams = append(l.Teams, ListingTeam{x.Time, x.Players})
	}
	slices.SortStableFunc(l.Teams, func(a, b ListingTeam) int { return cmp.Compare(a.Time, b.Time) })
	return l
}

// bestRuns returns the fastest run of each player, the fastest first.
func bestRuns(list []match.Run) (best []ListingRun) {
	for _, x := range list {
		i := slices.IndexFunc(best, func(b ListingRun) bool { return b.Name == x.Name })
		if i < 0 {
			i = len(best)
			best = append(best, ListingRun{Name: x.Name, Time: math.MaxInt64})
		}
		b := &best[i]
		b.Finishes++
		if x.Time < b.Time {
			b.Time, b.Flag, b.Distance, b.Speed, b.TopSpeed = x.Time, x.Flag, x.Distance, x.Speed, x.Top
		}
	}
	slices.SortStableFunc(best, func(a, b ListingRun) int { return cmp.Compare(a.Time, b.Time) })
	return best
}
