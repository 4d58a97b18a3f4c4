package reftest

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// List returns v if it is a JSON array, else nil.
func List(v any) []any {
	l, _ := v.([]any)
	return l
}

// Number returns v if it is a small whole number, else -1.
func Number(v any) int {
	n, err := strconv.Atoi(fmt.Sprint(v))
	if err != nil {
		return -1
	}
	return n
}

// Text writes bytes of the wire as records do: valid UTF-8 is kept, and each other byte becomes the character of its
// number; exact is then false.
func Text(b []byte) (s string, exact bool) {
	if utf8.Valid(b) {
		return string(b), true
	}
	var out []rune
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			r = rune(b[0])
		}
		out = append(out, r)
		b = b[size:]
	}
	return string(out), false
}

// AddText adds a text to an object, and its bytes beside it where the text is not exact.
func AddText(into map[string]any, key string, b []byte) {
	s, exact := Text(b)
	into[key] = s
	if !exact {
		into[key+"_raw"] = hex.EncodeToString(b)
	}
}
