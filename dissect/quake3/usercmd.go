package quake3

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// maxUserCommands is MAX_PACKET_USERCMDS, code/qcommon/qcommon.h.
const maxUserCommands = 32

const usercmdSource = "MSG_ReadDeltaUsercmdKey, code/qcommon/msg.c"

// Fields of clc_move and clc_moveNoDelta.
var (
	moveField = dissect.Field{
		Key: "move", Name: "clc_move", Kind: dissect.Object, Source: "SV_UserMove, code/server/sv_client.c",
		Doc:      "user commands; snapshots may be deltas of the message acknowledged",
		Children: []*dissect.Field{&moveCount, &userCommandsField, &dissect.Undecoded},
	}
	moveNoDeltaField = dissect.Field{
		Key: "move_no_delta", Name: "clc_moveNoDelta", Kind: dissect.Object, Source: "SV_UserMove, code/server/sv_client.c",
		Doc:      "user commands; the client asks for full snapshots",
		Children: []*dissect.Field{&moveCount, &userCommandsField, &dissect.Undecoded},
	}
	moveCount = dissect.Field{
		Key: "count", Kind: dissect.Uint, Bits: 8, Source: "SV_UserMove, code/server/sv_client.c", Doc: "number of user commands, 1 to 32",
	}
	userCommandsField = dissect.Field{
		Key: "user_commands", Kind: dissect.List, Source: usercmdSource, Children: []*dissect.Field{&userCommandField},
		Doc: "the player's input, one for each client frame; full values after the delta",
	}
	userCommandField = dissect.Field{
		Kind: dissect.Object, Name: "usercmd_t", Source: usercmdSource,
		Children: []*dissect.Field{
			&usercmdServerTime, &usercmdAngles, &usercmdForward, &usercmdRight, &usercmdUp, &usercmdButtons, &usercmdWeapon,
			&usercmdButtons8, &usercmdWbuttons, &usercmdHoldable, &usercmdWolfkick, &usercmdMpSetup, &usercmdFlags, &usercmdDoubleTap,
			&usercmdIdentClient, &usercmdIdentClientET, &usercmdForceSel, &usercmdInvenSel, &usercmdGenericCmd, &usercmdRepeat, &dissect.Undecoded,
		},
	}
	usercmdServerTime = dissect.Field{
		Key: "server_time", Name: "serverTime", Kind: dissect.Int, Bits: 32, Unit: "ms", Source: usercmdSource,
		Doc: "server time that the input is for",
	}
	usercmdAngles = dissect.Field{
		Key: "angles", Kind: dissect.Object, Source: usercmdSource, Doc: "direction of view, 65536 to the circle, without delta_angles",
		Children: []*dissect.Field{&usercmdPitch, &usercmdYaw, &usercmdRoll},
	}
	usercmdPitch   = dissect.Field{Key: "pitch", Name: "angles[0]", Kind: dissect.Uint, Bits: 16, Unit: dissect.UnitTurn16, Source: usercmdSource, Doc: "up and down"}
	usercmdYaw     = dissect.Field{Key: "yaw", Name: "angles[1]", Kind: dissect.Uint, Bits: 16, Unit: dissect.UnitTurn16, Source: usercmdSource, Doc: "left and right"}
	usercmdRoll    = dissect.Field{Key: "roll", Name: "angles[2]", Kind: dissect.Uint, Bits: 16, Unit: dissect.UnitTurn16, Source: usercmdSource, Doc: "tilt"}
	usercmdForward = dissect.Field{Key: "forwardmove", Kind: dissect.Int, Bits: 8, Source: usercmdSource, Doc: "forward positive, -127 to 127"}
	usercmdRight   = dissect.Field{Key: "rightmove", Kind: dissect.Int, Bits: 8, Source: usercmdSource, Doc: "right positive, -127 to 127"}
	usercmdUp      = dissect.Field{Key: "upmove", Kind: dissect.Int, Bits: 8, Source: usercmdSource, Doc: "up positive, -127 to 127"}
	usercmdButtons = dissect.Field{Key: "buttons", Kind: dissect.Uint, Bits: 16, Enum: &tables.ButtonNames, Source: usercmdSource, Doc: "buttons held"}
	usercmdWeapon  = dissect.Field{Key: "weapon", Kind: dissect.Uint, Bits: 8, Enum: &tables.WeaponNames, Source: usercmdSource, Doc: "weapon wanted"}

	usercmdRepeat = dissect.Field{
		Key: "repeat", Kind: dissect.Bool, Doc: "true: an earlier message of the stream already carried the user command; absent otherwise",
	}
)

// A userCommand is one usercmd_t.
type userCommand struct {
	serverTime int32
	values     [maxUsercmdFields]int32
	unknown    uint16 // mask of the values that cannot be known, for want of the key
}

// A moveKey is what the values of a message's user commands are XORed with, but for the time.
type moveKey struct {
	key   uint32
	known bool
	why   string // what is missing
}

// moveKey makes the key: checksum feed of the game that the message is for, message acknowledged, and
// the hash of the server command acknowledged. CL_WritePacket in code/client/cl_input.c.
func (c *conversation) moveKey(serverID, messageAck, ack int32) moveKey {
	feed, ok := c.feeds.get(serverID)
	if !ok {
		feed, ok = c.recoveredFeed(serverID)
	}
	if !ok {
		return moveKey{why: "the gamestate with the checksum feed of server id " + strconv.Itoa(int(serverID)) + " is not in the capture"}
	}
	text, ok := c.server.get(ack)
	if !ok {
		text, ok = c.recoveredText(ack)
	}
	if !ok {
		return moveKey{why: "server command " + strconv.Itoa(int(ack)) + " is not in the capture"}
	}
	return moveKey{key: uint32(feed) ^ uint32(messageAck) ^ token.HashKey(text, c.snapshots.Generation.EightBit), known: true}
}

// readMove reads clc_move or clc_moveNoDelta.
func (c *conversation) readMove(d *decode.Decoder, at int, field *dissect.Field, key moveKey, rec *dissect.Record) {
	d.EnterAt(field, at)
	defer d.Leave()
	countAt := d.Pos()
	count := int(d.Uint(&moveCount))
	if !d.Failed() && (count < 1 || count > maxUserCommands) {
		d.Malformed(&moveCount, countAt, "%d user commands, 1 to %d are possible", count, maxUserCommands)
	}
	d.Enter(&userCommandsField)
	defer d.Leave()
	var cmd userCommand
	for i := 0; i < count && !d.Failed(); i++ {
		c.readUserCommand(d, &cmd, key)
		c.moved[i] = cmd
	}
	if d.Failed() {
		return
	}
	for i := range count {
		if cmd := &c.moved[i]; !c.recent.has(cmd) {
			c.logCommand(cmd)
			c.recent.add(cmd)
		}
	}
	if !key.known {
		rec.Expert(dissect.Note, expertKeyUnknown, nil, at, "values of the user commands cannot be known: %s", key.why)
	}
}

// readUserCommand reads one user command as a delta of cmd, the previous one, and replaces it.
func (c *conversation) readUserCommand(d *decode.Decoder, cmd *userCommand, key moveKey) {
	d.Enter(&userCommandField)
	defer d.Leave()
	timeAt := d.Pos()
	if d.Bit() {
		cmd.serverTime += int32(d.Bits(8))
	} else {
		cmd.serverTime = int32(d.Bits(32))
	}
	if !d.Check(&usercmdServerTime) {
		return
	}
	tree := d.Tree()
	tree.AddInt(&usercmdServerTime, int64(cmd.serverTime), timeAt, d.Pos()-timeAt)
	fields := usercmdForms[c.snapshots.Generation.UserCommand]
	var span [maxUsercmdFields]struct{ bit, bits int }
	if r := d.Reader(); r.Bit() {
		fieldKey := key.key ^ uint32(cmd.serverTime)
		for i, f := range fields {
			if !r.Bit() {
				continue
			}
			at := r.Pos()
			v := r.Bits(f.Bits)
			if r.Failed() {
				d.Check(f)
				break
			}
			cmd.set(i, f, (v^fieldKey)&(1<<f.Bits-1), key.known)
			span[i].bit, span[i].bits = at, r.Pos()-at
		}
	}
	d.Check(nil)
	if tree == nil {
		return
	}
	failed := d.Failed() // then only what was read is known
	tree.Open(&usercmdAngles, timeAt)
	for i, f := range fields {
		if i == numAngles {
			tree.Close(0)
		}
		if cmd.unknown&(1<<i) == 0 && (!failed || span[i].bits > 0) {
			tree.AddInt(f, int64(cmd.values[i]), span[i].bit, span[i].bits)
		}
	}
	if !failed && c.recent.has(cmd) {
		tree.AddBool(&usercmdRepeat, true, timeAt, 0)
	}
}

// set stores a value that was read. Moves are signed bytes, and -128 is -127, MSG_ReadDeltaUsercmdKey.
func (u *userCommand) set(i int, f *dissect.Field, v uint32, known bool) {
	if !known {
		u.values[i], u.unknown = 0, u.unknown|1<<i
		return
	}
	u.values[i], u.unknown = int32(v), u.unknown&^(1<<i)
	if f.Kind == dissect.Int {
		u.values[i] = int32(int8(v))
		if i < numAngles+numMoves {
			u.values[i] = max(u.values[i], -127)
		}
	}
}

// recentCommands remembers the last user commands, to recognise those that a client sends again. Clients
// repeat those of their last few packets (cl_packetdup), at most maxUserCommands at a time.
type recentCommands struct {
	ring  [2 * maxUserCommands]userCommand // a power of two
	next  int
	count int
}

func (r *recentCommands) add(cmd *userCommand) {
	r.ring[r.next] = *cmd
	r.next = (r.next + 1) & (len(r.ring) - 1)
	r.count = min(r.count+1, len(r.ring))
}

// same reports whether two user commands are the same as far as is known. The time alone is not enough:
// a client whose clock is set back uses times again.
func (u *userCommand) same(o *userCommand) bool {
	if u.serverTime != o.serverTime {
		return false
	}
	unknown := u.unknown | o.unknown
	if unknown == 0 {
		return u.values == o.values
	}
	for i := range u.values {
		if unknown>>i&1 == 0 && u.values[i] != o.values[i] {
			return false
		}
	}
	return true
}

// has reports whether the user command was stored.
func (r *recentCommands) has(cmd *userCommand) bool {
	// What is sent again is mostly what was sent last.
	for i := range r.count {
		if r.ring[(r.next-1-i)&(len(r.ring)-1)].same(cmd) {
			return true
		}
	}
	return false
}

func (r *recentCommands) reset() { r.next, r.count = 0, 0 }
