package report

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// A player has one name: that of the end of the input. One that others had too shows nothing without a number, and
// of two players with one number nothing at all.
func TestCallings(t *testing.T) {
	t.Parallel()
	c := callingOf(&timeline.Game{Players: []*timeline.Player{
		{Client: 3, Clean: "C", Names: []timeline.NameFrom{{Clean: "A"}, {Clean: "B"}, {Clean: "C"}}},
		{Client: 4, Clean: "A"},
		{Client: 5, Clean: "E", Names: []timeline.NameFrom{{Clean: "D"}, {Clean: "E"}}},
		{Client: 5, Clean: "D"},
		{Client: 6, Clean: "F", Names: []timeline.NameFrom{{Clean: "F"}, {Clean: "G"}, {Clean: "F"}}},
	}})
	for _, row := range []struct {
		number int64
		name   string
		want   string
	}{
		{3, "A", "C"},
		{3, "B", "C"},
		{3, "C", "C"},
		{4, "A", "A"},
		{nobody, "A", "A"},
		{nobody, "B", "C"},
		{5, "D", "D"},
		{nobody, "D", "D"},
		{6, "G", "F"},
		{6, "F", "F"},
		{nobody, "", ""},
		{9, "B", "B"},
	} {
		if got := c.name(row.number, row.name); got != row.want {
			t.Errorf("%d %q: %q, want %q", row.number, row.name, got, row.want)
		}
	}
}

// In two matches of one recording the page has one name of LossyLarry, who called himself LossyLarry4 at the end of the
// first one (q3-68-loss.commands.txt): in sentences, charts and tables. Only events show what was said then.
func TestOneName(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("Q3DISSECT_REFERENCE")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "..", "shared")
	}
	name := filepath.Join(folder, "captures", "quake3", "q3-68-loss-clientside.pcap")
	if _, err := os.Stat(name); err != nil {
		t.Skip("the reference captures are not here")
	}
	f := made(t, name).Files[0]
	if len(f.Matches) != 2 {
		t.Fatal(len(f.Matches), "matches")
	}
	others := regexp.MustCompile(`LossyLarry[0-4]?\b`)
	for name, what := range map[string]any{
		"sentences": f.Words, "matches": f.Matches, "match": f.Statistics["match"], "input": f.Statistics["input"],
		"moments": f.Statistics["moments"], "aim": f.Pictures.Aim, "scores": f.Pictures.Games[0].Matches,
	} {
		text, err := json.Marshal(what)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string(nil), others.FindAllString(string(text), -1)); diff != "" ||
			!strings.Contains(string(text), "LossyLarry5") {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
