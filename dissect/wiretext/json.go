package wiretext

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// EscapeJSON returns JSON with the characters that Disturbs reports as \u202e, which means the same; other text that is
// printed has none of them. Control characters are left alone. It returns b itself if there is nothing to do.
func EscapeJSON(b []byte) []byte {
	if bytes.IndexFunc(b, redirects) < 0 {
		return b
	}
	escaped := make([]byte, 0, len(b)+len(b)/8)
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if high, low := utf16.EncodeRune(r); redirects(r) && high != utf8.RuneError {
			escaped = fmt.Appendf(escaped, `\u%04x\u%04x`, high, low)
		} else if redirects(r) {
			escaped = fmt.Appendf(escaped, `\u%04x`, r)
		} else {
			escaped = append(escaped, b[:size]...)
		}
		b = b[size:]
	}
	return escaped
}

// redirects reports whether a character disturbs a terminal and is not a control character.
func redirects(r rune) bool { return r >= 0x100 && Disturbs(r) }
