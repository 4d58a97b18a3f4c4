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

// AppendSpans appends the secrets of a command line, in their order: everything after the name of a command that takes a
// password, or after the name of a secret cvar; the values of such cvars in infostrings and answers. They do not overlap.
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
	dst = token.AppendAnswers(AppendInfoSpans(dst, text, textEnds), text)
	found := dst[first:]
	slices.SortFunc(found, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
	end := 0
	return dst[:first+len(slices.DeleteFunc(found, func(s Span) bool {
		inside := s.From < end
		end = max(end, s.To)
		return inside
	}))]
}

// afterSecret returns where the secret rest of a command line begins, or its length. Semicolons and line feeds outside quotes
// separate commands, Cbuf_Execute in code/qcommon/cmd.c. What players say and servers print is no command.
func afterSecret(line []byte) int {
	var w token.Words
	line = slices.Clip(line) // words keep the capacity of the line, so it tells their places
	for start := 0; start < len(line); {
		size := commandLen(line[start:])
		if w.Split(line[start : start+size]); start == 0 && token.IsTextCommand(w.At(0)) {
			break
		}
		if i := secretWord(&w); i >= 0 {
			if from := afterWord(line, len(line)-cap(w.At(i))+len(w.At(i))); from >= 0 {
				return from
			}
		}
		start += size + 1
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

// secretWord returns the first word of a command after which all is secret, or -1: a command that takes a password, or the name of a
// secret cvar in a command of the console.
func secretWord(w *token.Words) int {
	if token.IsSecretCommand(w.At(0)) {
		return 0
	}
	for i := 1; i < w.Len(); i++ {
		if token.IsSecretKey(w.At(i)) {
			return i
		}
	}
	return -1
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

// AppendInfoSpans appends the secret values of an infostring, or of a text that contains one. A value ends at
// one of the characters in ends.
func AppendInfoSpans(dst []Span, text []byte, ends string) []Span {
	for start := 0; ; {
		size := bytes.IndexByte(text[start:], '\\')
		if size < 0 {
			return dst
		}
		value := start + size + 1
		if token.IsSecretKey(keyBefore(text[start : value-1])) {
			end := len(text)
			if size := bytes.IndexAny(text[value:], ends); size >= 0 {
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
