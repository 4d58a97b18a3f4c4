package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
)

// duelWords are the keywords about the duels of two players within another game. The challenger, the one who
// accepts late or the winner comes before the keyword, the other player after it; the own client is not named.
//
// Source: Cmd_EngageDuel_f, codemp/game/g_cmds.c, and ClientThink_real, codemp/game/g_active.c of OpenJK; servers of
// Outcast and mods send the last two in print instead of cp.
var duelWords = [...]struct{ key, action string }{
	{"PLDUELACCEPT", event.DuelStarted},
	{"PLDUELWINNER", event.DuelWon},
	{"PLDUELTIE", event.DuelTied},
	{"PLDUELCHALLENGED", event.DuelChallenged},
	{"PLDUELCHALLENGE", event.DuelChallenged},
}

// readDuel parses a line about a duel and reports the duel. It reports whether the line was one.
func (g *gameView) readDuel(w *eventWriter, line []byte) bool {
	at := bytes.Index(line, []byte(speech.KeywordMark+"PLDUEL"))
	if at < 0 {
		return false
	}
	for _, d := range duelWords {
		rest, ok := bytes.CutPrefix(line[at+len(speech.KeywordMark):], []byte(d.key))
		if !ok {
			continue
		}
		first, second := g.fullNamed(line[:at]), g.fullNamed(rest)
		if d.action == event.DuelChallenged {
			if first < 0 {
				first = g.own
			} else {
				second = g.own
			}
		}
		w.Begin(event.Duel)
		w.Label(&evAction, d.action)
		if first >= 0 {
			w.client(&evClient, &g.roster, first, nil)
		}
		if second >= 0 {
			w.client(&evTarget, &g.roster, second, nil)
		}
		w.End()
		return true
	}
	return false
}

// fullNamed returns the player with the longest name that a part of a sentence begins with; -1: none.
func (g *gameView) fullNamed(part []byte) int {
	part = bytes.TrimSpace(part)
	found, longest := -1, 0
	for i := range g.roster.players {
		p := &g.roster.players[i]
		if !p.present || len(p.name) <= longest || !bytes.HasPrefix(part, p.name) {
			continue
		}
		switch rest := bytes.TrimPrefix(part[len(p.name):], []byte(speech.White)); {
		case len(rest) == 0, rest[0] == '!', rest[0] == ' ':
			found, longest = i, len(p.name)
		}
	}
	return found
}
