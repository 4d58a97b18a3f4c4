package browsertest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tablesOf are the sections with the rows of a statistic as they are, and some heads of the table.
var tablesOf = map[string][]string{
	"players": {"matches", "kind", "client_num", "connects"}, "loss": {"lagometer", "loss_side"},
	"proto": {"bits", "level"}, "fields": {"bits", "field", "bits"}, "input": {"input", "measure", "p50"},
	"rcon": {"queries", "attempts"}, "drdos": {"queries", "amplification"}, "servers": {"queries", "changes"},
	"expert": {"evidence", "severity"},
}

// forPeople returns rows of data as pages show them: the name is the one without colours.
func forPeople(rows []numberRow) []numberRow {
	rows = slices.Clone(rows)
	for i, r := range rows {
		if clean, ok := r["name_clean"]; ok {
			rows[i] = maps.Clone(r)
			rows[i]["name"] = clean
			delete(rows[i], "name_clean")
		}
	}
	return rows
}

// checkTables compares the tables that are rows of a statistic as they are.
func checkTables(t *testing.T, g *shownGame, want *printed) {
	t.Helper()
	for name, where := range tablesOf {
		want := forPeople(want.rows[name])
		files := g.find(t, where[0], where[1:]...)
		if len(files) == 0 {
			if len(want) > 0 {
				t.Errorf("%s: -z %s has %d rows, the page no table", where[0], name, len(want))
			}
			continue
		}
		all := files[len(files)-1] // those of pictures come before
		heads, got := rowsOf(t, all)
		for _, r := range want {
			for key := range r {
				if !slices.Contains(heads, key) {
					t.Fatalf("%s: no column %s", all.Name, key)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, -z %s (-want +got):\n%s", where[0], name, diff)
		}
	}
}

// points are the numbers of a series, those of a point as a list.
func points(t *testing.T, data []json.RawMessage) (list [][]float64) {
	t.Helper()
	for _, raw := range data {
		var pair []*float64
		var one *float64
		if json.Unmarshal(raw, &pair) != nil {
			if err := json.Unmarshal(raw, &one); err != nil {
				t.Fatalf("%s: %v", raw, err)
			}
			pair = []*float64{one}
		}
		var p []float64
		for _, v := range pair {
			if v == nil {
				v = new(math.NaN())
			}
			p = append(p, *v)
		}
		list = append(list, p)
	}
	return list
}

// checkBits compares the pictures of bits: those over time with all bytes, bars with the fields that have the most.
func checkBits(t *testing.T, g *shownGame, want *printed) {
	t.Helper()
	fields := slices.Clone(want.rows["fields"])
	slices.SortStableFunc(fields, func(a, b numberRow) int { return int(b.number("bits") - a.number("bits")) })
	bars := g.picture("bits", "The fields with the most bits")
	if bars == nil {
		if len(fields) > 0 {
			t.Error("no bars of fields")
		}
		return
	}
	for i, p := range points(t, bars.Series[0].Data) {
		if want := fields[i].number("bits"); p[0] != want {
			t.Errorf("bar %d has %v bits, -z fields %v", i, p[0], want)
		}
	}
	if strings.Contains(filepath.Ext(want.file), ".d") {
		return // recordings have no times of day, and -z io none of their bytes
	}
	var got, all [2]float64
	for _, f := range g.find(t, "bits", "bytes", "packets") {
		_, rows := rowsOf(t, f)
		for _, r := range rows {
			got[0], got[1] = got[0]+r.number("bytes"), got[1]+r.number("packets")
		}
	}
	for _, r := range want.rows["io"] {
		all[0], all[1] = all[0]+r.number("bytes"), all[1]+r.number("packets")
	}
	if got != all {
		t.Errorf("over time there are %v bytes and packets, -z io has %v", got, all)
	}
	drawn := 0.0
	for _, s := range g.picture("bits", "Bytes a second").Series {
		for _, p := range points(t, s.Data) {
			drawn += p[1]
		}
	}
	if math.Abs(drawn-all[0]) > 1 { // steps of a second: no sample is longer than 25 minutes
		t.Errorf("%v bytes are drawn, -z io has %v", drawn, all[0])
	}
}

// checkLagometer compares what the pieces of time of each direction add up to with the rows of -z loss.
func checkLagometer(t *testing.T, games []shownGame, want *printed) {
	t.Helper()
	sums := func(r numberRow) string {
		return fmt.Sprint("messages ", r["messages"], " lost ", r["lost"], " behind ", r.number("lost_behind"),
			" resent ", r.number("resent"))
	}
	rows := map[string]int{}
	for _, r := range want.rows["loss"] {
		rows[sums(r)]++
	}
	for i := range games {
		for _, f := range games[i].find(t, "lagometer", "interval", "lost_behind", "messages", "frame") {
			_, pieces := rowsOf(t, f)
			whole := map[string]float64{}
			for _, p := range pieces {
				for key := range p {
					whole[key] += p.number(key)
				}
			}
			sum := numberRow{}
			for key, v := range whole {
				sum[key] = strconv.FormatFloat(v, 'f', -1, 64)
			}
			if rows[sums(sum)] == 0 {
				t.Errorf("%s: %s: no row of -z loss has that: %v", f.Figure, sums(sum), rows)
			}
		}
	}
}

// checkInput compares the bars of every measure with its rows.
func checkInput(t *testing.T, g *shownGame, want *printed) {
	t.Helper()
	rows := slices.Clone(want.rows["input"])
	if len(rows) == 0 {
		return
	}
	p := g.Pictures[slices.IndexFunc(g.Pictures, func(p drawnPicture) bool { return p.Section == "input" })]
	measure, _, _ := strings.Cut(p.Title, ",")
	measure = strings.ReplaceAll(strings.ToLower(measure), " ", "_")
	rows = slices.DeleteFunc(rows, func(r numberRow) bool { return r["measure"] != measure || r["p50"] == "" })
	if len(rows) == 0 || len(p.Series) != 3 {
		t.Fatalf("%s is drawn, with %d series of %d rows", p.Title, len(p.Series), len(rows))
	}
	for i, r := range rows {
		bar, middle, most := points(t, p.Series[0].Data)[i], points(t, p.Series[1].Data)[i], points(t, p.Series[2].Data)[i]
		if got, want := [4]float64{bar[0], middle[0], bar[1], most[0]}, [4]float64{
			r.number("p5"), r.number("p50"),
			r.number("p95"), r.number("p99"),
		}; got != want {
			t.Errorf("%s: row %d is drawn as %v, -z input has %v", measure, i, got, want)
		}
	}
}

// checkQueries compares bars of sources with -z drdos, and marks of attempts with the events.
func checkQueries(t *testing.T, games []shownGame, want *printed) {
	t.Helper()
	answered := map[float64]int{} // sources by the bytes of their answers
	for _, r := range want.rows["drdos"] {
		if r.number("answer_bytes") > 0 {
			answered[r.number("answer_bytes")]++
		}
	}
	if p := games[0].picture("queries", "Queries by source"); p != nil && len(p.Series) > 0 {
		for _, v := range points(t, p.Series[1].Data) {
			if answered[v[0]] == 0 {
				t.Errorf("%v bytes of answers are drawn, -z drdos has %v", v[0], answered)
			}
			if answered[v[0]]--; answered[v[0]] <= 0 {
				delete(answered, v[0])
			}
		}
	}
	if len(answered) > 0 {
		t.Errorf("answers that are not drawn: %v", answered)
	}
	marks := 0
	if p := games[0].picture("queries", "Remote control"); p != nil {
		for _, s := range p.Series {
			marks += len(s.Data)
		}
	}
	attempts := 0
	for _, r := range want.events {
		if kind := r["event"]; kind == "rcon" || kind == "rcon_denied" || kind == "rcon_granted" {
			attempts++
		}
	}
	if marks != attempts {
		t.Errorf("%d marks of remote control, %d events", marks, attempts)
	}
}

// checkEvents compares the time line and the chat with the events.
func checkEvents(t *testing.T, games []shownGame, want *printed) {
	t.Helper()
	happened, got := map[string]int{}, map[string]int{}
	said, heard := map[string]int{}, map[string]int{}
	for _, r := range want.events {
		number := r["frame"] + r["demo_message"]
		if r["event"] == "scoreboard" {
			continue
		}
		happened[number+" "+r["event"]]++
		if r["event"] == "chat" && (r["text"] != "" || r["voice"] != "") {
			text := r["text"]
			if text == "" {
				text = r["voice"]
			}
			said[number+" "+text]++
		}
	}
	for i := range games {
		g := &games[i]
		drawn := map[string]int{}
		for _, f := range g.find(t, "timeline", "event", "info", "streams") {
			_, rows := rowsOf(t, f)
			for _, r := range rows {
				got[r["frame"]+" "+r["event"]]++
				drawn[r["event"]]++
			}
		}
		for _, f := range g.find(t, "chat", "text", "channel") {
			_, rows := rowsOf(t, f)
			for _, r := range rows {
				heard[r["frame"]+" "+r["text"]]++
			}
		}
		if p := g.picture("timeline", "What happened when"); p != nil {
			for name, kind := range map[string]string{
				"deaths": "kill", "items": "pickup", "flags": "flag", "chat": "chat",
				"finishes": "race_finish",
			} {
				at := slices.IndexFunc(p.Series, func(s struct {
					Name, Type string
					Data       []json.RawMessage
				},
				) bool {
					return s.Name == name
				})
				if n := drawn[kind]; n > 0 && (at < 0 || len(p.Series[at].Data) != n) {
					t.Errorf("%d events %s, and not as many signs", n, kind)
				}
			}
		}
	}
	if diff := cmp.Diff(happened, got); diff != "" {
		t.Errorf("events by frame (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(said, heard); diff != "" {
		t.Errorf("chat by frame (-want +got):\n%s", diff)
	}
}

// checkPlayers compares the tables of players of the matches with -z match: each row is one of them, and everybody of a
// match that is shown is there.
func checkPlayers(t *testing.T, g *shownGame, want *printed) {
	t.Helper()
	key := func(r numberRow) string {
		return fmt.Sprint(r["match"], r["stream"], r["name"], r["score"], r["kills"], r["deaths"], r["suicides"],
			r["accuracy"], r["distance"])
	}
	rows, streams := map[string]int{}, map[string]int{}
	matches := map[string]bool{}
	for _, r := range want.rows["match"] {
		rows[key(r)]++
		streams[r["match"]+" "+r["stream"]]++
		matches[r["match"]] = true
	}
	shown := map[string]bool{}
	for _, f := range g.find(t, "matches", "kills", "kills_by") {
		_, players := rowsOf(t, f)
		for _, r := range players {
			if rows[key(r)]--; rows[key(r)] < 0 {
				t.Errorf("%s: -z match has no row %v", f.Name, r)
			}
			if n := streams[r["match"]+" "+r["stream"]]; n != len(players) {
				t.Errorf("%s: %d players are shown, -z match has %d", f.Name, len(players), n)
			}
			shown[r["match"]] = true
		}
	}
	if diff := cmp.Diff(matches, shown); diff != "" {
		t.Errorf("matches (-want +got):\n%s", diff)
	}
}
