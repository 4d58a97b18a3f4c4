package browsertest

import (
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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
			b.until(`document.documentElement.dataset.ready === "true"`)
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

// A printed input is what the command prints of it: rows by statistic, events, and what the input did not give.
type printed struct {
	file   string
	rows   map[string][]numberRow
	events []numberRow
	lacks  []string
}

// printedOf runs the command, in one pass for all statistics.
func printedOf(t *testing.T, file string) *printed {
	t.Helper()
	p := &printed{file: file, rows: map[string][]numberRow{}}
	args := []string{file, "-q", "--json", "-z", "io,1000000", "-z", "match"}
	for name := range tablesOf {
		args = append(args, "-z", name)
	}
	for line := range strings.Lines(output(t, args...)) {
		if lacksOf(t, line) != nil {
			continue // those of the events
		}
		r := rowOf(t, line)
		name := r["statistic"]
		delete(r, "statistic")
		delete(r, "file") // the page has one, and seconds of its own clock
		delete(r, "start_time")
		p.rows[name] = append(p.rows[name], r)
	}
	for line := range strings.Lines(output(t, "events", file, "--merge", "--json")) {
		if p.lacks = lacksOf(t, line); p.lacks != nil {
			break // the last line
		}
		p.events = append(p.events, rowOf(t, line))
	}
	return p
}

// lacksOf returns the reasons of a line that says what the input did not give; nil: it is another line.
func lacksOf(t *testing.T, line string) (list []string) {
	t.Helper()
	var v struct {
		Incomplete []struct{ File, Message string }
	}
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		t.Fatal(err)
	}
	for _, r := range v.Incomplete {
		list = append(list, r.File+": "+r.Message)
	}
	return list
}

// checkLacks compares what the page says above all with the command's reasons.
func checkLacks(t *testing.T, b *tab, want *printed) {
	t.Helper()
	var reasons []string
	for _, reason := range want.lacks {
		reasons = append(reasons, "This report is incomplete: "+reason)
	}
	shown := eval[[]string](b, `[...document.querySelectorAll("p.incomplete")].map(p => p.textContent)`)
	if diff := cmp.Diff(reasons, shown, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("incomplete (-want +got):\n%s", diff)
	}
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
		case []any:
			r[key] = listText(key, value)
		}
		if r[key] == "" {
			delete(r, key)
		}
	}
	return r
}

// listText is a list as tables show it: "; " is between reasons, a blank between numbers of a time line. Objects are
// the command or name and how often.
func listText(key string, list []any) string {
	var parts []string
	for _, v := range list {
		if object, ok := v.(map[string]any); ok {
			if _, ok := object["command"]; !ok {
				return "" // of a match, whose tables are other ones
			}
			v = fmt.Sprint(object["command"], " ", object["count"])
		}
		parts = append(parts, fmt.Sprint(v))
	}
	switch key {
	case "reasons":
		return strings.Join(parts, "; ")
	case "time_line":
		return strings.Join(parts, " ")
	}
	return strings.Join(parts, ", ")
}

// find returns the tables of a section that have certain heads.
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

// picture returns the picture of a section whose title begins with certain words; nil: it is not drawn.
func (g *shownGame) picture(section, title string) *drawnPicture {
	for i := range g.Pictures {
		if p := &g.Pictures[i]; p.Section == section && strings.HasPrefix(p.Title, title) {
			return p
		}
	}
	return nil
}

var everything = flag.Bool("all", false, "the numbers of reports of many reference demos and captures, too")

// numberFiles are all samples, and with -all what was looked at by eye of the reference folder.
func numberFiles(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(repository, "samples"), func(name string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(name); err == nil && !d.IsDir() &&
			(ext == ".pcap" || ext == ".demo" || strings.HasPrefix(ext, ".dm_")) {
			files = append(files, name)
		}
		return err
	})
	if err != nil || len(files) < 30 {
		t.Fatalf("%d samples: %v", len(files), err)
	}
	for _, name := range []string{
		"demos/quake3/2001_-_Duel_3_WCG.dm_66", "demos/quake3/2002_-_Duel_3_Quakecon.dm_67",
		"demos/matches/dm_66_67__2004_-_TDM_1__QLAN2_.dm_67", "demos/matches/dm_68_osp__duel_1.dm_68",
		"demos/matches/dm_73__tdm_tdmscores2.dm_73", "demos/matches/dm_90__ctf.dm_90", "demos/matches/dm_91__duel.dm_91",
		"demos/quake3/dm3__duel.dm3", "demos/quake3/dm_48__duel.dm_48", "captures/teeworlds/tw07-loss-serverside.pcap",
		"captures/teeworlds/tw07-ctf3.pcap", "captures/idtech3/rtcw-60-61-play.pcap", "captures/idtech3/et-84-play.pcap",
		"captures/idtech3/jka-26-play.pcap",
		"captures/quake3/q3-multi-3clients-2servers.pcap",
	} {
		if name = filepath.Join(reference(), filepath.FromSlash(name)); exists(name) && *everything {
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
			want := printedOf(t, file)
			checkLacks(t, b, want)
			checkTables(t, first, want)
			checkBits(t, first, want)
			checkLagometer(t, games, want)
			checkInput(t, first, want)
			checkQueries(t, games, want)
			checkEvents(t, games, want)
			checkPlayers(t, first, want)
		})
	}
}
