package events

import (
	"bytes"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// chat adds a line of chat that the server sent.
func (g *gameView) chat(w *writer, m *decodedMessage) {
	client, target, channel, text := m.number("client_id"), -1, event.ChannelSay, m.text("message")
	switch {
	case client < 0:
		channel = event.ChannelConsole
		g.announce(w, text)
	case m.has("mode"):
		switch tables.ChatModes.Name(uint8(tables.V07), uint64(m.number("mode"))) {
		case "team":
			channel = event.ChannelTeam
		case "whisper":
			channel, target = event.ChannelTell, m.number("target_id")
		}
	default:
		switch team := m.number("team"); tables.ChatTeams.Name(uint8(tables.DDNet), uint64(team)) {
		case "whisper_send": // the client sent it to this recipient
			channel, client, target = event.ChannelTell, g.players.own, client
		case "whisper_recv":
			channel, target = event.ChannelTell, g.players.own
		default:
			if team == 1 {
				channel = event.ChannelTeam
			}
		}
	}
	g.addChat(w, channel, client, target, text)
}

// say adds a line of chat that the client sent, if the capture lacks the server's messages.
func (g *gameView) say(w *writer, m *decodedMessage) {
	if text := m.text("message"); len(text) > 1 && text[0] == '/' && g.hasCommands() {
		command, arguments, _ := bytes.Cut(text[1:], []byte(" "))
		g.chatCommand(w, command, arguments)
		return
	}
	if g.hasServer {
		return
	}
	channel, target := event.ChannelSay, -1
	switch mode := tables.ChatModes.Name(uint8(tables.V07), uint64(m.number("mode"))); {
	case mode == "team", m.number("team") != 0:
		channel = event.ChannelTeam
	case mode == "whisper":
		channel, target = event.ChannelTell, m.number("target")
	}
	w.Begin(event.Chat)
	w.Label(&evChannel, channel)
	w.Flag(&evOwn, true)
	if target >= 0 {
		w.client(&evTarget, &g.players, target)
	}
	w.Both(&evText, &evTextClean, g.masked(m.text("message"), tables.Say))
	w.End()
}

func (g *gameView) addChat(w *writer, channel string, client, target int, text []byte) {
	w.Begin(event.Chat)
	w.Label(&evChannel, channel)
	if client >= 0 {
		w.speaker(&evClient, &g.players, client)
	}
	w.Flag(&evOwn, client >= 0 && client == g.players.own)
	if target >= 0 {
		w.client(&evTarget, &g.players, target)
	}
	w.Both(&evText, &evTextClean, text)
	w.End()
}

// announce reads what the server announces in words only: why a player left, who calls a vote and its outcome,
// who has finished a race.
//
// src/game/server/gamecontext.cpp and player.cpp of Teeworlds 0.6 and DDNet.
func (g *gameView) announce(w *writer, text []byte) {
	line := string(text)
	if g.announceTeam(w, line) {
		return
	}
	g.race.announce(line, &g.players)
	if g.dialect == tables.V07 {
		return // there are messages for the rest
	}
	if name, rest, ok := cutQuoted(line); ok {
		switch {
		case strings.HasPrefix(rest, leftLine):
			reason := strings.TrimPrefix(rest, leftLine)
			if len(reason) > 3 {
				reason = strings.TrimSuffix(strings.TrimPrefix(reason, " ("), ")")
			}
			g.leaver = leaver{name, reason}
		case strings.HasPrefix(rest, " called "):
			g.vote.caller = g.players.named([]byte(name)) + 1
		}
		return
	}
	switch {
	case strings.HasPrefix(line, "Vote passed"):
		g.vote.outcome = event.VotePassed
	case strings.HasPrefix(line, "Vote failed"):
		g.vote.outcome = event.VoteFailed
	case strings.HasPrefix(line, "Vote aborted"):
		g.vote.outcome = event.VoteEnded
	}
}

// leftLine follows the name of a player who has left; the reason comes after it, in parentheses.
const leftLine = " has left the game"

// cutQuoted splits a line that begins with a name in quotation marks. Names may contain such marks.
func cutQuoted(line string) (name, rest string, ok bool) {
	if !strings.HasPrefix(line, "'") {
		return "", "", false
	}
	for _, verb := range [...]string{"' has left", "' called "} {
		if i := strings.Index(line, verb); i > 0 {
			return line[1:i], line[i+1:], true
		}
	}
	return "", "", false
}
