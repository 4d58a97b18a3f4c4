package truth_test

import (
	"path/filepath"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// TestEventsCountedOnDemos counts events of recordings whose numbers the wire or the mod gives.
func TestEventsCountedOnDemos(t *testing.T) {
	t.Parallel()
	is := func(kind, key, value string) func(e reftest.Event) bool {
		return func(e reftest.Event) bool { return e.Kind() == kind && (key == "" || e.Text(key) == value) }
	}
	captured := func(flag string) func(e reftest.Event) bool {
		return func(e reftest.Event) bool {
			return e.Kind() == "flag" && e.Text("action") == "captured" && e.Text("flag") == flag
		}
	}
	for _, tt := range []struct {
		demo, what string
		counts     func(e reftest.Event) bool
		want       int
	}{
		{"demo_pack_1__CTFS-myT-ojfc-09-2014_11_21-23_35_49.dm_68", "one match of many rounds", is("match_start", "", ""), 1},
		{"dm_66_67__2004_-_TDM_1__QLAN2_.dm_67", "the end of a pause is no match", is("match_start", "", ""), 1},
		{"dm_68_cpma__2v2_xscores_1.dm_68", "commands mm2", is("chat", "channel", "team"), 31},
		{"dm_68_cpma__team_chat.dm_68", "commands mm2", is("chat", "channel", "team"), 4},
		{"36_kills_2_suicides.dm_68", "kills and suicides, by its name and the mod's table", is("kill", "", ""), 38},
		{"dm_90__ctf.dm_90", "captures by red, who wins 8 to 1", captured("blue"), 8},
		{"dm_90__ctf.dm_90", "captures by blue", captured("red"), 1},
		{"36_kills_2_suicides.dm_68", "score1 is the best player's, who ends with 24", is("score", "score1", "24"), 1},
		{"dm_90__ca.dm_90", "rounds that end: it begins at 1 to 1 and ends 10 to 5", is("round_end", "", ""), 13},
	} {
		got, found := 0, false
		for _, name := range glob(t, "../../demos/matches/"+tt.demo) {
			found = filepath.Base(name) == tt.demo
			eventsOfDemo(t, name, func(e reftest.Event) {
				if tt.counts(e) {
					got++
				}
			})
		}
		if !found || got != tt.want {
			t.Errorf("%s: %s: %d, want %d", tt.demo, tt.what, got, tt.want)
		}
	}
}
