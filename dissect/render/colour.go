package render

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// colours are the terminal's for the digits of colour codes, from black, which terminals show as grey, to white, which
// is their usual colour. ColorIndex, code/qcommon/q_shared.h.
var colours = [8]string{"\x1b[90m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[34m", "\x1b[36m", "\x1b[35m", "\x1b[0m"}

// colourText colours what was said, where the words of an event, which begin at from, end with it: the text
// without its colour codes becomes coloured text. Words that were wrapped or cut stay as they are.
func colourText(dst []byte, from int, events *dissect.Tree, event int) []byte {
	raw := events.Find(event, "text")
	if raw < 0 || from > len(dst) {
		return dst
	}
	plain, coloured := colouredText(events.Bytes(&events.Nodes[raw]))
	if len(plain) == len(coloured) || !bytes.HasSuffix(dst[from:], plain) {
		return dst
	}
	return append(dst[:len(dst)-len(plain)], coloured...)
}

// colouredText returns a text as a terminal shows it, without colours and with them.
func colouredText(raw []byte) (plain, coloured []byte) {
	var segment []byte
	flush := func() {
		segment = wiretext.MakeVisible(segment, 0)
		plain, coloured = append(plain, segment...), append(coloured, segment...)
		segment = segment[:0]
	}
	changed := false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '^' && i+1 < len(raw) && raw[i+1] > ' ' && raw[i+1] < 0x7f && raw[i+1] != '^':
			flush()
			i++
			coloured = append(coloured, colours[(raw[i]-'0')&7]...)
			changed = true
		case c >= ' ' && c != 0x7f:
			segment = append(segment, c)
		}
	}
	if flush(); changed {
		coloured = append(coloured, colours[7]...)
	}
	return plain, coloured
}
