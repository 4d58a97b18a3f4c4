package events

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
)

// maxWayStep is the longest time between two places of one way, in ticks: DDNet 20.1 sends a character again when
// clients cannot predict its place, and after three seconds.
const maxWayStep = 3000/tickMsec + 2

// trackWays adds the moves between two snapshots, in games with races or flags.
func (g *gameView) trackWays() {
	if !g.rules.races() && !g.now.flagged {
		return
	}
	for i := range g.now.chars {
		from, to := &g.before.chars[i], &g.now.chars[i]
		if !from.known || !to.known {
			continue
		}
		ticks := g.now.tees[i].tick - g.before.tees[i].tick
		if ticks <= 0 || ticks > maxWayStep || g.jumped[i] || g.diedSince(i, g.before.tees[i].tick) {
			continue
		}
		if g.race.ways[i] == nil {
			g.race.ways[i] = &eventtree.Way{}
		}
		g.race.ways[i].Add(int64(g.now.tees[i].tick)*tickMsec, int64(ticks)*tickMsec, from.distance(*to))
	}
}

// distance returns the distance between two places.
func (p place) distance(o place) float64 {
	return math.Hypot(float64(o.x)-float64(p.x), float64(o.y)-float64(p.y))
}
