package shots

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// Indices of arrays in world.Player, and of a place in one.
const (
	stats      = 0
	persistant = 1
	ammo       = 2
	powerups   = 3

	item = 1 // place in stats, STAT_HOLDABLE_ITEM
)

// slots are the fields that are read.
type slots struct {
	gen *tables.Generation

	eType, eFlags, solid, weapon     tables.Slot
	other, killer, client, parm      tables.Slot
	base, speed, second              [3]tables.Slot
	number, time, pmType, pmFlags    tables.Slot
	sequence, viewheight, gun, state tables.Slot
	timer                            tables.Slot
	events                           [2]tables.Slot
	delta, origin, velocity          [3]tables.Slot
	playerFlags                      tables.Slot
}

func slotsOf(gen *tables.Generation) slots {
	e, p := gen.Entity, gen.Player
	return slots{
		gen:   gen,
		eType: e.Slot("eType"), eFlags: e.Slot("eFlags"), solid: e.Slot("solid"),
		weapon: e.Slot("weapon"), other: e.Slot("otherEntityNum"), killer: e.Slot("otherEntityNum2"),
		client: e.Slot("clientNum"), parm: e.Slot("eventParm"),
		base: e.Vector("pos.trBase"), speed: e.Vector("pos.trDelta"), second: e.Vector("origin2"),

		number: p.Slot("clientNum"), time: p.Slot("commandTime"), pmType: p.Slot("pm_type"), pmFlags: p.Slot("pm_flags"),
		sequence: p.Slot("eventSequence"), viewheight: p.Slot("viewheight"), gun: p.Slot("weapon"),
		state: p.Slot("weaponstate"), timer: p.Slot("weaponTime"), playerFlags: p.Slot("eFlags"),
		events: [2]tables.Slot{p.Slot("events[0]"), p.Slot("events[1]")},
		delta:  p.Vector("delta_angles"), origin: p.Vector("origin"), velocity: p.Vector("velocity"),
	}
}

func masks(list ...tables.Slot) (mask uint64) {
	for _, s := range list {
		mask |= s.Mask
	}
	return mask
}

func vector(s [3]tables.Slot, v *tables.Values) (at [3]float32) {
	for i := range at {
		at[i] = math.Float32frombits(s[i].Value(v))
	}
	return at
}

// Bits of an entity's flags, the same in all games of the family: EF_DEAD and EF_TELEPORT_BIT, code/game/bg_public.h.
const (
	flagDead     = 1
	flagTeleport = 4
)

// own is the shooter's state in a snapshot.
type own struct {
	known    bool
	client   int
	time     int32 // of the last command that the server executed
	follows  bool
	sequence uint32
	events   [2]uint32
	hits     int32
	hasHits  bool
	teleport uint32
	eyes     int
	origin   [3]float32
	velocity [3]float32
	delta    [2]uint16
	timer    timer
}

// ownOf reads the player of a snapshot.
func (at *slots) ownOf(n *tables.Numbers, p *world.Player) (o own) {
	v := &p.Values
	need := masks(at.number, at.time, at.pmType, at.pmFlags, at.sequence, at.viewheight, at.gun, at.state, at.timer,
		at.events[0], at.events[1], at.delta[0], at.delta[1], at.origin[0], at.origin[1], at.origin[2],
		at.velocity[0], at.velocity[1], at.velocity[2], at.playerFlags)
	if p.Known&need != need || at.time.Mask == 0 || at.sequence.Mask == 0 || n.Normal < 0 ||
		int(at.pmType.Value(v)) != n.Normal {
		return o
	}
	o = own{
		known: true, client: int(at.number.Value(v)), time: int32(at.time.Value(v)),
		follows: n.Follow >= 0 && at.pmFlags.Value(v)>>n.Follow&1 != 0, sequence: at.sequence.Value(v),
		teleport: at.playerFlags.Value(v) & flagTeleport, eyes: int(int32(at.viewheight.Value(v))),
		origin: vector(at.origin, v), velocity: vector(at.velocity, v),
	}
	for i := range o.events {
		o.events[i] = at.events[i].Value(v)
		o.delta[i] = uint16(at.delta[i].Value(v))
	}
	if at := max(n.Hits, n.Damage); at >= 0 && p.ArraysKnown[persistant]>>at&1 != 0 {
		o.hits, o.hasHits = p.Arrays[persistant][at], true
	}
	o.timer = timer{
		time: o.time, left: int(int32(at.timer.Value(v))), state: int(at.state.Value(v)), weapon: int(at.gun.Value(v)),
	}
	t := &o.timer
	if n.Weapons < 0 || p.ArraysKnown[stats]>>n.Weapons&1 == 0 || p.ArraysKnown[ammo] != 0xffff {
		return o
	}
	t.known = true
	t.arms, t.ammo = uint32(p.Arrays[stats][n.Weapons]), p.Arrays[ammo]
	t.haste = n.Haste >= 0 && p.ArraysKnown[powerups]>>n.Haste&1 != 0 && p.Arrays[powerups][n.Haste] != 0
	t.held = n.Respawned >= 0 && at.pmFlags.Value(v)>>n.Respawned&1 != 0
	t.item = p.Arrays[stats][item] != 0
	return o
}
