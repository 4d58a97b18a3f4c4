package events

import (
	"bytes"
	"math"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// say reports a line of chat as the family sends it.
func (g *gameView) say(w *eventWriter, channel string, words *token.Words) {
	switch g.rules().Text.Chat {
	case tables.ChatClient:
		g.chatOfClient(w, channel, words)
	case tables.ChatMarked:
		g.chatMarked(w, channel, words.At(1))
	case tables.ChatNumbered:
		g.chatNumbered(w, words)
	default:
		g.chat(w, channel, words.At(1))
	}
}

// chatOfClient reports chat of Enemy Territory: the line, the speaker, and of later ET: Legacy the position. Legacy's
// team chat has no name in the line, that to the fireteam the colour yellow.
//
// Source: G_SayTo and G_Say, src/game/g_cmds.c of ET: Legacy; captures.
func (g *gameView) chatOfClient(w *eventWriter, channel string, words *token.Words) {
	line := words.At(1)
	client, ok := token.Atoi(words.At(2))
	if !ok || words.Len() < 3 || client < 0 || client >= tables.MaxPlayers {
		g.chat(w, channel, speech.Plain(g.family, line))
		return
	}
	l := speech.Split(speech.Plain(g.family, line), channel, false)
	if l.Name == nil {
		l.Text = speech.DropColour(l.Text)
	}
	if bytes.HasPrefix(line, []byte("^3")) && channel == event.ChannelTeam {
		l.Channel = event.ChannelFireteam
	}
	if channel == event.ChannelSay && bytes.HasPrefix(l.Text, []byte("^2")) {
		l.Text = speech.DropColour(l.Text) // the colour of the channel, which ET: Legacy writes twice
	}
	w.Begin(event.Chat)
	w.Label(&evChannel, l.Channel)
	g.roster.keepName(int(client), l.Name, fromChat)
	w.client(&evClient, &g.roster, int(client), nil)
	w.Flag(&eventtree.Own, int(client) == g.own)
	if l.Channel == event.ChannelTell {
		g.writeTarget(w, int(client), l.Text)
	}
	if l.Location != nil {
		w.Text(&evLocation, l.Location)
	}
	w.Both(&evText, &evTextClean, l.Text)
	g.wordPosition(w, words, 3)
	w.End()
}

// numberedChannels are the channels of chatNumbered, saymode_t in src/game/bg_public.h of tremulous: all, team,
// private, private within the team, area. The others are of administrators.
var numberedChannels = [...]string{event.ChannelSay, event.ChannelTeam, event.ChannelTell, event.ChannelTell, event.ChannelTeam}

// chatNumbered reports chat of Tremulous: the client or -1, the number of the channel, the text.
//
// Source: G_SayTo, src/game/g_cmds.c of tremulous. No capture has one.
func (g *gameView) chatNumbered(w *eventWriter, words *token.Words) {
	client, ok := token.Atoi(words.At(1))
	mode, ok2 := token.Atoi(words.At(2))
	if !ok || !ok2 || words.Len() < 4 || client >= tables.MaxPlayers {
		return
	}
	channel := event.ChannelSay
	if mode >= 0 && int(mode) < len(numberedChannels) {
		channel = numberedChannels[mode]
	}
	w.Begin(event.Chat)
	w.Label(&evChannel, channel)
	if client >= 0 {
		w.client(&evClient, &g.roster, int(client), nil)
		w.Flag(&eventtree.Own, int(client) == g.own)
	}
	if channel == event.ChannelTell {
		g.writeTarget(w, int(client), words.At(3))
	}
	w.Both(&evText, &evTextClean, words.At(3))
	w.End()
}

// wordPosition adds the position in three words of a command, if they are numbers.
func (g *gameView) wordPosition(w *eventWriter, words *token.Words, at int) {
	var p [3]uint32
	for i := range p {
		v, ok := token.Atoi(words.At(at + i))
		if !ok || words.Len() <= at+i {
			return
		}
		p[i] = math.Float32bits(float32(v))
	}
	w.position(p[0], p[1], p[2])
}

// chatMarked reports chat of Return to Castle Wolfenstein, whose lines are those of Quake III with marks and with a
// colour around the location.
//
// Source: G_Say, MP/code/game/g_cmds.c of iortcw; captures.
func (g *gameView) chatMarked(w *eventWriter, channel string, line []byte) {
	l := speech.Split(speech.DropMarks(line), channel, false)
	l.Location = bytes.TrimSuffix(speech.DropColour(l.Location), []byte(speech.White))
	if len(l.Location) == 0 {
		l.Location = nil
	}
	g.chatLine(w, &l, line)
}

// chatLocated reports chat of Jedi Academy with the speaker's location: lchat and ltchat have the name in the form of
// chat, the location, the colour and the text.
//
// Source: G_SayTo, codemp/game/g_cmds.c of OpenJK. No capture has one.
func (g *gameView) chatLocated(w *eventWriter, channel string, words *token.Words) {
	if words.Len() < 5 {
		g.say(w, channel, words)
		return
	}
	line := append(append(append([]byte(nil), words.At(1)...), '^'), words.At(3)...)
	l := speech.Split(append(line, words.At(4)...), channel, false)
	l.Location = append([]byte(nil), words.At(2)...)
	g.chatLine(w, &l, line)
}

// voiceOfClient reports a voice message of Enemy Territory: voice-only, client, name; to the team or fireteam also the
// position.
//
// Source: G_VoiceTo, src/game/g_cmds.c of ET: Legacy; captures.
func (g *gameView) voiceOfClient(w *eventWriter, channel string, words *token.Words) {
	client, ok := token.Atoi(words.At(2))
	if !ok || words.Len() < 4 {
		return
	}
	w.Begin(event.Chat)
	w.Label(&evChannel, channel)
	w.client(&evClient, &g.roster, int(client), nil)
	w.Flag(&eventtree.Own, client >= 0 && int(client) == g.own)
	w.Text(&evVoice, words.At(3))
	only, _ := token.Atoi(words.At(1))
	w.Flag(&evVoiceOnly, only != 0)
	if channel != event.ChannelSay {
		g.wordPosition(w, words, 4)
	}
	w.End()
}
