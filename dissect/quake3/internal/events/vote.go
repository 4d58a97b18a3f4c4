package events

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/token"

// Votes of everybody and of each team.
const (
	voteOfAll = iota
	voteOfRed
	voteOfBlue
	numVotes
)

// teamRed is TEAM_RED in code/game/bg_public.h; blue follows.
const teamRed = 1

// A vote is what the configstrings say of one. They come one by one when a vote is called (time, text,
// counts; a text that is the same as the last vote's does not come again), so it is told at the end of
// the message, or before what else the message says of it.
type vote struct {
	running  bool
	called   bool // not told yet
	text     []byte
	yes, no  int32
	told     [2]int32 // counts
	caller   int      // of the one that is called
	hasCall  bool
	outcome  bool // passed or failed was said
	callName []byte
}

// setVote takes over one of a vote's configstrings.
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
			if !v.outcome && len(v.text) > 0 {
				v.tell(w, g, which, voteEnded)
			}
		}
	case "string":
		v.text = append(v.text[:0], value...)
	case "yes":
		v.yes, _ = token.Atoi(value)
	case "no":
		v.no, _ = token.Atoi(value)
	}
	if g.loading {
		v.told = [2]int32{v.yes, v.no}
	}
}

// settle tells a vote that was called, or that counts changed.
func (v *vote) settle(w *eventWriter, g *gameView, which int) {
	counts := [2]int32{v.yes, v.no}
	switch {
	case v.called:
		v.called = false
		if len(v.text) > 0 { // without one it is no vote of the players: Quake Live's choice of the next map
			v.tell(w, g, which, voteCalled)
		}
	case v.running && counts != v.told:
		v.tell(w, g, which, voteCast)
	}
	v.told = counts
	v.hasCall = false
}

// end tells how a vote ended, as the server says it.
func (v *vote) end(w *eventWriter, g *gameView, which int, action string) {
	v.settle(w, g, which)
	v.outcome = true
	v.tell(w, g, which, action)
}

func (v *vote) tell(w *eventWriter, g *gameView, which int, action string) {
	w.begin(kindVote)
	w.label(&evAction, action)
	if action == voteCalled && v.hasCall {
		w.client(&evClient, &g.roster, v.caller, v.callName)
	}
	if which != voteOfAll {
		w.tree.Add(&evTeam, uint64(teamRed+which-voteOfRed), 0, 0)
	}
	if len(v.text) > 0 {
		w.both(&evText, &evTextClean, v.text)
	}
	w.int(&evYes, int64(v.yes))
	w.int(&evNo, int64(v.no))
	w.end()
}

// calls remembers who calls the vote whose configstrings follow.
func (v *vote) calls(client int, name []byte) {
	v.caller, v.hasCall = client, true
	v.callName = append(v.callName[:0], name...)
}
