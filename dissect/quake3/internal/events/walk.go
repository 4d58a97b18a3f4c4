package events

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/scene"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A walk is the distance that a player covered while snapshots showed him.
type walk struct {
	distance float64
	seen     int32 // ms
}

// move adds to the way of a player while the match is on and its clock runs.
func (c *contest) move(m *scene.Move) {
	if !c.open || c.over || c.clock.paused {
		return
	}
	if c.walks == nil {
		c.walks = new([tables.MaxPlayers]walk)
	}
	w := &c.walks[m.Client]
	w.distance += m.Distance
	w.seen += m.Time
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
