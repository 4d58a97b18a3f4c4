package events

import (
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// chat reports a line of chat from the server.
func (g *gameView) chat(w *eventWriter, channel string, line []byte) {
	l := speech.Split(line, channel, g.rules().Text.ClientDigits)
	g.chatLine(w, &l, line)
}

// chatLine reports a line of chat that was taken apart; sentence is the whole of it.
func (g *gameView) chatLine(w *eventWriter, l *speech.Line, sentence []byte) {
	if l.Client < 0 && l.Name != nil {
		l.Client = g.roster.named(l.Name)
	}
	if l.Client < 0 && l.Name == nil && l.Channel == event.ChannelSay {
		if _, _, ok := g.roster.subject(sentence); ok { // OpenArena: "Liz is on a killing spree with 5 kills"
			l.Channel = event.ChannelGame
		}
	}
	w.Begin(event.Chat)
	w.Label(&evChannel, l.Channel)
	if l.Client >= 0 || l.Name != nil {
		g.roster.keepName(l.Client, l.Name, fromChat)
		w.clientNamed(&evClient, &g.roster, l.Client, g.roster.mention(l.Name, fromChat))
		w.Flag(&eventtree.Own, l.Client >= 0 && l.Client == g.own)
	}
	if l.Channel == event.ChannelTell {
		g.writeTarget(w, l.Client, l.Text)
	}
	if l.Location != nil {
		w.Text(&evLocation, l.Location)
	}
	w.Both(&evText, &evTextClean, l.Text)
	w.End()
}

// chatFrom reports team chat as CPMA sends it: mm2, the speaker, the number of the place, the text.
//
// Source: recordings; places are those of CS_LOCATIONS, code/game/bg_public.h.
func (g *gameView) chatFrom(w *eventWriter, words *token.Words) {
	client, ok := token.Atoi(words.At(1))
	if !ok || words.Len() < 4 {
		return
	}
	w.Begin(event.Chat)
	w.Label(&evChannel, event.ChannelTeam)
	w.client(&evClient, &g.roster, int(client), nil)
	w.Flag(&eventtree.Own, client >= 0 && int(client) == g.own)
	if place, ok := token.Atoi(words.At(2)); ok && len(g.locations[int(place)]) > 0 {
		w.Text(&evLocation, g.locations[int(place)])
	}
	w.Both(&evText, &evTextClean, words.At(3))
	w.End()
}

// setLocation keeps the name of a place, for games that refer to places by number.
func (g *gameView) setLocation(index int, name []byte) {
	if !g.rules().Text.PlaceNumbers {
		return
	}
	if g.locations == nil {
		g.locations = map[int][]byte{}
	}
	g.locations[index-tables.LocationsAt[g.family]] = append([]byte(nil), name...)
}

// writeTarget adds the recipient of a private line: the client itself, unless it wrote the line.
func (g *gameView) writeTarget(w *eventWriter, speaker int, text []byte) {
	switch {
	case g.own < 0 || speaker < 0:
	case speaker != g.own:
		w.client(&evTarget, &g.roster, g.own, nil)
	default:
		if target := g.tells.Take(text); target >= 0 {
			w.client(&evTarget, &g.roster, target, nil)
		}
	}
}

// voice reports a voice message: vchat, vtchat or vtell, then voice-only, client, colour and name. G_VoiceTo in
// code/game/g_cmds.c.
func (g *gameView) voice(w *eventWriter, channel string, words *token.Words) {
	if g.rules().Text.Chat == tables.ChatClient {
		g.voiceOfClient(w, channel, words)
		return
	}
	client, ok := token.Atoi(words.At(2))
	if !ok || words.Len() < 5 {
		return
	}
	w.Begin(event.Chat)
	w.Label(&evChannel, channel)
	w.client(&evClient, &g.roster, int(client), nil)
	w.Flag(&eventtree.Own, client >= 0 && int(client) == g.own)
	if channel == event.ChannelTell {
		g.writeTarget(w, int(client), words.At(4))
	}
	w.Text(&evVoice, words.At(4))
	only, _ := token.Atoi(words.At(1))
	w.Flag(&evVoiceOnly, only != 0)
	w.End()
}
