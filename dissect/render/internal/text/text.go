// Package text appends text, numbers and times in the forms that records are written in.
package text

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect/wiretext"
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

// AppendJSON appends b as a JSON string, with control characters (C0, DEL, C1) escaped. exact is false if b is not
// UTF-8: see wiretext.
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

// CloseName is CloseJSON for the name of a file, which is not from the wire: what would show it otherwise than it is
// is escaped.
func CloseName(dst []byte, from int) []byte {
	dst = CloseJSON(dst, from)
	return append(dst[:from], wiretext.EscapeJSON(dst[from:])...)
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
		r, size, valid := wiretext.Next(b)
		exact = exact && valid
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

// AppendKey appends a key of our own, which needs no escaping.
func AppendKey(dst []byte, key string) []byte {
	dst = append(dst, '"')
	dst = append(dst, key...)
	return append(dst, '"', ':')
}

// CloseWith ends a container whose members all end with a comma.
func CloseWith(dst []byte, bracket byte) []byte {
	if n := len(dst) - 1; dst[n] == ',' {
		dst[n] = bracket
		return dst
	}
	return append(dst, bracket)
}
