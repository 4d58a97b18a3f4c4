package shots

import (
	"math"
	"slices"
	"sync"

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

// numbers are a family's numbers; -1 if its tables do not have them.
type numbers struct {
	player, missile, normal, fire, hits, weapons, haste, follow, respawned int

	flesh, wall, rail, pellets, obituary int // types of entities
}

// familyNumbers returns the numbers of every family.
var familyNumbers = sync.OnceValue(func() *[tables.NumFamilies]numbers {
	all := new([tables.NumFamilies]numbers)
	for family := range all {
		types := tables.EntityTypeNames.Tables[family]
		all[family] = numbers{
			player: slices.Index(types, "player"), missile: slices.Index(types, "missile"),
			flesh: slices.Index(types, "event_bullet_hit_flesh"), wall: slices.Index(types, "event_bullet_hit_wall"),
			rail: slices.Index(types, "event_railtrail"), pellets: slices.Index(types, "event_shotgun"),
			obituary:  slices.Index(types, "event_obituary"),
			normal:    slices.Index(tables.PmTypeNames.Tables[family], "normal"),
			fire:      slices.Index(tables.EventNames.Tables[family], "fire_weapon"),
			hits:      slices.Index(tables.PersistantNames.Tables[family], "hits"),
			weapons:   slices.Index(tables.StatNames.Tables[family], "weapons"),
			haste:     slices.Index(tables.PowerupNames.Tables[family], "haste"),
			follow:    slices.Index(tables.PmFlagNames.Tables[family], "follow"),
			respawned: slices.Index(tables.PmFlagNames.Tables[family], "respawned"),
		}
	}
	return all
})

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
func (at *slots) ownOf(n *numbers, p *world.Player) (o own) {
	v := &p.Values
	need := masks(at.number, at.time, at.pmType, at.pmFlags, at.sequence, at.viewheight, at.gun, at.state, at.timer,
		at.events[0], at.events[1], at.delta[0], at.delta[1], at.origin[0], at.origin[1], at.origin[2],
		at.velocity[0], at.velocity[1], at.velocity[2], at.playerFlags)
	if p.Known&need != need || at.time.Mask == 0 || at.sequence.Mask == 0 || n.normal < 0 ||
		int(at.pmType.Value(v)) != n.normal {
		return o
	}
	o = own{
		known: true, client: int(at.number.Value(v)), time: int32(at.time.Value(v)),
		follows: n.follow >= 0 && at.pmFlags.Value(v)>>n.follow&1 != 0, sequence: at.sequence.Value(v),
		teleport: at.playerFlags.Value(v) & flagTeleport, eyes: int(int32(at.viewheight.Value(v))),
		origin: vector(at.origin, v), velocity: vector(at.velocity, v),
	}
	for i := range o.events {
		o.events[i] = at.events[i].Value(v)
		o.delta[i] = uint16(at.delta[i].Value(v))
	}
	if n.hits >= 0 && p.ArraysKnown[persistant]>>n.hits&1 != 0 {
		o.hits, o.hasHits = p.Arrays[persistant][n.hits], true
	}
	o.timer = timer{
		time: o.time, left: int(int32(at.timer.Value(v))), state: int(at.state.Value(v)), weapon: int(at.gun.Value(v)),
	}
	t := &o.timer
	if n.weapons < 0 || p.ArraysKnown[stats]>>n.weapons&1 == 0 || p.ArraysKnown[ammo] != 0xffff {
		return o
	}
	t.known = true
	t.arms, t.ammo = uint32(p.Arrays[stats][n.weapons]), p.Arrays[ammo]
	t.haste = n.haste >= 0 && p.ArraysKnown[powerups]>>n.haste&1 != 0 && p.Arrays[powerups][n.haste] != 0
	t.held = n.respawned >= 0 && at.pmFlags.Value(v)>>n.respawned&1 != 0
	t.item = p.Arrays[stats][item] != 0
	return o
}
