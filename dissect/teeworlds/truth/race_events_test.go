package truth_test

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// A raceLine is what happened in a race, at a tick.
type raceLine struct {
	text string
	tick int
}

// A historianLine is a line of the truth of a teehistorian file, as far as races need it.
type historianLine struct {
	Tick      int     `json:"tick"`
	Kind      string  `json:"kind"`
	Ex        *string `json:"ex"`
	CID       int     `json:"cid"`
	CID1      int     `json:"cid1"`
	CID2      int     `json:"cid2"`
	Team      int     `json:"team"`
	TimeTicks int     `json:"time_ticks"`
	Practice  int     `json:"practice"`
	X         *int    `json:"x"`
	Y         *int    `json:"y"`
}

// TestRaceEventsAgainstTeehistorian compares events of captures with what the server wrote into its teehistorian file
// in the same sessions: teams, practice, swaps, saves, finishes, with the tick of each.
func TestRaceEventsAgainstTeehistorian(t *testing.T) {
	t.Parallel()
	for session, c := range map[string]struct {
		names []string
		more  []string // events that the file does not have
		less  []string // lines of the file that no message has
	}{
		// 16.4 records no finishes.
		"th16-race": {names: []string{"racer", "paul"}, more: []string{
			"racer finishes in 177", "paul finishes in 267", "paul finishes in 132",
		}},
		// A team that races is refused before the file hears of it.
		"th16-team": {names: []string{"anna", "bert"}, more: []string{
			"team 9 not_loaded", "anna finishes in 6889", "bert finishes in 6889", "team 9 finishes in 6889",
		}},
		// Practice ends with the team, which is not announced.
		"th16-full":  {names: []string{"dora", "emil"}, less: []string{"team 1 practice 0"}},
		"th16-sixup": {names: []string{"seven", "six"}, more: []string{"six finishes in 904"}},
		"th20-race":  {names: []string{"racer", "paul"}},
		// 20.1 announces no load that succeeds.
		"th20-team": {
			names: []string{"anna", "bert"}, more: []string{"team 9 not_loaded"}, less: []string{"team 9 loaded"},
		},
		// The team of /super has another number for clients that know 64 teams.
		"th20-full": {
			names: []string{"dora", "seven"}, more: []string{"dora in team 64"}, less: []string{"dora in team 128"},
		},
	} {
		t.Run(session, func(t *testing.T) {
			t.Parallel()
			folder := reference.Folder(t, "captures", "teehistorian", "sessions")
			want, _ := historianRace(t, filepath.Join(folder, session+".0.truth.jsonl.gz"), c.names)
			got, _ := captureRace(t, filepath.Join(folder, session+".pcap"))
			for _, l := range got {
				i := slices.IndexFunc(want, func(w raceLine) bool { return w.text == l.text && near(w.tick, l.tick) })
				switch {
				case i >= 0:
					want = slices.Delete(want, i, i+1)
				case slices.Contains(c.more, l.text):
					c.more = slices.Delete(c.more, slices.Index(c.more, l.text), slices.Index(c.more, l.text)+1)
				default:
					t.Errorf("tick %d: %s is not in the file", l.tick, l.text)
				}
			}
			var rest []string
			for _, l := range want {
				rest = append(rest, l.text)
			}
			if diff := cmp.Diff(c.less, rest); diff != "" {
				t.Errorf("lines of the file without an event (-want +got):\n%s", diff)
			}
			if len(c.more) > 0 {
				t.Errorf("no events %q", c.more)
			}
		})
	}
}

// near reports whether a message that announces a tick's doing may be that of the other tick.
func near(a, b int) bool { return a-b <= 8 && b-a <= 8 }

// historianRace reads the truth of a teehistorian file, and the places of the players at each tick.
func historianRace(t *testing.T, name string, names []string) (list []raceLine, places map[string]map[int][2]int) {
	t.Helper()
	places = map[string]map[int][2]int{}
	who := func(cid int) string { return names[cid] }
	for s := reference.Lines(t, name); s.Scan(); {
		var l historianLine
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(l.Kind, "player_") && l.X != nil {
			if places[who(l.CID)] == nil {
				places[who(l.CID)] = map[int][2]int{}
			}
			places[who(l.CID)][l.Tick] = [2]int{*l.X, *l.Y}
		}
		if l.Ex == nil {
			continue
		}
		text := ""
		switch *l.Ex {
		case "player-team":
			text = fmt.Sprintf("%s in team %d", who(l.CID), l.Team)
		case "team-practice":
			text = fmt.Sprintf("team %d practice %d", l.Team, l.Practice)
		case "player-swap":
			text = fmt.Sprintf("%s swaps with %s", who(l.CID1), who(l.CID2))
		case "save-success":
			text = fmt.Sprintf("team %d saved", l.Team)
		case "load-success":
			text = fmt.Sprintf("team %d loaded", l.Team)
		case "load-failure":
			text = fmt.Sprintf("team %d not_loaded", l.Team)
		case "player-finish":
			text = fmt.Sprintf("%s finishes in %d", who(l.CID), l.TimeTicks)
		case "team-finish":
			text = fmt.Sprintf("team %d finishes in %d", l.Team, l.TimeTicks)
		default:
			continue
		}
		list = append(list, raceLine{text, l.Tick})
	}
	return list, places
}

// A raceRun is a run of a race in the events of a stream.
type raceRun struct {
	name               string
	stream, tick, time int // ticks
	distance, seen     float64
}

// captureRace reads the events of a capture: each once, whichever stream shows it.
func captureRace(t *testing.T, name string) (list []raceLine, runs []raceRun) {
	t.Helper()
	const tick = 20 // ms
	for rec, err := range open.Records(name, []*dissect.Protocol{teeworlds.New()}, dissect.Options{Events: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for e := range rec.Events.Top().Children() {
			kind, action := e.Get("event").String(), e.Get("action").String()
			player, team := e.Get("client").Get("name").String(), e.Get("race_team").Int()
			at, text := int(e.Get("server_time").Int())/tick, ""
			switch {
			case kind == event.RaceTeam:
				text = fmt.Sprintf("%s in team %d", player, team)
			case kind == event.Practice && action == event.PracticeEnabled:
				text = fmt.Sprintf("team %d practice 1", team)
			case kind == event.Swap && action == event.SwapSwapped:
				text = fmt.Sprintf("%s swaps with %s", player, e.Get("target").Get("name"))
			case kind == event.Save:
				text = fmt.Sprintf("team %d %s", team, action)
			case kind == event.RaceFinish:
				text = fmt.Sprintf("%s finishes in %d", player, e.Get("finish_time").Int()/tick)
			case kind == event.TeamFinish:
				text = fmt.Sprintf("team %d finishes in %d", team, e.Get("finish_time").Int()/tick)
			case kind == event.Run && e.Get("course").String() == event.CourseRace:
				runs = append(runs, raceRun{
					player, rec.Stream, at, int(e.Get("run_time").Int()) / tick, float64(e.Get("distance").Float()),
					float64(e.Get("seen_time").Int()) / tick,
				})
			}
			seen := func(l raceLine) bool { return l.text == text && near(l.tick, at) }
			if text != "" && !slices.ContainsFunc(list, seen) {
				list = append(list, raceLine{text, at})
			}
		}
	}
	return list, runs
}

// TestRunsAgainstTeehistorian compares the path of each run that a stream shows with the places that the server
// wrote for every tick of it. A server of version 20.1 sends places so rarely that the path between two of them
// counts as straight.
func TestRunsAgainstTeehistorian(t *testing.T) {
	t.Parallel()
	for session, c := range map[string]struct {
		names []string
		runs  int     // that are shown
		shown float64 // least share of a run's time that snapshots show; the rest is its end
		short float64 // how much shorter the path may be, as a share
	}{
		"th16-race": {names: []string{"racer", "paul"}, runs: 4, shown: 0.95, short: 0.01},
		"th20-race": {names: []string{"racer", "paul"}, runs: 6, shown: 0.85, short: 0.13},
	} {
		t.Run(session, func(t *testing.T) {
			t.Parallel()
			folder := reference.Folder(t, "captures", "teehistorian", "sessions")
			_, places := historianRace(t, filepath.Join(folder, session+".0.truth.jsonl.gz"), c.names)
			_, runs := captureRace(t, filepath.Join(folder, session+".pcap"))
			whole := 0
			for _, r := range runs {
				if r.seen < c.shown*float64(r.time) {
					continue
				}
				whole++
				want := 0.0
				last, known := [2]int{}, false
				for tick := r.tick - r.time - 50; tick <= r.tick-r.time+int(r.seen); tick++ {
					at, ok := places[r.name][tick]
					if ok && known && tick > r.tick-r.time {
						want += math.Hypot(float64(at[0]-last[0]), float64(at[1]-last[1]))
					}
					if ok {
						last, known = at, true
					}
				}
				if r.distance > want*1.01 || r.distance < want*(1-c.short) {
					t.Errorf("stream %d, %s at tick %d: %.0f units, the file has %.0f", r.stream, r.name, r.tick, r.distance, want)
				}
			}
			if whole != c.runs {
				t.Errorf("%d runs are shown, not %d", whole, c.runs)
			}
		})
	}
}

// TestFlagTimes compares the times of captures with those in the server's log: from when the flag left its stand,
// through the hands of whoever carried it. The log counts a tick more or less than the snapshots, 25 a second.
func TestFlagTimes(t *testing.T) {
	t.Parallel()
	want := []float64{10.84, 2.32, 2.92, 2.78, 38.76} // flag_capture in srv.log of tw07-ctf3
	drops := []bool{true, false, false, false, true}
	var got []float64
	name := filepath.Join(reference.Folder(t, "captures"), "teeworlds", "tw07-ctf3.pcap")
	teeworldsEvents(t, name, func(e reftest.Event) {
		if e.Kind() == "run" && e.Text("action") == "captured" && e.Number("stream") == 0 {
			_, dropped := e.Value("from_drop")
			if i := len(got); i < len(drops) && dropped != drops[i] {
				t.Errorf("run %d from a drop: %t", i, dropped)
			}
			got = append(got, float64(e.Number("run_time"))/1000)
		}
	})
	for i, seconds := range want {
		if i >= len(got) || math.Abs(got[i]-seconds) > 0.021 {
			t.Errorf("captures %v, the server has %v", got, want)
			break
		}
	}
}
