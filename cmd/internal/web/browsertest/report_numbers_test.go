package browsertest

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// A saved file is what a button "Save CSV" saves.
type savedFile struct{ Section, Figure, Name, Text string }

// A drawn picture is what ECharts has of it.
type drawnPicture struct {
	Section, Title string
	Series         []struct {
		Name, Type string
		Data       []json.RawMessage
	}
}

// A shownGame is what the page shows of one server, or of a recording.
type shownGame struct {
	Saved    []savedFile
	Pictures []drawnPicture
}

// readPage presses every button that saves a table, and reads every picture.
const readPage = `(async () => {
	document.querySelectorAll("#matches button").forEach(b => b.textContent.startsWith("Show ") && b.textContent.endsWith(" more") && b.click());
	document.querySelectorAll("#lagometer > div + button").forEach(b => b.click());
	const saved = [];
	let now = null;
	URL.createObjectURL = (blob) => { now.blob = blob; return "data:,"; };
	HTMLAnchorElement.prototype.click = function () { now.name = this.download; };
	for (const section of document.querySelectorAll("section")) {
		for (const b of section.querySelectorAll("button")) {
			if (b.textContent !== "Save CSV") continue;
			saved.push(now = { section: section.id, figure: b.closest("figure")?.querySelector(".title")?.textContent ?? "" });
			b.click();
		}
	}
	const pictures = [...document.querySelectorAll("section .paper")].map(p => ({
		section: p.closest("section").id, title: p.closest("figure").querySelector(".title").textContent,
		series: echarts.getInstanceByDom(p)?.getOption().series.map(s => ({ name: s.name ?? "", type: s.type, data: s.type === "treemap" ? [] : (s.data ?? []).map(d => d?.e ? [d.e.t, d.e.frame] : d?.value ?? d) })) ?? [],
	}));
	return { saved: await Promise.all(saved.map(async f => ({ section: f.section, figure: f.figure, name: f.name, text: await f.blob.text() }))), pictures };
})()`

// tall is a window in which a whole report is near.
var tall = look{width: 1280, height: 30_000}

// readReport opens a report and reads what it shows of each server.
func readReport(t *testing.T, b *tab, page string) (games []shownGame) {
	t.Helper()
	b.run(chromedp.Navigate("file://" + page))
	b.until(`document.documentElement.dataset.ready === "true"`)
	const server = `[...document.querySelectorAll("header select")].at(-1)`
	count := eval[int](b, server+`?.options.length ?? 1`)
	for i := range count {
		if count > 1 {
			b.run(chromedp.Evaluate(fmt.Sprintf(`(s => { s.selectedIndex = %d; s.dispatchEvent(new Event("change")); })(%s)`, i, server), nil))
		}
		b.until(`[...document.querySelectorAll("section .paper")].every(p => p.querySelector("canvas"))`)
		games = append(games, eval[shownGame](b, readPage))
	}
	return games
}

// A numberRow is a row of a table by key, with its values as texts.
type numberRow map[string]string

// rowsOf reads a table as the page saves it.
func rowsOf(t *testing.T, f savedFile) (heads []string, rows []numberRow) {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(f.Text)).ReadAll()
	if err != nil || len(lines) == 0 {
		t.Fatalf("%s: %v", f.Name, err)
	}
	for _, line := range lines[1:] {
		r := numberRow{}
		for i, v := range line {
			if len(v) > 1 && v[0] == '\'' && strings.ContainsRune("=+-@\t\r", rune(v[1])) {
				v = v[1:] // what a spreadsheet would take for a formula
			}
			if v != "" {
				r[lines[0][i]] = v
			}
		}
		rows = append(rows, r)
	}
	return lines[0], rows
}

func (r numberRow) number(key string) float64 {
	f, _ := strconv.ParseFloat(r[key], 64)
	return f
}

// statisticRows gives what -z prints.
func statisticRows(t *testing.T, file, name string) (rows []numberRow) {
	t.Helper()
	for line := range strings.Lines(output(t, file, "-q", "-z", name, "--json")) {
		rows = append(rows, rowOf(t, line))
	}
	return rows
}

func rowOf(t *testing.T, line string) numberRow {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(line))
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	r := numberRow{}
	for key, value := range v {
		switch value := value.(type) {
		case string:
			r[key] = value
		case float64:
			r[key] = strconv.FormatFloat(value, 'f', -1, 64)
		case bool:
			r[key] = strconv.FormatBool(value)
		}
		if r[key] == "" || key == "statistic" {
			delete(r, key)
		}
	}
	return r
}

// find gives the tables of a section that have certain heads.
func (g *shownGame) find(t *testing.T, section string, heads ...string) (files []savedFile) {
	t.Helper()
	for _, f := range g.Saved {
		first, _, _ := strings.Cut(f.Text, "\r\n")
		keys := strings.Split(first, ",")
		if f.Section == section && !slices.ContainsFunc(heads, func(h string) bool { return !slices.Contains(keys, h) }) {
			files = append(files, f)
		}
	}
	return files
}

// picture gives the picture of a section whose title begins with certain words; nil: it is not drawn.
func (g *shownGame) picture(section, title string) *drawnPicture {
	for i := range g.Pictures {
		if p := &g.Pictures[i]; p.Section == section && strings.HasPrefix(p.Title, title) {
			return p
		}
	}
	return nil
}

// numberFiles are all samples, and what was looked at by eye of the reference folder where that is at hand.
func numberFiles(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(repository, "samples"), func(name string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(name); err == nil && !d.IsDir() && (ext == ".pcap" || ext == ".demo" || strings.HasPrefix(ext, ".dm_")) {
			files = append(files, name)
		}
		return err
	})
	if err != nil || len(files) < 30 {
		t.Fatalf("%d samples: %v", len(files), err)
	}
	for _, name := range []string{
		"demos/quake3/2001_-_Duel_3_WCG.dm_66", "demos/quake3/2002_-_Duel_3_Quakecon.dm_67", "demos/matches/dm_66_67__2004_-_TDM_1__QLAN2_.dm_67",
		"demos/matches/dm_68_osp__duel_1.dm_68", "demos/matches/dm_73__tdm_tdmscores2.dm_73", "demos/matches/dm_90__ctf.dm_90",
		"demos/matches/dm_91__duel.dm_91", "demos/quake3/dm3__duel.dm3", "demos/quake3/dm_48__duel.dm_48", "captures/teeworlds/tw07-loss-serverside.pcap",
		"captures/teeworlds/tw07-ctf3.pcap", "captures/idtech3/rtcw-60-61-play.pcap", "captures/idtech3/et-84-play.pcap", "captures/idtech3/jka-26-play.pcap",
		"captures/quake3/q3-multi-3clients-2servers.pcap",
	} {
		if name = filepath.Join(reference(), filepath.FromSlash(name)); exists(name) && !testing.Short() {
			files = append(files, name)
		}
	}
	return files
}

// Every section has the numbers of its statistic, in its tables and pictures, and every table is saved with one button.
func TestReportNumbers(t *testing.T) {
	t.Parallel()
	b := newTab(t, tall)
	for _, file := range numberFiles(t) {
		t.Run(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), func(t *testing.T) {
			defer func(t *testing.T) { b.t = t }(b.t)
			b.t = t
			games := readReport(t, b, writeReport(t, file))
			first := &games[0]
			checkTables(t, first, file)
			checkBits(t, first, file)
			checkLagometer(t, games, file)
			checkInput(t, first, file)
			checkQueries(t, games, file)
			checkEvents(t, games, file)
			checkPlayers(t, first, file)
		})
	}
}

// checkTables compares the tables that are rows of a statistic as they are.
func checkTables(t *testing.T, g *shownGame, file string) {
	t.Helper()
	for name, where := range map[string][]string{
		"players": {"matches", "kind", "client_num", "connects"}, "loss": {"lagometer", "loss_side"}, "proto": {"bits", "level"},
		"fields": {"bits", "field", "bits"}, "input": {"input", "measure", "p50"}, "rcon": {"queries", "attempts"},
		"drdos": {"queries", "amplification"}, "servers": {"queries", "changes"}, "expert": {"evidence", "severity"},
	} {
		want := statisticRows(t, file, name)
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
func checkBits(t *testing.T, g *shownGame, file string) {
	t.Helper()
	fields := statisticRows(t, file, "fields")
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
	if strings.Contains(filepath.Ext(file), ".d") {
		return // recordings have no times of day, and -z io none of their bytes
	}
	var got, want [2]float64
	for _, f := range g.find(t, "bits", "bytes", "packets") {
		_, rows := rowsOf(t, f)
		for _, r := range rows {
			got[0], got[1] = got[0]+r.number("bytes"), got[1]+r.number("packets")
		}
	}
	for _, r := range statisticRows(t, file, "io,1000000") {
		want[0], want[1] = want[0]+r.number("bytes"), want[1]+r.number("packets")
	}
	if got != want {
		t.Errorf("over time there are %v bytes and packets, -z io has %v", got, want)
	}
	drawn := 0.0
	for _, s := range g.picture("bits", "Bytes a second").Series {
		for _, p := range points(t, s.Data) {
			drawn += p[1]
		}
	}
	if len(want) > 0 && math.Abs(drawn-want[0]) > 1 { // steps of a second: no sample is longer than 25 minutes
		t.Errorf("%v bytes are drawn, -z io has %v", drawn, want[0])
	}
}

// checkLagometer compares what the pieces of time of each direction add up to with the rows of -z loss.
func checkLagometer(t *testing.T, games []shownGame, file string) {
	t.Helper()
	sums := func(r numberRow) string {
		return fmt.Sprint("messages ", r["messages"], " lost ", r["lost"], " behind ", r.number("lost_behind"), " resent ", r.number("resent"))
	}
	rows := map[string]int{}
	for _, r := range statisticRows(t, file, "loss") {
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
func checkInput(t *testing.T, g *shownGame, file string) {
	t.Helper()
	rows := statisticRows(t, file, "input")
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
		if got, want := [4]float64{bar[0], middle[0], bar[1], most[0]}, [4]float64{r.number("p5"), r.number("p50"), r.number("p95"), r.number("p99")}; got != want {
			t.Errorf("%s: row %d is drawn as %v, -z input has %v", measure, i, got, want)
		}
	}
}

// checkQueries compares bars of sources with -z drdos, and marks of attempts with the events.
func checkQueries(t *testing.T, games []shownGame, file string) {
	t.Helper()
	answered := map[float64]bool{}
	for _, r := range statisticRows(t, file, "drdos") {
		if r.number("answer_bytes") > 0 {
			answered[r.number("answer_bytes")] = true
		}
	}
	if p := games[0].picture("queries", "Queries by source"); p != nil && len(p.Series) > 0 {
		for _, v := range points(t, p.Series[1].Data) {
			if !answered[v[0]] {
				t.Errorf("%v bytes of answers are drawn, -z drdos has %v", v[0], answered)
			}
			delete(answered, v[0])
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
	for line := range strings.Lines(output(t, "events", file, "--merge", "--json")) {
		if kind := rowOf(t, line)["event"]; kind == "rcon" || kind == "rcon_denied" || kind == "rcon_granted" {
			attempts++
		}
	}
	if marks != attempts {
		t.Errorf("%d marks of remote control, %d events", marks, attempts)
	}
}

// checkEvents compares the time line and the chat with the events.
func checkEvents(t *testing.T, games []shownGame, file string) {
	t.Helper()
	want, got := map[string]int{}, map[string]int{}
	said, heard := map[string]int{}, map[string]int{}
	for line := range strings.Lines(output(t, "events", file, "--merge", "--json")) {
		r := rowOf(t, line)
		number := r["frame"] + r["demo_message"]
		if r["event"] == "scoreboard" {
			continue
		}
		want[number+" "+r["event"]]++
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
			for name, kind := range map[string]string{"deaths": "kill", "items": "pickup", "flags": "flag", "chat": "chat", "finishes": "race_finish"} {
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
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events by frame (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(said, heard); diff != "" {
		t.Errorf("chat by frame (-want +got):\n%s", diff)
	}
}

// checkPlayers compares the tables of players of the matches with -z match: each row is one of them, and everybody of a
// match that is shown is there.
func checkPlayers(t *testing.T, g *shownGame, file string) {
	t.Helper()
	key := func(r numberRow) string {
		return fmt.Sprint(r["match"], r["stream"], r["name"], r["score"], r["kills"], r["deaths"], r["suicides"], r["accuracy"], r["distance"])
	}
	rows, streams := map[string]int{}, map[string]int{}
	matches := map[string]bool{}
	for _, r := range statisticRows(t, file, "match") {
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
