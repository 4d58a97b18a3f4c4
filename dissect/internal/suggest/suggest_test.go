package suggest

import (
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"length", "info", "quake3.oob.command", "quake3.server_message.ops.snapshot.server_time", "stream"}
	for _, tt := range []struct{ mistyped, want string }{
		{"lenght", "length"},
		{"server_time", "quake3.server_message.ops.snapshot.server_time"},
		{"quake3.oob.comand", "quake3.oob.command"},
		{"steam", "stream"},
		{"zzzzzzzz", ""},
		{"", "info"[:0]},
	} {
		if got := Path(tt.mistyped, slices.Values(names)); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.mistyped, got, tt.want)
		}
	}
	if got := Word("server_time", slices.Values(names)); got != "" {
		t.Errorf("the end of a path is no word: %q", got)
	}
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"lenght", "length", 1}} {
		for _, got := range distances(tt.a, slices.Values([]string{tt.b})) {
			if got != tt.want {
				t.Errorf("%q to %q: %d, want %d", tt.a, tt.b, got, tt.want)
			}
		}
	}
}

// A long list is cut, and the word that was meant need not be among the named ones.
func TestSomeChoices(t *testing.T) {
	t.Parallel()
	words := []string{"alpha", "beta", "gamma", "delta"}
	for _, tt := range []struct {
		mistyped, want string
		most           int
	}{
		{"gama", "did you mean gamma? There are alpha, beta and 2 others", 2},
		{"zzz", "there are alpha, beta, gamma and 1 other", 3},
		{"zzz", "there are alpha, beta, gamma, delta", 4},
		{"zzz", "there are alpha, beta, gamma, delta", 20},
	} {
		if got := SomeChoices(tt.mistyped, words, tt.most); got != tt.want {
			t.Errorf("%q of %d: %q, want %q", tt.mistyped, tt.most, got, tt.want)
		}
	}
}
