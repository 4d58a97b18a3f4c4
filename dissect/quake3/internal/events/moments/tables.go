package moments

import (
	"math"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// slots are the fields that are read: of entities, and of player states.
type slots struct {
	gen *tables.Generation

	eType, flags, ground, pitch, yaw, since, weapon, event, other tables.Slot
	base, origin                                                  [3]tables.Slot

	number, pmType, pmFlags, ownFlags, ownGround, ownPitch, ownYaw tables.Slot
}

func slotsOf(gen *tables.Generation) slots {
	e, p := gen.Entity, gen.Player
	return slots{
		gen: gen, eType: e.Slot("eType"), flags: e.Slot("eFlags"), ground: e.Slot("groundEntityNum"),
		pitch: e.Slot("apos.trBase[0]"), yaw: e.Slot("apos.trBase[1]"), since: e.Slot("pos.trTime"),
		weapon: e.Slot("weapon"), event: e.Slot("event"), other: e.Slot("otherEntityNum"), base: e.Vector("pos.trBase"),

		origin: p.Vector("origin"), number: p.Slot("clientNum"), pmType: p.Slot("pm_type"), pmFlags: p.Slot("pm_flags"),
		ownFlags:  p.Slot("eFlags"),
		ownGround: p.Slot("groundEntityNum"), ownPitch: p.Slot("viewangles[0]"), ownYaw: p.Slot("viewangles[1]"),
	}
}

func has(known uint64, s tables.Slot) bool { return s.Mask != 0 && known&s.Mask != 0 }

func hasAll(known uint64, list []tables.Slot) bool {
	return !slices.ContainsFunc(list, func(s tables.Slot) bool { return !has(known, s) })
}

func float(s tables.Slot, v *tables.Values) float32 { return math.Float32frombits(s.Value(v)) }

func vector(s *[3]tables.Slot, v *tables.Values) [3]float32 {
	return [3]float32{float(s[0], v), float(s[1], v), float(s[2], v)}
}

// instant are the means of death by one shot that hits at once.
var instant = map[string]bool{
	"railgun": true, "railgun_headshot": true, "shotgun": true, "disruptor": true, "disruptor_sniper": true,
	"sniperrifle": true, "mauser": true, "garand": true, "garand_scope": true, "k43": true, "k43_scope": true,
	"kar98": true, "carbine": true, "fg42scope": true, "snooperscope": true,
}

// splash is the end of means of death by an explosion that did not hit.
const splash = "_splash"

// wide are the means of death by a shot that can kill several at once.
var wide = map[string]bool{
	"railgun": true, "railgun_headshot": true, "shotgun": true, "grenade": true, "rocket": true, "bfg": true,
	"proximity_mine": true, "kamikaze": true, "disruptor": true, "disruptor_sniper": true, "repeater_alt": true,
	"flechette_alt": true, "rocket_homing": true, "thermal": true, "trip_mine": true, "timed_mine": true,
	"det_pack": true, "conc": true, "conc_alt": true, "panzerfaust": true, "bazooka": true, "dynamite": true,
	"landmine": true, "satchel": true, "mortar": true, "mortar2": true, "gpg40": true, "m7": true,
	"grenade_launcher": true, "grenade_pineapple": true, "rocket_launcher": true,
}

// Shot returns the word for a shot that can kill several at once; "": a means of death cannot.
func Shot(means string) string {
	if means = strings.TrimSuffix(means, splash); wide[means] {
		return means
	}
	return ""
}
