package inputs

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Indices of arrays in world.Player, and of a place in one.
const (
	stats      = 0
	persistant = 1

	health = 0 // place in stats, STAT_HEALTH
)

// slots are the fields that are read.
type slots struct {
	gen *tables.Generation

	eType, eFlags, event tables.Slot
	seenDirection        tables.Slot // of the movement keys
	direction, speed     tables.Slot // the same, and how fast he can run
	ground, onto         tables.Slot // what an entity and the player stand on
	apos                 [2]tables.Slot
	delta                [2]tables.Slot
	base                 [3]tables.Slot

	number, pmType, pmFlags tables.Slot
	sequence, viewheight    tables.Slot
	view, velocity, events  [2]tables.Slot
	origin                  [3]tables.Slot
}

func slotsOf(gen *tables.Generation) slots {
	e, p := gen.Entity, gen.Player
	return slots{
		gen:   gen,
		eType: e.Slot("eType"), eFlags: e.Slot("eFlags"), event: e.Slot("event"),
		seenDirection: e.Slot("angles2[1]"), direction: p.Slot("movementDir"), speed: p.Slot("speed"),
		ground: e.Slot("groundEntityNum"), onto: p.Slot("groundEntityNum"),
		apos:  [2]tables.Slot{e.Slot("apos.trBase[0]"), e.Slot("apos.trBase[1]")},
		delta: [2]tables.Slot{e.Slot("pos.trDelta[0]"), e.Slot("pos.trDelta[1]")},
		base:  e.Vector("pos.trBase"),

		number: p.Slot("clientNum"), pmType: p.Slot("pm_type"), pmFlags: p.Slot("pm_flags"),
		sequence:   p.Slot("eventSequence"),
		viewheight: p.Slot("viewheight"), view: [2]tables.Slot{p.Slot("viewangles[0]"), p.Slot("viewangles[1]")},
		velocity: [2]tables.Slot{p.Slot("velocity[0]"), p.Slot("velocity[1]")},
		events:   [2]tables.Slot{p.Slot("events[0]"), p.Slot("events[1]")},
		origin:   p.Vector("origin"),
	}
}

// number32 returns the value of a field that is a float.
func number32(s tables.Slot, v *tables.Values) float32 { return math.Float32frombits(s.Value(v)) }

func vectorOf(s [3]tables.Slot, v *tables.Values) vector {
	return vector{float64(number32(s[0], v)), float64(number32(s[1], v)), float64(number32(s[2], v))}
}

func placeOf(s [3]tables.Slot, v *tables.Values) [3]float32 {
	return [3]float32{number32(s[0], v), number32(s[1], v), number32(s[2], v)}
}
