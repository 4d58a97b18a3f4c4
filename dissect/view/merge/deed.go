package merge

import (
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// deeds are the kinds of events that a server's own record has as well, with the keys that both the events of clients
// and the record have. The record has fewer words: of a kill the victim alone, of a finish no records.
var deeds = map[string][]string{
	event.MapStart:    {"map"},
	event.Connect:     {"client"},
	event.Disconnect:  {"client"},
	event.Rename:      {"client"},
	event.Kill:        {"victim"},
	event.ChatCommand: {"client", "command"},
	event.Rcon:        {"client", "command"},
	event.RconGranted: {"client"},
	event.RconEnded:   {"client"},
	event.RaceTeam:    {"client", "race_team"},
	event.RaceFinish:  {"client", "finish_time"},
	event.TeamFinish:  {"finish_time"},
	event.Save:        {"action", "race_team"},
	event.Practice:    {"action", "race_team"},
	event.Swap:        {"action", "client", "target"},
	event.Vote:        {"action", "client", "choice"},
	event.Team:        {"client", "team"},
}

// fromClient are the kinds of events that clients send: the server records them later, when they have arrived.
var fromClient = map[string]bool{event.ChatCommand: true, event.Rcon: true}

// deedOf returns who did what, without what only one kind of recording knows; "": no server's record has it. Players
// are told apart by name: some servers number them differently for each client.
func deedOf(kind string, e dissect.Value) string {
	keys, ok := deeds[kind]
	if !ok {
		return ""
	}
	var b strings.Builder
	b.WriteString(kind)
	for _, key := range keys {
		v := e.Get(key)
		if name := v.Get("name_clean"); name.Exists() {
			v = name
		}
		b.WriteByte(0)
		switch {
		case key == "command":
			b.WriteString(commandWords(wiretext.String(v.Bytes())))
		case len(v.Bytes()) > 0:
			b.WriteString(wiretext.String(v.Bytes()))
		default:
			b.WriteString(v.String())
		}
	}
	return b.String()
}

// commandWords returns a command as a server records it: its name as the server spells it, arguments without quotes.
func commandWords(line string) string {
	words := strings.Fields(strings.ReplaceAll(line, `"`, ""))
	if len(words) > 0 {
		words[0] = strings.ToLower(words[0])
	}
	return strings.Join(words, " ")
}
