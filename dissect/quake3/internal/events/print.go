package events

import "bytes"

// said is what the server said of a player last in this message: "Sarge was kicked".
type said struct {
	client int
	known  bool
	what   []byte
}

// reasonFor gives what was said of a player who is gone now.
func (g *gameView) reasonFor(client int) []byte {
	if g.said.known && g.said.client == client {
		return g.said.what
	}
	return nil
}

// Sentences of the game about votes, CheckVote and CheckTeamVote in code/game/g_main.c.
var voteOutcomes = [...]struct{ sentence, action string }{
	{"Vote passed.", votePassed},
	{"Vote failed.", voteFailed},
	{"Team vote passed.", votePassed},
	{"Team vote failed.", voteFailed},
}

const firstTeamOutcome = 2

// print reads a line of the console for what is told nowhere else, or not with a name.
func (g *gameView) print(w *eventWriter, line []byte) {
	line = bytes.TrimRight(line, "\n")
	client, rest, ok := g.roster.subject(line)
	if !ok {
		g.printPlain(w, line)
		return
	}
	name := bytes.TrimSuffix(line[:len(line)-len(rest)-1], []byte(whiteCode))
	if p := g.roster.at(client); p != nil {
		name = p.name
	}
	switch string(rest) {
	case "entered the game": // ClientBegin, code/game/g_client.c
		w.begin(kindEnter)
		w.client(&evClient, &g.roster, client, name)
		w.true(&evOwn, client >= 0 && client == g.own)
		w.end()
		return
	case "called a vote.": // Cmd_CallVote_f, code/game/g_cmds.c
		g.vote[voteOfAll].calls(client, name)
		return
	case "called a team vote.":
		for _, which := range [...]int{voteOfRed, voteOfBlue} {
			g.vote[which].calls(client, name)
		}
		return
	}
	if g.flags.said(w, &g.roster, client, name, rest) {
		return
	}
	g.match.limitHit(line, g.time)
	if client >= 0 {
		g.said = said{client: client, known: true, what: append([]byte(nil), rest...)}
	}
}

// printPlain reads a line that is about no player.
func (g *gameView) printPlain(w *eventWriter, line []byte) {
	for i, o := range voteOutcomes {
		if string(line) != o.sentence {
			continue
		}
		which := voteOfAll
		if i >= firstTeamOutcome { // it is said to the team alone: that whose vote is running
			which = voteOfRed
			if g.vote[voteOfBlue].running {
				which = voteOfBlue
			}
		}
		g.vote[which].end(w, g, which, o.action)
		return
	}
	if !g.flags.saidReturned(w, line) {
		g.match.limitHit(line, g.time)
	}
}
