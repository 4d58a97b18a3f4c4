package events

import (
	"bytes"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// announceTeam reads what DDNet announces in words alone: locks of teams and invitations, votes for practice, swaps,
// saves, lost connections. It reports whether the line was one of these.
//
// The lines are those of src/game/server/ddracechat.cpp, teams.cpp, player.cpp and scoreworker.cpp of DDNet 16.4 and
// 20.1. Only names of players who are in the game count.
func (g *gameView) announceTeam(w *writer, line string) bool {
	if rest, ok := strings.CutPrefix(line, "'"); ok {
		for i := range teamVerbs {
			if name, after, ok := strings.Cut(rest, teamVerbs[i].words); ok {
				if client := g.players.named([]byte(name)); client >= 0 {
					teamVerbs[i].add(g, w, client, after)
					return true
				}
			}
		}
		return false
	}
	switch {
	case strings.HasPrefix(line, "Practice mode enabled for your team"):
		g.beginTeam(w, event.Practice, event.PracticeEnabled, -1)
		w.End()
	case strings.HasPrefix(line, "Loading successfully done"):
		g.place(g.players.own)
		g.addSave(w, event.SaveLoaded, -1)
	case strings.HasPrefix(line, "No such savegame for this map"), strings.HasPrefix(line, "Team can't be loaded"):
		g.addSave(w, event.SaveNotLoaded, -1)
	case strings.HasPrefix(line, "Team can't be saved"):
		g.addSave(w, event.SaveNotSaved, -1)
	default:
		return g.announceSave(w, line) || g.announceSwap(w, line)
	}
	return true
}

// teamVerbs are what follows the name of a player, in quotation marks, with what it means.
var teamVerbs = [...]struct {
	words string
	add   func(g *gameView, w *writer, client int, after string)
}{
	{"' locked your team", func(g *gameView, w *writer, client int, _ string) {
		g.beginTeam(w, event.TeamLock, event.TeamLocked, client)
		w.End()
	}},
	{"' unlocked your team", func(g *gameView, w *writer, client int, _ string) {
		g.beginTeam(w, event.TeamLock, event.TeamUnlocked, client)
		w.End()
	}},
	{"' invited you to team ", func(g *gameView, w *writer, client int, _ string) {
		g.addInvite(w, client, g.players.own)
	}},
	{"' invited '", func(g *gameView, w *writer, client int, after string) {
		target, _, _ := strings.Cut(after, "' to your team")
		g.addInvite(w, client, g.players.named([]byte(target)))
	}},
	{"' voted to enable /practice mode", addPracticeVote},
	{"' called vote to enable practice mode", addPracticeVote},
	{"' would have timed out, but can use timeout protection now", func(g *gameView, w *writer, client int, _ string) {
		g.addTimeout(w, event.TimeoutProtected, client)
	}},
}

func addPracticeVote(g *gameView, w *writer, client int, _ string) {
	g.beginTeam(w, event.Practice, event.PracticeVoted, client)
	w.End()
}

// beginTeam begins an event about a team of a race: the client's; -1: the team of the client whose stream it is.
func (g *gameView) beginTeam(w *writer, kind, action string, client int) {
	w.Begin(kind)
	w.Label(&evAction, action)
	member := client
	if client >= 0 {
		w.client(&evClient, &g.players, client)
		w.Flag(&evOwn, client == g.players.own)
	} else {
		member = g.players.own
	}
	g.race.addTeam(w, member, g.race.team(member))
}

func (g *gameView) addInvite(w *writer, client, target int) {
	w.Begin(event.TeamInvite)
	w.client(&evClient, &g.players, client)
	w.Flag(&evOwn, client == g.players.own)
	if target >= 0 {
		w.client(&evTarget, &g.players, target)
	}
	g.race.addTeam(w, client, g.race.team(client))
	w.End()
}

func (g *gameView) addTimeout(w *writer, action string, client int) {
	w.Begin(event.Timeout)
	w.Label(&evAction, action)
	w.client(&evClient, &g.players, client)
	w.Flag(&evOwn, client == g.players.own)
	w.End()
}

// reclaimReason is why the second connection of a player goes who takes up the first one again: CServer::SetTimedOut,
// DDNet's src/engine/server/server.cpp.
const reclaimReason = "Timeout Protection used"

func (g *gameView) addSave(w *writer, action string, client int) {
	g.beginTeam(w, event.Save, action, client)
	w.End()
}

// announceSave reads "Team successfully saved by NAME. Use '/load CODE' to continue".
func (g *gameView) announceSave(w *writer, line string) bool {
	rest, ok := strings.CutPrefix(line, "Team successfully saved by ")
	if at := strings.Index(rest, ". Use '/load "); ok && at >= 0 {
		g.addSave(w, event.SaveSaved, g.players.named([]byte(rest[:at])))
	}
	return ok
}

// saveCode handles Sv_SaveCode, which newer clients get in place of the words.
func (g *gameView) saveCode(w *writer, m *decodedMessage) {
	client := g.players.named(m.text("save_requester"))
	switch tables.SaveStates.Name(uint8(tables.DDNet), uint64(m.number("state"))) {
	case "done", "fallbackfile", "warning":
		g.addSave(w, event.SaveSaved, client)
	case "error":
		g.addSave(w, event.SaveNotSaved, client)
	}
}

// swapVerbs are what comes between the names of two players, or between a player and the client, with the end of the
// line.
var swapVerbs = [...]struct{ words, end, action string }{
	{" has requested to swap with you. ", "", event.SwapRequested},
	{" has requested to swap with ", ".", event.SwapRequested},
	{" has swapped with ", ".", event.SwapSwapped},
	{" has canceled swap with you", "", event.SwapCancelled},
	{" has canceled swap with ", ".", event.SwapCancelled},
}

// announceSwap reads a line about two players who want to change places, or do.
func (g *gameView) announceSwap(w *writer, line string) bool {
	for _, v := range swapVerbs {
		name, after, ok := strings.Cut(line, v.words)
		if client := g.players.named([]byte(name)); ok && client >= 0 {
			target := g.players.own
			if v.end != "" {
				target = g.players.named([]byte(strings.TrimSuffix(after, v.end)))
			}
			g.addSwap(w, v.action, client, target)
			return true
		}
	}
	for _, v := range [...][2]string{
		{"You have requested to swap with ", event.SwapRequested}, {"You have canceled swap with ", event.SwapCancelled},
	} {
		if rest, ok := strings.CutPrefix(line, v[0]); ok {
			name, _, _ := strings.Cut(rest, ". Use /")
			g.addSwap(w, v[1], g.players.own, g.players.named([]byte(strings.TrimSuffix(name, "."))))
			return true
		}
	}
	return false
}

func (g *gameView) addSwap(w *writer, action string, client, target int) {
	if action == event.SwapSwapped {
		g.place(client)
		g.place(target)
	}
	g.beginTeam(w, event.Swap, action, client)
	if target >= 0 {
		w.client(&evTarget, &g.players, target)
	}
	w.End()
}

// place remembers that the server puts a player, with those of the same team, somewhere else.
func (g *gameView) place(client int) {
	for i := range g.placed {
		if i == client || client >= 0 && g.race.team(i) != 0 && g.race.team(i) == g.race.team(client) {
			g.placed[i] = max(g.now.game.tick, 1)
		}
	}
}

// chatCommand adds a command that the client typed into the chat. Arguments that are secrets are masked.
func (g *gameView) chatCommand(w *writer, command, arguments []byte) {
	line := append([]byte("/"), command...)
	if arguments = bytes.TrimSpace(arguments); len(arguments) > 0 {
		line = append(line, ' ')
		if !g.secrets && tables.IsSecretCommand(command) {
			arguments = []byte(dissect.SecretMask)
		}
		line = append(line, arguments...)
	}
	g.beginRcon(w, event.ChatCommand)
	w.Text(&evCommand, line)
	w.End()
}

// typed handles Cl_Command of 0.7.
func (g *gameView) typed(w *writer, m *decodedMessage) {
	g.chatCommand(w, m.text("name"), m.text("arguments"))
}

// hasCommands reports whether the server takes commands in the chat.
func (g *gameView) hasCommands() bool { return g.dialect == tables.DDNet || g.rules.extended }
