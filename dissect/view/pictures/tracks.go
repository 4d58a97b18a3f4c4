package pictures

import (
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/parts"
)

// tracks keep where players were, at ten times a second until there are too many places.
type tracks struct {
	halved  uint // how often every other place was dropped
	samples int
	games   []*Game
}

// A way is the path of one player on one map.
type way struct {
	player, mapNumber int
	ticks             []int32 // units of step
	x, y, z           []int32
}

const trackStep = 0.1 // seconds

func (t *tracks) step() float64 { return trackStep * float64(int(1)<<t.halved) }

// tick returns the step of a time. A time that begins a step may be a little less as a binary fraction.
func (t *tracks) tick(now float64) int32 { return int32(now/t.step() + 1e-6) }

// add takes the places of a record. Where several streams show a player, the first one counts.
func (t *tracks) add(g *Game, rec *dissect.Record, now float64) {
	tick := t.tick(now)
	for i := range rec.Inputs {
		in := &rec.Inputs[i]
		if !in.HasPlace {
			continue
		}
		player, ok := g.placed(in)
		if !ok {
			continue
		}
		w := g.ways[player]
		if w == nil || w.mapNumber != len(g.Maps)-1 {
			w = &way{player: player, mapNumber: len(g.Maps) - 1}
			g.ways[player] = w
			g.done = append(g.done, w)
			if !slices.Contains(t.games, g) {
				t.games = append(t.games, g)
			}
		}
		if n := len(w.ticks); n > 0 && w.ticks[n-1] >= tick {
			continue
		}
		w.ticks = append(w.ticks, tick)
		w.x, w.y = append(w.x, whole(in.Place[0])), append(w.y, whole(in.Place[1]))
		if g.View == "above" {
			w.z = append(w.z, whole(in.Place[2]))
		}
		if t.samples++; t.samples > maxSamples {
			t.halve()
			tick = t.tick(now)
		}
	}
}

// placed returns the player whose place an input has. A view without a number is that of whose recording it is.
func (g *Game) placed(in *parts.Input) (player int, ok bool) {
	if in.Player >= 0 {
		return g.numbered(int64(in.Player))
	}
	return g.own - 1, in.Kind == parts.InputView && g.own > 0
}

// whole rounds a coordinate. Worlds are smaller than a million units; what is larger is not a place.
func whole(f float32) int32 {
	const most = 1 << 20
	if !(f > -most && f < most) {
		return 0
	}
	if f < 0 {
		return int32(f - 0.5)
	}
	return int32(f + 0.5)
}

// halve drops every other place.
func (t *tracks) halve() {
	t.halved++
	t.samples = 0
	for _, g := range t.games {
		for _, w := range g.done {
			kept := 0
			for i, tick := range w.ticks {
				if kept > 0 && w.ticks[kept-1] == tick/2 {
					continue
				}
				w.ticks[kept], w.x[kept], w.y[kept] = tick/2, w.x[i], w.y[i]
				if w.z != nil {
					w.z[kept] = w.z[i]
				}
				kept++
			}
			w.ticks, w.x, w.y = w.ticks[:kept], w.x[:kept], w.y[:kept]
			if w.z != nil {
				w.z = w.z[:kept]
			}
			t.samples += kept
		}
	}
}

// draw makes the tracks.
func (g *Game) draw(step float64) {
	for _, w := range g.done {
		if len(w.ticks) == 0 {
			continue
		}
		g.Tracks = append(g.Tracks, Track{
			Player: w.player, Map: w.mapNumber, Step: step, Times: differences(w.ticks), X: differences(w.x),
			Y: differences(w.y), Z: differences(w.z),
		})
	}
	slices.SortStableFunc(g.Tracks, func(a, b Track) int {
		return cmp.Or(cmp.Compare(a.Map, b.Map),
			cmp.Compare(a.Player, b.Player))
	})
	g.done, g.ways = nil, nil
}

// differences makes every value the difference to the one before, in place.
func differences(list []int32) []int32 {
	for i := len(list) - 1; i > 0; i-- {
		list[i] -= list[i-1]
	}
	return list
}
