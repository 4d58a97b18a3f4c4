// Package terminal prepares text for terminals.
package terminal

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// Visible makes a text safe for a terminal: control characters (C0, DEL, C1), characters that change the
// direction of writing, and bytes outside UTF-8 appear as \x1b. File names and texts of others may contain
// them.
func Visible(s string) string {
	if strings.IndexFunc(s, disturbs) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r < 0x100 && disturbs(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case disturbs(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

func disturbs(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

// Escaped returns output with the characters that change the direction of writing as \u202e: JSON escapes them so, and all other
// output has none left.
func Escaped(out []byte) []byte {
	redirects := func(r rune) bool { return r >= 0x100 && disturbs(r) }
	if bytes.IndexFunc(out, redirects) < 0 {
		return out
	}
	escaped := make([]byte, 0, len(out)+len(out)/8)
	for len(out) > 0 {
		r, size := utf8.DecodeRune(out)
		if redirects(r) {
			escaped = fmt.Appendf(escaped, `\u%04x`, r)
		} else {
			escaped = append(escaped, out[:size]...)
		}
		out = out[size:]
	}
	return escaped
}

// Output returns what output to a file is written to: the file, and for a terminal one that escapes.
func Output(f *os.File) io.Writer {
	if Is(f) {
		return escaping{f}
	}
	return f
}

// An escaping writes to a terminal. Each write has whole characters.
type escaping struct{ f *os.File }

func (e escaping) Write(b []byte) (int, error) {
	if _, err := e.f.Write(Escaped(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Is reports whether a file is a terminal.
func Is(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// Width returns the columns of a terminal; 0 where they are not known.
func Width(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// Fold breaks the lines of a text that are wider than a terminal, between words; what follows is indented by two columns more
// than its line. A width of 0 leaves the text as it is.
func Fold(text []byte, width int) []byte {
	if width == 0 {
		return text
	}
	var folded []byte
	for line := range bytes.Lines(text) {
		folded = appendFolded(folded, string(line), width)
	}
	return folded
}

func appendFolded(dst []byte, line string, width int) []byte {
	words := strings.TrimLeft(line, " ")
	indent := len(line) - len(words)
	dst = append(dst, line[:indent]...)
	at, begun := indent, false
	indent += 2
	for word := range strings.SplitSeq(words, " ") {
		size := utf8.RuneCountInString(strings.TrimSuffix(word, "\n"))
		switch {
		case begun && at+1+size > width:
			dst = append(append(dst, '\n'), strings.Repeat(" ", indent)...)
			at = indent
		case begun:
			dst = append(dst, ' ')
			at++
		}
		dst = append(dst, word...)
		at, begun = at+size, true
	}
	return dst
}
