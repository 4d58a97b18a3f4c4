package anonymize

import (
	"bytes"
	"strings"
	"sync"

	"github.com/q3dissect/q3dissect/dissect/internal/readerwords"
)

// The numbers that are kept: in texts those of 32 bits, in values of unknown meaning those of three digits.
const (
	maxNumber      = "4294967295"
	maxSmallNumber = 3
)

// harmless returns the words of harmlessWords, made when they are first asked for.
var harmless = sync.OnceValue(func() map[string]bool {
	list := strings.Fields(harmlessWords)
	m := make(map[string]bool, len(list))
	for _, w := range list {
		m[w] = true
	}
	return m
})

// isHarmless reports whether a word of a text identifies nobody: it is a number, a row of bits, or one of the words
// that the games themselves use or that readers of events compare with.
func isHarmless(word []byte) bool {
	clean := word
	if bytes.IndexByte(word, '^') >= 0 {
		clean = stripColors(word)
	}
	if isNumber(clean) {
		return len(bytes.Trim(clean, "01")) == 0 || len(clean) < len(maxNumber) || len(clean) == len(maxNumber) &&
			string(clean) <= maxNumber
	}
	lower := bytes.ToLower(clean)
	return harmless()[string(lower)] || readerwords.Has(lower)
}

func isNumber(word []byte) bool {
	for _, c := range word {
		if !isDigit(c) {
			return false
		}
	}
	return len(word) > 0
}
