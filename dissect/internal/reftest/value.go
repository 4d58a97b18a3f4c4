package reftest

import (
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect/wiretext"
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

// Text returns bytes from the wire as records show them. exact is false if they are not UTF-8.
func Text(b []byte) (s string, exact bool) {
	text, exact := wiretext.Append(nil, b)
	return string(text), exact
}

// AddText adds a text to an object, and its bytes beside it where the text is not exact.
func AddText(into map[string]any, key string, b []byte) {
	s, exact := Text(b)
	into[key] = s
	if !exact {
		into[key+"_raw"] = hex.EncodeToString(b)
	}
}
