// Package terminal prepares text for terminals.
package terminal

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// Visible returns a file name, or a text that contains one, for a terminal: as wiretext.Visible, with bytes outside
// UTF-8 as \xff.
func Visible(s string) string {
	if utf8.ValidString(s) {
		return wiretext.Visible(s)
	}
	var visible []byte
	for b := []byte(s); len(b) > 0; {
		_, size, exact := wiretext.Next(b)
		if exact {
			visible = wiretext.AppendVisible(visible, b[:size])
		} else {
			visible = fmt.Appendf(visible, `\x%02x`, b[0])
		}
		b = b[size:]
	}
	return string(visible)
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
	if _, err := e.f.Write(wiretext.EscapeJSON(b)); err != nil {
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

// Fold breaks the lines of a text that are wider than a terminal, between words; what follows is indented by two
// columns more than its line. A width of 0 leaves the text as it is.
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
