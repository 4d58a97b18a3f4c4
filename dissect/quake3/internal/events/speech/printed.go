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
		if names == nil {
			l.Name, l.Text, ok = cutAnyName(rest)
		} else {
			l.Name, l.Text, ok = cutKnownName(rest, names)
		}
		if ok {
			return l, true
		}
	}
	return Line{}, false
}

// colon is between the name and the text.
const colon = ": "

// cutKnownName splits a line after the longest of some names that it begins with.
func cutKnownName(line []byte, names [][]byte) (name, text []byte, ok bool) {
	for _, n := range names {
		if rest, found := bytes.CutPrefix(line, append(bytes.Clone(n), colon...)); found && len(n) > len(name) {
			name, text, ok = n, rest, true
		}
	}
	return name, text, ok
}

// cutAnyName splits a line at its first colon, where the players' names are not known.
func cutAnyName(line []byte) (name, text []byte, ok bool) {
	name, text, ok = bytes.Cut(line, []byte(colon))
	return name, text, ok && len(name) > 0 && string(name) != "Message Error"
}

// PrivateEcho parses the line that a client gets for a private line of its own: it has the number of the recipient,
// counted from 1.
func PrivateEcho(line []byte) (target int, ok bool) {
	number, ok := bytes.CutPrefix(line, []byte("Message to player "))
	number, ended := bytes.CutSuffix(number, []byte(":"))
	if !ok || !ended || len(number) > 3 || !token.Decimal(number) || number[0] == '-' {
		return 0, false
	}
	target = token.Positive(number) - 1
	return target, target >= 0
}
