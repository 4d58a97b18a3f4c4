package sights

import (
	"slices"
	"sync"

	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// slots are the fields that are read.
type slots struct {
	gen    *tables.Generation
	entity entitySlots
	player playerSlots
}

type entitySlots struct {
	eType, flags, event, yaw, weapon, model, client, other, powerups tables.Slot
	moves, since, lasts                                              tables.Slot // of the trajectory
	base, delta, origin2                                             [3]tables.Slot
}

type playerSlots struct {
	number, pmType, pmFlags, viewFlags, flags, yaw, weapon tables.Slot
	origin                                                 [3]tables.Slot
}

func slotsOf(gen *tables.Generation) slots {
	e, p := gen.Entity, gen.Player
	s := slots{
		gen: gen,
		entity: entitySlots{
			eType: e.Slot("eType"), flags: e.Slot("eFlags"), event: e.Slot("event"), yaw: e.Slot("apos.trBase[1]"),
			weapon: e.Slot("weapon"), model: e.Slot("modelindex"), client: e.Slot("clientNum"),
			other: e.Slot("otherEntityNum"), powerups: e.Slot("powerups"),
			moves: e.Slot("pos.trType"), since: e.Slot("pos.trTime"), lasts: e.Slot("pos.trDuration"),
			base: e.Vector("pos.trBase"), delta: e.Vector("pos.trDelta"), origin2: e.Vector("origin2"),
		},
		player: playerSlots{
			number: p.Slot("clientNum"), pmType: p.Slot("pm_type"), pmFlags: p.Slot("pm_flags"), flags: p.Slot("eFlags"),
			yaw: p.Slot("viewangles[1]"), weapon: p.Slot("weapon"), origin: p.Vector("origin"),
		},
	}
	if view := tables.Games[gen.Game].View; view != nil {
		s.entity.base, s.entity.yaw = e.Vector(view.Origin), e.Slot("netangles[1]")
		s.player.viewFlags = p.Slot(view.Flags)
	}
	return s
}

// numbers are a family's numbers; -1: its tables do not have them.
type numbers struct {
	family uint8
	view   *tables.View

	general, player, item, missile, grapple, firstEvent int // entity types
	linear, linearStop, sine, gravity                   int // of trajectories

	dead, spectator int // types of movement
	intermission    [2]int
	follow, limbo   int // bits of pm_flags
	health, armor   int // places in stats
	flags           [3]int

	deadBit, teleport, firing, nodraw int // bits of eFlags

	shown []shown // by event
}

// A shown is an event that is seen on the map.
type shown struct {
	is   bool
	kind extract.ThingKind
}

// shownEvents are the events whose entities are where something hit or burst, or have a shot from origin2 to their
// place: CG_EntityEvent, code/cgame/cg_event.c; codemp/cgame/cg_event.c of OpenJK.
var shownEvents = map[string]extract.ThingKind{
	"missile_hit": extract.ThingBlast, "missile_miss": extract.ThingBlast, "missile_miss_metal": extract.ThingBlast,
	"missile_miss_small": extract.ThingBlast, "missile_miss_large": extract.ThingBlast,
	"bullet_hit_flesh": extract.ThingBlast, "bullet_hit_wall": extract.ThingBlast, "bullet": extract.ThingBlast,
	"explode": extract.ThingBlast, "kamikaze": extract.ThingBlast, "obeliskexplode": extract.ThingBlast,
	"railtrail": extract.ThingBeam, "disruptor_main_shot": extract.ThingBeam, "disruptor_sniper_shot": extract.ThingBeam,
}

// familyNumbers returns the numbers of every family.
var familyNumbers = sync.OnceValue(func() *[tables.NumFamilies]numbers {
	all := new([tables.NumFamilies]numbers)
	for family := range all {
		types, moves := tables.EntityTypeNames.Tables[family], tables.TrTypeNames.Tables[family]
		flags, powerups := tables.EFlagNames.Tables[family], tables.PowerupNames.Tables[family]
		movement, pmFlags := tables.PmTypeNames.Tables[family], tables.PmFlagNames.Tables[family]
		stats := tables.StatNames.Tables[family]
		n := &all[family]
		*n = numbers{
			family: uint8(family), view: tables.Games[family].View,
			general: slices.Index(types, "general"), player: slices.Index(types, "player"), item: slices.Index(types, "item"),
			missile: slices.Index(types, "missile"), grapple: slices.Index(types, "grapple"),
			firstEvent: slices.Index(types, tables.EventEntityPrefix+"none"),
			linear:     slices.Index(moves, "linear"), linearStop: slices.Index(moves, "linear_stop"),
			sine: slices.Index(moves, "sine"), gravity: slices.Index(moves, "gravity"),
			dead: slices.Index(movement, "dead"), spectator: slices.Index(movement, "spectator"),
			intermission: [2]int{slices.Index(movement, "intermission"), slices.Index(movement, "spintermission")},
			follow:       slices.Index(pmFlags, "follow"), limbo: slices.Index(pmFlags, "limbo"),
			health: slices.Index(stats, "health"), armor: slices.Index(stats, "armor"),
			flags: [3]int{
				slices.Index(powerups, "redflag"), slices.Index(powerups, "blueflag"), slices.Index(powerups, "neutralflag"),
			},
			deadBit: slices.Index(flags, "dead"), teleport: slices.Index(flags, "teleport_bit"),
			firing: slices.Index(flags, "firing"), nodraw: slices.Index(flags, "nodraw"),
		}
		events := tables.EventNames.Tables[family]
		n.shown = make([]shown, len(events))
		for i, name := range events {
			n.shown[i].kind, n.shown[i].is = shownEvents[name]
		}
	}
	return all
})
