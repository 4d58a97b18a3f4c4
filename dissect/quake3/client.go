package quake3

import (
	"slices"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/attacks"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

const clientSource = "SV_ExecuteClientMessage, code/server/sv_client.c"

// Fields of a client message.
var (
	clientMessageField = dissect.Field{
		Key: "client_message", Kind: dissect.Object, Scope: dissect.Message, Source: clientSource,
		Doc: "a message of a client to the server", Children: []*dissect.Field{
			&clientServerID, &clientMessageAck,
			&reliableAcknowledge, &clientOpsField, &operation.Binary, &dissect.Undecoded,
		},
		Frame: messageFrame,
	}
	clientServerID = dissect.Field{
		Key: "server_id", Name: "serverId", Kind: dissect.Int, Bits: 32, Source: clientSource,
		Doc: "sv_serverid of the game that the client is in; 0 before its first gamestate",
	}
	clientMessageAck = dissect.Field{
		Key: "message_acknowledge", Name: "messageAcknowledge", Kind: dissect.Int, Bits: 32, Source: clientSource,
		Doc: "sequence number of the last server message received",
	}
	clientOpsField = dissect.Field{
		Key: "ops", Kind: dissect.Choices, Source: clientSource, Doc: "the operations of the message, in wire order",
		Children: []*dissect.Field{
			&clientNopField, &clientCommandField, &operation.Move, &operation.MoveNoDelta,
			&operation.ClientVoip, &clientEOFField,
		},
	}
	clientNopField = dissect.Field{Key: "nop", Name: "clc_nop", Kind: dissect.Object, Source: clientSource, Doc: "nothing; never sent by the engines", Frame: opFrame}
	clientEOFField = dissect.Field{Key: "eof", Name: "clc_EOF", Kind: dissect.Object, Source: clientSource, Doc: "end of the message", Frame: opFrame}
)

// readClientMessage reads a client message. With keep its content becomes the conversation's state.
func (c *conversation) readClientMessage(d *decode.Decoder, keep bool, rec *dissect.Record) {
	d.Enter(&clientMessageField)
	defer d.Leave()
	serverID := d.Int(&clientServerID)
	messageAck := d.Int(&clientMessageAck)
	ack := d.Int(&reliableAcknowledge)
	c.clientServerID, c.log.Received = serverID, messageAck
	c.found = attacks.Acknowledge(messageAck, ack, c.found)
	c.readClientOps(d, c.moveKey(serverID, messageAck, ack), keep, rec)
	c.readTail(d, rec, false)
}

// joinGame notes that the client is in a game. If neither a gamestate nor a map restart announced it, its gamestate was
// not seen: the baselines and the checksum feed are others.
func (c *conversation) joinGame(serverID int32) {
	if serverID == c.serverID || c.feeds.announced(serverID) {
		return
	}
	c.serverID = serverID
	c.world.LoseBaselines()
}

// readClientOps reads the operations of a client message.
func (c *conversation) readClientOps(d *decode.Decoder, key operation.Key, keep bool, rec *dissect.Record) {
	d.Enter(&clientOpsField)
	defer d.Leave()
	for !d.Failed() {
		if c.encoding == netchan.Scrambled && ended(d) {
			return
		}
		at := d.Pos()
		op := d.ReadOp()
		if !d.Check(nil) {
			return
		}
		switch {
		case op == tables.ClcNop:
			d.EnterOp(&clientNopField, at)
			d.Leave()
		case op == tables.ClcMove || op == tables.ClcMoveNoDelta:
			field := &operation.Move
			if op == tables.ClcMoveNoDelta {
				field = &operation.MoveNoDelta
			}
			c.readMove(d, at, field, key, rec)
		case op == tables.ClcClientCommand:
			c.readClientCommand(d, at, keep)
		case op == tables.ClcEOF:
			d.EnterOp(&clientEOFField, at)
			d.Leave()
			return
		case (op == tables.ClcVoipSpeex || op == tables.ClcVoipOpus) && c.snapshots.Generation.Voip:
			c.text = operation.ReadClientVoip(d, at, op == tables.ClcVoipOpus, c.cut > 0, c.text)
		default:
			d.Malformed(nil, at, "op %d in a client message", op)
		}
	}
}

// readClientCommand reads clc_clientCommand.
func (c *conversation) readClientCommand(d *decode.Decoder, at int, keep bool) {
	d.EnterOp(&clientCommandField, at)
	defer d.Leave()
	text, repeat, ok := c.reader.read(d, c.snapshots.Generation.Unscramble, &c.client, &c.log)
	if !ok {
		return
	}
	if !repeat {
		c.inspectCommand(d, text, true)
	}
	words := &c.reader.words
	words.Split(text)
	switch string(words.At(0)) {
	case "userinfo":
		if tree := d.Tree(); tree != nil && words.Len() > 1 {
			tree.AddBytes(&userinfoField, words.At(1), at, 0)
		}
	case "download":
		if keep && !repeat {
			c.downloads = operation.Download{}
		}
	case "cp":
		if id, feed, ok := feedOfPureChecksums(words, c.clientServerID); ok && keep {
			c.changing()
			c.feeds.put(id, feed, false)
		}
	}
}

// moveKey makes the key of a message's user commands: checksum feed of the game that the message is for, message
// acknowledged, and the hash of the server command acknowledged. CL_WritePacket in code/client/cl_input.c.
func (c *conversation) moveKey(serverID, messageAck, ack int32) operation.Key {
	if c.snapshots.Generation.UserCommand == tables.UserCommandUnkeyed {
		return operation.Key{Known: true}
	}
	feed, ok := c.feeds.get(serverID)
	if !ok {
		feed, ok = c.recoveredFeed(serverID)
	}
	if !ok {
		return operation.Key{Why: "the gamestate with the checksum feed of server id " + strconv.Itoa(int(serverID)) +
			" is not in the capture"}
	}
	kept := c.hashed()
	command, ok := c.server.key(ack, kept)
	if !ok {
		var text []byte
		text, ok = c.recoveredText(ack)
		command = token.HashKey(text, kept)
	}
	if !ok {
		return operation.Key{Why: "server command " + strconv.Itoa(int(ack)) + " is not in the capture"}
	}
	return operation.Key{Key: uint32(feed) ^ uint32(messageAck) ^ command, Known: true}
}

// hashed returns the characters of a command that its hash is made of.
func (c *conversation) hashed() token.Kept {
	kept := c.snapshots.Generation.Kept
	if c.snapshots.Generation.SignedHash {
		kept |= token.KeptHigh
	}
	return kept
}

// readMove reads clc_move or clc_moveNoDelta.
func (c *conversation) readMove(d *decode.Decoder, at int, field *dissect.Field, key operation.Key,
	rec *dissect.Record,
) {
	if e := &c.effects; len(e.moved) > 0 { // they are in the memory of Read
		e.moved = slices.Clone(e.moved)
	}
	list := c.moves.Read(d, at, field, key, c.snapshots.Generation.UserCommand, rec)
	if e := &c.effects; len(e.moved) == 0 {
		e.moved = list
	} else {
		e.moved = append(e.moved, list...)
	}
}
