package tables

import (
	"slices"
	"strings"
	"sync"
)

// Numbers are a family's numbers of what observers of a game look for, by their names in its tables; -1: the tables do
// not have them.
type Numbers struct {
	Family uint8
	View   *View

	// types of entities
	General, Player, Invisible, Item, Missile, Grapple, FirstEvent int
	// types of entities that are events: where a bullet, beam or pellets end, and a death
	Flesh, Wall, Rail, Pellets, Obituary int
	// kinds of trajectories
	Linear, LinearStop, Sine, Gravity int
	// types of movement
	Normal, Dead, Spectator int
	Intermission            [2]int
	// bits of a player's flags
	Follow, Limbo, Respawned int
	// places in stats
	Health, Armor, Weapons int
	Hits, Damage           int // places in persistant
	Haste                  int // place in powerups
	Flags                  [3]int
	// bits of an entity's flags
	DeadBit, Teleport, Firing, NoDraw int
	Fire, MissileHit                  int // events of a shot, and of a missile that hit somebody

	silent [silentEvents]bool
}

// silentEvents is more than the numbers of events.
const silentEvents = 256

// Silent reports whether an event makes no sound that others hear.
func (n *Numbers) Silent(event uint32) bool { return n.silent[event%silentEvents] }

// NumbersOf returns the numbers of a family.
func NumbersOf(family uint8) *Numbers { return &familyNumbers()[family] }

var familyNumbers = sync.OnceValue(func() *[NumFamilies]Numbers {
	all := new([NumFamilies]Numbers)
	for family := range all {
		all[family] = numbersOf(uint8(family))
	}
	return all
})

func numbersOf(family uint8) Numbers {
	at := slices.Index[[]string]
	types, moves := EntityTypeNames.Tables[family], TrTypeNames.Tables[family]
	flags, powerups := EFlagNames.Tables[family], PowerupNames.Tables[family]
	movement, pmFlags := PmTypeNames.Tables[family], PmFlagNames.Tables[family]
	stats, events := StatNames.Tables[family], EventNames.Tables[family]
	n := Numbers{
		Family: family, View: Games[family].View,
		General: at(types, "general"), Player: at(types, "player"), Invisible: at(types, "invisible"),
		Item:    at(types, "item"),
		Missile: at(types, "missile"), Grapple: at(types, "grapple"), FirstEvent: at(types, EventEntityPrefix+"none"),
		Flesh: at(types, EventEntityPrefix+"bullet_hit_flesh"), Wall: at(types, EventEntityPrefix+"bullet_hit_wall"),
		Rail: at(types, EventEntityPrefix+"railtrail"), Pellets: at(types, EventEntityPrefix+"shotgun"),
		Obituary: at(types, EventEntityPrefix+"obituary"),
		Linear:   at(moves, "linear"), LinearStop: at(moves, "linear_stop"), Sine: at(moves, "sine"),
		Gravity: at(moves, "gravity"),
		Normal:  at(movement, "normal"), Dead: at(movement, "dead"), Spectator: at(movement, "spectator"),
		Intermission: [2]int{at(movement, "intermission"), at(movement, "spintermission")},
		Follow:       at(pmFlags, "follow"), Limbo: at(pmFlags, "limbo"), Respawned: at(pmFlags, "respawned"),
		Health: at(stats, "health"), Armor: at(stats, "armor"), Weapons: at(stats, "weapons"),
		Hits: at(PersistantNames.Tables[family], "hits"), Damage: at(PersistantNames.Tables[family], "damage"),
		Haste:   at(powerups, "haste"),
		Flags:   [3]int{at(powerups, "redflag"), at(powerups, "blueflag"), at(powerups, "neutralflag")},
		DeadBit: at(flags, "dead"), Teleport: at(flags, "teleport_bit"), Firing: at(flags, "firing"),
		NoDraw: at(flags, "nodraw"),
		Fire:   at(events, "fire_weapon"), MissileHit: at(events, "missile_hit"),
	}
	for i, name := range events {
		n.silent[i%silentEvents] = strings.HasPrefix(name, "step_")
	}
	return n
}
