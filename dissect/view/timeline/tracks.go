package timeline

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
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
	heights           bool // places have a height
	count             int
	last              place
	packed            []byte // places as varints: differences to the place before
}

// A place is a time in units of step, and where somebody was: x, y, z.
type place [4]int32

// numbers returns how many numbers of a place are kept.
func (w *way) numbers() int {
	if w.heights {
		return len(place{})
	}
	return len(place{}) - 1
}

// add adds a place.
func (w *way) add(p place) {
	for i := range w.numbers() {
		w.packed = binary.AppendVarint(w.packed, int64(p[i])-int64(w.last[i]))
	}
	w.last, w.count = p, w.count+1
}

// differences returns of each place the difference to the one before.
func (w *way) differences() iter.Seq[place] {
	return func(yield func(place) bool) {
		for rest := w.packed; len(rest) > 0; {
			var p place
			for i := range w.numbers() {
				v, n := binary.Varint(rest)
				p[i], rest = int32(v), rest[n:]
			}
			if !yield(p) {
				return
			}
		}
	}
}

// halve makes a unit of time twice as long, and keeps one place of each.
func (w *way) halve() {
	old := *w
	w.count, w.last, w.packed = 0, place{}, make([]byte, 0, len(w.packed)*2/3)
	var p place
	for d := range old.differences() {
		for i := range p {
			p[i] += d[i]
		}
		if kept := (place{p[0] / 2, p[1], p[2], p[3]}); w.count == 0 || w.last[0] != kept[0] {
			w.add(kept)
		}
	}
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
			w = &way{player: player, mapNumber: len(g.Maps) - 1, heights: g.View == "above"}
			g.ways[player] = w
			g.done = append(g.done, w)
			if !slices.Contains(t.games, g) {
				t.games = append(t.games, g)
			}
		}
		if w.count > 0 && w.last[0] >= tick {
			continue
		}
		w.add(place{tick, whole(in.Place[0]), whole(in.Place[1]), whole(in.Place[2])})
		if t.samples++; t.samples > maxSamples {
			t.halve()
			tick = t.tick(now)
		}
	}
}

// placed returns the player whose place an input has. A view without a number is that of whose recording it is.
func (g *Game) placed(in *extract.Input) (player int, ok bool) {
	if in.Player >= 0 {
		return g.numbered(int64(in.Player))
	}
	return g.own - 1, in.Kind == extract.InputView && g.own > 0
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
			w.halve()
			t.samples += w.count
		}
	}
}

// draw makes the tracks.
func (g *Game) draw(step float64) {
	for _, w := range g.done {
		if w.count == 0 {
			continue
		}
		list := func() []int32 { return make([]int32, 0, w.count) }
		t := Track{Player: w.player, Map: w.mapNumber, Step: step, Times: list(), X: list(), Y: list()}
		if w.heights {
			t.Z = list()
		}
		for p := range w.differences() {
			t.Times, t.X, t.Y = append(t.Times, p[0]), append(t.X, p[1]), append(t.Y, p[2])
			if w.heights {
				t.Z = append(t.Z, p[3])
			}
		}
		w.packed = nil
		g.Tracks = append(g.Tracks, t)
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
