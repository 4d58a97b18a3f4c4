package events

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"

// maxQueue is the longest queue of events in a player state: MAX_EVENTS of Wolfenstein, src/qcommon/q_shared.h of ET: Legacy;
// MAX_PS_EVENTS of the others is 2, code/qcommon/q_shared.h.
const maxQueue = 4

// entityItem is ET_ITEM, code/game/bg_public.h, the same in every game.
const entityItem = 2

// noItem stands for an item that was not seen.
const noItem = 1<<32 - 1

// itemOf gives the item of a pick-up by its parameter: the item, or in Jedi Outcast and Academy the number of its entity.
// The entity is gone by then: what snapshots showed of it last counts.
//
// Source: CG_EntityEvent, codemp/cgame/cg_event.c of OpenJK.
func (sc *scene) itemOf(parm uint32) uint32 {
	if !sc.numbers.byEntity {
		return parm
	}
	if item, ok := sc.items[int32(parm)]; ok {
		return item
	}
	return noItem
}

// maxItems bounds the items that are remembered; the engine has 1024 entities.
const maxItems = 1024

// seeItem keeps which item an entity is.
func (sc *scene) seeItem(number int32, state *tables.State) {
	item, known := state.At(sc.slots.item)
	if !known {
		return
	}
	if sc.items == nil {
		sc.items = map[int32]uint32{}
	}
	if len(sc.items) < maxItems {
		sc.items[number] = item
	}
}

// What the event "ctfmessage" says: ctfMsg_t, codemp/game/bg_public.h of OpenJK.
const (
	messageFlagReturned = 1 // by itself
	messageReturned     = 2
	messageCaptured     = 3
	messageGot          = 4
)

// seeFlagMessage keeps what a player did with a flag, whose team the message names, for the end of the message.
//
// Source: CG_GetCTFMessageEvent, codemp/cgame/cg_event.c, and PrintCTFMessage, codemp/game/g_team.c of OpenJK.
func (g *gameView) seeFlagMessage(w *eventWriter, state *tables.State, message uint32) {
	client, knowsClient := state.At(g.scene.slots.flagClient)
	team, knowsTeam := state.At(g.scene.slots.flagTeam)
	if !knowsTeam || team != teamRed && team != teamRed+1 {
		return
	}
	number := -1
	if knowsClient && client < tables.MaxPlayers && message != messageFlagReturned {
		number = int(client)
	}
	g.flags.messages = append(g.flags.messages, flagMessage{message: message, client: number, flag: int(team - teamRed)})
}
