package teehistorian

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// A jsonScanner reads JSON with the positions of its values and with bytes that are not UTF-8, which encoding/json has
// neither of. It stops at the first fault.
type jsonScanner struct {
	b   []byte
	pos int
	bad bool
}

// A jsonString is a string with the place of its token, quotes included, in bytes.
type jsonString struct {
	text     []byte // without escapes; it may alias the JSON
	at, size int
}

// maxDepth is how deep values can be nested that are skipped.
const maxDepth = 32

func (s *jsonScanner) space() {
	for s.pos < len(s.b) && bytes.IndexByte([]byte(" \t\r\n"), s.b[s.pos]) >= 0 {
		s.pos++
	}
}

// peek returns the next byte after space, 0 at the end.
func (s *jsonScanner) peek() byte {
	if s.space(); s.bad || s.pos == len(s.b) {
		return 0
	}
	return s.b[s.pos]
}

// take reads one byte, which must be c.
func (s *jsonScanner) take(c byte) {
	if s.peek() != c {
		s.bad = true
		return
	}
	s.pos++
}

// object reads an object. member reads the value of each name.
func (s *jsonScanner) object(member func(name jsonString)) {
	s.items('{', '}', func() {
		name := s.string()
		s.take(':')
		if s.space(); !s.bad {
			member(name)
		}
	})
}

// array reads an array. element reads each element.
func (s *jsonScanner) array(element func()) { s.items('[', ']', element) }

func (s *jsonScanner) items(open, end byte, item func()) {
	s.take(open)
	if s.peek() == end {
		s.pos++
		return
	}
	for !s.bad {
		s.space()
		if item(); s.peek() != ',' {
			break
		}
		s.pos++
	}
	s.take(end)
}

// string reads a string.
func (s *jsonScanner) string() (v jsonString) {
	at := s.pos
	if s.take('"'); s.bad {
		return v
	}
	n := bytes.IndexAny(s.b[s.pos:], "\"\\")
	if n < 0 {
		s.pos, s.bad = at, true
		return v
	}
	v.text = s.b[s.pos : s.pos+n : s.pos+n]
	s.pos += n
	for s.pos < len(s.b) && s.b[s.pos] != '"' {
		if s.b[s.pos] == '\\' {
			v.text = s.escape(v.text)
		} else {
			v.text = append(v.text, s.b[s.pos])
			s.pos++
		}
		if s.bad {
			return v
		}
	}
	if s.pos == len(s.b) {
		s.pos, s.bad = at, true
		return v
	}
	s.pos++
	v.at, v.size = at, s.pos-at
	return v
}

// escape appends the character of an escape.
func (s *jsonScanner) escape(dst []byte) []byte {
	rest := s.b[s.pos+1:]
	if len(rest) == 0 {
		s.bad = true
		return dst
	}
	if i := bytes.IndexByte([]byte(`"\/bfnrt`), rest[0]); i >= 0 {
		s.pos += 2
		return append(dst, "\"\\/\b\f\n\r\t"[i])
	}
	c := s.unit(s.pos)
	if s.bad {
		return dst
	}
	s.pos += len(`\u0000`)
	if utf16.IsSurrogate(c) && bytes.HasPrefix(s.b[s.pos:], []byte(`\u`)) {
		if both := utf16.DecodeRune(c, s.unit(s.pos)); both != utf8.RuneError {
			s.pos += len(`\u0000`)
			c = both
		}
	}
	return utf8.AppendRune(dst, c)
}

// unit reads an escape of four digits at a position.
func (s *jsonScanner) unit(at int) (c rune) {
	if at+6 > len(s.b) || s.b[at+1] != 'u' {
		s.bad = true
		return 0
	}
	for _, d := range s.b[at+2 : at+6] {
		switch {
		case '0' <= d && d <= '9':
			c = c<<4 | rune(d-'0')
		case 'a' <= d|0x20 && d|0x20 <= 'f':
			c = c<<4 | rune(d|0x20-'a'+10)
		default:
			s.bad = true
			return 0
		}
	}
	return c
}

// skip reads any value.
func (s *jsonScanner) skip(depth int) {
	switch c := s.peek(); {
	case depth > maxDepth:
		s.bad = true
	case c == '{':
		s.object(func(jsonString) { s.skip(depth + 1) })
	case c == '[':
		s.array(func() { s.skip(depth + 1) })
	case c == '"':
		s.string()
	default:
		from := s.pos
		for s.pos < len(s.b) && bytes.IndexByte([]byte("+-.0123456789abcdefghijklmnopqrstuvwxyzE"), s.b[s.pos]) >= 0 {
			s.pos++
		}
		s.bad = s.bad || s.pos == from
	}
}
