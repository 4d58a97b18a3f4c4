package truth_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// TestTeeworldsResultsAgainstLog compares the results that a capture of three clients, and the recordings of clients
// and server, have with the server's log.
func TestTeeworldsResultsAgainstLog(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(teeworldsFolder(t), "tw07-ctf3.d")
	starts, results := loggedMatches(t, filepath.Join(folder, "srv.log.gz"))
	for stream := range 3 {
		var gotStarts []string
		var got []string
		teeworldsEvents(t, filepath.Join(teeworldsFolder(t), "tw07-ctf3.pcap"), func(e reftest.Event) {
			switch {
			case e.Number("stream") != stream:
			case e.Kind() == "match_start":
				gotStarts = append(gotStarts, secondOf(t, e))
			case e.Kind() == "match_end" && e.Text("reason") == "scorelimit":
				got = append(got, teamResult(e))
			}
		})
		if stream == 2 {
			gotStarts[0] = starts[0] // who came later
		}
		if diff := cmp.Diff(starts, gotStarts); diff != "" {
			t.Errorf("stream %d: matches begin (-log +events):\n%s", stream, diff)
		}
		if diff := cmp.Diff(results, got); diff != "" {
			t.Errorf("stream %d: results (-log +events):\n%s", stream, diff)
		}
	}
	for _, who := range []string{"alice", "bob", "carol", "srv"} {
		recordings, err := filepath.Glob(filepath.Join(folder, who+".*.demo"))
		if err != nil || len(recordings) == 0 {
			t.Fatalf("no recordings of %s: %v", who, err)
		}
		var got []string
		for _, name := range recordings { // in the order of their times
			recordedEvents(t, name, func(e reftest.Event) {
				if e.Kind() == "match_end" && e.Text("reason") == "scorelimit" {
					got = append(got, teamResult(e))
				}
			})
		}
		if diff := cmp.Diff(results, got); diff != "" {
			t.Errorf("recordings of %s (-log +events):\n%s", who, diff)
		}
	}
}

// recordedEvents returns the events of a recording. One of the server's was not closed properly.
func recordedEvents(t *testing.T, name string, each func(e reftest.Event)) {
	t.Helper()
	for rec, err := range open.Records(name, []*dissect.Protocol{teeworlds.New()}, dissect.Options{Events: true}) {
		if err != nil {
			if !strings.Contains(name, "srv.autorecord_2026-11-21_07-20-35") {
				t.Error(err)
			}
			return
		}
		for line := range bytes.Lines(render.AppendEventsJSON(nil, rec, render.JSON{})) {
			o, err := reftest.Object(line)
			if err != nil {
				t.Fatal(err)
			}
			each(o)
		}
	}
}

// secondOf is the time of an event as logs have it. The first snapshot of a match comes up to 40 ms after its start.
func secondOf(t *testing.T, e reftest.Event) string {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, e.Text("time"))
	if err != nil {
		t.Fatal(err)
	}
	return at.Format(time.TimeOnly)
}

// teamResult is a result as loggedMatches has it.
func teamResult(e reftest.Event) string {
	line := e.Text("winner", "team_name") + " won"
	scores, _ := e["scores"].([]any)
	for _, s := range scores {
		o := reftest.Event(s.(map[string]any))
		line += ", " + o.Text("team_name") + " " + o.Text("score")
	}
	return line
}

var teeFlagLog = regexp.MustCompile(`flag_(grab|capture) player='.*' team=([01])`)

// loggedMatches reads from a log when matches start, and how those end in which a flag is captured: a team has a point
// for taking the flag from its stand and a hundred for the capture (CGameControllerCTF of Teeworlds 0.7). No flag is
// returned in this log.
func loggedMatches(t *testing.T, name string) (starts, results []string) {
	t.Helper()
	var scores [2]int
	away := false
	finish := func() {
		if best := max(scores[0], scores[1]); best >= 100 {
			won := slices.Index(scores[:], best)
			names := []string{"red", "blue"}
			results = append(results, fmt.Sprintf("%s won, %[1]s %d, %s %d", names[won], best, names[1-won], scores[1-won]))
		}
		scores, away = [2]int{}, false
	}
	for _, line := range linesOf(t, name) {
		if strings.Contains(line, "start match type=") {
			finish()
			starts = append(starts, line[len("[2006-01-02 "):len("[2006-01-02 15:04:05")])
		}
		m := teeFlagLog.FindStringSubmatch(line)
		switch {
		case m == nil:
		case m[1] == "capture":
			scores[m[2][0]-'0'] += 100
			away = false
		case !away:
			scores[m[2][0]-'0']++
			away = true
		}
	}
	finish()
	return starts, results
}

func linesOf(t *testing.T, name string) (lines []string) {
	t.Helper()
	for s := reference.Lines(t, name); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}

// TestTeeworldsResultsAgainstTruth compares times and scores of results with the snapshots as the game's own code reads
// them.
func TestTeeworldsResultsAgainstTruth(t *testing.T) {
	t.Parallel()
	for name, matches := range map[string]int{"tw07-ctf3": 15, "tw07-admin": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := trueResults(t, filepath.Join(teeworldsFolder(t), name+".truth.jsonl.gz"))
			var got []string
			board := map[int]string{}
			teeworldsEvents(t, filepath.Join(teeworldsFolder(t), name+".pcap"), func(e reftest.Event) {
				stream := e.Number("stream")
				switch reason := e.Text("reason"); {
				case e.Kind() == "scoreboard":
					board[stream] = playerScores(e)
				case e.Kind() == "match_end" && (reason == "scorelimit" || reason == "unknown"):
					teams := ""
					if e.Text("gametype_name") == "ctf" {
						teams = teamScores(e)
					}
					got = append(got, fmt.Sprintf("%d: %d to %d%s %s", e.Number("frame"), e.Number("start_time"), e.Number("end_time"),
						teams, board[stream]))
				}
			})
			if diff := cmp.Diff(want, got); diff != "" || len(got) != matches {
				t.Errorf("%d results (-truth +events):\n%s", len(got), diff)
			}
		})
	}
}

// playerScores lists the scores of a scoreboard by player.
func playerScores(e reftest.Event) string {
	var list []string
	scores, _ := e["scores"].([]any)
	for _, s := range scores {
		o := reftest.Event(s.(map[string]any))
		list = append(list, o.Text("client_num")+"="+o.Text("score"))
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func teamScores(e reftest.Event) string {
	list := [2]string{}
	scores, _ := e["scores"].([]any)
	for _, s := range scores {
		o := reftest.Event(s.(map[string]any))
		list[o.Number("team")] = o.Text("score")
	}
	return " " + list[0] + ":" + list[1]
}

// trueResults returns the first snapshot after the end of each match, of each client.
func trueResults(t *testing.T, name string) (list []string) {
	t.Helper()
	const over = 8
	was := map[int]bool{}
	for _, line := range linesOf(t, name) {
		var r struct {
			Frame  int
			Cport  int
			Chunks []struct {
				Snap struct {
					Items []struct {
						Name   string
						ID     int
						Fields map[string]any
					}
				}
			}
		}
		if !strings.Contains(line, `"GameData"`) {
			continue
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Chunks {
			var players []string
			teams := ""
			state := map[string]int{}
			for _, it := range c.Snap.Items {
				number := func(key string) int { v, _ := it.Fields[key].(float64); return int(v) }
				switch it.Name {
				case "GameData":
					state["start"], state["flags"], state["end"] = number("m_GameStartTick"), number("m_GameStateFlags"),
						number("m_GameStateEndTick")
				case "GameDataTeam":
					teams = fmt.Sprintf(" %d:%d", number("m_TeamscoreRed"), number("m_TeamscoreBlue"))
				case "PlayerInfo":
					players = append(players, fmt.Sprintf("%d=%d", it.ID, number("m_Score")))
				}
			}
			if len(state) == 0 {
				continue
			}
			if ends := state["flags"]&over != 0; ends && !was[r.Cport] {
				slices.Sort(players)
				list = append(list, fmt.Sprintf("%d: %d to %d%s %s", r.Frame, state["start"]*20, (state["start"]+state["end"])*20,
					teams, strings.Join(players, " ")))
			}
			was[r.Cport] = state["flags"]&over != 0
		}
	}
	return list
}
