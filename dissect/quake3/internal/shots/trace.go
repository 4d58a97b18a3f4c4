package shots

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/motion"
)

// target finds where another player was.
func (r *Reader) target(shot *extract.Shot, c *firing, number int, look lookup) (t extract.Target) {
	t.Player = number
	onScreen, screenBox, ok := r.onScreen(c, number)
	if ok {
		t.OnScreen = true
		to := minus(onScreen, shot.Muzzle)
		to = along(to, 1, screenBox.middle())
		t.Away = length(to)
		forward, _, _ := axes(shot.Pitch, shot.Yaw)
		t.Angle = math.Acos(max(-1, min(1, dot(unit(to), forward)))) * 180 / math.Pi
		t.Screen = math.Inf(1)
		for _, ray := range shot.Rays {
			off, _ := screenBox.beside(onScreen, shot.Muzzle, ray)
			t.Screen = min(t.Screen, off)
		}
		if math.IsInf(t.Screen, 1) {
			t.Screen, _ = screenBox.beside(onScreen, shot.Muzzle, forward)
		}
	}
	if t.Why = shot.Why; t.Why != "" {
		return t
	}
	place, at, wrong, why := r.traced(number, look)
	if t.Why = why; why != "" {
		return t
	}
	t.HasTraced, t.Traced, t.Place, t.Apart = true, math.Inf(1), place, at.apart(place, shot.Muzzle)
	for _, ray := range shot.Rays {
		off, entry := at.beside(place, shot.Muzzle, ray)
		if shot.Range > 0 && entry > shot.Range {
			off = max(off, 0) + entry - shot.Range
		}
		if off < t.Traced {
			t.Traced, t.Entry = off, along(shot.Muzzle, entry, ray)
			t.Error = shot.MuzzleError + wrong + shot.Spread*entry
		}
	}
	if t.OnScreen {
		t.Moved = length(minus(place, onScreen))
	} else {
		t.Away = length(minus(along(place, 1, at.middle()), shot.Muzzle))
	}
	return t
}

// onScreen returns where the shooter's screen showed a player: between two snapshots that the client had, at the time
// of the command, and where the newest one has him if there is none after it.
func (r *Reader) onScreen(c *firing, number int) (place vec, at box, ok bool) {
	var first, last *frame
	for i := range r.frames {
		f := &r.frames[i]
		if f.message > c.had {
			break
		}
		if f.time <= int64(c.Time) || first == nil {
			first, last = f, f
		} else if last == first {
			last = f
		}
	}
	if first == nil {
		return place, at, false
	}
	a, b := first.body(number), last.body(number)
	if a == nil || !a.boxed {
		return place, at, false
	}
	if b == nil || b.teleport != a.teleport {
		b, last = a, first // a client does not go on to it before it is there
	}
	return motion.Between(a.place, b.place, first.time, last.time, int64(c.Time)), a.box, true
}

// rounding is how far the whole numbers of a snapshot may be from the place, in units.
const rounding = 1.8

// traced returns where the server found a player, and how far that may be wrong. The server forgets where a player was
// who is born again or teleported after that: G_ResetHistory.
func (r *Reader) traced(number int, look lookup) (place vec, at box, wrong float64, why string) {
	last := len(r.frames) - 2 // the newest frame that the server had
	first := last
	for !look.arrival && first > 0 && float64(r.frames[first].time) > look.at {
		first--
	}
	if !look.arrival && float64(r.frames[first].time) > look.at {
		return place, at, 0, whyGap
	}
	a := r.frames[first].body(number)
	for i := first; i < len(r.frames); i++ {
		switch b := r.frames[i].body(number); {
		case b == nil && i <= last:
			return place, at, 0, whyUnseen
		case b == nil: // perhaps killed by this shot
		case b.teleport != a.teleport:
			return place, at, 0, whyTeleport
		case !b.boxed:
			return place, at, 0, whyBox
		}
	}
	if look.arrival {
		wrong = rounding
		if !r.bots[number] { // people move with each of their packets
			passed := float64(r.frames[last+1].time-r.frames[last].time) / 1000
			wrong += max(length(wide(a.velocity))*passed, r.frames[last+1].way(number, a))
		}
		return wide(a.place), a.box, wrong, ""
	}
	from, to := &r.frames[first], &r.frames[first+1]
	b := to.body(number)
	passed := float64(to.time - from.time)
	if to.time-from.time != r.interval && a.place != b.place {
		return place, at, 0, whyGap
	}
	share := (look.at - float64(from.time)) / passed
	way := minus(wide(b.place), wide(a.place))
	return along(wide(a.place), share, way), a.box.lerp(b.box, share), look.wrong * length(way) / passed, ""
}

// way returns how far a player is from an earlier place; 0: the frame does not have the player.
func (f *frame) way(number int, before *body) float64 {
	b := f.body(number)
	if b == nil {
		return 0
	}
	return length(minus(wide(b.place), wide(before.place)))
}
