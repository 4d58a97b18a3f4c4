package tables

import (
	"github.com/q3dissect/q3dissect/dissect"
)

// A Message describes one message of one dialect.
type Message struct {
	Key    string
	ID     int32 // 0 with a uuid
	System bool
	UUID   UUID // zero: none
	From   Sender
	Field  *dissect.Field // the object under key
	Parts  []Part         // in wire order

	Orders *tuneOrders // of Sv_TuneParams in 0.7, which has several; nil: parts are the only one
}

// A Sender is who sends a message.
type Sender uint8

// The senders, a set. Reserved messages have none.
const (
	SentByNobody Sender = 0
	SentByClient Sender = 1
	SentByServer Sender = 2
	SentByBoth          = SentByClient | SentByServer
	OnlyInDemos  Sender = 4
)

// A role is the meaning of a number of a message that is needed outside the tree.
type role uint8

// The roles of numbers.
const (
	keepNothing   role = iota
	KeepCount          // what a later field's length or number of elements is
	KeepTick           // SNAP, SNAPEMPTY, SNAPSINGLE
	KeepDelta          // the same: delta_tick_offset
	KeepParts          // SNAP
	KeepPart           // SNAP
	KeepCRC            // SNAP, SNAPSINGLE
	keepAck            // INPUT: ack_snapshot_tick
	KeepMapCRC         // MAP_CHANGE, MAP_DETAILS, MAP_DATA of 0.6
	KeepMapSize        // MAP_CHANGE, MAP_DETAILS
	KeepChunk          // MAP_DATA, REQUEST_MAP_DATA of 0.6: number of the piece
	KeepChunkSize      // MAP_CHANGE of 0.7
	KeepLast           // MAP_DATA of 0.6: 1 in the last piece
	NumKept
)

// LookupMessage returns the message of an id, or nil.
func LookupMessage(d Dialect, system bool, id int32) *Message {
	defs := Messages().ByID[d][SystemIndex(system)]
	if id < 0 || int(id) >= len(defs) {
		return nil
	}
	return defs[id]
}

// LookupExtended returns the message of a UUID, or nil.
func LookupExtended(system bool, u UUID) *Message {
	if def := Messages().ByUUID[u]; def != nil && def.System == system {
		return def
	}
	return nil
}

// ClientFields returns the fields of the messages of the game which clients send, as a set.
func ClientFields() map[*dissect.Field]bool {
	set := make(map[*dissect.Field]bool, 64)
	add := func(m *Message) {
		if m != nil && m.ByClient() {
			set[m.Field] = true
		}
	}
	for _, byID := range Messages().ByID {
		for _, m := range byID[SystemIndex(false)] {
			add(m)
		}
	}
	for _, m := range Messages().ByUUID {
		add(m)
	}
	return set
}

// ByClient reports whether it is a message of the game which clients send.
func (m *Message) ByClient() bool { return !m.System && m.From&SentByClient != 0 }

// SystemIndex returns 1 for messages of the engine and 0 for those of the game, for arrays with an element for each.
func SystemIndex(system bool) int {
	if system {
		return 1
	}
	return 0
}

// AllMessages returns every message of a dialect. DDNet's include those with UUIDs, which every
// dialect has.
func AllMessages(d Dialect) []*Message {
	var defs []*Message
	for _, byID := range Messages().ByID[d] {
		for _, def := range byID {
			if def != nil {
				defs = append(defs, def)
			}
		}
	}
	if d != DDNet {
		return defs
	}
	for _, rows := range [][]messageRow{systemMessagesExtended, gameMessagesExtended} {
		for i := range rows {
			defs = append(defs, Messages().ByUUID[UUIDOf(rows[i].uuid)])
		}
	}
	return defs
}

// gameMsgParams are the ints after the id of a Sv_GameMsg; those before TEAM_ALL have none.
//
// gs_GameMsgList and CGameClient::OnMessage in src/game/client/gameclient.cpp.
var gameMsgParams = [][]row{
	6:  {named(&Teams, "team")},                                               // TEAM_ALL
	7:  {named(&Teams, "team")},                                               // TEAM_BALANCE_VICTIM
	8:  {named(&Teams, "team")},                                               // CTF_GRAB
	9:  {named(&Teams, "flag_team"), num("client_id"), tick("capture_ticks")}, // CTF_CAPTURE
	10: {num("client_id")},                                                    // GAME_PAUSED
}
