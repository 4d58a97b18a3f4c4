package events

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/event"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// A scene is what the snapshots have shown so far of events: the event entities, and the last event that every
// player carried.
//
// The game shows events in two ways. An event entity exists for the event alone: its type is ET_EVENTS plus the
// event, it lasts for eventTime and is in every snapshot of that time. And an event can ride on a player: in
// field "event" of the entity, with two bits that change whenever the same event comes again, or for the
// client's own player in the player state, in a queue of two with a counter.
//
// G_TempEntity and G_AddEvent in code/game/g_utils.c, BG_PlayerStateToEntityState in code/game/bg_misc.c; how
// the client finds new events: CG_CheckEvents and CG_CheckPlayerstateEvents in code/cgame.
type scene struct {
	snapshots uint32
	looked    int32                  // server time of the last snapshot
	late      bool                   // the present snapshot follows a gap
	items     map[int32]uint32       // by entity number; of families whose pick-ups name the entity
	entities  map[int32]*eventEntity // by entity number
	riders    [tables.MaxPlayers]rider
	places    [tables.MaxPlayers]spot
	own       ownEvents
	picked    []picked // in the present snapshot
	announced []picked // in the present snapshot, without the player
	numbers   eventNumbers
	slots     eventSlots
}

// eventTime is how long an event entity lasts, EVENT_VALID_MSEC in code/game/bg_public.h.
const eventTime = 300

// An eventEntity is the last event that an entity number stood for.
type eventEntity struct {
	seen     int32 // server time of the last snapshot with it
	event    int
	identity identity
}

// An identity is the part of an event that distinguishes it from others, as far as it is known: while the base
// of a snapshot is missing, values that the server did not send are unknown.
type identity struct {
	values [7]uint32
	known  [7]bool
}

// sameAs reports whether two identities agree in the values that both know.
func (a *identity) sameAs(b *identity) bool {
	for i := range a.values {
		if a.known[i] && b.known[i] && a.values[i] != b.values[i] {
			return false
		}
	}
	return true
}

// add adds the values that another identity knows.
func (a *identity) add(b *identity) {
	for i := range a.values {
		if b.known[i] {
			a.values[i], a.known[i] = b.values[i], true
		}
	}
}

func (sc *scene) identityOf(state *tables.State) (id identity) {
	at := &sc.slots
	for i, slot := range [...]*tables.Slot{&at.parm, &at.other, &at.other2, &at.client, &at.x, &at.y, &at.z} {
		if id.known[i] = state.Known&slot.Mask != 0; id.known[i] {
			id.values[i] = slot.Value(&state.Values)
		}
	}
	return id
}

// A rider is a player entity with the event on it.
type rider struct {
	snapshot uint32 // number of the last snapshot with it
	event    uint32
}

// A spot is the position of a player in a snapshot.
type spot struct {
	snapshot uint32 // number of the last snapshot with the player; 0: none
	time     int32
	x, y, z  uint32
}

// ownEvents are the events of the player state.
type ownEvents struct {
	known              bool
	client             int
	sequence, external uint32
}

// picked is an item that was picked up.
type picked struct {
	client  int // -1: not known
	item    uint32
	x, y, z uint32
}

// eventNumbers are a family's numbers of the events that are looked for; -1: it has none.
type eventNumbers struct {
	known                                  bool
	first                                  uint32 // entity type of event 0, ET_EVENTS
	obituary, pickup, announced, teamSound int
	flagMessage                            int    // of Jedi Outcast and Academy
	byEntity                               bool   // a pick-up's parameter is the item's entity, as it is there
	intermission                           [2]int // movement types
}

// numbersOf looks the numbers up in the family's tables.
func numbersOf(family uint8) eventNumbers {
	n := eventNumbers{known: true}
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
	if n.flagMessage >= 0 {
		n.teamSound = -1 // says less
	}
	n.byEntity = family == tables.FamilyOutcast || family == tables.FamilyAcademy
	n.first = uint32(index(tables.EntityTypeNames.Tables[family], tables.EventEntityPrefix+"none"))
	movement := tables.PmTypeNames.Tables[family]
	n.intermission = [2]int{index(movement, "intermission"), index(movement, "spintermission")}
	return n
}

// eventSlots are the fields that an event is read from.
type eventSlots struct {
	gen                                                *tables.Generation
	eType, event, parm, other, other2, client, x, y, z tables.Slot
	sequence, external, externalParm, number           tables.Slot
	pmType, pmFlags                                    tables.Slot
	events, parms                                      [maxQueue]tables.Slot
	queue                                              uint32 // length of the player's queue of events
	item, flagClient, flagTeam                         uint8  // places in wide layouts, of Jedi Outcast and Academy
	originX, originY, originZ                          tables.Slot
}

// place is the mask of an entity's position.
func (s *eventSlots) place() uint64 { return s.x.Mask | s.y.Mask | s.z.Mask }

func slotsOf(gen *tables.Generation) eventSlots {
	e, p := gen.Entity, gen.Player
	s := eventSlots{
		gen:   gen,
		eType: e.Slot("eType"), event: e.Slot("event"), parm: e.Slot("eventParm"), other: e.Slot("otherEntityNum"),
		other2: e.Slot("otherEntityNum2"), client: e.Slot("clientNum"),
		x: e.Slot("pos.trBase[0]"), y: e.Slot("pos.trBase[1]"), z: e.Slot("pos.trBase[2]"),
		sequence: p.Slot("eventSequence"), external: p.Slot("externalEvent"), externalParm: p.Slot("externalEventParm"),
		number: p.Slot("clientNum"), pmType: p.Slot("pm_type"), pmFlags: p.Slot("pm_flags"),
		originX: p.Slot("origin[0]"), originY: p.Slot("origin[1]"), originZ: p.Slot("origin[2]"),
	}
	for i := range s.events {
		n := strconv.Itoa(i)
		s.events[i], s.parms[i] = p.Slot("events["+n+"]"), p.Slot("eventParms["+n+"]")
		if s.events[i].Mask != 0 && s.parms[i].Mask != 0 {
			s.queue = uint32(i + 1)
		}
	}
	if e.Wide {
		s.item, s.flagClient, s.flagTeam = e.Place("modelindex"), e.Place("trickedentindex"), e.Place("trickedentindex2")
	}
	return s
}

// look reports what a snapshot shows that no earlier one did.
func (g *gameView) look(w *eventWriter, gen *tables.Generation, pool *world.Pool, s *world.Snapshot) {
	sc := &g.scene
	if sc.slots.gen != gen {
		sc.slots = slotsOf(gen)
	}
	if sc.numbers = familyNumbers[g.family]; !sc.numbers.known {
		return
	}
	sc.late = sc.snapshots > 0 && g.time-sc.looked > eventTime
	sc.snapshots++
	sc.looked = g.time
	sc.picked, sc.announced = sc.picked[:0], sc.announced[:0]
	g.lookAtPlayer(&s.Player)
	for _, ref := range s.Entities {
		state := pool.At(ref.State)
		if state.Known&sc.slots.eType.Mask == 0 {
			continue
		}
		eType := sc.slots.eType.Value(&state.Values)
		switch {
		case sc.numbers.byEntity && eType == entityItem:
			sc.seeItem(ref.Number, state)
		case eType >= sc.numbers.first:
			g.lookAtEvent(w, ref.Number, int(eType-sc.numbers.first), state)
		case ref.Number < tables.MaxPlayers:
			if at, v := &sc.slots, &state.Values; eType == entityPlayer && int(ref.Number) < tables.NumPlayers[g.family] && state.Known&at.place() == at.place() {
				g.place(int(ref.Number), at.x.Value(v), at.y.Value(v), at.z.Value(v))
			}
			sc.lookAtRider(int(ref.Number), state)
		}
	}
	sc.reportPickups(w, &g.roster)
	g.seeIntermission(w, &s.Player)
}

// entityPlayer is ET_PLAYER, code/game/bg_public.h, the same in every game.
const entityPlayer = 1

// seeIntermission checks whether the player stands still because the match is over.
func (g *gameView) seeIntermission(w *eventWriter, p *world.Player) {
	sc := &g.scene
	if at := sc.slots.pmType; p.Known&at.Mask != 0 {
		pm := int(at.Value(&p.Values))
		over := pm == sc.numbers.intermission[0] || pm == sc.numbers.intermission[1]
		g.enterIntermission(w, over, sc.snapshots == 1)
	}
}

// familyNumbers are the numbers of every family whose tables are known.
var familyNumbers = func() (all [tables.NumFamilies]eventNumbers) {
	for family := range all {
		if tables.EventNames.Tables[family] != nil && tables.EntityTypeNames.Tables[family] != nil {
			all[family] = numbersOf(uint8(family))
		}
	}
	return all
}()

// lookAtEvent looks at an event entity. The event is new if the entity's number stood for another one, or for
// the same one too long ago.
func (g *gameView) lookAtEvent(w *eventWriter, number int32, event int, state *tables.State) {
	sc := &g.scene
	n, at := &sc.numbers, &sc.slots
	switch event {
	case n.obituary, n.pickup, n.announced, n.teamSound, n.flagMessage:
	default:
		return
	}
	v := &state.Values
	id := sc.identityOf(state)
	e := sc.entities[number]
	if e == nil {
		if sc.entities == nil {
			sc.entities = map[int32]*eventEntity{}
		}
		e = &eventEntity{}
		sc.entities[number] = e
	} else if since := g.time - e.seen; e.event == event && e.identity.sameAs(&id) && since >= 0 && since <= eventTime {
		e.seen = g.time
		e.identity.add(&id)
		return
	}
	*e = eventEntity{seen: g.time, event: event, identity: id}
	parm := at.parm.Value(v)
	switch event {
	case n.obituary:
		g.reportKill(w, state)
	case n.pickup:
		if state.Known&at.other.Mask != 0 && state.Known&at.parm.Mask != 0 {
			sc.picked = append(sc.picked, picked{int(at.other.Value(v)), sc.itemOf(parm), at.x.Value(v), at.y.Value(v), at.z.Value(v)})
		}
	case n.announced:
		if state.Known&at.parm.Mask != 0 {
			sc.announced = append(sc.announced, picked{-1, parm, at.x.Value(v), at.y.Value(v), at.z.Value(v)})
		}
	case n.flagMessage:
		g.seeFlagMessage(w, state, parm)
	case n.teamSound:
		if state.Known&at.parm.Mask != 0 {
			g.flags.sound(w, tables.GlobalTeamSoundNames.Name(g.family, uint64(parm)))
		}
	}
}

// reportKill reports an obituary: the parameter is the means of death, the other entities are victim and
// attacker; the attacker is no player if the world did it. Values that the capture does not show are left out.
func (g *gameView) reportKill(w *eventWriter, state *tables.State) {
	at, v := &g.scene.slots, &state.Values
	victim, killer := int(at.other.Value(v)), int(at.other2.Value(v))
	knowsVictim, knowsKiller := state.Known&at.other.Mask != 0, state.Known&at.other2.Mask != 0
	w.begin(kindKill)
	if knowsKiller && killer < tables.MaxPlayers {
		g.fighter(w, &evKiller, killer)
	}
	if knowsVictim {
		g.fighter(w, &evVictim, victim)
	}
	w.flag(&evWorld, knowsKiller && killer >= tables.MaxPlayers)
	w.flag(&event.Suicide, knowsVictim && knowsKiller && victim == killer)
	if state.Known&at.parm.Mask != 0 {
		w.tree.Add(&evMeans, uint64(at.parm.Value(v)), 0, 0)
	}
	if state.Known&at.place() == at.place() {
		w.position(at.x.Value(v), at.y.Value(v), at.z.Value(v))
	}
	w.end()
}

// fighter adds a player, with the position if the snapshot shows it.
func (g *gameView) fighter(w *eventWriter, f *dissect.Field, number int) {
	w.tree.Open(f, 0)
	w.clientFields(&g.roster, number, nil)
	if number >= 0 && number < tables.MaxPlayers {
		if p := &g.scene.places[number]; p.snapshot == g.scene.snapshots {
			w.position(p.x, p.y, p.z)
		}
	}
	w.tree.Close(0)
}

// lookAtRider looks at the event on a player entity. An event on a player who has just come into view may be
// old and does not count.
func (sc *scene) lookAtRider(number int, state *tables.State) {
	at, v := &sc.slots, &state.Values
	r := &sc.riders[number]
	event, known := at.event.Value(v), state.Known&at.event.Mask != 0
	isNew := known && r.snapshot != 0 && r.snapshot == sc.snapshots-1 && r.event != event
	if !known {
		r.snapshot = 0
		return
	}
	r.snapshot, r.event = sc.snapshots, event
	if isNew && int(event&^tables.EventToggleBits) == sc.numbers.pickup && state.Known&at.parm.Mask != 0 {
		sc.picked = append(sc.picked, picked{number, sc.itemOf(at.parm.Value(v)), at.x.Value(v), at.y.Value(v), at.z.Value(v)})
	}
}

// lookAtPlayer looks at the events of the player state.
func (g *gameView) lookAtPlayer(p *world.Player) {
	sc := &g.scene
	at, v := &sc.slots, &p.Values
	needed := at.sequence.Mask | at.external.Mask | at.number.Mask | at.externalParm.Mask
	for i := range at.events {
		needed |= at.events[i].Mask | at.parms[i].Mask
	}
	if p.Known&needed != needed {
		sc.own.known = false
		return
	}
	before := sc.own
	sc.own = ownEvents{known: true, client: int(at.number.Value(v)), sequence: at.sequence.Value(v), external: at.external.Value(v)}
	if g.own < 0 {
		g.own = sc.ownClient(p)
	}
	g.seeScore(sc.own.client, p)
	if origin := at.originX.Mask | at.originY.Mask | at.originZ.Mask; p.Known&origin == origin && sc.own.client >= 0 && sc.own.client < tables.MaxPlayers {
		g.place(sc.own.client, at.originX.Value(v), at.originY.Value(v), at.originZ.Value(v))
	}
	if !before.known || before.client != sc.own.client {
		return
	}
	add := func(item uint32) {
		sc.picked = append(sc.picked, picked{sc.own.client, sc.itemOf(item), at.originX.Value(v), at.originY.Value(v), at.originZ.Value(v)})
	}
	queue, wrap := at.queue, uint32(1<<16-1) // the counter has 16 bits, in Wolfenstein 8
	if queue == maxQueue {
		wrap = 1<<8 - 1
	}
	for i := min((sc.own.sequence-before.sequence)&wrap, queue); i > 0; i-- {
		slot := (sc.own.sequence - i) & (queue - 1)
		if int(at.events[slot].Value(v)&^tables.EventToggleBits) == sc.numbers.pickup {
			add(at.parms[slot].Value(v))
		}
	}
	if e := sc.own.external; at.external.Mask != 0 && e != before.external && int(e&^tables.EventToggleBits) == sc.numbers.pickup {
		add(at.externalParm.Value(v))
	}
}

// seeScore stores the score of the player whose state it is: the client's own, or that of a player it follows.
func (g *gameView) seeScore(client int, p *world.Player) {
	const persistant, score = 1, 0 // of the player state's arrays; PERS_SCORE, code/game/bg_public.h
	if g.roster.plays(client) && p.ArraysKnown[persistant]&(1<<score) != 0 && !g.match.contest.over && !g.match.intermission {
		g.setStanding(client, p.Arrays[persistant][score], false)
	}
}

// ownClient returns the client's number if no gamestate contained it (before 1.29, and in mid-session): the
// player state's, unless the client follows another player. -1: not known.
func (sc *scene) ownClient(p *world.Player) int {
	const follow = 1 << 12 // PMF_FOLLOW, code/game/bg_public.h
	flags := sc.slots.pmFlags
	if p.Known&flags.Mask == 0 || flags.Value(&p.Values)&follow != 0 {
		return -1
	}
	return sc.own.client
}

// reportPickups reports the items that were picked up. The announcement to all players comes in addition to the
// player's event; it is reported only if the client did not see the player.
func (sc *scene) reportPickups(w *eventWriter, r *roster) {
	for i := range sc.picked {
		sc.picked[i].report(w, r, sc.late)
	}
	for i := range sc.announced {
		a, seen := &sc.announced[i], false
		for j := range sc.picked {
			seen = seen || sc.picked[j].item == a.item
		}
		if !seen {
			a.report(w, r, sc.late)
		}
	}
}

func (p *picked) report(w *eventWriter, r *roster, late bool) {
	w.begin(kindPickup)
	if p.client >= 0 {
		w.client(&evClient, r, p.client, nil)
	}
	if p.item != noItem {
		w.tree.Add(&evItem, uint64(p.item), 0, 0)
	}
	w.flag(&evGlobal, p.client < 0)
	w.flag(&evLate, late)
	w.position(p.x, p.y, p.z)
	w.end()
}
