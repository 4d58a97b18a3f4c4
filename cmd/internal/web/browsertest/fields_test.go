package browsertest

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// fromMenu opens the menu of a field and chooses an entry with the keys.
func fromMenu(b *tab, entry string) {
	b.t.Helper()
	b.run(chromedp.Focus(".tree"), press("m"))
	b.until(`!viewer.tree.menu.element.hidden`)
	at := eval[int](b, fmt.Sprintf(`[...viewer.tree.menu.element.children].findIndex(e => e.textContent === %q)`, entry))
	if at < 0 {
		b.t.Fatalf("the menu has no entry %q", entry)
	}
	for range at {
		b.run(chromedp.KeyEvent(kb.ArrowDown))
	}
	b.run(chromedp.KeyEvent(kb.Enter))
}

// The menu of a field joins filters.
func TestViewerJoinsFilters(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	for _, c := range []struct{ field, entry, want string }{
		{"quake3.version", "Apply as filter", `quake3.version == 68`},
		{"quake3.netchan.sequence", "… and this", `(quake3.version == 68) and quake3.netchan.sequence == 19`},
		{"quake3.session", "… or this", `((quake3.version == 68) and quake3.netchan.sequence == 19) or quake3.session == 0`},
		{"quake3.netchan.fragmented", "… and not this", `(((quake3.version == 68) and quake3.netchan.sequence == 19) or quake3.session == 0) and not (quake3.netchan.fragmented == false)`},
		{"quake3.encoding", "… not", `not (quake3.encoding == "legacy")`},
	} {
		goTo(b, 26, c.field)
		fromMenu(b, c.entry)
		b.until(fmt.Sprintf(`viewer.filter === %q && viewer.filterDone`, c.want))
		b.run(chromedp.Evaluate(`viewer.go({ frame: 26, filter: "" }).then(() => viewer.filterBar.show(`+fmt.Sprintf("%q", c.want)+`))`, nil))
		b.until(fmt.Sprintf(`viewer.filter === "" && viewer.row.number === 26 && viewer.filterBar.input.value === %q`, c.want))
	}
}

// A field becomes a column with the values of -T fields, which stays in the address.
func TestViewerColumns(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-connect-play.pcap")
	b := openViewer(t, desk, file)
	goTo(b, 26, "quake3.server_message.ops[0].snapshot.server_time")
	fromMenu(b, "Apply as column")
	const field = "quake3.server_message.ops.snapshot.server_time"
	b.run(chromedp.Evaluate(`viewer.columns.add("quake3.server_message.ops.snapshot.entities.number")`, nil))
	b.until(`viewer.columns.chosen.length === 2 && viewer.list.shown.length > 10 && viewer.columns.missing(viewer.list.shown).length === 0`)
	want := strings.Split(output(t, file, "-T", "fields", "-e", field, "-e",
		"quake3.server_message.ops.snapshot.entities.number"), "\n")
	got := eval[[][]string](b, `(async () => {
		const rows = Array.from({ length: 500 }, (_, i) => i).join(",");
		for (;;) {
			const [a, b] = await Promise.all(viewer.columns.chosen.map(field => viewer.carrier.ask("column", { field, rows })));
			if (a.done && b.done) return a.values.map((v, i) => [v, b.values[i]]);
		}
	})()`)
	for i, row := range got {
		cells := strings.Split(want[i], "\t")
		if numbers := strings.ReplaceAll(row[1], ", ", ","); row[0] != cells[0] || numbers != cells[1] &&
			!strings.HasPrefix(cells[1], numbers) {
			t.Fatalf("row %d has %q, the command %q", i, row, cells)
		}
	}
	b.until(rowsShown)
	for place, row := range seenRows(b) {
		if row[6] != strings.Split(want[place], "\t")[0] {
			t.Errorf("line %d shows %q", place, row)
		}
	}
	columns := eval[string](b, `new URLSearchParams(location.hash.slice(1)).get("columns")`)
	if columns != field+",quake3.server_message.ops.snapshot.entities.number" {
		t.Errorf("the address has the columns %s", columns)
	}
	b.picture("viewer-columns.png")
	b.run(chromedp.Reload())
	b.until(`globalThis.viewer && viewer.record && viewer.record.number === 26 && viewer.columns.chosen.length === 2`)
	b.run(chromedp.Click(`.heads .own .plain`))
	b.until(`viewer.columns.chosen.length === 1`)
	b.run(chromedp.Evaluate(`viewer.columns.chosen.slice().forEach(c => viewer.columns.remove(c))`, nil))
	b.until(`document.querySelectorAll(".heads .own").length === 0 && !location.hash.includes("columns")`)
}

// A plot has the values of -T fields, a point leads to its packet, and stays in the address.
func TestViewerPlots(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-natrebind.pcap")
	b := openViewer(t, desk, file)
	const field = "quake3.server_message.ops.snapshot.server_time"
	first := strings.Fields(output(t, file, "-T", "fields", "-e", "frame", "-Y", field))
	frame, err := strconv.Atoi(first[0])
	if err != nil {
		t.Fatal(err)
	}
	b.run(chromedp.Evaluate(fmt.Sprintf(`location.hash = "#frame=%d"`, frame), nil))
	b.until(fmt.Sprintf(`viewer.record && viewer.record.number === %d`, frame))
	b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.tree.reveal(viewer.record.fields.find(f => viewer.record.descriptions[f.about].name === %q).path)`, field), nil))
	fromMenu(b, "Plot over time")
	b.until(plotDrawn)
	type point struct {
		At, Value  float64
		Row, Frame int
	}
	var got []point
	for _, s := range eval[[][]point](b, fmt.Sprintf(`(async () => {
		for (;;) {
			const answer = await viewer.carrier.ask("plot", { field: %q });
			if (answer.done) return answer.series.map(s => s.points);
		}
	})()`, field)) {
		got = append(got, s...)
	}
	var want []point
	for line := range strings.Lines(output(t, file, "-T", "fields", "-e", "frame", "-e", "time_relative",
		"-e", field, "-Y", field)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		n, _ := strconv.Atoi(cells[0])
		at, _ := strconv.ParseFloat(cells[1], 64)
		for v := range strings.SplitSeq(cells[2], ",") {
			value, err := strconv.ParseFloat(v, 64)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, point{at, value, 0, n})
		}
	}
	if len(got) != len(want) || len(want) < 50 {
		t.Fatalf("%d points, the command has %d", len(got), len(want))
	}
	seen := map[string]int{}
	for i := range want {
		seen[fmt.Sprint(want[i].Frame, want[i].Value, math.Round(want[i].At*1e6))]++
		seen[fmt.Sprint(got[i].Frame, got[i].Value, math.Round(got[i].At*1e6))]--
	}
	for what, n := range seen {
		if n != 0 {
			t.Errorf("frame, value and time %s stand in the plot and in the command's output %d times more or less", what, n)
		}
	}
	// A click where a point is drawn shows its packet.
	target := steady[[]float64](b, `(() => {
		const paper = document.querySelector(".panel .paper");
		const chart = echarts.getInstanceByDom(paper);
		const p = chart.getOption().series[0].data[20];
		const [x, y] = chart.convertToPixel({ seriesIndex: 0 }, [p[0], p[1]]);
		const box = paper.getBoundingClientRect();
		return [box.left + x, box.top + y, p[3]];
	})()`)
	b.run(chromedp.MouseClickXY(target[0], target[1]))
	// points lie close
	b.until(fmt.Sprintf(`Math.abs(viewer.record.number - %v) <= 4 && viewer.record.number !== %d`, target[2], frame))
	b.picture("viewer-plot.png")
	if hash := eval[string](b, `new URLSearchParams(location.hash.slice(1)).get("plot")`); hash != field {
		t.Errorf("the address has the plot %q", hash)
	}
	b.run(chromedp.Reload())
	b.until(`globalThis.viewer && viewer.record && ` + plotDrawn)
}

// The figures of a statistic over time are those of the command, and lead to packets.
func TestViewerPlotsStatistics(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-natrebind.pcap")
	b := openViewer(t, desk, file)
	b.run(chromedp.Evaluate(`location.hash = "#frame=1&panel=statistics&z=io,1"`, nil))
	b.until(`document.querySelector(".panel .paper").querySelector("canvas")`)
	drawn := eval[[][]float64](b, `echarts.getInstanceByDom(document.querySelector(".panel .paper")).getOption().series[0].data`)
	lines := strings.Split(strings.TrimSpace(output(t, file, "-q", "-z", "io,1", "--json")), "\n")
	if len(drawn) != len(lines) {
		t.Fatalf("%d points, the command has %d", len(drawn), len(lines))
	}
	for i, line := range lines {
		if want := fmt.Sprintf(`"start":%v,`, drawn[i][0]); !strings.Contains(line, want) || !strings.Contains(line, fmt.Sprintf(`"packets":%v,`, drawn[i][1])) {
			t.Errorf("point %d is %v, the command has %s", i, drawn[i], line)
		}
	}
	b.run(chromedp.Evaluate(`viewer.panels.goTime(5)`, nil))
	want := strings.Fields(output(t, file, "-T", "fields", "-e", "frame", "-Y", "time_relative >= 5"))[0]
	b.until(fmt.Sprintf(`viewer.record.number === %s`, want))
}
