package gamestudio

import "github.com/q3dissect/q3dissect/dissect"

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

// enetEnds says whether the packet of ENet at hand ended a connection.
func (c *conversation) enetEnds() string {
	if c.enet.asked {
		c.left = false
	}
	if c.enet.ended {
		return endENet
	}
	return ""
}
