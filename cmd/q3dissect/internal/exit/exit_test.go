package exit

import (
	"errors"
	"fmt"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
)

// Joined errors are on one line, and line feeds within one of them are still escaped.
func TestSentence(t *testing.T) {
	a, b, c := errors.New("a"), errors.New("b\nc"), errors.New("d")
	for _, tt := range []struct {
		err  error
		want string
	}{
		{a, "a"},
		{errors.Join(a, c), "a; d"},
		{errors.Join(a, errors.Join(b, c)), `a; b\x0ac; d`},
		{fmt.Errorf("%w and %w", a, c), "a and d"},
	} {
		if got := terminal.Visible(Sentence(tt.err)); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
