package teeworlds

import "github.com/q3dissect/q3dissect/dissect"

// A messageDef describes one message of one dialect.
type messageDef struct {
	key    string
	id     int32 // 0 with a uuid
	system bool
	uuid   uuid // zero: none
	from   sender
	field  *dissect.Field // the object under key
	parts  []part         // in wire order

	orders *tuneOrders // of Sv_TuneParams in 0.7, which has several; nil: parts are the only one
}

// A sender says who sends a message.
type sender uint8

// The senders; a set; what is reserved has none.
const (
	sentByNobody sender = 0
	sentByClient sender = 1
	sentByServer sender = 2
	sentByBoth          = sentByClient | sentByServer
	onlyInDemos  sender = 4
)

// A kept is a number of a message that more than the tree needs.
type kept uint8

// The kept numbers, by what they are in their messages.
const (
	keepNothing   kept = iota
	keepCount          // what a later field's length or number of elements is
	keepTick           // SNAP, SNAPEMPTY, SNAPSINGLE
	keepDelta          // the same: delta_tick_offset
	keepParts          // SNAP
	keepPart           // SNAP
	keepCRC            // SNAP, SNAPSINGLE
	keepAck            // INPUT: ack_snapshot_tick
	keepMapCRC         // MAP_CHANGE, MAP_DETAILS, MAP_DATA of 0.6
	keepMapSize        // MAP_CHANGE, MAP_DETAILS
	keepChunk          // MAP_DATA, REQUEST_MAP_DATA of 0.6: number of the piece
	keepChunkSize      // MAP_CHANGE of 0.7
	keepLast           // MAP_DATA of 0.6: 1 in the last piece
	numKept
)

// lookupMessage gives the message of an id, or nil.
func lookupMessage(d dialect, system bool, id int32) *messageDef {
	defs := messageTables.byID[d][systemIndex(system)]
	if id < 0 || int(id) >= len(defs) {
		return nil
	}
	return defs[id]
}

// lookupExtended gives the message of a UUID, or nil.
func lookupExtended(system bool, u uuid) *messageDef {
	if def := messageTables.byUUID[u]; def != nil && def.system == system {
		return def
	}
	return nil
}

func systemIndex(system bool) int {
	if system {
		return 1
	}
	return 0
}

// allMessages gives every message that a dialect has; DDNet's with those of the UUIDs, which every dialect has.
func allMessages(d dialect) []*messageDef {
	var defs []*messageDef
	for _, byID := range messageTables.byID[d] {
		for _, def := range byID {
			if def != nil {
				defs = append(defs, def)
			}
		}
	}
	if d != ddnet {
		return defs
	}
	for _, rows := range [][]messageRow{systemMessagesExtended, gameMessagesExtended} {
		for i := range rows {
			defs = append(defs, messageTables.byUUID[uuidOf(rows[i].uuid)])
		}
	}
	return defs
}

// gameMsgParams is how many ints follow the id of a Sv_GameMsg.
//
// gs_GameMsgList in src/game/client/gameclient.cpp.
var gameMsgParams = [...]int{
	0, 0, 0, 0, 0, 0, // TEAM_SWAP to CTF_RETURN
	1, // TEAM_ALL: team
	1, // TEAM_BALANCE_VICTIM: team
	1, // CTF_GRAB: team of the flag
	3, // CTF_CAPTURE: team of the flag, client, ticks
	1, // GAME_PAUSED: client
}
