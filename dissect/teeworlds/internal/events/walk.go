package events

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
)

// A walk is the distance that a player covered while snapshots showed him.
type walk struct {
	distance float64
	seen     int32 // ticks
}

const (
	// maxStep is the longest time between two snapshots of one walk, in ticks.
	maxStep = 250 / tickMsec
	// maxSpeed is faster than players move, in units per tick: velramp_start is 550 units per second and a hooked player
	// reaches some 3000; more is a teleporter or a respawn.
	maxSpeed = 6000 * tickMsec / 1000
)

// follow adds the moves of the players between two snapshots of a match.
func (g *gameView) follow() {
	c, s := &g.contest, &g.now.game
	step := s.tick - g.before.game.tick
	if !c.open || !g.before.game.known || s.paused || step <= 0 || step > maxStep {
		return
	}
	for i := range g.now.chars {
		from, to := g.before.chars[i], g.now.chars[i]
		if !from.known || !to.known {
			continue
		}
		d := math.Hypot(float64(to.x)-float64(from.x), float64(to.y)-float64(from.y))
		if d > maxSpeed*float64(step) {
			continue
		}
		if c.walks == nil {
			c.walks = new([maxPlayers]walk)
		}
		c.walks[i].distance += d
		c.walks[i].seen += step
	}
}

// writeWalks adds the players who were seen in the match.
func (c *contest) writeWalks(w *writer, players *roster) {
	if c.walks == nil {
		return
	}
	w.Tree.Open(&evPlayers, 0)
	for i := range c.walks {
		if walk := &c.walks[i]; walk.seen > 0 {
			w.Tree.Open(evPlayers.Children[0], 0)
			w.clientFields(players, i)
			w.Tree.Add(&eventtree.Distance, uint64(math.Float32bits(float32(walk.distance))), 0, 0)
			w.number(&eventtree.SeenTime, int(walk.seen)*tickMsec)
			w.Tree.Close(0)
		}
	}
	w.Tree.Close(0)
}
