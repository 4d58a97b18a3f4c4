package near

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
