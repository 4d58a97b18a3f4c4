// Package wiretext shows text from the wire, which can be any bytes: players and servers choose it.
//
// Valid UTF-8 is kept. Each byte that is not part of it becomes the character U+0080 to U+00FF of its number, so text
// in Latin-1 reads as it was written, and no byte is lost.
package wiretext

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// Next returns the first character of b, which must not be empty, and its length in bytes. exact is false for a byte
// outside UTF-8.
func Next(b []byte) (r rune, size int, exact bool) {
	r, size = utf8.DecodeRune(b)
	if r == utf8.RuneError && size == 1 {
		return rune(b[0]), 1, false
	}
	return r, size, true
}

// Append appends b as valid UTF-8. exact is false if b is not.
func Append(dst, b []byte) (out []byte, exact bool) {
	if utf8.Valid(b) {
		return append(dst, b...), true
	}
	for len(b) > 0 {
		r, size, _ := Next(b)
		dst = utf8.AppendRune(dst, r)
		b = b[size:]
	}
	return dst, false
}

// String returns b as valid UTF-8.
func String(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	text, _ := Append(nil, b)
	return string(text)
}

// Equal reports whether two texts are shown as the same characters.
func Equal(a, b []byte) bool {
	for len(a) > 0 && len(b) > 0 {
		r, n, _ := Next(a)
		s, m, _ := Next(b)
		if r != s {
			return false
		}
		a, b = a[n:], b[m:]
	}
	return len(a) == len(b)
}

// Disturbs reports whether a terminal must not get a character: control characters (C0, DEL, C1), those that show
// other text in another order or place, which are bidirectional controls (Unicode Standard Annex #9, section 2), line
// and paragraph separators, and those that show nothing, so that two names look the same: joiners, spaces without
// width, invisible operators, tags and the byte order mark.
func Disturbs(r rune) bool {
	switch {
	case r < 0x061c:
		return r < ' ' || r >= 0x7f && r < 0xa0
	case r == 0x061c, r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f && r != 0x2065,
		r == 0xfeff, r == 0xe0001, r >= 0xe0020 && r <= 0xe007f:
		return true
	}
	return false
}

// AppendVisible appends b for a terminal: as Append, with the characters that Disturbs reports as \x1b, \u202e or
// \U000e0041.
func AppendVisible(dst, b []byte) []byte {
	for {
		n := printable(b)
		dst = append(dst, b[:n]...)
		if b = b[n:]; len(b) == 0 {
			return dst
		}
		r, size, _ := Next(b)
		switch {
		case !Disturbs(r):
			dst = utf8.AppendRune(dst, r)
		case r < 0x100:
			dst = append(dst, '\\', 'x', hexDigits[r>>4], hexDigits[r&15])
		case r > 0xffff:
			dst = append(dst, '\\', 'U', '0', '0', '0', hexDigits[r>>16&15])
			dst = append(dst, hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
		default:
			dst = append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
		}
		b = b[size:]
	}
}

// printable counts the bytes at the start of b that are printable ASCII.
func printable(b []byte) int {
	const low, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		// A byte from 0x7f on has its highest bit set or carries into it; one below the blank borrows it. The lowest bit
		// that is set is right.
		if odd := (x | (x + low) | (x-' '*low)&^x) & high; odd != 0 {
			return i + bits.TrailingZeros64(odd)>>3
		}
	}
	for ; i < len(b) && b[i] >= ' ' && b[i] < 0x7f; i++ {
	}
	return i
}

// MakeVisible is AppendVisible in place, for dst from index from on.
func MakeVisible(dst []byte, from int) []byte {
	i, n := from, len(dst)
	for {
		if i += printable(dst[i:]); i == n {
			return dst
		}
		// U+00C0 to U+05FF, as the Δ of snapshots
		if c := dst[i]; c < 0xc3 || c > 0xd7 || i+1 == n || dst[i+1]&0xc0 != 0x80 {
			break
		}
		i += 2
	}
	dst = AppendVisible(dst, dst[i:n])
	return dst[:i+copy(dst[i:], dst[n:])]
}

// Visible is AppendVisible for a string.
func Visible(s string) string {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f {
			return string(AppendVisible(nil, []byte(s)))
		}
	}
	return s
}
