package events_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// A frags is what the mods' own statistics say of a player at the end of a recording: how many he killed,
// how often others killed him, and he himself.
type frags struct{ kills, deaths, suicides int }

// demoFrags are the tables that OSP and CPMA print into the console when a match is over ("Player  Kll Dth
// Sui ..."), by the names in the game without colours.
var demoFrags = map[string]map[string]frags{
	"2001_-_Duel_3_WCG.dm_66":                  {"ZeRo4": {19, 9, 0}, "n^LeXeR ": {9, 19, 0}},
	"dm3__duel.dm3":                            {"fatal1ty": {8, 4, 1}, "Blue": {4, 8, 2}},
	"dm_48__duel.dm_48":                        {"cK-fatal1ty": {14, 3, 0}, "c58|PELE [PK]": {3, 14, 0}},
	"dm_68_cpma__sudden_death_over_time.dm_68": {"myT": {2, 1, 0}, "arQon": {1, 2, 0}},
}

// demoEvents count the events of other recordings. That of chat is the number of such commands in the truth;
// scores and rounds are those of the scores in the truth (clan arena ends 7 to 1 after 8 rounds), scoreboards the score
// commands; in the duels of protocols 67 and 91 every kill changes the score, which the server counts.
var demoEvents = map[string]map[string]int{
	"2002_-_Duel_3_Quakecon.dm_67": {
		"chat": 2, "connect": 2, "intermission": 1, "kill": 12, "map_start": 1, "match_end": 1,
		"match_start": 1, "pickup": 99, "score": 12, "scoreboard": 41,
	},
	"dm_68__team_chat.dm_68": {
		"chat": 5, "kill": 1, "map_start": 1, "match_end": 1, "match_start": 1,
		"pickup": 7, "score": 1,
	},
	"dm_68_osp__chat.dm_68": {"chat": 3, "map_start": 1},
	"dm_73__ca_scores_ca.dm_73": {
		"chat": 4, "intermission": 1, "kill": 32, "map_restart": 1, "map_start": 1, "match_end": 1, "match_start": 1,
		"round_end": 8, "round_start": 8, "score": 8, "scoreboard": 13,
	},
	"dm_90__ft.dm_90": {
		"chat": 2, "intermission": 1, "kill": 5, "map_restart": 1, "map_start": 1, "match_end": 1,
		"match_start": 1, "pickup": 20, "round_end": 2, "round_start": 2, "score": 2, "scoreboard": 1,
	},
	"dm_91__duel_forfeit_disconnect.dm_91": {
		"chat": 29, "disconnect": 1, "intermission": 1, "kill": 6, "map_restart": 1, "map_start": 1, "match_end": 1,
		"match_start": 1, "pickup": 150, "score": 7, "scoreboard": 1,
	},
}

// TestEventsOfDemos compares the kills of a match with what the mod counted, and looks at every kill and
// line of chat of all other recordings: the game is recognised and the names are known.
func TestEventsOfDemos(t *testing.T) {
	t.Parallel()
	for _, name := range reference.Glob(t, "demos", "quake3", "*.dm*[0-9]") {
		short := filepath.Base(name)
		t.Run(short, func(t *testing.T) {
			t.Parallel()
			count := map[string]int{}
			got := map[string]frags{}
			match := false
			eventsOfDemo(t, name, func(e reftest.Event) {
				count[e.Kind()]++
				switch e.Kind() {
				case "match_start":
					match = true
				case "kill":
					checkKill(t, e, !strings.Contains(short, "_cpma_"))
					if match {
						countKill(got, e)
					}
				case "chat":
					if e.Text("channel") != "console" && e.Text("client", "client_num") == "" {
						t.Errorf("nobody has said %v", e)
					}
				}
			})
			if want, ok := demoFrags[short]; ok {
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(frags{})); diff != "" {
					t.Errorf("frags (-want +got):\n%s", diff)
				}
			}
			if want, ok := demoEvents[short]; ok {
				if diff := cmp.Diff(want, count); diff != "" {
					t.Errorf("events (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// checkKill looks at a kill. placed means that the game gives obituaries a place: CPMA does not.
func checkKill(t *testing.T, e reftest.Event, placed bool) {
	t.Helper()
	if e.Text("victim", "name") == "" || e.Text("means_of_death_name") == "" || e.Text("world") == "" &&
		e.Text("killer", "name") == "" {
		t.Errorf("a kill without names: %v", e)
	}
	if _, ok := e.Value("position", "x"); ok != placed {
		t.Errorf("a kill with a place is %v, want %v: %v", ok, placed, e)
	}
}

func countKill(all map[string]frags, e reftest.Event) {
	killer, victim := e.Text("killer", "name_clean"), e.Text("victim", "name_clean")
	if killer == victim || killer == "" {
		f := all[victim]
		f.suicides++
		all[victim] = f
		return
	}
	f := all[killer]
	f.kills++
	all[killer] = f
	f = all[victim]
	f.deaths++
	all[victim] = f
}

// eventsOfDemo passes on the events of a recording.
func eventsOfDemo(t *testing.T, name string, each func(e reftest.Event)) {
	t.Helper()
	e := reftest.NewEventEngine(t, each)
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for p, err := range reftest.PacketsOf(t, f, name, false) {
		if err != nil {
			break // the broken ones are there for others
		}
		if err := e.Packet(p); err != nil {
			t.Error(err)
		}
	}
	reftest.Close(t, e)
}
