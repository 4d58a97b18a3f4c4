package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
)

// A remark is the server's last sentence about a player in this message: "Sarge was kicked".
type remark struct {
	client  int
	known   bool
	what    []byte
	unknown knownName // the player's name, where the players are not known
}

// reasonFor returns the remark about a player who is gone now.
func (g *gameView) reasonFor(client int) []byte {
	if g.remark.known && g.remark.client == client {
		return g.remark.what
	}
	return nil
}

// Sentences of the game about votes, CheckVote and CheckTeamVote in code/game/g_main.c.
var voteOutcomes = [...]struct{ sentence, action string }{
	{"Vote passed.", event.VotePassed},
	{"Vote failed.", event.VoteFailed},
	{"Team vote passed.", event.VotePassed},
	{"Team vote failed.", event.VoteFailed},
}

const firstTeamOutcome = 2

// print reads a line of the console for events that are announced nowhere else, or not with a name.
func (g *gameView) print(w *eventWriter, line []byte) {
	if g.readDuel(w, line) {
		return
	}
	line = bytes.TrimRight(speech.Plain(g.family, line), "\n")
	if g.readFinish(w, line) {
		return
	}
	line = plainFlagLine(line)
	client, rest, ok := g.roster.subject(line)
	if !ok {
		if _, rest, ok = g.roster.unknownSubject(line); !ok {
			g.printPlain(w, line)
			return
		}
		client = -1
	}
	name := bytes.TrimSuffix(line[:len(line)-len(rest)-1], []byte(speech.White))
	if p := g.roster.at(client); p != nil {
		name = p.name
	}
	switch string(rest) {
	case "entered the game": // ClientBegin, code/game/g_client.c
		w.Begin(event.Enter)
		w.client(&evClient, &g.roster, client, name)
		w.Flag(&eventtree.Own, client >= 0 && client == g.own)
		w.End()
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
	if g.flags.readSentence(w, &g.roster, client, name, rest) {
		return
	}
	g.match.limitHit(line, g.time)
	if client >= 0 {
		g.remark = remark{client: client, known: true, what: append([]byte(nil), rest...)}
	} else if !g.roster.known {
		g.remark = remark{what: bytes.Clone(rest), unknown: knownName{bytes.Clone(name), fromPrint}}
	}
}

// printPlain reads a line about no particular player.
func (g *gameView) printPlain(w *eventWriter, line []byte) {
	for i, o := range voteOutcomes {
		if string(line) != o.sentence {
			continue
		}
		which := voteOfAll
		if i >= firstTeamOutcome { // sent to the team alone: the one whose vote is running
			which = voteOfRed
			if g.vote[voteOfBlue].running {
				which = voteOfBlue
			}
		}
		g.vote[which].end(w, g, which, o.action)
		return
	}
	if !g.flags.readReturned(w, &g.roster, line) {
		g.match.limitHit(line, g.time)
	}
}
