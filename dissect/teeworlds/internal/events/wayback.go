package events

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
)

// A wayBack remembers how far a player went in the time before now: a finish announces how long a race was, not
// when it began.
type wayBack struct {
	step  int32 // ticks that a part covers
	last  int32 // tick of the last move
	parts []wayPart
}

// A wayPart is the way in a piece of time, which begins at a tick.
type wayPart struct {
	tick, seen    int32 // ticks
	distance, top float32
}

// Limits of a wayBack. When it is full, two parts become one.
const (
	firstWayStep = 5 // ticks
	maxWayParts  = 512

	// maxWayStep is the longest time between two places of one way, in ticks: DDNet 20.1 sends a character again when
	// clients cannot tell its place, and after three seconds.
	maxWayStep = 3000/tickMsec + 2
)

// add adds a move that ends at a tick.
func (b *wayBack) add(tick, ticks int32, distance float64) {
	begin := tick - ticks
	b.last = tick
	top := float32(distance * 1000 / float64(ticks*tickMsec))
	if n := len(b.parts); n > 0 && begin >= b.parts[n-1].tick && begin < b.parts[n-1].tick+b.step {
		p := &b.parts[n-1]
		p.seen, p.distance, p.top = p.seen+ticks, p.distance+float32(distance), max(p.top, top)
		return
	}
	if len(b.parts) == maxWayParts {
		b.fold()
	}
	b.parts = append(b.parts, wayPart{begin, ticks, float32(distance), top})
}

// fold joins each two parts.
func (b *wayBack) fold() {
	b.step *= 2
	kept := b.parts[:0]
	for i := 0; i+1 < len(b.parts); i += 2 {
		p, q := b.parts[i], b.parts[i+1]
		kept = append(kept, wayPart{p.tick, p.seen + q.seen, p.distance + q.distance, max(p.top, q.top)})
	}
	b.parts = kept
}

// since returns the way since a tick; of the part in which it lies, the share after it.
func (b *wayBack) since(tick int32) (sum eventtree.Pace) {
	end := b.last
	for i := len(b.parts) - 1; i >= 0 && end > tick; i-- {
		p, share := &b.parts[i], 1.0
		if end = min(end, p.tick+max(b.step, p.seen)); p.tick < tick && end > tick {
			share = float64(end-tick) / float64(end-p.tick)
		} else if p.tick < tick {
			break
		}
		sum.Join(eventtree.Pace{
			Distance: float64(p.distance) * share, Seen: int64(math.Round(float64(p.seen*tickMsec) * share)),
			Top: float64(p.top),
		})
		end = p.tick
	}
	return sum
}

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
		way := g.race.ways[i]
		if way == nil {
			way = &wayBack{step: firstWayStep}
			g.race.ways[i] = way
		}
		way.add(g.now.tees[i].tick, ticks, from.distance(*to))
	}
}

// distance returns the distance between two places.
func (p place) distance(o place) float64 {
	return math.Hypot(float64(o.x)-float64(p.x), float64(o.y)-float64(p.y))
}
