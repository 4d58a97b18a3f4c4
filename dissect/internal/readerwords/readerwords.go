// Package readerwords is the list of all words that the readers of events and matches compare texts with: keys of
// infostrings, words of commands, of configstrings and of sentences that servers print. A copy without names keeps
// them, so that it is read as its original is.
//
// words.txt is taken from the readers' source by a test of dissect/anonymize, which fails while a reader has a word
// that is not in it.
package readerwords

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed words.txt
var words string

var list = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
})

// Has reports whether a reader compares texts with a word, which is in lower case.
func Has(word []byte) bool { return list()[string(word)] }
