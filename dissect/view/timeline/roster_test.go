package timeline

import "testing"

// TestNameAt: a match has the name that a player had at its end, as its table has.
func TestNameAt(t *testing.T) {
	t.Parallel()
	p := Player{Name: "^2C", Clean: "C", Names: []NameFrom{{0, "A", "A"}, {10, "^1B", "B"}, {20, "^2C", "C"}}}
	for at, want := range map[float64]string{-1: "A", 0: "A", 9: "A", 10: "B", 19: "B", 20: "C", 99: "C"} {
		if got := p.cleanAt(at); got != want {
			t.Errorf("at %v: %s, want %s", at, got, want)
		}
	}
	if p := (Player{Clean: "D"}); p.cleanAt(5) != "D" {
		t.Error("a player with one name has another")
	}
}
