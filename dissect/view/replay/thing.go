package replay

import (
	"cmp"
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/extract"
)

// A thingKey is what distinguishes the things that are seen at one time.
type thingKey struct {
	kind   extract.ThingKind
	number int32
}

// A thing is something that is seen, or was.
type thing struct {
	kind        extract.ThingKind
	name        int64
	owner       int64 // player + 1
	first, last int   // states
	seen        int64 // time of the last one
	at, to      [3]float32
	knots       []knot

	// The line that it moves on: from the last knot on, at a speed; what was seen last.
	from    [3]float32
	since   int64
	speed   [3]float64
	moving  bool
	lastAt  [3]float32
	lastIn  int
	lastNow int64
}

// A knot is where a thing changes its way.
type knot struct {
	state int
	at    [3]float32
}

// Distances in units.
const (
	offLine = 2   // how far a thing may be from the line that is drawn
	leap    = 512 // from one state to the next: it is another thing, or was put there
)

// near reports whether two places are the same but for a distance along each axis.
func near(a, b [3]float32, most float64) bool {
	for i := range a {
		if math.Abs(float64(a[i]-b[i])) > most {
			return false
		}
	}
	return true
}

// move adds a place.
func (t *thing) move(state int, now int64, at [3]float32) {
	on := true
	passed := float64(now - t.since)
	for i := range at {
		want := float64(t.from[i]) + t.speed[i]*passed
		on = on && math.Abs(want-float64(at[i])) <= offLine
	}
	if !on {
		if t.moving || t.lastIn > t.first {
			t.knots = append(t.knots, knot{t.lastIn, t.lastAt})
		}
		t.from, t.since = t.lastAt, t.lastNow
		if passed = float64(now - t.since); passed > 0 {
			for i := range at {
				t.speed[i] = float64(at[i]-t.from[i]) / passed
			}
		}
		t.moving = true
	}
	t.lastAt, t.lastIn, t.lastNow = at, state, now
	t.last, t.seen = state, now
}

// close completes a thing that is seen no more.
func (t *thing) close() {
	if t.moving && t.lastIn > t.first {
		t.knots = append(t.knots, knot{t.lastIn, t.lastAt})
	}
}

// packThings packs things by the state that they are seen first in.
func packThings(list []*thing, heights bool) (text packed) {
	slices.SortStableFunc(list, func(a, b *thing) int { return cmp.Compare(a.first, b.first) })
	axes := 2
	if heights {
		axes = 3
	}
	before := 0
	for _, t := range list {
		text.add(int64(t.kind))
		text.add(t.name)
		text.add(t.owner)
		text.add(int64(t.first - before))
		text.add(int64(t.last - t.first))
		before = t.first
		var at [3]int32
		place := func(p [3]float32) {
			for i := range axes {
				v := whole(p[i])
				text.add(int64(v - at[i]))
				at[i] = v
			}
		}
		place(t.at)
		if t.kind == extract.ThingBeam {
			place(t.to)
			continue
		}
		text.add(int64(len(t.knots)))
		state := t.first
		for _, k := range t.knots {
			text.add(int64(k.state - state))
			state = k.state
			place(k.at)
		}
	}
	return text
}
