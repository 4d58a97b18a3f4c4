package scene

import (
	"strconv"
	"sync"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// numbers are a family's numbers of the events that are looked for; -1: it has none.
type numbers struct {
	known                                  bool
	first                                  uint32 // entity type of event 0, ET_EVENTS
	obituary, pickup, announced, teamSound int
	flagMessage                            int    // of Jedi Outcast and Academy
	popup                                  int    // of Enemy Territory
	siegeObjective, siegeOver              int    // of Jedi Academy
	byEntity                               bool   // a pick-up's parameter is the item's entity, as it is there
	intermission                           [2]int // movement types
	player                                 uint32 // entity type of players
	view                                   *tables.View
	throws                                 throws // of Jedi Outcast and Academy; any 0: none
	revived                                int    // place in persistant of how often the player was revived
	// playerEvent is EF_PLAYER_EVENT, code/game/bg_public.h; 0: it always names its player. The server sets it where it
	// makes an entity of an event that a player's own prediction makes (SendPendingPredictableEvents,
	// code/game/g_active.c), and only then is otherEntityNum a player. Servers of OSP and CPMA send the second of two
	// pick-ups without it, and zeros for the player.
	playerEvent uint32
	// flags are the powerups that a carrier of the red, the blue and the neutral flag has; -1: there is none.
	flags [NumFlags]int
}

// NumFlags is how many flags there are: red, blue and the neutral one.
const NumFlags = 3

// numbersOf looks the numbers up in the family's tables.
func numbersOf(family uint8) numbers {
	n := numbers{known: true}
	index := func(table []string, name string) int {
		for i, s := range table {
			if s == name {
				return i
			}
		}
		return -1
	}
	events := tables.EventNames.Tables[family]
	n.obituary = index(events, "obituary")
	n.pickup = index(events, "item_pickup")
	n.announced = index(events, "global_item_pickup")
	n.teamSound = index(events, "global_team_sound")
	n.flagMessage = index(events, "ctfmessage")
	n.popup = index(events, "popupmessage")
	n.siegeObjective = index(events, "siege_objectivecomplete")
	n.siegeOver = index(events, "siege_roundover")
	if n.flagMessage >= 0 {
		n.teamSound = -1 // does not name the player
	}
	n.byEntity = tables.Games[family].ItemEntity
	n.first = uint32(index(tables.EntityTypeNames.Tables[family], tables.EventEntityPrefix+"none"))
	n.player, n.view = entityPlayer, tables.Games[family].View
	if n.view != nil {
		n.player = uint32(index(tables.EntityTypeNames.Tables[family], "player"))
	}
	n.revived = index(tables.PersistantNames.Tables[family], "revive_count")
	movement := tables.PmTypeNames.Tables[family]
	n.intermission = [2]int{index(movement, "intermission"), index(movement, "spintermission")}
	n.playerEvent = tables.Games[family].PlayerEvent
	powerups := tables.PowerupNames.Tables[family]
	if t := (throws{index(powerups, "disint_4"), index(powerups, "pull")}); t.any > 0 && t.pull > 0 {
		n.throws = t
	}
	n.flags = [NumFlags]int{index(powerups, "redflag"), index(powerups, "blueflag"), index(powerups, "neutralflag")}
	return n
}

// slots are the fields that an event is read from.
type slots struct {
	gen                                                       *tables.Generation
	eType, flags, event, parm, other, other2, client, x, y, z tables.Slot
	sequence, external, externalParm, number                  tables.Slot
	pmType, pmFlags                                           tables.Slot
	powerups                                                  tables.Slot // of entities: bits
	events, parms                                             [maxQueue]tables.Slot
	queue                                                     uint32 // length of the player's queue of events
	item, flagClient, flagTeam, weapon                        uint8  // places in wide layouts, of Jedi Outcast and Academy
	originX, originY, originZ                                 tables.Slot
	popup                                                     [popupSlots]uint8 // places, of Enemy Territory
	force                                                     forceSlots
}

// Fields of a popup message.
const (
	popupType = iota
	popupWhat
	popupWhich
	popupSide
	popupSlots
)

// place is the mask of an entity's position.
func (s *slots) place() uint64 { return s.x.Mask | s.y.Mask | s.z.Mask }

// point is an entity's position.
func (s *slots) point(e *tables.State) Point {
	return Point{s.x.Value(&e.Values), s.y.Value(&e.Values), s.z.Value(&e.Values)}
}

// eventPoint is the position of an event entity. ok is false where a part of it is not known, and for the origin of the
// world: the game made the entity without a place, as CPMA and Enemy Territory do for obituaries, and of such an entity
// no coordinate is sent. G_TempEntityNotLinked, src/game/g_utils.c of ET: Legacy.
func (s *slots) eventPoint(e *tables.State) (at Point, ok bool) {
	at = s.point(e)
	return at, e.Known&s.place() == s.place() && at != Point{}
}

func slotsOf(gen *tables.Generation) slots {
	e, p := gen.Entity, gen.Player
	s := slots{
		gen:   gen,
		eType: e.Slot("eType"), flags: e.Slot("eFlags"), event: e.Slot("event"), parm: e.Slot("eventParm"),
		other: e.Slot("otherEntityNum"), other2: e.Slot("otherEntityNum2"), client: e.Slot("clientNum"),
		powerups: e.Slot("powerups"),
		x:        e.Slot("pos.trBase[0]"), y: e.Slot("pos.trBase[1]"), z: e.Slot("pos.trBase[2]"),
		sequence: p.Slot("eventSequence"), external: p.Slot("externalEvent"), externalParm: p.Slot("externalEventParm"),
		number: p.Slot("clientNum"), pmType: p.Slot("pm_type"), pmFlags: p.Slot("pm_flags"),
		originX: p.Slot("origin[0]"), originY: p.Slot("origin[1]"), originZ: p.Slot("origin[2]"),
	}
	if view := tables.Games[gen.Game].View; view != nil {
		s.x, s.y, s.z = e.Slot(view.Origin+"[0]"), e.Slot(view.Origin+"[1]"), e.Slot(view.Origin+"[2]")
		s.pmFlags = p.Slot(view.Flags)
	}
	for i, name := range [popupSlots]string{"effect1Time", "effect2Time", "effect3Time", "density"} {
		s.popup[i] = e.Place(name)
	}
	for i := range s.events {
		n := strconv.Itoa(i)
		s.events[i], s.parms[i] = p.Slot("events["+n+"]"), p.Slot("eventParms["+n+"]")
		if s.events[i].Mask != 0 {
			s.queue = uint32(i + 1)
		}
	}
	if e.Wide {
		s.item, s.flagClient, s.flagTeam = e.Place("modelindex"), e.Place("trickedentindex"), e.Place("trickedentindex2")
		s.weapon = e.Place("weapon")
	}
	s.force = forceSlotsOf(e, p)
	return s
}

// familyNumbers returns the numbers of every family whose tables are known.
var familyNumbers = sync.OnceValue(func() *[tables.NumFamilies]numbers {
	all := new([tables.NumFamilies]numbers)
	for family := range all {
		if tables.EventNames.Tables[family] != nil || tables.Games[family].View != nil {
			all[family] = numbersOf(uint8(family))
		}
	}
	return all
})
