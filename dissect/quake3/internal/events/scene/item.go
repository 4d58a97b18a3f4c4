package scene

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"

// maxQueue is the longest queue of events in a player state: MAX_EVENTS of Wolfenstein, src/qcommon/q_shared.h of ET:
// Legacy; MAX_PS_EVENTS of the others is 2, code/qcommon/q_shared.h.
const maxQueue = 4

// entityItem is ET_ITEM, code/game/bg_public.h, the same in every game.
const entityItem = 2

// itemOf returns the item of a pick-up by its parameter: the item, or in Jedi Outcast and Academy the number of its
// entity. The entity is gone by then: what snapshots showed of it last counts.
//
// Source: CG_EntityEvent, codemp/cgame/cg_event.c of OpenJK.
func (sc *Scene) itemOf(parm uint32) (item uint32, known bool) {
	if !sc.numbers.byEntity {
		return parm, true
	}
	item, known = sc.items[int32(parm)]
	return item, known
}

// seeItem keeps the item of an entity.
func (sc *Scene) seeItem(number int32, state *tables.State) {
	item, known := state.At(sc.slots.item)
	if !known {
		return
	}
	if sc.items == nil {
		sc.items = map[int32]uint32{}
	}
	sc.items[number] = item
}

// seeFlagMessage adds a player's action with a flag, whose team the message names.
//
// Source: CG_GetCTFMessageEvent, codemp/cgame/cg_event.c of OpenJK.
func (sc *Scene) seeFlagMessage(state *tables.State, message uint32) {
	e := Event{Kind: FlagMessage, Client: -1, Team: -1, Value: message}
	if client, known := state.At(sc.slots.flagClient); known {
		e.Client = int(client)
	}
	if team, known := state.At(sc.slots.flagTeam); known {
		e.Team = int(team)
	}
	sc.Seen.Events = append(sc.Seen.Events, e)
}

// seeSiege adds that a team has completed an objective of a siege, or has won the round.
//
// Source: CG_EntityEvent, codemp/cgame/cg_event.c, and codemp/game/g_saga.c of OpenJK.
func (sc *Scene) seeSiege(state *tables.State, team uint32, objective bool) {
	e := Event{Kind: Siege, Client: -1, Team: int(team)}
	if client, known := state.At(sc.slots.weapon); known {
		e.Client = int(client)
	}
	if objective {
		if e.Value, e.KnowsValue = state.At(sc.slots.flagClient); !e.KnowsValue {
			return
		}
	}
	sc.Seen.Events = append(sc.Seen.Events, e)
}
