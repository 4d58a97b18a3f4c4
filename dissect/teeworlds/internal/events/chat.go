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
	if name, rest, ok := g.players.relayed(client, text); ok {
		g.addRelayed(w, channel, name, target, rest)
		return
	}
	g.addChat(w, channel, client, target, text)
}

// relayed returns who speaks through the placeholder, and what is said. A client knows fewer numbers than a large
// server of DDNet has players. Whoever has none there speaks as a client whose name is a blank, with the own name in
// front.
//
// SendPackMsgTranslate in src/engine/server.h, CPlayerMapping in src/game/server of DDNet.
func (r *roster) relayed(client int, text []byte) (name, rest []byte, ok bool) {
	if p := r.at(client); p == nil || !isPlaceholder(p.name) {
		return nil, nil, false
	}
	for i := range r.players { // a name may contain the separator: the longest one that is known
		n := r.players[i].name
		if r.players[i].present && len(n) > len(name) && bytes.HasPrefix(text[min(len(n), len(text)):], relayMark) &&
			bytes.HasPrefix(text, n) {
			name = n
		}
	}
	if name != nil {
		return name, text[len(name)+len(relayMark):], true
	}
	name, rest, ok = bytes.Cut(text, relayMark)
	return name, rest, ok && len(name) > 0 && len(name) <= maxName
}

// isPlaceholder reports whether a name is that of an entry which is no player: a blank, through whom others speak, and
// "⋅ 3 others", which leads to them in the list of players. Servers take blanks off the names of players.
func isPlaceholder(name []byte) bool {
	number, ok := strings.CutPrefix(string(name), "⋅ ")
	number, others := strings.CutSuffix(number, " others")
	return string(name) == " " || ok && others && strings.Trim(number, "0123456789") == ""
}

// maxName is the most bytes of a name: MAX_NAME_LENGTH with its NUL is 16 in src/engine/shared/protocol.h.
const maxName = 15

var relayMark = []byte(": ")

// addRelayed adds a line of chat of a player whom the placeholder names. The number is known if the name is in the
// roster.
func (g *gameView) addRelayed(w *writer, channel string, name []byte, target int, text []byte) {
	if number := g.players.named(name); number >= 0 {
		g.addChat(w, channel, number, target, text)
		return
	}
	w.Begin(event.Chat)
	w.Label(&evChannel, channel)
	w.Tree.Open(&evClient, 0)
	w.Both(&evName, &evNameClean, name)
	w.Tree.Close(0)
	g.endChat(w, target, text)
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
	w.Both(&evText, &evTextClean, g.masked(m.text("message"), tables.Say()))
	w.End()
}

func (g *gameView) addChat(w *writer, channel string, client, target int, text []byte) {
	w.Begin(event.Chat)
	w.Label(&evChannel, channel)
	if client >= 0 {
		w.speaker(&evClient, &g.players, client)
	}
	w.Flag(&evOwn, client >= 0 && client == g.players.own)
	g.endChat(w, target, text)
}

func (g *gameView) endChat(w *writer, target int, text []byte) {
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
