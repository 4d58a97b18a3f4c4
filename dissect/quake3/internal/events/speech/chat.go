// Package speech parses the texts that servers send to their clients: lines of chat, and sentences about players, in
// the forms of the games.
package speech

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A Line is a line of chat, split into its parts.
type Line struct {
	Channel  string
	Client   int    // -1: not known
	Name     []byte // of the speaker; nil: not known
	Location []byte // of the speaker; nil: the line has none
	Text     []byte
}

// chatEscape surrounds names in chat, so that they cannot be faked: EC in code/game/g_local.h.
const chatEscape = '\x19'

// consoleChat is the prefix of lines from the server's console, SV_ConSay_f in code/server/sv_ccmds.c.
const consoleChat = "console: "

// Split parses the line of chat and tchat, which the game builds as
//
//	say   NAME ^7 EC ": " ^2 TEXT
//	team  EC "(" NAME ^7 EC ")" EC ": " ^5 TEXT, or EC "(" NAME ^7 EC ") (" LOCATION ")" EC ": " ^5 TEXT
//	tell  EC "[" NAME ^7 EC "]" EC ": " ^6 TEXT, or with LOCATION as above
//
// Games before 1.27 and CPMA do the same without EC; Quake Live puts the client's number with two digits
// and a blank before it.
//
// G_Say and G_SayTo in code/game/g_cmds.c; the rest as recordings have it.
func Split(line []byte, channel string, numbered bool) Line {
	l := Line{Channel: channel, Client: -1}
	if numbered && len(line) > 2 && line[2] == ' ' && token.Decimal(line[:2]) {
		l.Client = token.Positive(line[:2])
		line = line[3:]
	}
	if text, ok := bytes.CutPrefix(line, []byte(consoleChat)); ok {
		l.Channel, l.Text = event.ChannelConsole, text
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
		l.Text = line
		return l
	}
	if len(text) > 1 && text[0] == '^' { // the colour of the channel
		text = text[2:]
	}
	l.Text = text
	rest := []byte(nil)
	switch {
	case bracket == '(' && channel == event.ChannelTeam && bytes.Contains(head, []byte(White+")")):
		l.Name, rest, _ = bytes.Cut(head[1:], []byte(White+")"))
	case bracket == '[' && channel == event.ChannelSay && (escaped && bytes.Contains(head, []byte(White+"]")) ||
		bytes.HasSuffix(head, []byte(White+"]")) || bytes.Contains(head, []byte(White+"] ("))):
		l.Channel = event.ChannelTell
		l.Name, rest, _ = bytes.Cut(head[1:], []byte(White+"]"))
	default:
		l.Name = bytes.TrimSuffix(head, []byte(White))
	}
	if rest = bytes.TrimPrefix(rest, []byte(" (")); len(rest) > 0 {
		l.Location = bytes.TrimSuffix(rest, []byte(")"))
	}
	return l
}

// White switches to white; the game puts it after names.
const White = "^7"

// cutChat separates the speaker, without EC, from the text. head is not empty when ok.
func cutChat(line []byte, escaped bool, bracket byte) (head, text []byte, ok bool) {
	if escaped {
		head, text, ok = bytes.Cut(line, []byte{chatEscape, ':', ' '})
		head = bytes.ReplaceAll(head, []byte{chatEscape}, nil)
		return head, text, ok && len(head) > 0
	}
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
