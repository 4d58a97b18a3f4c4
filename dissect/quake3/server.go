package quake3

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/leap"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

const serverSource = "CL_ParseServerMessage, code/client/cl_parse.c"

// Fields of a server message.
var (
	serverMessageField = dissect.Field{
		Key: "server_message", Kind: dissect.Object, Scope: dissect.Message, Source: serverSource,
		Doc: "a message of the server to a client", Children: []*dissect.Field{
			&reliableAcknowledge, &serverOpsField,
			&operation.Binary, &dissect.Undecoded,
		},
		Frame: messageFrame,
	}
	reliableAcknowledge = dissect.Field{
		Key: "reliable_acknowledge", Name: "reliableAcknowledge", Kind: dissect.Int, Bits: 32,
		Source: "CL_ParseServerMessage, code/client/cl_parse.c; SV_ExecuteClientMessage, code/server/sv_client.c",
		Doc:    "number of the last reliable command that the sender has of the other side",
	}
	serverOpsField = dissect.Field{
		Key: "ops", Kind: dissect.Choices, Source: serverSource, Doc: "the operations of the message, in wire order",
		Children: []*dissect.Field{
			&nopField, &gamestateField, &serverCommandField, &operation.DownloadField, &world.SnapshotField,
			&operation.ServerVoip, &operation.SetGame, &operation.MapChange, &world.PlayersField, &operation.CenterPrint,
			&operation.LocPrint, &operation.CGame, &eofField,
		},
	}
	nopField = dissect.Field{Key: "nop", Name: "svc_nop", Kind: dissect.Object, Source: serverSource, Doc: "padding", Frame: opFrame}
	eofField = dissect.Field{Key: "eof", Name: "svc_EOF", Kind: dissect.Object, Source: serverSource, Doc: "end of the message", Frame: opFrame}
)

// readServerMessage reads a server message with a sequence number. With keep its content becomes the
// conversation's state; a late or repeated message changes only the window of commands.
func (c *conversation) readServerMessage(d *decode.Decoder, sequence int32, keep bool, rec *dissect.Record) {
	d.Enter(&serverMessageField)
	defer d.Leave()
	gen := c.snapshots.Generation
	// a lone EOF replaces a snapshot that does not fit, SV_SendClientSnapshot in sv_snapshot.c
	if d.Len() > 8 && !gen.NoAcknowledge {
		d.Int(&reliableAcknowledge)
	}
	c.readServerOps(d, gen, sequence, keep, rec)
	c.readTail(d, rec, true)
}

// readServerOps reads the operations of a server message.
func (c *conversation) readServerOps(d *decode.Decoder, gen *tables.Generation, sequence int32,
	keep bool, rec *dissect.Record,
) {
	d.Enter(&serverOpsField)
	defer d.Leave()
	for !d.Failed() {
		switch {
		case c.encoding == netchan.Scrambled:
			if alignOp(d, gen); ended(d) {
				return
			}
		case gen.Old:
			if d.Align(); d.Pos() == d.Len() {
				return
			}
		}
		at := d.Pos()
		op := d.ReadOp()
		if !d.Check(nil) {
			return
		}
		c.lastOp = at
		switch gen.Op(uint32(op)) {
		case tables.OpBad:
			if gen.Old && c.encoding != netchan.Scrambled {
				c.endOp = at
				return
			}
			d.Malformed(nil, at, "op %d in a server message", op)
		case tables.OpNop:
			d.EnterOp(&nopField, at)
			d.Leave()
		case tables.OpGamestate:
			c.readGamestate(d, at, keep)
		case tables.OpServerCommand:
			c.readServerCommand(d, at, keep)
		case tables.OpDownload:
			in := operation.Message{Web: gen.WebDownload, Cut: c.cut > 0, Keep: keep, Scrambled: c.encoding == netchan.Scrambled}
			text, change, done := c.downloads.Read(d, at, in, c.text)
			if c.text = text; done {
				c.logChange(change, text)
			}
		case tables.OpSnapshot:
			c.readSnapshot(d, at, sequence, keep, rec)
		case tables.OpEOF:
			d.EnterOp(&eofField, at)
			d.Leave()
			return
		case tables.OpVoipSpeex, tables.OpVoipOpus:
			c.text = operation.ReadServerVoip(d, at, op == tables.SvcVoipOpus, c.cut > 0, c.text)
		case tables.OpSetGame:
			c.text = operation.ReadSetGame(d, at, c.text)
		case tables.OpMapChange:
			d.EnterOp(&operation.MapChange, at)
			d.Leave()
		case tables.OpCenterPrint:
			c.text = operation.ReadCenterPrint(d, at, gen.Unscramble, c.text)
		case tables.OpLocPrint:
			c.text = operation.ReadLocPrint(d, at, gen.Unscramble, c.text)
		case tables.OpCGame:
			c.readCGame(d, at, keep)
		case tables.OpPlayerStates:
			c.snapshots.ReadPlayers(d, at)
		default:
			d.Malformed(nil, at, "op %d in a server message", op)
		}
	}
}

// readCGame reads svc_cgameMessage and passes its voices to observers.
func (c *conversation) readCGame(d *decode.Decoder, at int, keep bool) {
	var heard []operation.Voice
	c.text = operation.ReadCGame(d, at, c.snapshots.Generation.CGame, c.text, &heard)
	for i := range heard {
		if v := &heard[i]; keep && !d.Failed() {
			c.logChange(observe.Change{Kind: observe.Voice, Client: int32(v.Client)}, v.Name)
		}
	}
}

// readSnapshot reads svc_snapshot and keeps it as a base for later ones.
func (c *conversation) readSnapshot(d *decode.Decoder, at int, sequence int32, keep bool, rec *dissect.Record) {
	missing := c.snapshots.Read(d, at, sequence)
	if missing && !d.Failed() {
		rec.Expert(dissect.Note, expertBaseMissing, &world.SnapshotField, at,
			"the base snapshot is not in the capture: only what this message says is known")
	}
	if now, active := c.world.Newest(); active && !d.Failed() && c.encoding == netchan.Recorded {
		c.order.see(now, at, rec)
	}
	if keep && !d.Failed() {
		if !c.snapshots.Judge(rec.Time) {
			rec.Expert(dissect.Warning, leap.ExpertTimeUnknown, &world.SnapshotField, at,
				"the server time cannot be: it leaps from those before it")
		}
		c.effects.stores = true
		c.logChange(observe.Change{Kind: observe.Snapshot, Number: sequence, End: c.snapshots.EntitiesEnd}, nil)
	}
}

// readServerCommand reads svc_serverCommand and applies it, once.
func (c *conversation) readServerCommand(d *decode.Decoder, at int, keep bool) {
	d.EnterOp(&serverCommandField, at)
	defer d.Leave()
	text, repeat, ok := c.reader.read(d, c.snapshots.Generation.Unscramble, &c.server, &c.log)
	if !ok {
		return
	}
	if !repeat {
		c.inspectCommand(d, text, false)
	}
	if !isConfigstringCommand(text) {
		if keep && !repeat && bytes.HasPrefix(text, restartCommand) {
			c.world.Restarted = true
		}
		return
	}
	words := &c.reader.words
	words.Split(text)
	index := configstringAt(words, 1, c.snapshots.Generation.MaxConfigstrings)
	if index < 0 {
		return
	}
	if !repeat && text[0] == 'c' {
		c.inspectConfigstring(d, index, words.At(2))
	}
	if tree := d.Tree(); tree != nil {
		tree.Open(&commandConfigstring, at)
		tree.Add(&configstringIndex, uint64(index), at, 0)
		tree.AddBytes(&configstringValue, words.At(2), at, 0)
		if text[0] == 'c' {
			addConfigstringInfo(tree, c.family, index, words.At(2), at)
		}
		tree.Close(0)
	}
	if keep && !repeat {
		c.changing()
		c.applyConfigstring(text, index, words.At(2))
	}
}

// restartCommand begins the command by which a server announces that it restarts the map, SV_MapRestart_f in
// code/server/sv_ccmds.c.
var restartCommand = []byte("map_restart")

// isConfigstringCommand reports whether a server command is cs, bcs0, bcs1 or bcs2.
func isConfigstringCommand(text []byte) bool {
	return len(text) > 3 && text[0] == 'c' && text[1] == 's' && text[2] <= ' ' ||
		len(text) > 5 && string(text[:3]) == "bcs" && text[3] >= '0' && text[3] <= '2' && text[4] <= ' '
}

// applyConfigstring sets a configstring, or joins a part of one that is too long for a single command:
// bcs0, any number of bcs1, bcs2. SV_SendConfigstring, code/server/sv_init.c.
func (c *conversation) applyConfigstring(text []byte, index int, value []byte) {
	if text[0] == 'b' {
		if text[3] == '0' {
			c.joined = c.joined[:0]
		}
		if len(c.joined)+len(value) > maxBigString {
			return
		}
		if c.joined = append(c.joined, value...); text[3] != '2' {
			return
		}
		value = c.joined
	}
	before := c.serverID
	c.setConfigstring(index, value)
	if before == 0 {
		return // no gamestate was seen, and client messages name no game
	}
	// A map restart gives the game a new server id and keeps the checksum feed, SV_MapRestart_f in
	// code/server/sv_ccmds.c.
	if c.serverID != before && c.snapshots.Generation.QuietRestart {
		c.world.Restarted = true
	}
	if feed, ok := c.feeds.get(before); ok && c.serverID != before {
		c.feeds.put(c.serverID, feed, true)
	}
}

// maxBigString bounds a configstring that comes in parts, BIG_INFO_STRING in code/qcommon/q_shared.h.
const maxBigString = 8192

// readTail reads the whole bytes after svc_EOF or clc_EOF. The engines end a message at its next byte boundary, or a
// byte after it, MSG_WriteBits in code/qcommon/msg.c. Enemy Territory mods append bytes of their own; others are read
// by no engine. Zeros alone carry nothing: they fill a packet whose message became shorter, as anonymizing writes it. A
// server's messages with a part of a download have a second end, SV_SendDownloadMessages in code/server/sv_client.c.
func (c *conversation) readTail(d *decode.Decoder, rec *dissect.Record, ofServer bool) {
	start := d.Pos()/8 + 1
	if start >= c.clear || c.cut > 0 || d.Failed() {
		c.framePadding(d, d.Pos(), c.clear)
		return
	}
	if c.snapshots.Generation.BinaryTail {
		c.framePadding(d, d.Pos(), start)
		if tree := d.Tree(); tree != nil {
			tree.AddBytes(&operation.Binary, c.body[start:c.clear], 8*start, 8*(c.clear-start))
		}
		return
	}
	end := d.Pos()
	if r := *d.Reader(); ofServer && c.snapshots.Generation.Op(r.Bits(8)) == tables.OpEOF && !r.Failed() {
		start = r.Pos()/8 + 1
		end = r.Pos()
	}
	tail := c.body[min(start, c.clear):c.clear]
	ignored := len(bytes.Trim(tail, "\x00")) > 0
	if d.Framed() {
		c.frameTail(d, end, len(tail), ignored)
	}
	if ignored {
		oob.AddIgnored(d.Tree(), rec, c.body[:c.clear], start, "message")
	}
}
