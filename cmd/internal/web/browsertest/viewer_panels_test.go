package browsertest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Panels list what the command prints, and their lines lead to packets.
func TestViewerPanels(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-natrebind.pcap")
	b := openViewer(t, desk, file)
	b.run(chromedp.Evaluate(`viewer.panels.open("events")`, nil))
	want := strings.Split(strings.TrimSpace(output(t, "events", file, "--json")), "\n")
	b.until(fmt.Sprintf(`viewer.panels.note.textContent === "%d lines"`, len(want)))
	b.until(linesListed)
	eval[bool](b, `viewer.panels.players.known().then(() => true)`) // then the lines are drawn again, with signs
	got := eval[[]json.RawMessage](b, fmt.Sprintf(`viewer.carrier.ask("events", { from: 0, count: %d }).then(a => a.lines.map(l => l.line))`, len(want)))
	for i := range want {
		if !sameJSON(t, string(got[i]), want[i]) {
			t.Fatalf("event %d is %s, the command has %s", i, got[i], want[i])
		}
	}
	b.run(chromedp.Click("#line .line:nth-child(3)"))
	var third struct{ Frame int }
	place := eval[int](b, `document.querySelector("#line .line:nth-child(3)").place`)
	if err := json.Unmarshal([]byte(want[place]), &third); err != nil {
		t.Fatal(err)
	}
	b.until(fmt.Sprintf(`viewer.record.number === %d`, third.Frame))
	b.picture("viewer-events.png")
	for _, z := range []string{"conv", "loss", "players", "proto", "expert"} {
		rows := strings.TrimSpace(output(t, file, "-q", "-z", z, "--json"))
		counted := eval[[]map[string]any](b, fmt.Sprintf(`(async () => {
			for (;;) {
				const answer = await viewer.carrier.ask("statistic", { z: %q });
				if (answer.done) return answer.tables.flatMap(t => t.rows.map(r => Object.fromEntries([["statistic", t.name], ...t.columns.map((c, i) => [c.key, r[i]]).filter(([, v]) => v !== null)])));
			}
		})()`, z))
		lines := strings.Split(rows, "\n")
		if rows == "" {
			lines = nil
		}
		if len(counted) != len(lines) {
			t.Fatalf("%s: %d rows, the command has %d", z, len(counted), len(lines))
		}
		for i := range lines {
			row, err := json.Marshal(counted[i])
			if err != nil {
				t.Fatal(err)
			}
			if want := asInPanel(t, lines[i]); !sameJSON(t, string(row), want) {
				t.Errorf("%s: row %d is %s, the command has %s", z, i, row, want)
			}
		}
	}
}

// asInPanel returns a line of the command as the viewer's tables have it: an array is one text, and there is no file
// and no time of day.
func asInPanel(t *testing.T, line string) string {
	t.Helper()
	var row map[string]any
	if err := json.Unmarshal([]byte(line), &row); err != nil {
		t.Fatal(err)
	}
	delete(row, "file")
	delete(row, "start_time")
	for key, value := range row {
		if list, ok := value.([]any); ok {
			var parts []string
			for _, v := range list {
				parts = append(parts, fmt.Sprint(v))
			}
			row[key] = strings.Join(parts, ", ")
		}
	}
	b, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The viewer leads to the report of the same inputs, and the packets that the report names lead back.
func TestViewerLeadsToTheReport(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-natrebind.pcap"))
	link := eval[string](b, `document.querySelector("header a.report").href`)
	b.run(chromedp.Navigate(link))
	b.until(`document.querySelectorAll("details").length > 3`)
	b.run(chromedp.Evaluate(`document.querySelectorAll("details").forEach(d => { d.open = true; })`, nil)) // the tables
	b.until(`[...document.querySelectorAll("a")].some(a => /view.html#frame=\d+$/.test(a.href))`)
	back := eval[string](b, `[...document.querySelectorAll("a")].find(a => /view.html#frame=\d+$/.test(a.href)).href`)
	b.run(chromedp.Navigate(back))
	b.until(fmt.Sprintf(`globalThis.viewer && viewer.record && viewer.record.number === %s`, back[strings.LastIndexByte(back, '=')+1:]))
}

// A conversation has the lines of -z follow, counts of what both sides send all the time among them; a line leads to
// its packet. Every packet is listed if that is wanted.
func TestViewerFollows(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-natrebind.pcap")
	b := openViewer(t, desk, file)
	_, body, _ := strings.Cut(output(t, file, "-q", "-z", "follow,0"), "\n\n")
	want := strings.Split(strings.TrimRight(body, "\n"), "\n")
	b.run(chromedp.Focus("#row"), press("f"))
	b.until(fmt.Sprintf(`viewer.panels.note.textContent === "%d lines" && document.activeElement.id === "line"`, len(want)))
	b.until(linesListed)
	const seen = `[...document.querySelectorAll("#line .line")].sort((a, b) => a.place - b.place).map(l => [...l.children].map(c => c.textContent.trim()))`
	for i, line := range eval[[][]string](b, seen) {
		if !strings.Contains(want[i], line[0]) || !strings.HasSuffix(strings.TrimSpace(want[i]), line[1]) {
			t.Errorf("line %d is %q, the command has %q", i, line, want[i])
		}
	}
	checkNames(t, b, "a conversation")
	b.run(chromedp.Click(`#line .routine:nth-child(5)`))
	b.until(`viewer.record.number === 5`) // the first of those that are counted
	b.run(chromedp.Click(`.panel-tools [aria-pressed]`))
	b.until(`viewer.panels.note.textContent === "500 packets" && document.activeElement.ariaPressed === "true"`)
}

// Moments are listed by measure, as the report has them, with the numbers of -z moments; a line leads to its message.
func TestViewerMoments(t *testing.T) {
	t.Parallel()
	file := sample("quake3/71-ipv6-chat.pcap")
	rows := strings.Split(strings.TrimSpace(output(t, file, "-q", "-z", "moments", "--json")), "\n")
	type moment struct {
		Measure, Unusual string
		Frame            int
		Value            float64
	}
	byMeasure := map[string][]moment{}
	for _, line := range rows {
		var m moment
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		byMeasure[m.Measure] = append(byMeasure[m.Measure], m)
	}
	b := openViewer(t, desk, file)
	b.run(chromedp.Evaluate(`viewer.panels.open("statistics", "moments")`, nil))
	b.until(`document.querySelectorAll(".panel .choice button").length > 0`)
	if many := eval[int](b, `document.querySelectorAll(".panel .choice button").length`); many != len(byMeasure) {
		t.Errorf("%d measures, the command has %d", many, len(byMeasure))
	}
	checkNames(t, b, "moments")
	for measure, moments := range byMeasure {
		b.run(chromedp.Evaluate(fmt.Sprintf(`[...document.querySelectorAll(".panel .choice button")]
			.find(b => b.textContent === %q).click()`, strings.ReplaceAll(measure, "_", " ")), nil))
		first := slices.MinFunc(moments, func(a, b moment) int {
			if a.Unusual == "low" {
				return cmp.Compare(a.Value, b.Value)
			}
			return cmp.Compare(b.Value, a.Value)
		})
		b.run(chromedp.Click(`.panel td .link`))
		b.until(fmt.Sprintf(`viewer.record.number === %d`, first.Frame))
	}
}

// A comparison with others is a sentence, and the chosen measure has its meaning. How many the others are changes with
// every recording that the calibration gets; its own test keeps the numbers.
func TestViewerMomentsInWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ file, measure, words, meaning string }{
		{"quake3/71-duel.dm_71", "ground time", `lower than none of \d+ people`, "from landing to the next take-off"},
		{"quake3/71-duel.dm_71", "snap gain", `higher than \d+ of \d+ people \(\d+ %\)`, "how much nearer to the middle of the shot's target"},
		{"quake3/68-connect-play.pcap", "snapshot lead", `higher than \d+ of \d+ clients \(\d+ %\)`, "how far the clock of a datagram's last command"},
	} {
		b := openViewer(t, desk, sample(tt.file))
		b.run(chromedp.Evaluate(`viewer.panels.open("statistics", "moments")`, nil))
		b.until(`document.querySelectorAll(".panel .choice button").length > 0`)
		b.run(chromedp.Evaluate(fmt.Sprintf(`[...document.querySelectorAll(".panel .choice button")]
			.find(b => b.textContent === %q).click()`, tt.measure), nil))
		if !eval[bool](b, fmt.Sprintf(`[...document.querySelectorAll(".panel td")].some(c => new RegExp(%q).test(c.textContent))`, "^"+tt.words+"$")) {
			t.Errorf("%s, %s: no cell is like %q:\n%s", tt.file, tt.measure, tt.words, eval[string](b, `document.querySelector(".panel tbody").innerText`))
		}
		if !eval[bool](b, fmt.Sprintf(`[...document.querySelectorAll(".panel .note")].some(p => p.textContent.includes(%q))`, tt.meaning)) {
			t.Errorf("%s, %s: no note has %q", tt.file, tt.measure, tt.meaning)
		}
	}
}
