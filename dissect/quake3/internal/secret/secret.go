// Package secret finds passwords and CD keys in texts: command lines and infostrings.
package secret

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A Span is a part of a text, in bytes.
type Span = token.Span

// textEnds are the characters that end the value of an infostring within a text.
const textEnds = "\\\"\n"

// AppendSpans appends the secrets of a command line, in their order: everything after the name of a command that takes
// a password, or after the name of a secret cvar; the values of such cvars in infostrings and answers. They do not
// overlap.
func AppendSpans(dst []Span, line []byte) []Span {
	end := afterSecret(line)
	dst = AppendTextSpans(dst, line[:end])
	if end < len(line) {
		dst = append(dst, Span{From: end, To: len(line)})
	}
	return dst
}

// AppendTextSpans appends the secrets of a text that is not a command line, as AppendSpans does.
func AppendTextSpans(dst []Span, text []byte) []Span {
	first := len(dst)
	dst = token.AppendAnswers(appendValueSpans(dst, text), text)
	found := dst[first:]
	slices.SortFunc(found, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
	end := 0
	return dst[:first+len(slices.DeleteFunc(found, func(s Span) bool {
		inside := s.From < end
		end = max(end, s.To)
		return inside
	}))]
}

// afterSecret returns where the secret rest of a command line begins, or its length. Semicolons and line feeds outside
// quotes separate commands, Cbuf_Execute in code/qcommon/cmd.c. What players say and servers print is no command.
func afterSecret(line []byte) int {
	line = slices.Clip(line) // words keep the capacity of the line, so it shows their places
	for start := 0; start < len(line); {
		command := line[start : start+commandLen(line[start:])]
		if first, _, _ := token.NextWord(command); start == 0 && token.IsTextCommand(first) {
			break
		}
		if word, ok := secretWord(command); ok {
			if from := afterWord(line, len(line)-cap(word)+len(word)); from >= 0 {
				return from
			}
		}
		start += len(command) + 1
	}
	return len(line)
}

// commandLen returns the length of the first command of a line.
func commandLen(line []byte) int {
	quoted := false
	for i, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ';' || c == '\n'):
			return i
		}
	}
	return len(line)
}

// secretWord returns the first word of a command after which all is secret: a command that takes a password, or the
// name of a secret cvar in a command of the console. ok is false if there is none.
func secretWord(command []byte) (word []byte, ok bool) {
	word, rest, ok := token.NextWord(command)
	if token.IsSecretCommand(word) {
		return word, ok
	}
	for word, rest, ok = token.NextWord(rest); ok; word, rest, ok = token.NextWord(rest) {
		if token.IsSecretKey(word) {
			return word, true
		}
	}
	return nil, false
}

// afterWord returns where the text after a word begins, past its quote or one blank, or -1 if nothing follows.
func afterWord(line []byte, end int) int {
	if end < len(line) && line[end] == '"' && bytes.Count(line[:end], []byte{'"'})&1 != 0 {
		end++
	}
	if len(bytes.Trim(line[end:], " \t\r\n\x00")) == 0 {
		return -1
	}
	if line[end] <= ' ' {
		end++
	}
	return end
}

// AppendInfoSpans appends the secret values of an infostring.
func AppendInfoSpans(dst []Span, info []byte) []Span {
	rest := slices.Clip(info) // slices keep the capacity, so it shows their places
	for key, value, rest, ok := dissect.NextPair(rest); ok; key, value, rest, ok = dissect.NextPair(rest) {
		if len(value) > 0 && token.IsSecretKey(key) {
			from := len(info) - cap(value)
			dst = append(dst, Span{From: from, To: from + len(value)})
		}
	}
	return dst
}

// appendValueSpans appends the secret values in a text that may contain an infostring, or a part of one: where it
// begins is not known, so every part between backslashes may be a key. A value ends at one of textEnds.
func appendValueSpans(dst []Span, text []byte) []Span {
	for start := 0; ; {
		size := bytes.IndexByte(text[start:], '\\')
		if size < 0 {
			return dst
		}
		value := start + size + 1
		if token.IsSecretKey(keyBefore(text[start : value-1])) {
			end := len(text)
			if size := bytes.IndexAny(text[value:], textEnds); size >= 0 {
				end = value + size
			}
			if end > value {
				dst = append(dst, Span{From: value, To: end})
			}
		}
		start = value
	}
}

// keyBefore returns the key that a text ends with: the first key of an infostring can follow other words or a quote.
func keyBefore(text []byte) []byte { return text[bytes.LastIndexAny(text, " \t\n\"")+1:] }

// Mask returns a command line with its secrets masked, or the line itself if it has none.
func Mask(line []byte) []byte { return mask(line, AppendSpans(nil, line)) }

// MaskText is Mask for a text that is not a command line.
func MaskText(text []byte) []byte { return mask(text, AppendTextSpans(nil, text)) }

func mask(text []byte, spans []Span) []byte {
	if len(spans) == 0 {
		return text
	}
	var masked []byte
	end := 0
	for _, s := range spans {
		masked = append(append(masked, text[end:s.From]...), dissect.SecretMask...)
		end = s.To
	}
	return append(masked, text[end:]...)
}
