package recover

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// TestWeigh weighs single characters as predict does.
func TestWeigh(t *testing.T) {
	t.Parallel()
	l := newLexicon(readCorpus().of(tables.CorpusShared))
	for _, text := range []string{"print \"Sarge", "", "c", "cs 54", "userinfo \"\\name\\x", "zzzzzzz\x19"} {
		var p [numChars]float64
		l.predict([]byte(text), false, &p)
		after := uint64(0)
		for _, c := range []byte(text) {
			after = (after<<8 | uint64(c)) & (1<<(8*order) - 1)
		}
		for c := range p {
			if got, want := l.weigh(after, byte(c)), bitsOf(max(p[keyCharacter(byte(c))], rarest)); got != want && c != '%' {
				t.Errorf("%q, %d: %d, want %d", text, c, got, want)
			}
		}
	}
}
