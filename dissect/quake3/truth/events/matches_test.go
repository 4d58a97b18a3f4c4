package events_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// An analysis is the part of UberDemoTools' output for a demo that is compared.
type analysis struct {
	MatchStats []struct {
		Map, Winner, FirstPlaceName, SecondPlaceName string
		FirstPlaceScore, SecondPlaceScore            int
		StartTime, EndTime, OvertimeCount            int
		Forfeited                                    bool
		TeamStats                                    []struct{}
		PlayerStats                                  []struct{ CleanName string }
		GameTypeShort                                string
	} `json:"matchStats"`
}

// matchesOnTheWire replaces values of UberDemoTools where the demo has others, and adds the matches that it
// does not find. Each with what is on the wire.
var matchesOnTheWire = map[string][]string{
	// Message 8786: cs 672 "sb\15\sr\13...", 8813: print "^4BLUE^7 wins 15 to 13".
	"demo_pack_1__CTFS-myT-ojfc-09-2014_11_21-23_35_49.dm_68": {"ojfc-09 blue won: blue 15, red 13"},
	// Its second match: cs 672 "...\tw\0\ts\245425..." in message 7146, cs 710 "sb\16\sr\-2" last before the configstring
	// of client 0 has team 3 and cs 672 "...\tw\-1..." in 13841.
	"dm_68_cpma__3_matches_2_gamestates.dm_68": {
		"cpm24 boT won: boT 15, gog 0", "cpm24 boT won: boT 16, gog -2",
		"cpm1a boT won: boT 25, gog 15",
	},
	// Message 2121: print "Timelimit hit" at 1 to 1.
	"dm_68_cpma__no_over_time_tied.dm_68": {"cpm3a draw: myT 1, arQon 1"},
	// Message 3802: the recording player joins the spectators, "Game has been forfeited.", and Grunt is first (cs 659).
	"dm_90__duel_forfeit_spectator.dm_90": {"furiousheights Grunt won: mejtisson 3, Grunt 1"},
	// UberDemoTools cuts names at what it takes for a clan; cs 545 has "territory.ru..Cooller".
	"dm_66_67__2004_-_Duel_2__Quakecon_.dm_67": {"hub3aeroq3 ZeRo4 won: ZeRo4 24, territory.ruICooller 16"},
	"dm_68_osp__duel_1.dm_68":                  {"hub3aeroq3 czm won: czm 55, territory.ruICooller 8"},
	"dm_91__duel.dm_91":                        {"sinister [MD] toxjq won: [MD] toxjq 11, MVPz Zorak 5"},
}

// TestMatchesOfDemos compares the matches of recordings with UberDemoTools' analysis of them.
func TestMatchesOfDemos(t *testing.T) {
	t.Parallel()
	for _, name := range reference.Glob(t, "demos", "matches", "*.dm_[0-9][0-9]") {
		short := filepath.Base(name)
		t.Run(short, func(t *testing.T) {
			t.Parallel()
			a := analysisOf(t, name)
			var want, got []string
			for i := range a.MatchStats {
				m := &a.MatchStats[i]
				line := fmt.Sprintf("%s %s won: %s %d, %s %d", m.Map, m.Winner, m.FirstPlaceName, m.FirstPlaceScore,
					m.SecondPlaceName, m.SecondPlaceScore)
				want = append(want, line)
			}
			if wire, ok := matchesOnTheWire[short]; ok {
				want = wire
			}
			var ends []reftest.Event
			eventsOfDemo(t, name, func(e reftest.Event) {
				if e.Kind() == "match_end" {
					got, ends = append(got, resultLine(e)), append(ends, e)
				}
			})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
			if len(a.MatchStats) == len(ends) {
				for i := range ends {
					compareTimes(t, a, i, ends[i])
				}
			}
		})
	}
}

// compareTimes compares start and end, which the analysis takes from the snapshots around them.
func compareTimes(t *testing.T, a *analysis, i int, e reftest.Event) {
	t.Helper()
	m := &a.MatchStats[i]
	const near = 200
	if d := e.Number("end_time") - m.EndTime; d < -near || d > near {
		t.Errorf("the match ends at %d, want %d", e.Number("end_time"), m.EndTime)
	}
	// After a pause in OSP, the analysis begins at the time that the clock would have without it.
	if d := e.Number("start_time") - m.StartTime; m.Map != "q3dm7" && (d < -near || d > near) {
		t.Errorf("the match begins at %d, want %d", e.Number("start_time"), m.StartTime)
	}
	if got := e.Text("reason") == "forfeit"; got != m.Forfeited {
		t.Errorf("reason %s, forfeited %v", e.Text("reason"), m.Forfeited)
	}
	if e.Number("overtimes") != m.OvertimeCount {
		t.Errorf("%d overtimes, want %d", e.Number("overtimes"), m.OvertimeCount)
	}
}

// resultLine puts the best two of a result into words.
func resultLine(e reftest.Event) string {
	name := func(v any) string {
		o := reftest.Event(v.(map[string]any))
		if clean := o.Text("name_clean"); clean != "" {
			return clean
		}
		return o.Text("team_name")
	}
	line := e.Text("map") + " draw:"
	if w, ok := e["winner"]; ok {
		line = e.Text("map") + " " + name(w) + " won:"
	}
	scores, _ := e["scores"].([]any)
	var list []string
	for _, s := range scores[:min(2, len(scores))] {
		list = append(list, name(s)+" "+reftest.Event(s.(map[string]any)).Text("score"))
	}
	return line + " " + strings.Join(list, ", ")
}

// analysisOf reads UberDemoTools' analysis of a demo.
func analysisOf(t *testing.T, name string) *analysis {
	t.Helper()
	z := reference.Unpack(t, name+".udt.json.gz")
	a := &analysis{}
	if err := json.NewDecoder(z).Decode(a); err != nil {
		t.Fatal(err)
	}
	return a
}
