package events

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
)

// A life is what a teehistorian file shows of whether a client plays.
type life struct {
	killed     int32 // tick in which the client killed itself; 0: it did not
	asked      int32 // tick in which the team was chosen; 0: it was not
	team       int32 // that was chosen
	spectating bool
}

// askedTicks is for how long a request explains that a character appears or is gone: the server carries it out at once,
// and records the place in the next tick.
const askedTicks = 3

// ask keeps what a client, or a command about it, asks for.
func (h *historian) ask(chunk *Chunk, tick int32) {
	client, team := chunk.Client, chunk.Number
	if chunk.Key == "console_command" {
		id, err := strconv.Atoi(string(chunk.Args[0]))
		number, err2 := strconv.Atoi(string(chunk.Args[1]))
		if err != nil || err2 != nil {
			return
		}
		client, team = int32(id), int32(number)
	}
	l := h.life(client)
	l.asked, l.team = max(tick, 1), team
}

// life returns what is known of a client.
func (h *historian) life(client int32) *life {
	l := h.lived[client]
	if l == nil {
		l = new(life)
		if h.lived == nil {
			h.lived = map[int32]*life{}
		}
		h.lived[client] = l
	}
	return l
}

// lives adds that a client kills itself, or what it means that a character appears or is gone: a death, by whatever, or
// another team. Who asks to be killed dies at once, unless the server protects long runs (sv_kill_protection).
func (e *Reader) lives(w *writer, h *Chunk, tick int32) {
	g, client := e.game, int(h.Client)
	l := e.historian.life(h.Client)
	recent := func(at int32) bool { return at > 0 && tick-at >= 0 && tick-at <= askedTicks }
	if p := g.players.at(client); p == nil || !p.present {
		delete(e.historian.lived, h.Client) // the client left
		return
	}
	gone := h.Key == "player_old"
	if suicide := h.Key == "cl_kill"; suicide || gone && !recent(l.killed) {
		w.Begin(event.Kill)
		w.client(&evVictim, &g.players, client)
		w.Flag(&eventtree.Suicide, suicide)
		w.position(place{x: h.X, y: h.Y})
		w.End()
		if suicide {
			l.killed = max(tick, 1)
			return
		}
	}
	if !recent(l.asked) || gone != (l.team < 0) || l.spectating == (l.team < 0) {
		return
	}
	l.asked, l.spectating = 0, l.team < 0
	w.Begin(event.Team)
	w.client(&evClient, &g.players, client)
	w.number(&evTeam, int(l.team))
	w.Tree.AddBool(&evTeamGame, false, 0, 0)
	w.End()
}
