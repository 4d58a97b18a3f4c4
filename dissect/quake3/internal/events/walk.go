package events

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A walk is the distance that a player covered while snapshots showed him.
type walk struct {
	distance float64
	seen     int32 // ms
}

const (
	// maxStep is the longest time between two snapshots of one walk, in milliseconds.
	maxStep = 250
	// maxSpeed is more than players reach, in units per second: a faster move is a teleporter or a respawn.
	maxSpeed = 3000
)

// place records the position of a player in the present snapshot.
func (g *gameView) place(number int, x, y, z uint32) {
	sc, c := &g.scene, &g.match.contest
	before := sc.places[number]
	now := spot{snapshot: sc.snapshots, time: g.time, x: x, y: y, z: z}
	sc.places[number] = now
	step := now.time - before.time
	if !c.open || c.over || before.snapshot == 0 || before.snapshot != sc.snapshots-1 || step <= 0 || step > maxStep || c.clock.paused {
		return
	}
	d := before.distance(&now)
	if d*1000 > maxSpeed*float64(step) || math.IsNaN(d) {
		return
	}
	if c.walks == nil {
		c.walks = new([tables.MaxPlayers]walk)
	}
	w := &c.walks[number]
	w.distance += d
	w.seen += step
}

func (s *spot) distance(to *spot) float64 {
	axis := func(a, b uint32) float64 { return float64(math.Float32frombits(b)) - float64(math.Float32frombits(a)) }
	x, y, z := axis(s.x, to.x), axis(s.y, to.y), axis(s.z, to.z)
	return math.Sqrt(x*x + y*y + z*z)
}

// writeWalks adds the players who were seen in the match.
func (c *contest) writeWalks(w *eventWriter, roster *roster) {
	if c.walks == nil {
		return
	}
	w.tree.Open(&evPlayers, 0)
	for i := range c.walks {
		walk := &c.walks[i]
		if walk.seen == 0 {
			continue
		}
		w.tree.Open(evPlayers.Children[0], 0)
		w.clientFields(roster, i, nil)
		w.tree.Add(&evDistance, uint64(math.Float32bits(float32(walk.distance))), 0, 0)
		w.number(&evSeenTime, int64(walk.seen))
		w.tree.Close(0)
	}
	w.tree.Close(0)
}
