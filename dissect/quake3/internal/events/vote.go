package events

import (
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// Votes of everybody and of each team.
const (
	voteOfAll = iota
	voteOfRed
	voteOfBlue
	numVotes
)

// teamRed is TEAM_RED in code/game/bg_public.h; blue follows.
const teamRed = 1

// A vote is the state of a vote in the configstrings. When a vote is called they arrive one by one (time, text,
// counts; a text that is the same as the last vote's is not sent again), so it is reported at the end of the
// message, or before anything else that the message contains about it.
type vote struct {
	running  bool
	called   bool // not reported yet
	text     []byte
	yes, no  int32
	knowsYes bool // yes has been set, or its configstring is known to be absent
	knowsNo  bool
	reported [2]int32 // counts
	caller   int      // of the vote that is being called
	hasCall  bool
	outcome  bool // the server has announced the outcome
	closing  bool // it has ended, and the outcome may follow in this message
	callName []byte
}

// setVote stores one of a vote's configstrings.
func (g *gameView) setVote(w *eventWriter, which int, what string, value []byte) {
	v := &g.vote[which]
	switch what {
	case "time":
		was := v.running
		v.running = len(value) > 0 && string(value) != "0"
		switch {
		case g.loading:
		case v.running && !was:
			v.called, v.outcome = true, false
		case !v.running && was:
			v.settle(w, g, which)
			if v.closing = g.rules().Text.VoteResult; !v.outcome && len(v.text) > 0 && !v.closing {
				v.report(w, g, which, event.VoteEnded)
			}
		}
	case "string":
		v.text = append(v.text[:0], value...)
	case "yes":
		v.yes, _ = token.Atoi(value)
		v.knowsYes = true
	case "no":
		v.no, _ = token.Atoi(value)
		v.knowsNo = true
	}
	if g.loading {
		v.reported = [2]int32{v.yes, v.no}
	}
}

// settle reports a vote that was called, or counts that changed.
func (v *vote) settle(w *eventWriter, g *gameView, which int) {
	counts := [2]int32{v.yes, v.no}
	switch {
	case v.called:
		v.called = false
		if len(v.text) > 0 { // without a text it is not a vote of the players: Quake Live's choice of the next map
			v.report(w, g, which, event.VoteCalled)
		}
	case v.running && counts != v.reported:
		v.report(w, g, which, event.VoteCast)
	}
	v.reported = counts
	v.hasCall = false
}

// close reports a vote that has ended without an outcome.
func (v *vote) close(w *eventWriter, g *gameView, which int) {
	if v.closing && !v.outcome && len(v.text) > 0 {
		v.outcome = true
		v.report(w, g, which, event.VoteEnded)
	}
	v.closing = false
}

// end reports how a vote ended, by the server's announcement.
func (v *vote) end(w *eventWriter, g *gameView, which int, action string) {
	v.settle(w, g, which)
	v.outcome = true
	v.report(w, g, which, action)
}

func (v *vote) report(w *eventWriter, g *gameView, which int, action string) {
	w.Begin(event.Vote)
	w.Label(&evAction, action)
	if action == event.VoteCalled && v.hasCall {
		w.client(&evClient, &g.roster, v.caller, v.callName)
	}
	if which != voteOfAll {
		w.Tree.Add(&evTeam, uint64(teamRed+which-voteOfRed), 0, 0)
	}
	if len(v.text) > 0 {
		w.Both(&evText, &evTextClean, v.text)
	}
	if v.knowsYes || g.roster.known { // a gamestate has all configstrings that are not empty
		w.Number(&evYes, int64(v.yes))
	}
	if v.knowsNo || g.roster.known {
		w.Number(&evNo, int64(v.no))
	}
	w.End()
}

// calls remembers the caller of the vote whose configstrings follow.
func (v *vote) calls(client int, name []byte) {
	v.caller, v.hasCall = client, true
	v.callName = append(v.callName[:0], name...)
}
