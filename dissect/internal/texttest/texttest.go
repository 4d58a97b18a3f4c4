// Package texttest implements the rules for text of the wire again, as simply as possible, for tests to compare
// with.
package texttest

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text is the contract's rule, character by character.
func Text(s string) string {
	var b strings.Builder
	for i, r := range s {
		if _, size := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && size == 1 {
			r = rune(s[i])
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Info reads an infostring by splitting; raw is set unless joining the parts gives the same text, apart from a
// first backslash.
func Info(s string) (value, raw any) {
	m := map[string]any{}
	back := ""
	parts := strings.Split(strings.TrimPrefix(s, `\`), `\`)
	exact := utf8.ValidString(s)
	for len(parts) > 1 || len(parts) == 1 && parts[0] != "" {
		key, val := parts[0], ""
		if parts = parts[1:]; len(parts) > 0 {
			val, parts = parts[0], parts[1:]
		}
		if _, double := m[Text(key)]; double {
			exact = false
		} else {
			m[Text(key)] = Text(val)
		}
		exact = exact && key != ""
		back += `\` + key + `\` + val
	}
	if !exact || back != s && back != `\`+s {
		raw = Hex(s)
	}
	return m, raw
}

// Hex is an independent hexadecimal form.
func Hex(b string) string { return fmt.Sprintf("%x", b) }
