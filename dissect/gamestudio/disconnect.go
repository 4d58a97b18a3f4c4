package gamestudio

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
)

// begin forgets the player of the connection before. It is not forgotten when that ends, as anybody can say so.
func (g *payloadReader) begin() {
	g.left = false
	if g.game != nil {
		g.game.hints.player, g.game.hints.players = "", nil
	}
}

// disconnect adds the event that a player has left, once, when the transport ends the connection.
func (g *payloadReader) disconnect(rec *dissect.Record, carried *dissect.Carried) {
	if carried.Ends == "" || g.left {
		return
	}
	g.left = true
	name := ""
	if g.game != nil {
		name = g.game.hints.player
	}
	if name == "" {
		name = carried.Client
	}
	if !g.opts.Events {
		return
	}
	w := eventtree.NewWriter(&rec.Events, &description)
	w.Begin(event.Disconnect)
	if name != "" {
		w.Label(&eventPlayer, name)
	}
	w.Label(&eventReason, carried.Ends)
	w.End()
}
