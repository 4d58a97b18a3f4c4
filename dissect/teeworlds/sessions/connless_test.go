package sessions

import (
	"fmt"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
)

// A browserMessage is a packet without connection: its tag, its name in records, and what follows the tag. A field is
// a letter: b, h, w: 1, 2, 4 bytes, most significant first; v: a packed int; s: a text; d: a number as text; x16: 16
// bytes; r: text to the end; a group in parentheses is repeated n times (n is a packed int before it) or to the end.
//
// CServer::SendServerInfo in src/engine/server/server.cpp, SERVERBROWSE_* in src/mastersrv/mastersrv.h and
// VERSIONSRV_* in src/versionsrv/versionsrv.h of each game.
type browserMessage struct {
	tag, name  string
	fromClient bool
	layout     string
}

const info06 = "d s s s s d d d d d" // token, version, name, map, game type, flags, players, clients

var browser07 = []browserMessage{
	{"bea2", "heartbeat", true, "h"},
	{"req2", "getlist", true, ""},
	{"lis2", "list", false, "(x16 h)"},
	{"cou2", "getcount", true, ""},
	{"siz2", "count", false, "h"},
	{"gie3", "getinfo", true, "v"},
	{"inf3", "info", false, "v s s s s s v v v v n v (s s v v v)"},
	{"fw??", "fwcheck", true, ""},
	{"fw!!", "fwresponse", false, ""},
	{"fwok", "fwok", true, ""},
	{"fwer", "fwerror", true, ""},
	{"verg", "getversion", true, ""},
	{"vers", "version", false, "r"},
	{"vmlg", "getmaplist", true, "w"},
	{"vmls", "maplist", false, "(x8 x4 w x32)"},
}

var browser06 = []browserMessage{
	{"bea2", "heartbeat", true, "h"},
	{"req2", "getlist", true, ""},
	{"lis2", "list", false, "(x16 h)"},
	{"cou2", "getcount", true, ""},
	{"siz2", "count", false, "h"},
	{"gie3", "getinfo", true, "b"},
	{"inf3", "info", false, info06 + " (s s d d d)"},
	{"fw??", "fwcheck", true, ""},
	{"fw!!", "fwresponse", false, ""},
	{"fwok", "fwok", true, ""},
	{"fwer", "fwerror", true, ""},
	{"verg", "getversion", true, ""},
	{"vers", "version", false, "r"},
	{"vmlg", "getmaplist", true, ""},
	{"vmls", "maplist", false, "(x8 x4 w)"},
}

var browserDDNet = []browserMessage{
	{"gie3", "getinfo", true, "b"},
	{"fstd", "getinfo_64_legacy", true, "b"},
	{"dtsf", "info_64_legacy", false, info06 + " v (s s d d d)"},
	{"iext", "info_extended", false, "d s s s d d s d d d d d s (s s d d d s)"},
	{"iex+", "info_extended_more", false, "d d s (s s d d d s)"},
	{"chal", "challenge", true, "x36 x1 s s"},
	{"none", "unknown", false, "x7"},
}

// connless sends a packet without connection.
func (w *writer) connless() {
	list := map[int][]browserMessage{kind07: browser07, kindDDNet: browserDDNet}[w.kind]
	if list == nil {
		list = browser06
	}
	m := &list[w.IntN(len(list))]
	var b []byte
	switch {
	case w.kind == kind07:
		b = append(append([]byte{0x21}, w.token[:]...), w.answer[:]...)
	case w.kind == kindDDNet && w.one(2):
		b = []byte{'x', 'e', byte(w.Uint32()), byte(w.Uint32()), 0, 0}
	default:
		b = []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	}
	b = append(append(b, 0xff, 0xff, 0xff, 0xff), m.tag...)
	fixed, group, _ := strings.Cut(m.layout, "(")
	count := w.IntN(5)
	b = w.layout(b, fixed, count)
	for range count {
		b = w.layout(b, strings.TrimSuffix(group, ")"), 0)
	}
	w.send(m.fromClient, b, "connless "+m.name)
}

// layout appends fields; count is what n is.
func (w *writer) layout(b []byte, layout string, count int) []byte {
	for _, field := range strings.Fields(layout) {
		size := 0
		switch field[0] {
		case 'b':
			size = 1
		case 'h':
			size = 2
		case 'w':
			size = 4
		case 'x':
			fmt.Sscan(field[1:], &size)
		case 'v':
			b = wiretest.AppendInt(b, w.number(-1<<31, 1<<31-1))
		case 'n':
			b = wiretest.AppendInt(b, int32(count))
		case 's':
			b = append(append(b, texts[w.IntN(len(texts))]...), 0)
		case 'd':
			b = append(b, [...]string{"", "", "", "", "0", "+", " "}[w.IntN(7)]...) // some servers write odd numbers
			b = append(fmt.Append(b, w.number(0, 1<<31-1)), 0)
		case 'r':
			b = append(b, "0.7.5"...)
		}
		for range size {
			b = append(b, byte(w.Uint32()))
		}
	}
	return b
}
