package browsertest

import (
	"encoding/json"
	"fmt"
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
	b.until(fmt.Sprintf(`document.querySelectorAll("#line .line").length > 0 && viewer.panels.note.textContent.startsWith("%d line")`, len(want)))
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
			if !sameJSON(t, string(row), lines[i]) {
				t.Errorf("%s: row %d is %s, the command has %s", z, i, row, lines[i])
			}
		}
	}
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
