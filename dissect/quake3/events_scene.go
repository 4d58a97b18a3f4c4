package quake3

// A scene is what the snapshots showed so far of things that happen: which event entities were there,
// and which event every player carried last.
//
// The game tells what happens in two ways. An event entity exists for the event alone: its type is
// ET_EVENTS plus the event, it lasts for eventTime and stands in every snapshot of that time. And an event
// can ride on a player: in field "event" of the entity, with two bits that change whenever the same event
// comes again, or for the client's own player in the player state, in a queue of two with a counter.
//
// G_TempEntity and G_AddEvent in code/game/g_utils.c, BG_PlayerStateToEntityState in
// code/game/bg_misc.c; how the client's game finds the new ones: CG_CheckEvents and
// CG_CheckPlayerstateEvents in code/cgame.
type scene struct {
	snapshots uint32
	entities  map[int32]*eventEntity // by entity number
	riders    [maxPlayers]rider
	own       ownEvents
	picked    []picked // in the snapshot that is looked at
	announced []picked // in it, without who picked up
	numbers   eventNumbers
	slots     eventSlots
}

// eventTime is how long an event entity lasts, EVENT_VALID_MSEC in code/game/bg_public.h.
const eventTime = 300

// An eventEntity is what an entity number stood for last.
type eventEntity struct {
	seen     int32 // server time of the last snapshot with it
	identity [8]uint32
}

// A rider is a player entity and the event on it.
type rider struct {
	snapshot uint32 // number of the last one with it
	event    uint32
}

// ownEvents are those of the player state.
type ownEvents struct {
	known              bool
	client             int
	sequence, external uint32
}

// picked is an item that was picked up.
type picked struct {
	client  int // -1: not told
	item    uint32
	x, y, z uint32
}

// eventNumbers are the numbers that a family gives what is looked for; -1 where it has none.
type eventNumbers struct {
	known                                  bool
	first                                  uint32 // entity type of event 0, ET_EVENTS
	obituary, pickup, announced, teamSound int
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
	events := eventNames.Tables[family]
	n.obituary = index(events, "obituary")
	n.pickup = index(events, "item_pickup")
	n.announced = index(events, "global_item_pickup")
	n.teamSound = index(events, "global_team_sound")
	n.first = uint32(index(entityTypeNames.Tables[family], eventEntityPrefix+"none"))
	movement := pmTypeNames.Tables[family]
	n.intermission = [2]int{index(movement, "intermission"), index(movement, "spintermission")}
	return n
}

// eventSlots are the fields that are looked at.
type eventSlots struct {
	gen                                                *generation
	eType, event, parm, other, other2, client, x, y, z fieldSlot
	sequence, external, externalParm, number           fieldSlot
	pmType, pmFlags                                    fieldSlot
	events, parms                                      [2]fieldSlot
	originX, originY, originZ                          fieldSlot
}

func slotsOf(gen *generation) eventSlots {
	e, p := gen.entity, gen.player
	return eventSlots{
		gen:   gen,
		eType: e.slot("eType"), event: e.slot("event"), parm: e.slot("eventParm"), other: e.slot("otherEntityNum"),
		other2: e.slot("otherEntityNum2"), client: e.slot("clientNum"),
		x: e.slot("pos.trBase[0]"), y: e.slot("pos.trBase[1]"), z: e.slot("pos.trBase[2]"),
		sequence: p.slot("eventSequence"), external: p.slot("externalEvent"), externalParm: p.slot("externalEventParm"),
		number: p.slot("clientNum"), pmType: p.slot("pm_type"), pmFlags: p.slot("pm_flags"),
		events:  [2]fieldSlot{p.slot("events[0]"), p.slot("events[1]")},
		parms:   [2]fieldSlot{p.slot("eventParms[0]"), p.slot("eventParms[1]")},
		originX: p.slot("origin[0]"), originY: p.slot("origin[1]"), originZ: p.slot("origin[2]"),
	}
}

// look tells what a snapshot shows that no earlier one did.
func (g *gameView) look(w *eventWriter, gen *generation, pool *entityPool, s *snapshot) {
	sc := &g.scene
	if sc.slots.gen != gen {
		sc.slots = slotsOf(gen)
	}
	if sc.numbers = familyNumbers[g.family]; !sc.numbers.known {
		return
	}
	sc.snapshots++
	sc.picked, sc.announced = sc.picked[:0], sc.announced[:0]
	g.lookAtPlayer(&s.player)
	for _, ref := range s.entities {
		state := pool.at(ref.state)
		if state.known&sc.slots.eType.mask == 0 {
			continue
		}
		eType := sc.slots.eType.of(&state.values)
		switch {
		case eType >= sc.numbers.first:
			g.lookAtEvent(w, ref.number, int(eType-sc.numbers.first), state)
		case ref.number < maxPlayers:
			sc.lookAtRider(int(ref.number), state)
		}
	}
	sc.tellPickups(w, &g.roster)
	g.seeIntermission(w, &s.player)
}

// seeIntermission looks whether the player stands still because the match is over.
func (g *gameView) seeIntermission(w *eventWriter, p *playerState) {
	sc := &g.scene
	if at := sc.slots.pmType; p.known&at.mask != 0 {
		pm := int(at.of(&p.values))
		over := pm == sc.numbers.intermission[0] || pm == sc.numbers.intermission[1]
		g.match.seeIntermission(w, over, sc.snapshots == 1)
	}
}

// familyNumbers are the numbers of every family whose tables are known.
var familyNumbers = func() (all [numFamilies]eventNumbers) {
	for family := range all {
		if eventNames.Tables[family] != nil && entityTypeNames.Tables[family] != nil {
			all[family] = numbersOf(uint8(family))
		}
	}
	return all
}()

// lookAtEvent looks at an event entity. It is a new one if its number stood for something else, or for
// the same too long ago.
func (g *gameView) lookAtEvent(w *eventWriter, number int32, event int, state *entityState) {
	sc := &g.scene
	n, at := &sc.numbers, &sc.slots
	switch event {
	case n.obituary, n.pickup, n.announced, n.teamSound:
	default:
		return
	}
	v := &state.values
	identity := [8]uint32{uint32(event), at.parm.of(v), at.other.of(v), at.other2.of(v), at.client.of(v), at.x.of(v), at.y.of(v), at.z.of(v)}
	e := sc.entities[number]
	if e == nil {
		if sc.entities == nil {
			sc.entities = map[int32]*eventEntity{}
		}
		e = &eventEntity{}
		sc.entities[number] = e
	} else if since := g.time - e.seen; e.identity == identity && since >= 0 && since <= eventTime {
		e.seen = g.time
		return
	}
	*e = eventEntity{seen: g.time, identity: identity}
	parm := at.parm.of(v)
	switch event {
	case n.obituary:
		g.tellKill(w, state)
	case n.pickup:
		if state.known&at.other.mask != 0 && state.known&at.parm.mask != 0 {
			sc.picked = append(sc.picked, picked{int(at.other.of(v)), parm, at.x.of(v), at.y.of(v), at.z.of(v)})
		}
	case n.announced:
		if state.known&at.parm.mask != 0 {
			sc.announced = append(sc.announced, picked{-1, parm, at.x.of(v), at.y.of(v), at.z.of(v)})
		}
	case n.teamSound:
		if state.known&at.parm.mask != 0 {
			g.flags.sound(w, globalTeamSoundNames.Name(g.family, uint64(parm)))
		}
	}
}

// tellKill tells an obituary: the parameter is the means of death, the other entities are victim and
// attacker, who is no player where the world did it. What the capture does not tell is left out.
func (g *gameView) tellKill(w *eventWriter, state *entityState) {
	at, v := &g.scene.slots, &state.values
	victim, killer := int(at.other.of(v)), int(at.other2.of(v))
	knowsVictim, knowsKiller := state.known&at.other.mask != 0, state.known&at.other2.mask != 0
	w.begin(kindKill)
	if knowsKiller && killer < maxPlayers {
		w.client(&evKiller, &g.roster, killer, nil)
	}
	if knowsVictim {
		w.client(&evVictim, &g.roster, victim, nil)
	}
	w.true(&evWorld, knowsKiller && killer >= maxPlayers)
	w.true(&evSuicide, knowsVictim && knowsKiller && victim == killer)
	if state.known&at.parm.mask != 0 {
		w.tree.Add(&evMeans, uint64(at.parm.of(v)), 0, 0)
	}
	if place := at.x.mask | at.y.mask | at.z.mask; state.known&place == place {
		w.position(at.x.of(v), at.y.of(v), at.z.of(v))
	}
	w.end()
}

// lookAtRider looks at the event on a player entity. An event that is on a player who comes into view may
// be an old one and does not count.
func (sc *scene) lookAtRider(number int, state *entityState) {
	at, v := &sc.slots, &state.values
	r := &sc.riders[number]
	event, known := at.event.of(v), state.known&at.event.mask != 0
	isNew := known && r.snapshot != 0 && r.snapshot == sc.snapshots-1 && r.event != event
	if !known {
		r.snapshot = 0
		return
	}
	r.snapshot, r.event = sc.snapshots, event
	if isNew && int(event&^eventToggleBits) == sc.numbers.pickup && state.known&at.parm.mask != 0 {
		sc.picked = append(sc.picked, picked{number, at.parm.of(v), at.x.of(v), at.y.of(v), at.z.of(v)})
	}
}

// lookAtPlayer looks at the events of the player state.
func (g *gameView) lookAtPlayer(p *playerState) {
	sc := &g.scene
	at, v := &sc.slots, &p.values
	needed := at.sequence.mask | at.external.mask | at.number.mask | at.events[0].mask | at.events[1].mask |
		at.parms[0].mask | at.parms[1].mask | at.externalParm.mask
	if p.known&needed != needed {
		sc.own.known = false
		return
	}
	before := sc.own
	sc.own = ownEvents{known: true, client: int(at.number.of(v)), sequence: at.sequence.of(v), external: at.external.of(v)}
	if g.own < 0 {
		g.own = sc.ownClient(p)
	}
	if !before.known || before.client != sc.own.client {
		return
	}
	add := func(item uint32) {
		sc.picked = append(sc.picked, picked{sc.own.client, item, at.originX.of(v), at.originY.of(v), at.originZ.of(v)})
	}
	const queue, wrap = 2, 1<<16 - 1 // MAX_PS_EVENTS, code/qcommon/q_shared.h; the counter has 16 bits
	for i := min((sc.own.sequence-before.sequence)&wrap, queue); i > 0; i-- {
		slot := (sc.own.sequence - i) & (queue - 1)
		if int(at.events[slot].of(v)&^eventToggleBits) == sc.numbers.pickup {
			add(at.parms[slot].of(v))
		}
	}
	if e := sc.own.external; e != before.external && int(e&^eventToggleBits) == sc.numbers.pickup {
		add(at.externalParm.of(v))
	}
}

// ownClient gives the client's number where no gamestate told it (before 1.29, and in mid-session): the
// player state's, unless it is of somebody who is followed. -1: not known.
func (sc *scene) ownClient(p *playerState) int {
	const follow = 1 << 12 // PMF_FOLLOW, code/game/bg_public.h
	flags := sc.slots.pmFlags
	if p.known&flags.mask == 0 || flags.of(&p.values)&follow != 0 {
		return -1
	}
	return sc.own.client
}

// tellPickups tells what was picked up. An announcement to all comes beside the event of the player,
// whom the client may not see; then it alone is told.
func (sc *scene) tellPickups(w *eventWriter, r *roster) {
	for i := range sc.picked {
		sc.picked[i].tell(w, r)
	}
	for i := range sc.announced {
		a, seen := &sc.announced[i], false
		for j := range sc.picked {
			seen = seen || sc.picked[j].item == a.item
		}
		if !seen {
			a.tell(w, r)
		}
	}
}

func (p *picked) tell(w *eventWriter, r *roster) {
	w.begin(kindPickup)
	if p.client >= 0 {
		w.client(&evClient, r, p.client, nil)
	}
	w.tree.Add(&evItem, uint64(p.item), 0, 0)
	w.true(&evGlobal, p.client < 0)
	w.position(p.x, p.y, p.z)
	w.end()
}
