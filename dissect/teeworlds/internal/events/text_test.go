package events

import (
	"slices"
	"testing"
)

// Lines of a server that begin with a name, which may look like the rest of such a line (CGameContext::OnClientDrop and
// OnCallVote of Teeworlds 0.6: "'%s' has left the game (%s)", "'%s' called vote to ...").
func TestCutQuoted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, name, rest string
		ok               bool
	}{
		{"'dora' has left the game (quit)", "dora", " has left the game (quit)", true},
		{"'it's me' has left the game", "it's me", " has left the game", true},
		{"'a' called vote to kick 'b' (spam)", "a", " called vote to kick 'b' (spam)", true},
		{"dora has left the game", "", "", false},
		{"' has left the game", "", "", false},
		{"'dora' changed name to 'x'", "", "", false},
		{"", "", "", false},
	} {
		name, rest, ok := cutQuoted(c.line)
		if name != c.name || rest != c.rest || ok != c.ok {
			t.Errorf("%q: %q, %q, %v", c.line, name, rest, ok)
		}
	}
}

// The best are first, and players with one score stay in the order of their numbers.
func TestSortRanks(t *testing.T) {
	t.Parallel()
	list := []rank{{0, 3}, {1, -1}, {2, 7}, {3, 3}}
	sortRanks(list)
	if want := []rank{{2, 7}, {0, 3}, {3, 3}, {1, -1}}; !slices.Equal(list, want) {
		t.Errorf("%v, want %v", list, want)
	}
}

// Two clocks of one race differ by the delay of a message at most.
func TestNear(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b int
		want bool
	}{{0, 0, true}, {1499, 0, true}, {0, 1499, true}, {1500, 0, false}, {0, 1500, false}} {
		if got := near(c.a, c.b); got != c.want {
			t.Errorf("%d and %d: %v", c.a, c.b, got)
		}
	}
}
