// Package scene finds the events of a game in snapshots: kills, items that are picked up, sounds, and the moves of
// the players.
package scene

import (
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// A Scene is the state of the snapshots so far: the event entities, and the last event on every player.
//
// The game shows events in two ways. An event entity exists for the event alone: its type is ET_EVENTS plus the
// event, it lasts for eventTime and is in every snapshot of that time. And an event can ride on a player: in
// field "event" of the entity, with two bits that change whenever the same event comes again, or for the
// client's own player in the player state, in a queue of two with a counter.
//
// G_TempEntity and G_AddEvent in code/game/g_utils.c, BG_PlayerStateToEntityState in code/game/bg_misc.c; how
// the client finds new events: CG_CheckEvents and CG_CheckPlayerstateEvents in code/cgame.
type Scene struct {
	Seen Seen // in the last snapshot

	snapshots uint32           // while the client is in the game
	time      int32            // server time of the last of them
	looks     uint32           // at snapshots of all kinds
	now       int32            // server time of the present snapshot
	loading   bool             // the client is not in the game yet
	items     map[int32]uint32 // by entity number; of families whose pick-ups name the entity
	entities  EventEntities
	riders    [world.MaxEntities]rider
	places    [tables.MaxPlayers]spot
	own       ownEvents
	force     [tables.MaxPlayers]jedi
	picked    []Event // in the present snapshot
	announced []Event // in the present snapshot, without the player
	numbers   numbers
	slots     slots
}

// Seen is the new content of a snapshot.
type Seen struct {
	First  bool    // no snapshot was seen before
	Late   bool    // there was a gap before the snapshot in which event entities came and went
	Player Player  // of the player state
	Moves  []Move  // of the players who were in the snapshot before
	Powers []Power // that players began to use, of Jedi Outcast and Academy
	Events []Event // in the order of the entities, then the items that were picked up

	// Carriers are the clients who are seen with the red, the blue and the neutral flag; -1: nobody is.
	Carriers [NumFlags]int
}

// Kills returns how many obituaries are new.
func (s *Seen) Kills() (n int) {
	for i := range s.Events {
		if s.Events[i].Kind == Kill {
			n++
		}
	}
	return n
}

// A Player is the content of the player state: of the client itself, or of the player whom it follows.
type Player struct {
	Known  bool // the player state's events are known: Client is set
	Client int

	Own    bool // the client is known to follow nobody: its own number is Itself
	Itself int

	HasScore bool
	Score    int32 // PERS_SCORE, code/game/bg_public.h

	HasBest bool
	Best    int32 // the best player's score, in games whose player state has it

	Revived bool // since the snapshot before, of Enemy Territory

	HasMovement  bool
	Intermission bool // the player is frozen because the match is over
}

// A Move is the movement of a player since the snapshot before.
type Move struct {
	Client   int
	Time     int32   // in milliseconds
	Distance float64 // in units
}

// A Kind is a kind of event.
type Kind uint8

// The kinds.
const (
	Kill        Kind = iota // Value: means of death
	Pickup                  // Value: item
	TeamSound               // Value: global_team_sound_t, code/game/bg_public.h; it is known
	FlagMessage             // Value: ctfMsg_t, codemp/game/bg_public.h of OpenJK
	Popup                   // a message of Enemy Territory about the game
	// of Jedi Academy. Value: number of the objective that Team has completed, not known at the end of a round
	Siege
)

// An Event is an event that a snapshot shows. What the capture does not show is -1, or not known.
type Event struct {
	Kind   Kind
	Client int // the victim; who picked up; who did something with the flag
	Killer int // of a kill: client, or another entity for the world
	Team   int // of a flag message: whose flag; of a siege: who completed the objective or won

	// Popup is a popup message: its type, what happened, the number of what it is about, and a team or what happened to an
	// objective. EV_POPUPMESSAGE: effect1Time, effect2Time, effect3Time and density.
	Popup [4]int32

	Value      uint32
	KnowsValue bool  // of a kill, a pickup and a siege
	At         Point // where it happened
	KnowsAt    bool  // of a kill and a pickup

	Inferred  bool // of a kill: the number of a player was not sent
	Announced bool // a pickup that was announced to all players, without its player
}

// A Point is a position in the world: the bits of three floats, in units.
type Point struct{ X, Y, Z uint32 }

// Position returns where the last snapshot shows a player.
func (sc *Scene) Position(client int) (at Point, ok bool) {
	if client < 0 || client >= tables.MaxPlayers {
		return Point{}, false
	}
	p := &sc.places[client]
	return p.at, p.snapshot == sc.snapshots && !sc.loading
}

// eventTime is how long an event entity lasts, EVENT_VALID_MSEC in code/game/bg_public.h.
const eventTime = 300

// Look compares a snapshot with those before it, and stores the new events in Seen, only kills while the client loads
// the map. It reports false for a family whose events are not known.
func (sc *Scene) Look(family uint8, gen *tables.Generation, pool *world.Pool, s *world.Snapshot) bool {
	if sc.slots.gen != gen {
		sc.slots = slotsOf(gen)
	}
	if sc.numbers = familyNumbers()[family]; !sc.numbers.known {
		return false
	}
	seen := &sc.Seen
	seen.Player, seen.Moves, seen.Powers, seen.Events = Player{}, seen.Moves[:0], seen.Powers[:0], seen.Events[:0]
	seen.Carriers = [NumFlags]int{-1, -1, -1}
	sc.picked, sc.announced = sc.picked[:0], sc.announced[:0]
	sc.looks++
	sc.now, sc.loading = s.Time(), s.Flags&world.SnapNotActive != 0
	if sc.loading {
		sc.lookForKills(pool, s)
		return true
	}
	seen.First, seen.Late = sc.snapshots == 0, sc.snapshots > 0 && s.Time()-sc.time > eventTime
	sc.snapshots++
	sc.time = s.Time()
	sc.lookAtPlayer(&s.Player)
	if sc.slots.force.known {
		sc.seeOwnForce(&s.Player)
	}
	for _, ref := range s.Entities {
		if state := pool.At(ref.State); state.Known&sc.slots.eType.Mask != 0 {
			sc.lookAtEntity(ref.Number, state, tables.NumPlayers[family])
		}
	}
	sc.addPickups()
	return true
}

// lookAtEntity looks at an entity whose type is known. Those below players have the numbers of clients.
func (sc *Scene) lookAtEntity(number int32, state *tables.State, players int) {
	eType := sc.slots.eType.Value(&state.Values)
	switch {
	case sc.numbers.byEntity && eType == entityItem:
		sc.seeItem(number, state)
	case eType >= sc.numbers.first:
		sc.lookAtEvent(number, int(eType-sc.numbers.first), state)
	case int(number) < players:
		sc.lookAtClient(number, eType, state)
		sc.lookAtRider(int(number), eType, state)
	case eType == entityItem:
		sc.lookAtRider(int(number), eType, state)
	}
}

// lookAtClient looks at the entity that has a client's number: where the player is, and what it carries.
func (sc *Scene) lookAtClient(number int32, eType uint32, state *tables.State) {
	if at := &sc.slots; eType == sc.numbers.player && state.Known&at.place() == at.place() {
		sc.place(int(number), at.point(state))
		if state.Known&at.powerups.Mask != 0 {
			sc.seeFlags(int(number), at.powerups.Value(&state.Values))
		}
	}
	if f := &sc.slots.force; f.known && eType == entityPlayer {
		sc.seeForce(int(number), state, f.style, f.powers)
		sc.seeEntityThrow(int(number), state)
	}
}

// lookForKills looks at the obituaries of a snapshot that a client receives while it loads the map. Its player has not
// entered the game, so its player state and what is in its view are those of nobody; obituaries are sent to everybody.
//
// SVF_BROADCAST in player_die, code/game/g_combat.c; SV_AddEntitiesVisibleFromPoint, code/server/sv_snapshot.c.
func (sc *Scene) lookForKills(pool *world.Pool, s *world.Snapshot) {
	for _, ref := range s.Entities {
		state := pool.At(ref.State)
		if state.Known&sc.slots.eType.Mask == 0 {
			continue
		}
		if eType := sc.slots.eType.Value(&state.Values); eType >= sc.numbers.first &&
			int(eType-sc.numbers.first) == sc.numbers.obituary {
			sc.lookAtEvent(ref.Number, sc.numbers.obituary, state)
		}
	}
}

// addPickups adds the items that were picked up. The announcement to all players comes in addition to the
// player's event; it counts only if the client did not see the player.
func (sc *Scene) addPickups() {
	sc.Seen.Events = append(sc.Seen.Events, sc.picked...)
	for i := range sc.announced {
		a, seen := &sc.announced[i], false
		for j := range sc.picked {
			seen = seen || sc.picked[j].KnowsValue && sc.picked[j].Value == a.Value
		}
		if !seen {
			sc.Seen.Events = append(sc.Seen.Events, *a)
		}
	}
}

// pickup returns the event that a client picked up the item of an event parameter.
func (sc *Scene) pickup(client int, parm uint32, at Point, knowsAt bool) Event {
	item, known := sc.itemOf(parm)
	return Event{Kind: Pickup, Client: client, Value: item, KnowsValue: known, At: at, KnowsAt: knowsAt}
}
