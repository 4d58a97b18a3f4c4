package scene

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"

// entityPlayer is ET_PLAYER, code/game/bg_public.h, the same in every game whose states are like Quake III's.
const entityPlayer = 1

// An eventEntity is the last event of an entity number.
type eventEntity struct {
	seen     int32  // server time of the last snapshot with it
	look     uint32 // number of that snapshot
	loading  bool   // the client was not in the game yet
	event    int
	identity identity
}

// EventEntities are the last events of entities, by entity number.
type EventEntities map[int32]*eventEntity

// Entities returns the event entities that were seen.
func (sc *Scene) Entities() EventEntities { return sc.entities }

// Resume continues with the event entities of the scene before, after a gamestate that the server sends again.
func (sc *Scene) Resume(shown EventEntities) { sc.entities = shown }

// An identity is the part of an event that distinguishes it from others, as far as it is known: while the base
// of a snapshot is missing, values that the server did not send are unknown.
type identity struct {
	values [commonSlots + popupSlots]uint32
	known  [commonSlots + popupSlots]bool
}

// commonSlots is the number of fields that identify the events of every game.
const commonSlots = 7

// sameAs reports whether two identities agree in the values that are known in both.
func (a *identity) sameAs(b *identity) bool {
	for i := range a.values {
		if a.known[i] && b.known[i] && a.values[i] != b.values[i] {
			return false
		}
	}
	return true
}

// add adds the known values of another identity.
func (a *identity) add(b *identity) {
	for i := range a.values {
		if b.known[i] {
			a.values[i], a.known[i] = b.values[i], true
		}
	}
}

// lasts reports whether an event entity of the present snapshot can still be one that was seen before. The server's
// time goes back when a client has loaded a map: until then it continues from the map before (oldServerTime,
// SV_WriteSnapshotToClient, code/server/sv_snapshot.c of ioquake3).
func (sc *Scene) lasts(e *eventEntity) bool {
	since := sc.now - e.seen
	return since <= eventTime && (since >= 0 || e.loading && e.look == sc.looks-1)
}

func (sc *Scene) identityOf(state *tables.State) (id identity) {
	at := &sc.slots
	for i, slot := range [commonSlots]*tables.Slot{&at.parm, &at.other, &at.other2, &at.client, &at.x, &at.y, &at.z} {
		if id.known[i] = state.Known&slot.Mask != 0; id.known[i] {
			id.values[i] = slot.Value(&state.Values)
		}
	}
	if sc.numbers.popup >= 0 {
		for i, place := range at.popup {
			id.values[commonSlots+i], id.known[commonSlots+i] = state.At(place)
		}
	}
	return id
}

// lookAtEvent looks at an event entity. The event is new if the entity's number had another one before, or
// the same one too long ago.
func (sc *Scene) lookAtEvent(number int32, event int, state *tables.State) {
	n, at := &sc.numbers, &sc.slots
	switch event {
	case n.obituary, n.pickup, n.announced, n.teamSound, n.flagMessage, n.popup, n.siegeObjective, n.siegeOver:
	default:
		return
	}
	id := sc.identityOf(state)
	e := sc.entities[number]
	if e == nil {
		if sc.entities == nil {
			sc.entities = EventEntities{}
		}
		e = &eventEntity{}
		sc.entities[number] = e
	} else if e.event == event && e.identity.sameAs(&id) && sc.lasts(e) {
		e.seen, e.look, e.loading = sc.now, sc.looks, sc.loading
		e.identity.add(&id)
		return
	}
	*e = eventEntity{seen: sc.now, look: sc.looks, loading: sc.loading, event: event, identity: id}
	parm, knowsParm := at.parm.Value(&state.Values), state.Known&at.parm.Mask != 0
	switch event {
	case n.obituary:
		sc.seeKill(state)
	case n.pickup:
		if knowsParm && state.Known&at.other.Mask != 0 {
			place, known := at.eventPoint(state)
			sc.picked = append(sc.picked, sc.pickup(sc.picker(state), parm, place, known))
		}
	case n.announced:
		if knowsParm {
			place, known := at.eventPoint(state)
			sc.announced = append(sc.announced, Event{
				Kind: Pickup, Client: -1, Value: parm, KnowsValue: true,
				At: place, KnowsAt: known, Announced: true,
			})
		}
	case n.flagMessage:
		sc.seeFlagMessage(state, parm)
	case n.siegeObjective, n.siegeOver:
		if knowsParm {
			sc.seeSiege(state, parm, event == n.siegeObjective)
		}
	case n.popup:
		sc.seePopup(state)
	case n.teamSound:
		if knowsParm {
			sc.Seen.Events = append(sc.Seen.Events, Event{Kind: TeamSound, Value: parm})
		}
	}
}

// picker returns the client that an event entity names; -1: none.
func (sc *Scene) picker(state *tables.State) int {
	at, flag := &sc.slots, sc.numbers.playerEvent
	if flag != 0 && (state.Known&at.flags.Mask == 0 || at.flags.Value(&state.Values)&flag == 0) {
		return -1
	}
	return int(at.other.Value(&state.Values))
}

// seePopup adds a popup message, if all of it is known.
func (sc *Scene) seePopup(state *tables.State) {
	e := Event{Kind: Popup}
	for i, place := range sc.slots.popup {
		value, known := state.At(place)
		if !known {
			return
		}
		e.Popup[i] = int32(value)
	}
	sc.Seen.Events = append(sc.Seen.Events, e)
}

// seeKill adds an obituary: the parameter is the means of death, the other entities are victim and attacker; the
// attacker is no player if the world did it.
//
// Where the base of the entity is not known, a number that was not sent is the base's, and that is 0: the entity did
// not exist before, and has a baseline only if its number was another entity's when the map was loaded
// (SV_CreateBaseline, code/server/sv_init.c). Such baselines are items, movers and sounds, which name no other entity.
// In 3,210 obituaries of recordings whose bases are known 1,241 numbers were not sent, and all of them were 0.
func (sc *Scene) seeKill(state *tables.State) {
	at, v := &sc.slots, &state.Values
	e := Event{Kind: Kill, Value: at.parm.Value(v)}
	if state.Known&at.other.Mask != 0 {
		e.Client = int(at.other.Value(v))
	}
	if state.Known&at.other2.Mask != 0 {
		e.Killer = int(at.other2.Value(v))
	}
	e.Inferred = state.Known&at.other.Mask == 0 || state.Known&at.other2.Mask == 0
	e.KnowsValue = state.Known&at.parm.Mask != 0
	e.At, e.KnowsAt = at.eventPoint(state)
	sc.Seen.Events = append(sc.Seen.Events, e)
}

// A rider is an entity of a player or an item, with the event on it.
type rider struct {
	snapshot uint32 // number of the last snapshot with it
	event    uint32
}

// lookAtRider looks at the event on the entity of a player or an item. An event on one that has just come into view may
// be old and does not count. If a player picks up two items within a moment, OSP puts the event of the second on the
// item, which does not show the player: demos of 2002 and 2004 have it.
func (sc *Scene) lookAtRider(number int, eType uint32, state *tables.State) {
	at, v := &sc.slots, &state.Values
	r := &sc.riders[number]
	event := at.event.Value(v)
	if state.Known&at.event.Mask == 0 {
		return
	}
	isNew := r.snapshot != 0 && r.snapshot == sc.snapshots-1 && r.event != event
	r.snapshot, r.event = sc.snapshots, event
	if isNew && int(event&^tables.EventToggleBits) == sc.numbers.pickup && state.Known&at.parm.Mask != 0 {
		client := number
		if eType == entityItem {
			client = -1
		}
		known := state.Known&at.place() == at.place()
		sc.picked = append(sc.picked, sc.pickup(client, at.parm.Value(v), at.point(state), known))
	}
}
