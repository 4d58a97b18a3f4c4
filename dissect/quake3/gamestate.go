package quake3

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

const gamestateSource = "CL_ParseGamestate, code/client/cl_parse.c"

// Fields of svc_gamestate.
var (
	gamestateField = dissect.Field{
		Key: "gamestate", Name: "svc_gamestate", Kind: dissect.Object, Source: gamestateSource,
		Doc: "everything a client needs to know of a map before its first snapshot",
		Children: []*dissect.Field{
			&gamestateCommandSequence, &configstringsField, &baselinesField, &world.CurrentStatesField,
			&gamestateClientNum, &gamestateChecksumFeed, &operation.RandomMap, &operation.FrameTime, &dissect.Undecoded,
		},
		Frame: []*dissect.Field{&decode.Alignment, &decode.Op, &endOfList},
	}
	gamestateCommandSequence = dissect.Field{
		Key: "server_command_sequence", Name: "serverCommandSequence", Kind: dissect.Int, Bits: 32, Source: gamestateSource,
		Doc: "number of the last server command sent before",
	}
	configstringsField = dissect.Field{
		Key: "configstrings", Kind: dissect.List, Doc: "the configstrings that are not empty", Source: gamestateSource,
		Children: []*dissect.Field{&configstringField},
	}
	configstringField = dissect.Field{
		Kind: dissect.Object, Name: "svc_configstring", Source: gamestateSource,
		Children: []*dissect.Field{&configstringIndex, &configstringValue, &configstringInfo, &dissect.Undecoded},
		Frame:    textFrame,
	}
	configstringIndex = dissect.Field{
		Key: "index", Kind: dissect.Uint, Bits: 16, Enum: &tables.ConfigstringNames, Source: gamestateSource,
		Doc: "which configstring",
	}
	configstringValue = dissect.Field{
		Key: "value", Kind: dissect.Text, Source: "MSG_ReadBigString, code/qcommon/msg.c", Doc: "its text",
	}
	configstringInfo = dissect.Field{
		Key: "info", Kind: dissect.Info,
		Doc:      "the text taken apart, where it is an infostring: server, system and players' information",
		Children: []*dissect.Field{&infoGametype, &infoTeam},
	}
	// Keys of infostrings that hold numbers with names.
	infoGametype   = dissect.Field{Key: "g_gametype", Kind: dissect.Text, Enum: &tables.GametypeNames, Doc: "kind of game", Source: "code/game/bg_public.h"}
	infoTeam       = dissect.Field{Key: "t", Kind: dissect.Text, Enum: &tables.TeamNames, Doc: "team of the player", Source: "code/game/g_client.c"}
	baselinesField = dissect.Field{
		Key: "baselines", Kind: dissect.List, Source: gamestateSource, Children: []*dissect.Field{&world.BaselineField},
		Doc: "states that entities are coded against when they enter a snapshot",
	}
	gamestateClientNum = dissect.Field{
		Key: "client_num", Name: "clientNum", Kind: dissect.Int, Bits: 32, Source: gamestateSource,
		Doc: "number of the client",
	}
	gamestateChecksumFeed = dissect.Field{
		Key: "checksum_feed", Name: "checksumFeed", Kind: dissect.Int, Bits: 32, Source: gamestateSource,
		Doc: "seed of the pure checksums; part of the key of the user commands' values",
	}
)

// readGamestate reads svc_gamestate. With keep its baselines replace the old ones and every snapshot is
// forgotten; a late or repeated message changes nothing.
func (c *conversation) readGamestate(d *decode.Decoder, at int, keep bool) {
	d.EnterOp(&gamestateField, at)
	defer d.Leave()
	c.order.gamestate = true
	if keep {
		c.changing()
		c.replaceWorld()
		c.logChange(observe.Change{Kind: observe.GamestateHead}, nil)
	}
	sequence := d.Int(&gamestateCommandSequence)
	c.readGamestateList(d, keep)
	var feed int32
	client := int32(-1)
	switch {
	case !c.snapshots.Generation.Old:
		client = d.Int(&gamestateClientNum)
		feed = d.Int(&gamestateChecksumFeed)
	case c.encoding == netchan.Scrambled: // recordings have none
		feed = d.Int(&gamestateChecksumFeed)
	}
	if c.snapshots.Generation.RandomMap {
		c.text = operation.ReadRandomMap(d, c.text)
	}
	var frame float32
	if c.snapshots.Generation.FrameTime && !operation.WithoutFrameTime(d, c.snapshots.Generation.Code(tables.OpEOF)) {
		frame = operation.ReadFrameTime(d)
	}
	if d.Failed() || !keep {
		return
	}
	c.snapshots.FrameTime = frame
	c.logChange(observe.Change{Kind: observe.Gamestate, Number: sequence, Client: client, Feed: feed, End: d.Pos()}, nil)
	c.world.BaselinesKnown = true
	c.feed = feed
	c.feeds.put(c.serverID, feed, true)
	s := &c.server
	if c.encoding == netchan.Recorded && sequence < s.newest {
		s.reset() // recordings that were joined: the numbers start over
	}
	if !s.known || sequence > s.newest {
		s.newest, s.known = sequence, true
	}
}

// readGamestateList reads configstrings, then baselines. The wire mixes both in one list; every server sends
// the configstrings first, and otherwise another pair of lists is begun.
func (c *conversation) readGamestateList(d *decode.Decoder, keep bool) {
	var open *dissect.Field // the list that is open
	defer func() {
		if open != nil {
			d.Leave()
		}
	}()
	for {
		at := d.Pos()
		op := d.ReadOp()
		if !d.Check(nil) {
			return
		}
		c.lastOp = at
		var list *dissect.Field
		kind := c.snapshots.Generation.Op(uint32(op))
		switch {
		case kind == tables.OpConfigstring:
			list = &configstringsField
		case kind == tables.OpBaseline:
			list = &baselinesField
		case kind == tables.OpCurrentState:
			list = &world.CurrentStatesField
		case kind == tables.OpEOF, kind == tables.OpBad && c.snapshots.Generation.Old:
			if d.Framed() {
				if open != nil {
					d.Leave()
					open = nil
				}
				d.Tree().Add(&endOfList, uint64(op), at, d.Pos()-at)
			}
			return
		default:
			d.Malformed(nil, at, "op %d in a gamestate", op)
			return
		}
		if list != open {
			if open != nil {
				d.LeaveAt(at)
			}
			d.EnterAt(list, at)
			open = list
		}
		switch kind {
		case tables.OpConfigstring:
			c.readConfigstring(d, at, keep)
		case tables.OpBaseline:
			c.snapshots.ReadBaseline(d, at, keep)
		default:
			c.snapshots.ReadCurrentState(d, at)
		}
		if d.Failed() {
			return
		}
	}
}

func (c *conversation) readConfigstring(d *decode.Decoder, at int, keep bool) {
	d.EnterOp(&configstringField, at)
	defer d.Leave()
	indexAt := d.Pos()
	index := int(d.Uint(&configstringIndex))
	if !d.Failed() && index >= c.snapshots.Generation.MaxConfigstrings {
		d.Malformed(&configstringIndex, indexAt, "configstring %d, there are %d", index,
			c.snapshots.Generation.MaxConfigstrings)
		return
	}
	at = d.Pos()
	c.text = d.Scrambled(&configstringValue, c.snapshots.Generation.Unscramble, c.text)
	if d.Failed() {
		return
	}
	c.inspectConfigstring(d, index, c.text)
	if index == tables.ServerinfoIndex {
		c.setTables(c.text)
	}
	if keep {
		c.setConfigstring(index, c.text)
	}
	addConfigstringInfo(d.Tree(), c.family, index, c.text, at)
}

// addConfigstringInfo shows a configstring that is an infostring by its keys. Server and system
// information begin with a backslash, players' do not.
func addConfigstringInfo(tree *dissect.Tree, family uint8, index int, text []byte, at int) {
	if tree == nil || len(text) == 0 {
		return
	}
	if text[0] == '\\' || tables.ConfigstringNames.Name(family, uint64(index)) == "players" &&
		bytes.IndexByte(text, '\\') > 0 {
		tree.AddBytes(&configstringInfo, text, at, 0)
	}
}

// setTables chooses between the tables of one protocol number by the server information.
func (c *conversation) setTables(serverinfo []byte) {
	number := c.version
	if number == 0 {
		number = c.snapshots.Generation.Number()
	}
	c.adopt(c.snapshots.Generation.Variant(number, tables.GameOfInfo(serverinfo)))
}
