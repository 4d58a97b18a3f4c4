// Package text appends text, numbers and times in the forms that records are written in.
package text

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

const (
	lowBits  = 0x0101010101010101 // 1 in each of eight bytes
	highBits = 0x8080808080808080
)

// plainLen counts the bytes at the start of b that need no change in a JSON string and on a terminal: printable
// ASCII without quotes and backslashes.
func plainLen(b []byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		quote, slash, del := x^('"'*lowBits), x^('\\'*lowBits), x^(0x7f*lowBits)
		// The lowest bit that is set is right; a borrow can disturb only those above it.
		odd := x | (x-' '*lowBits)&^x | (quote-lowBits)&^quote | (slash-lowBits)&^slash | (del-lowBits)&^del
		if odd &= highBits; odd != 0 {
			return i + bits.TrailingZeros64(odd)>>3
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return i
		}
	}
	return i
}

// AppendJSON appends b as a JSON string. Valid UTF-8 is kept; each other byte becomes the character U+0080 to
// U+00FF of its number, and exact is then false. Control characters (C0, DEL, C1) are escaped.
func AppendJSON(dst, b []byte) (out []byte, exact bool) {
	dst = append(dst, '"')
	n := plainLen(b)
	dst = append(dst, b[:n]...)
	exact = true
	if n < len(b) {
		dst, exact = appendEscaped(dst, b[n:])
	}
	return append(dst, '"'), exact
}

// AppendJSONString is AppendJSON for a string.
func AppendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := len(dst)
	return CloseJSON(append(dst, s...), from)
}

// CloseJSON converts the text in dst after an opening quote to a JSON string.
func CloseJSON(dst []byte, from int) []byte {
	i := from + plainLen(dst[from:])
	if n := len(dst); i < n {
		dst, _ = appendEscaped(dst, dst[i:n])
		dst = dst[:i+copy(dst[i:], dst[n:])]
	}
	return append(dst, '"')
}

// appendEscaped appends b as the inside of a JSON string; see AppendJSON.
func appendEscaped(dst, b []byte) (out []byte, exact bool) {
	exact = true
	for len(b) > 0 {
		n := plainLen(b)
		dst = append(dst, b[:n]...)
		if b = b[n:]; len(b) == 0 {
			break
		}
		c := b[0]
		if c < utf8.RuneSelf {
			dst = appendEscape(dst, c)
			b = b[1:]
			continue
		}
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			r, exact = rune(c), false
		}
		if r < 0xa0 {
			dst = appendEscape(dst, byte(r))
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		b = b[size:]
	}
	return dst, exact
}

// appendEscape appends the JSON escape of a character below U+0100.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	}
	return append(dst, '\\', 'u', '0', '0', HexDigits[c>>4], HexDigits[c&15])
}

// AppendVisible appends b for a terminal: bytes outside UTF-8 as in JSON; control characters (C0, DEL, C1) as
// \x19, and characters that change the direction of writing or break lines as \u202e.
func AppendVisible(dst, b []byte) []byte {
	for len(b) > 0 {
		c := b[0]
		if c < utf8.RuneSelf {
			if c < ' ' || c == 0x7f {
				dst = append(dst, '\\', 'x', HexDigits[c>>4], HexDigits[c&15])
			} else {
				dst = append(dst, c)
			}
			b = b[1:]
			continue
		}
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			r = rune(c)
		}
		switch {
		case r < 0xa0:
			dst = append(dst, '\\', 'x', HexDigits[r>>4], HexDigits[r&15])
		case disturbing(r):
			dst = append(dst, '\\', 'u', HexDigits[r>>12&15], HexDigits[r>>8&15], HexDigits[r>>4&15], HexDigits[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
		b = b[size:]
	}
	return dst
}

// MakeVisible is AppendVisible in place, for dst from index from on.
func MakeVisible(dst []byte, from int) []byte {
	i, n := from, len(dst)
scan:
	for i < n {
		switch c := dst[i]; {
		case c >= ' ' && c < 0x7f:
			i++
		case c >= 0xc3 && c <= 0xd7 && i+1 < n && dst[i+1]&0xc0 == 0x80: // U+00C0 to U+05FF, as the Δ of snapshots
			i += 2
		default:
			break scan
		}
	}
	if i == n {
		return dst
	}
	dst = AppendVisible(dst, dst[i:n])
	return dst[:i+copy(dst[i:], dst[n:])]
}

// disturbing reports whether a character makes a terminal show other text in another order or place:
// bidirectional controls and line and paragraph separators (Unicode Standard Annex #9, section 2).
func disturbing(r rune) bool {
	switch {
	case r < 0x061c:
		return false
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff:
		return true
	}
	return false
}

// AppendKey appends a key of our own, which needs no escaping.
func AppendKey(dst []byte, key string) []byte {
	n := len(dst)
	dst = slices.Grow(dst, len(key)+3)[:n+len(key)+3]
	dst[n] = '"'
	copy(dst[n+1:], key)
	dst[len(dst)-2], dst[len(dst)-1] = '"', ':'
	return dst
}

// CloseWith ends a container whose members all end with a comma.
func CloseWith(dst []byte, bracket byte) []byte {
	if n := len(dst) - 1; dst[n] == ',' {
		dst[n] = bracket
		return dst
	}
	return append(dst, bracket)
}
