// Package secret finds passwords and CD keys in texts: command lines and infostrings.
package secret

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A Span is a part of a text, in bytes.
type Span struct{ From, To int }

// AppendSpans appends the secrets of a command line: everything after the name of a command that takes a
// password, the value that a set command gives to a secret cvar, and the values of such keys in infostrings.
// They do not overlap.
func AppendSpans(dst []Span, line []byte) []Span {
	name := word(line, 0)
	command := line[name.From:name.To]
	secret := token.IsSecretCommand(command) || token.IsSecretKey(command)
	if key := word(line, name.To); isSet(command) && token.IsSecretKey(line[key.From:key.To]) {
		name, secret = key, true
	}
	if secret {
		if from := min(name.To+1, len(line)); from < len(line) {
			dst = append(dst, Span{from, len(line)})
		}
		return dst
	}
	return AppendInfoSpans(dst, line, "\\\"\n")
}

// word returns the first unquoted word from a position on.
func word(line []byte, from int) Span {
	for from < len(line) && (line[from] <= ' ' || line[from] == '"') {
		from++
	}
	to := from
	for to < len(line) && line[to] > ' ' && line[to] != '"' {
		to++
	}
	return Span{from, to}
}

// AppendInfoSpans appends the secret values of an infostring, or of a text that contains one. A value ends at
// one of the characters in ends.
func AppendInfoSpans(dst []Span, text []byte, ends string) []Span {
	for start := 0; ; {
		size := bytes.IndexByte(text[start:], '\\')
		if size < 0 {
			return dst
		}
		value := start + size + 1
		if token.IsSecretKey(text[start : value-1]) {
			end := len(text)
			if size := bytes.IndexAny(text[value:], ends); size >= 0 {
				end = value + size
			}
			if end > value {
				dst = append(dst, Span{value, end})
			}
		}
		start = value
	}
}

// Mask returns a command line with its secrets masked, or the line itself if it has none.
func Mask(line []byte) []byte {
	spans := AppendSpans(nil, line)
	if len(spans) == 0 {
		return line
	}
	var masked []byte
	end := 0
	for _, s := range spans {
		masked = append(append(masked, line[end:s.From]...), dissect.SecretMask...)
		end = s.To
	}
	return append(masked, line[end:]...)
}

// isSet reports whether a command gives a cvar a value: Cmd_Set_f and the like, code/qcommon/cvar.c.
func isSet(command []byte) bool {
	for _, name := range [...]string{"set", "seta", "sets", "setu"} {
		if token.EqualFold(command, name) {
			return true
		}
	}
	return false
}
