package speech

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A Mark is the kind of a printed line: yellow or white text, chat, or a death.
type Mark uint8

// The marks that matter here.
const (
	MarkNone Mark = iota
	MarkChat
	MarkDeath
)

// Characters that begin a line: HUD_MESSAGE_*, code/qcommon/q_shared.h of openmohaa. Its server marks deaths twice, the
// second time by their colour.
const (
	hudChat     = 2
	hudDeath    = 4
	hudDeathOwn = 5
)

// CutMark cuts the mark off a printed line.
func CutMark(line []byte) (mark Mark, text []byte) {
	if len(line) == 0 || line[0] < 1 || line[0] > hudDeathOwn {
		return MarkNone, line
	}
	switch text = line[1:]; line[0] {
	case hudChat:
		mark = MarkChat
	case hudDeath, hudDeathOwn:
		mark = MarkDeath
		if len(text) > 0 && (text[0] == hudDeath || text[0] == hudDeathOwn) {
			text = text[1:]
		}
	}
	return mark, text
}

// printedChannels are the words before the name. Those of the dead and of spectators say who speaks, not to whom.
var printedChannels = [...]struct{ words, channel string }{
	{"(all) ", event.ChannelSay},
	{"(team) ", event.ChannelTeam},
	{"(private) ", event.ChannelTell},
	{"(dead) ", event.ChannelSay},
	{"(spectator) ", event.ChannelSay},
	{" ", event.ChannelSay},
	{"", event.ChannelSay},
}

// SplitPrinted parses a printed line of chat: a word for the channel in brackets, the name, a colon, and the text.
// names are those of the players; nil: they are not known, and the name ends at the first colon.
//
// Source: Player::EventDMMessage, code/fgame/player.cpp, and SV_ConSay_f, code/server/sv_ccmds.c of openmohaa.
func SplitPrinted(line []byte, names [][]byte) (l Line, ok bool) {
	const colon = ": "
	l = Line{Channel: event.ChannelConsole, Client: -1}
	if l.Text, ok = bytes.CutPrefix(line, []byte(consoleChat)); ok {
		return l, true
	}
	for _, c := range printedChannels {
		rest, found := bytes.CutPrefix(line, []byte(c.words))
		if !found {
			continue
		}
		l.Channel = c.channel
		for _, name := range names {
			if text, is := bytes.CutPrefix(rest, append(bytes.Clone(name), colon...)); is && len(name) > len(l.Name) {
				l.Name, l.Text, ok = name, text, true
			}
		}
		if l.Name, l.Text, ok = cutLine(&l, ok, rest, names == nil); ok {
			return l, true
		}
	}
	return Line{}, false
}

// cutLine splits a line at its first colon, unless a player's name was found in it.
func cutLine(l *Line, found bool, rest []byte, unknown bool) (name, text []byte, ok bool) {
	if found || !unknown {
		return l.Name, l.Text, found
	}
	name, text, ok = bytes.Cut(rest, []byte(": "))
	return name, text, ok && len(name) > 0 && string(name) != "Message Error"
}

// PrivateEcho parses the line that a client gets for a private line of its own: it has the number of the recipient,
// counted from 1.
func PrivateEcho(line []byte) (target int, ok bool) {
	number, ok := bytes.CutPrefix(line, []byte("Message to player "))
	number, colon := bytes.CutSuffix(number, []byte(":"))
	if !ok || !colon || len(number) > 3 || !token.Decimal(number) || number[0] == '-' {
		return 0, false
	}
	target = token.Positive(number) - 1
	return target, target >= 0
}
