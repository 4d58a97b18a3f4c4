package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect/internal/event"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A chatLine is a line of chat, split into its parts.
type chatLine struct {
	channel  string
	client   int    // -1: not known
	name     []byte // of the speaker
	location []byte
	text     []byte
}

// chatEscape surrounds names in chat, so that they cannot be faked: EC in code/game/g_local.h.
const chatEscape = '\x19'

// consoleChat is the prefix of lines from the server's console, SV_ConSay_f in code/server/sv_ccmds.c.
const consoleChat = "console: "

// splitChat takes apart what chat and tchat carry. The game builds the line
//
//	say   NAME ^7 EC ": " ^2 TEXT
//	team  EC "(" NAME ^7 EC ")" EC ": " ^5 TEXT, or EC "(" NAME ^7 EC ") (" LOCATION ")" EC ": " ^5 TEXT
//	tell  EC "[" NAME ^7 EC "]" EC ": " ^6 TEXT, or with LOCATION as above
//
// Games before 1.27 and CPMA do the same without EC; Quake Live puts the client's number with two digits
// and a blank before it.
//
// G_Say and G_SayTo in code/game/g_cmds.c; the rest as recordings have it.
func splitChat(line []byte, channel string, numbered bool) chatLine {
	l := chatLine{channel: channel, client: -1}
	if numbered && len(line) > 2 && line[2] == ' ' && token.Decimal(line[:2]) {
		l.client = token.Positive(line[:2])
		line = line[3:]
	}
	if text, ok := bytes.CutPrefix(line, []byte(consoleChat)); ok {
		l.channel, l.text = event.ChannelConsole, text
		return l
	}
	escaped := bytes.IndexByte(line, chatEscape) >= 0
	bracket := byte(0) // the character around the name
	if len(line) > 0 && !escaped {
		bracket = line[0]
	} else if len(line) > 1 && line[0] == chatEscape {
		bracket = line[1]
	}
	head, text, ok := cutChat(line, escaped, bracket)
	if !ok {
		l.text = line
		return l
	}
	if len(text) > 1 && text[0] == '^' { // the colour of the channel
		text = text[2:]
	}
	l.text = text
	rest := []byte(nil)
	switch {
	case bracket == '(' && channel == event.ChannelTeam && bytes.Contains(head, []byte(whiteCode+")")):
		l.name, rest, _ = bytes.Cut(head[1:], []byte(whiteCode+")"))
	case bracket == '[' && channel == event.ChannelSay && (escaped && bytes.Contains(head, []byte(whiteCode+"]")) || bytes.HasSuffix(head, []byte(whiteCode+"]")) || bytes.Contains(head, []byte(whiteCode+"] ("))):
		l.channel = event.ChannelTell
		l.name, rest, _ = bytes.Cut(head[1:], []byte(whiteCode+"]"))
	default:
		l.name = bytes.TrimSuffix(head, []byte(whiteCode))
	}
	if rest = bytes.TrimPrefix(rest, []byte(" (")); len(rest) > 0 {
		l.location = bytes.TrimSuffix(rest, []byte(")"))
	}
	return l
}

// whiteCode switches to white; the game puts it after names.
const whiteCode = "^7"

// cutChat separates the speaker, without EC, from the text. head is not empty when ok.
func cutChat(line []byte, escaped bool, bracket byte) (head, text []byte, ok bool) {
	if escaped {
		head, text, ok = bytes.Cut(line, []byte{chatEscape, ':', ' '})
		head = bytes.ReplaceAll(head, []byte{chatEscape}, nil)
		return head, text, ok && len(head) > 0
	}
	const colon = ": "
	ends := [...]string{"^7: ", ""}
	switch bracket {
	case '(':
		ends[1] = "): "
	case '[':
		if ends[1] = "^7]: "; bytes.Contains(line, []byte("^7] (")) {
			ends[1] = "): "
		}
	}
	for _, end := range ends {
		if i := bytes.Index(line, []byte(end)); end != "" && i > 0 {
			cut := i + len(end) - len(colon)
			return line[:cut], line[cut+len(colon):], true
		}
	}
	return nil, nil, false
}

// chat reports a line of chat from the server.
func (g *gameView) chat(w *eventWriter, channel string, line []byte) {
	l := splitChat(line, channel, g.family >= tables.FamilyQuakeLive73 && g.family <= tables.FamilyQuakeLive91)
	g.chatLine(w, &l, line)
}

// chatLine reports a line of chat that was taken apart; sentence is the whole of it.
func (g *gameView) chatLine(w *eventWriter, l *chatLine, sentence []byte) {
	if l.client < 0 && l.name != nil {
		l.client = g.roster.named(l.name)
	}
	if l.client < 0 && l.name == nil && l.channel == event.ChannelSay {
		if _, _, ok := g.roster.subject(sentence); ok { // OpenArena: "Liz is on a killing spree with 5 kills"
			l.channel = channelGame
		}
	}
	w.begin(kindChat)
	w.label(&evChannel, l.channel)
	if l.client >= 0 || l.name != nil {
		w.client(&evClient, &g.roster, l.client, l.name)
		w.flag(&event.Own, l.client >= 0 && l.client == g.own)
	}
	if l.channel == event.ChannelTell {
		g.writeTarget(w, l.client, l.text)
	}
	if l.location != nil {
		w.text(&evLocation, l.location)
	}
	w.both(&evText, &evTextClean, l.text)
	w.end()
}

// chatFrom reports team chat as CPMA sends it: mm2, the speaker, the number of the place, the text.
//
// Source: recordings; places are those of CS_LOCATIONS, code/game/bg_public.h.
func (g *gameView) chatFrom(w *eventWriter, words *token.Words) {
	client, ok := token.Atoi(words.At(1))
	if !ok || words.Len() < 4 {
		return
	}
	w.begin(kindChat)
	w.label(&evChannel, event.ChannelTeam)
	w.client(&evClient, &g.roster, int(client), nil)
	w.flag(&event.Own, client >= 0 && int(client) == g.own)
	if place, ok := token.Atoi(words.At(2)); ok && len(g.locations[int(place)]) > 0 {
		w.text(&evLocation, g.locations[int(place)])
	}
	w.both(&evText, &evTextClean, words.At(3))
	w.end()
}

// setLocation keeps the name of a place, for games that refer to places by number.
func (g *gameView) setLocation(index int, name []byte) {
	if g.family != tables.FamilyCPMA {
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
		if target := g.tells.take(text); target >= 0 {
			w.client(&evTarget, &g.roster, target, nil)
		}
	}
}

// voice reports a voice message: vchat, vtchat or vtell, then voice-only, client, colour and name. G_VoiceTo in
// code/game/g_cmds.c.
func (g *gameView) voice(w *eventWriter, channel string, words *token.Words) {
	if g.family == tables.FamilyET {
		g.voiceET(w, channel, words)
		return
	}
	client, ok := token.Atoi(words.At(2))
	if !ok || words.Len() < 5 {
		return
	}
	w.begin(kindChat)
	w.label(&evChannel, channel)
	w.client(&evClient, &g.roster, int(client), nil)
	w.flag(&event.Own, client >= 0 && int(client) == g.own)
	if channel == event.ChannelTell {
		g.writeTarget(w, int(client), words.At(4))
	}
	w.text(&evVoice, words.At(4))
	only, _ := token.Atoi(words.At(1))
	w.flag(&evVoiceOnly, only != 0)
	w.end()
}

// pendingTells remember the recipients of the client's last private lines: the server echoes the text to the
// client, without the recipient.
type pendingTells struct {
	list [4]struct {
		target int
		text   []byte
	}
	next int
}

func (p *pendingTells) put(target int, text []byte) {
	e := &p.list[p.next]
	p.next = (p.next + 1) % len(p.list)
	e.target, e.text = target, append(e.text[:0], text...)
}

// take returns the recipient of the text, or -1. The server replaces some characters, so only letters and
// digits are compared.
func (p *pendingTells) take(text []byte) int {
	for i := range p.list {
		if e := &p.list[i]; len(e.text) > 0 && sameLetters(e.text, text) {
			e.text = e.text[:0]
			return e.target
		}
	}
	return -1
}

// sameLetters compares two texts by their ASCII letters and digits.
func sameLetters(a, b []byte) bool {
	for {
		for len(a) > 0 && !letter(a[0]) {
			a = a[1:]
		}
		for len(b) > 0 && !letter(b[0]) {
			b = b[1:]
		}
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		if a[0] != b[0] {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

func letter(c byte) bool {
	return c >= '0' && c <= '9' || token.Lower(c) >= 'a' && token.Lower(c) <= 'z'
}
