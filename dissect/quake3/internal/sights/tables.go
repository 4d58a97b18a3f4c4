package sights

import (
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

// shownOf returns what a family's events show, by number.
func shownOf(family uint8) []shown { return familyShown()[family] }

var familyShown = sync.OnceValue(func() *[tables.NumFamilies][]shown {
	all := new([tables.NumFamilies][]shown)
	for family := range all {
		events := tables.EventNames.Tables[family]
		all[family] = make([]shown, len(events))
		for i, name := range events {
			all[family][i].kind, all[family][i].is = shownEvents[name]
		}
	}
	return all
})
