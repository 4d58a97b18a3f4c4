package events

import (
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A vote is the current vote. 0.6 announces the outcome only in words, in the same datagram.
type vote struct {
	running bool
	ending  bool   // 0.6: it is over, and the outcome may follow
	outcome string // 0.6: from the server's words
	caller  int    // 0.6: number of the caller, from the server's words, plus 1; 0: not known
	text    []byte
	reason  []byte
	yes, no int
	counted bool // yes and no have been set
}

// voteSet handles Sv_VoteSet.
func (g *gameView) voteSet(w *writer, m *decodedMessage) {
	v := &g.vote
	if !m.has("type") {
		g.voteSet06(w, m)
		return
	}
	running := v.running
	v.running = m.number("timeout") > 0
	if v.running {
		v.begin(m)
	}
	switch tables.VoteTypes.Name(uint8(tables.V07), uint64(m.number("type"))) {
	case "start_op", "start_kick", "start_spec":
		v.add(w, &g.players, event.VoteCalled, m.number("client_id"))
	case "end_pass":
		v.end(w, &g.players, event.VotePassed)
	case "end_fail":
		v.end(w, &g.players, event.VoteFailed)
	case "end_abort":
		v.end(w, &g.players, event.VoteEnded)
	default: // a vote was on when the client joined, or there is none
		if running && !v.running {
			v.end(w, &g.players, event.VoteEnded)
		}
	}
}

// voteSet06 handles Sv_VoteSet of 0.6: with a time a vote begins, without it is over.
func (g *gameView) voteSet06(w *writer, m *decodedMessage) {
	v := &g.vote
	switch on := m.number("timeout") > 0; {
	case on && !v.running:
		caller := v.caller
		v.begin(m)
		v.running, v.caller, v.outcome = true, 0, ""
		if g.settled { // otherwise it was on when the client joined
			v.add(w, &g.players, event.VoteCalled, caller-1)
		}
	case !on && v.running:
		v.running, v.ending = false, true
	}
}

func (v *vote) begin(m *decodedMessage) {
	v.text = append(v.text[:0], m.text("description")...)
	v.reason = append(v.reason[:0], m.text("reason")...)
	v.yes, v.no, v.counted = 0, 0, false
}

func (v *vote) end(w *writer, players *roster, action string) {
	v.add(w, players, action, -1)
	*v = vote{}
}

// settle adds the end of a vote of 0.6.
func (v *vote) settle(w *writer, players *roster) {
	if !v.ending {
		return
	}
	if v.outcome == "" {
		v.outcome = event.VoteEnded
	}
	v.end(w, players, v.outcome)
}

// voteStatus handles Sv_VoteStatus.
func (g *gameView) voteStatus(w *writer, m *decodedMessage) {
	v := &g.vote
	yes, no := m.number("yes"), m.number("no")
	if v.counted && yes == v.yes && no == v.no {
		return
	}
	changed := v.counted || yes+no > 0
	v.yes, v.no, v.counted = yes, no, true
	if v.running && changed {
		v.add(w, &g.players, event.VoteCast, -1)
	}
}

// castVote adds the own client's vote.
func (g *gameView) castVote(w *writer, m *decodedMessage) {
	w.Begin(event.Vote)
	w.Label(&evAction, event.VoteCast)
	if g.players.own >= 0 {
		w.client(&evClient, &g.players, g.players.own)
	}
	w.Flag(&evOwn, true)
	w.number(&evChoice, m.number("vote"))
	w.End()
}

func (v *vote) add(w *writer, players *roster, action string, client int) {
	w.Begin(event.Vote)
	w.Label(&evAction, action)
	if client >= 0 {
		w.client(&evClient, players, client)
		w.Flag(&evOwn, client == players.own)
	}
	if len(v.text) > 0 {
		w.Both(&evText, &evTextClean, v.text)
	}
	if v.counted {
		w.number(&evYes, v.yes)
		w.number(&evNo, v.no)
	}
	if action == event.VoteCalled && len(v.reason) > 0 {
		w.Text(&evReason, v.reason)
	}
	w.End()
}
