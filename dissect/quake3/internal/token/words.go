// Package token splits text of the wire as the engine's C code does: command lines into words, words into numbers.
package token

import "bytes"

// Words are the words of a command line, split as in the engine. They alias the line; they are the bytes of the
// wire, where the engine has '.' for '%' and for bytes above 127.
type Words struct {
	list [][]byte
}

// Split splits a line into words, as NextWord does.
func (w *Words) Split(line []byte) {
	w.list = w.list[:0]
	for word, rest, ok := NextWord(line); ok; word, rest, ok = NextWord(rest) {
		w.list = append(w.list, word)
	}
}

// NextWord returns the first word of a line and what follows it: bytes up to blank separate words, double quotes group,
// // ends the line and /* */ is skipped. An unclosed quote extends to the end. ok is false if there is no word.
//
// Cmd_TokenizeString2 in code/qcommon/cmd.c.
func NextWord(line []byte) (word, rest []byte, ok bool) {
	line = skipBlank(line)
	if len(line) == 0 {
		return nil, nil, false
	}
	if line[0] != '"' {
		n := wordLen(line)
		return line[:n], line[n:], true
	}
	line = line[1:]
	if end := bytes.IndexByte(line, '"'); end >= 0 {
		return line[:end], line[end+1:], true
	}
	return line, nil, true
}

// skipBlank skips blanks and comments; an empty rest means that the line is over.
func skipBlank(s []byte) []byte {
	for {
		for len(s) > 0 && s[0] <= ' ' {
			s = s[1:]
		}
		if len(s) < 2 || s[0] != '/' || s[1] != '/' && s[1] != '*' {
			return s
		}
		if s[1] == '/' {
			return nil
		}
		end := bytes.Index(s, []byte("*/"))
		if end < 0 {
			return nil
		}
		s = s[end+2:]
	}
}

// wordLen is the length of the unquoted word that begins s.
func wordLen(s []byte) int {
	for i, c := range s {
		if c <= ' ' || c == '"' || c == '/' && i+1 < len(s) && (s[i+1] == '/' || s[i+1] == '*') {
			return i
		}
	}
	return len(s)
}

// Reset forgets the words and keeps their memory.
func (w *Words) Reset() { w.list = w.list[:0] }

// Len counts the words.
func (w *Words) Len() int { return len(w.list) }

// At returns word i, or nothing.
func (w *Words) At(i int) []byte {
	if i >= len(w.list) {
		return nil
	}
	return w.list[i]
}

// From returns the words from i on as the game joins them, ConcatArgs in code/game/g_cmds.c, in new memory.
func (w *Words) From(i int) []byte {
	if i >= w.Len() {
		return nil
	}
	return bytes.Join(w.list[i:], []byte{' '})
}
