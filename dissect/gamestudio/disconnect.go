package gamestudio

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
)

// disconnect tells once that a player is gone, as the transport says by ending the connection. reason is empty for
// datagrams that do not.
func (c *conversation) disconnect(rec *dissect.Record, reason string) {
	if reason == "" || c.left {
		return
	}
	c.left = true
	name := c.playerName()
	if c.game != nil {
		c.game.hints.player, c.game.hints.players = "", nil
	}
	if !c.opts.Events {
		return
	}
	t := &rec.Events
	t.Open(&eventField, 0)
	t.AddLabel(&dissect.EventKind, kindDisconnect, 0, 0)
	if name != "" {
		t.AddLabel(&eventPlayer, name, 0, 0)
	}
	t.AddLabel(&eventReason, reason, 0, 0)
	t.Close(0)
}

// playerName is the name of the conversation's player: as it joined the game, or as DirectPlay has it.
func (c *conversation) playerName() string {
	if c.game != nil && c.game.hints.player != "" {
		return c.game.hints.player
	}
	if c.dplay != nil {
		return c.dplay.names.client
	}
	return ""
}

// enetEnds looks for ENet's command that ends a connection.
func (c *conversation) enetEnds(rec *dissect.Record) string {
	b := rec.Payload
	if _, connects := enetMark(b); connects {
		c.left = false
	}
	var head enetHeader
	l := layout{old: c.enet.old, checksum: c.enet.checksums && !c.enet.old}
	if !head.parse(b, l) || head.packed {
		return ""
	}
	for at := head.size; at < len(b); {
		number := b[at] & enetOpMask
		if number == enetDisconnect {
			return endENet
		}
		if number == 0 || int(number) >= len(enetCommandTable) {
			break
		}
		fields, _ := enetCommandTable[number].fields(l.old)
		size, length := 4, 0
		for _, f := range fields {
			size += f.Bits >> 3
			if f == enetLength && at+size <= len(b) {
				length = int(binary.BigEndian.Uint16(b[at+size-2:]))
			}
		}
		at += size + length
	}
	return ""
}
