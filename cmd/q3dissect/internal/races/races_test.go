package races

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// A team saved its race in one game and loaded it in the next, which was over before the race was: 2:22.120 of race in
// 0:44.540 of game. No time of the second game's clock is its start.
func TestSavedRun(t *testing.T) {
	t.Parallel()
	root := cmp.Or(os.Getenv("Q3DISSECT_REFERENCE"), filepath.Join("..", "..", "..", "..", "..", "shared"))
	name := filepath.Join(root, "captures", "teehistorian", "sessions", "th20-team.0.teehistorian")
	if _, err := os.Stat(name); err != nil {
		t.Skip(err)
	}
	s := Search{
		Protocols: all.Protocols(), Workers: 1, Complain: func(text string) { t.Error(text) }, Interrupt: &input.Interrupt{},
	}
	runs, _ := s.Find([]open.Path{{Name: name, Given: true}})
	if len(runs) != 2 {
		t.Fatalf("%d runs, want those of two players", len(runs))
	}
	for _, r := range runs {
		if r.Time <= r.Finish || r.Start != nil {
			t.Errorf("%s: race of %d ms, over at %d ms: start %v", r.Player, r.Time, r.Finish, r.Start)
		}
	}
	if b := AppendJSON(nil, runs); bytes.Count(b, []byte(`"start":null,`)) != 2 {
		t.Errorf("%s", b)
	}
	text := string(AppendText(nil, runs, table.Style{}))
	if strings.Count(text, " saved ") != 2 || strings.Contains(text, " -") {
		t.Errorf("%s", text)
	}
}
