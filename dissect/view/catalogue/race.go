package catalogue

import (
	"cmp"
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/view/internal/match"
)

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
