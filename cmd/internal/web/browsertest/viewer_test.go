package browsertest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// view starts the command and gives the address that it prints. It ends with the test.
func view(t *testing.T, args ...string) string {
	t.Helper()
	address, _ := startView(t, args...)
	return address
}

// startView is view, and gives the number of the process too.
func startView(t *testing.T, args ...string) (address string, process int) {
	t.Helper()
	c := exec.Command(program(t), append([]string{"view", "--no-open"}, args...)...)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = c.Wait()                          // by the signal
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line), c.Process.Pid
}

// sameJSON reports whether two texts are the same value.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var values [2]any
	for i, text := range []string{a, b} {
		if err := json.Unmarshal([]byte(text), &values[i]); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}

// openViewer opens the viewer and waits for the first record.
func openViewer(t *testing.T, l look, args ...string) *tab {
	t.Helper()
	chromium(t)
	address := view(t, args...) // it ends after the tab
	b := newTab(t, l)
	b.run(chromedp.Navigate(address))
	b.until(`globalThis.viewer && viewer.record && viewer.status.done`)
	return b
}

// goTo shows what an address says, and waits for it.
func goTo(b *tab, frame int, field string) {
	b.t.Helper()
	b.run(chromedp.Evaluate(fmt.Sprintf(`location.hash = "#frame=%d&field=" + encodeURIComponent(%q)`, frame, field), nil))
	b.until(fmt.Sprintf(`viewer.record && viewer.record.number === %d && viewer.tree.path === %q`, frame, field))
}

// rowTexts are the cells of the rows that are seen.
const rowTexts = `[...document.querySelectorAll("#row .line")].sort((a, b) => a.place - b.place).map(l => [...l.children].map(c => c.textContent.trim()))`

func TestViewerShowsTheList(t *testing.T) {
	t.Parallel()
	const file = "quake3/68-connect-play.pcap"
	b := openViewer(t, desk, sample(file))
	rows := eval[[][]string](b, rowTexts)
	lines := strings.Split(output(t, sample(file)), "\n")
	if len(rows) < 10 {
		t.Fatalf("%d rows are seen", len(rows))
	}
	for i, row := range rows {
		number, time := row[0], row[1]
		if words := strings.Fields(lines[i]); words[0] != number || words[1] != time || !strings.HasSuffix(lines[i], strings.TrimLeft(row[6], "ℹ⚠✖ ")) {
			t.Errorf("row %d is %q, the list has %q", i, row, lines[i])
		}
	}
	var record struct{ Info string }
	if err := json.Unmarshal([]byte(strings.SplitN(output(t, sample(file), "--json"), "\n", 2)[0]), &record); err != nil {
		t.Fatal(err)
	}
	if heading := eval[string](b, `document.querySelector(".heading").textContent`); !strings.HasSuffix(heading, record.Info) {
		t.Errorf("the fields are headed %q, the record is %q", heading, record.Info)
	}
}

// A position is an element of the array positions of --bits.
type position struct {
	Path      string `json:"path"`
	BitOffset int    `json:"bit_offset"`
	BitLength int    `json:"bit_length"`
	In        string `json:"in"`
}

// litBytes are the bytes that are lit, in each layer.
const litBytes = `viewer.bytes.layers.map(l => l.spans.flatMap((s, i) => s.classList.contains("lit") || s.classList.contains("lit-part") ? [i] : []))`

// Pointing at any field lights the bytes in which --bits says that it stands, and of those of a message the bytes of the
// datagram, which follow the header of four bytes.
func TestViewerLightsTheBitsOfFields(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-connect-play.pcap")
	b := openViewer(t, desk, file)
	var line struct{ Positions []position }
	if err := json.Unmarshal([]byte(output(t, file, "--json", "--bits", "--frames", "26")), &line); err != nil {
		t.Fatal(err)
	}
	if len(line.Positions) < 20 {
		t.Fatalf("%d positions", len(line.Positions))
	}
	goTo(b, 26, line.Positions[0].Path)
	for _, p := range line.Positions {
		b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.tree.reveal(%q)`, p.Path), nil))
		got := eval[[][]int](b, litBytes)
		var want []int
		for i := p.BitOffset >> 3; i <= (p.BitOffset+p.BitLength-1)>>3; i++ {
			want = append(want, i)
		}
		layers := [][]int{want, {}}
		if p.In == "message" {
			layers = [][]int{{}, want}
			for _, i := range want {
				layers[0] = append(layers[0], i+4)
			}
		}
		if !reflect.DeepEqual(got, layers) {
			t.Errorf("%s, %d bits at %d of the %s: lit are %v, want %v", p.Path, p.BitLength, p.BitOffset, p.In, got, layers)
		}
	}
	b.picture("viewer.png")
}

// A field of a message of three fragments is lit in the datagram that brought its bytes.
func TestViewerLightsFragments(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-connect-play.pcap")
	b := openViewer(t, desk, file)
	var line struct{ Positions []position }
	if err := json.Unmarshal([]byte(output(t, file, "--json", "--bits", "--frames", "8")), &line); err != nil {
		t.Fatal(err)
	}
	goTo(b, 8, line.Positions[0].Path)
	frames := eval[[]int](b, `viewer.record.layers.map(l => l.frame ?? 0)`)
	if !reflect.DeepEqual(frames, []int{8, 0, 6, 7}) {
		t.Fatalf("the layers are of frames %v", frames)
	}
	seen := map[int]bool{}
	for _, p := range line.Positions {
		first := p.BitOffset >> 3
		last := (p.BitOffset + p.BitLength - 1) >> 3
		if p.In != "message" || first/1300 != last/1300 {
			continue
		}
		layer := []int{2, 3, 0}[first/1300] // fragments hold 1300 bytes, behind a header of eight
		seen[layer] = true
		b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.tree.reveal(%q)`, p.Path), nil))
		for i, lit := range eval[[][]int](b, litBytes) {
			switch {
			case i == 1 && (len(lit) != last-first+1 || lit[0] != first):
				t.Fatalf("%s: %v are lit in the message", p.Path, lit)
			case i == layer && (len(lit) != last-first+1 || lit[0] != first%1300+8):
				t.Fatalf("%s: %v are lit in frame %d", p.Path, lit, frames[i])
			case i != 1 && i != layer && len(lit) > 0:
				t.Fatalf("%s: %v are lit in frame %d too", p.Path, lit, frames[i])
			}
		}
		if len(seen) == 3 && first > 2610 {
			break
		}
	}
	if len(seen) != 3 {
		t.Errorf("fields of %d datagrams were tried", len(seen))
	}
}

// Choosing a byte chooses the smallest field in it, and symbols of the Huffman code are found through the code.
func TestViewerFindsTheFieldOfAByte(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("teeworlds/ddnet-join.pcap"))
	goTo(b, 60, "teeworlds.chunks[0].size")
	lit := eval[[][]int](b, litBytes)
	if len(lit[0]) == 0 || len(lit[1]) == 0 {
		t.Fatalf("lit are %v", lit)
	}
	b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.bytes.layers[1].spans[%d].click()`, lit[1][0]), nil))
	path := eval[string](b, `viewer.tree.selected.path`)
	if !strings.HasPrefix(path, "teeworlds.chunks[0].") {
		t.Errorf("the byte is of %s", path)
	}
	if again := eval[[][]int](b, litBytes); len(again[1]) == 0 || again[1][0] > lit[1][0] || again[1][len(again[1])-1] < lit[1][0] {
		t.Errorf("the byte that was chosen is not lit: %v", again)
	}
}

// A filter that is wrong says so under the column, one that is right shows the rows that the command shows.
func TestViewerFilters(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-connect-play.pcap")
	b := openViewer(t, desk, file)
	write := func(text string) {
		b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.filterBar.write(%q)`, text), nil))
	}
	write("length > 200 and quake3.oob.comand == 3")
	b.until(`!document.getElementById("filter-fault").hidden`)
	if carets := eval[string](b, `document.querySelector(".carets").textContent`); carets != strings.Repeat(" ", 17)+strings.Repeat("^", 17) {
		t.Errorf("the carets are %q", carets)
	}
	if said := eval[string](b, `document.querySelector(".fault p").textContent`); said != "column 18: no field is called quake3.oob.comand; did you mean quake3.oob.command?" {
		t.Errorf("the bar says %q", said)
	}
	apart := eval[float64](b, `(() => {
		const range = document.createRange();
		const carets = document.querySelector(".carets").firstChild;
		range.setStart(carets, 17);
		range.setEnd(carets, 18);
		const canvas = document.createElement("canvas").getContext("2d");
		canvas.font = getComputedStyle(viewer.filterBar.input).font;
		const box = viewer.filterBar.input.getBoundingClientRect();
		return Math.abs(box.left + 9 + canvas.measureText("length > 200 and ").width - range.getBoundingClientRect().left);
	})()`)
	if apart > 3 {
		t.Errorf("the carets begin %v pixels from the fault", apart)
	}
	b.picture("viewer-filter.png")
	const right = `info contains "userinfo" or quake3.oob`
	write(right)
	b.until(`viewer.filter !== "" && viewer.filterDone && viewer.list.item(0)`)
	want := strings.Split(strings.TrimSpace(output(t, file, "-Y", right)), "\n")
	if many := eval[int](b, `viewer.list.many`); many != len(want) {
		t.Errorf("%d rows fit, the command has %d", many, len(want))
	}
	for i, row := range eval[[][]string](b, rowTexts) {
		if number := strings.Fields(want[i])[0]; row[0] != number {
			t.Errorf("row %d is %s, the command has %s", i, row[0], number)
		}
	}
	if hash := eval[string](b, `new URLSearchParams(location.hash.slice(1)).get("filter")`); hash != right {
		t.Errorf("the address has %q", hash)
	}
	b.run(chromedp.NavigateBack())
	b.until(`viewer.filter === "" && viewer.list.many === 500`)
}

// The bar completes fields, and values that the records have.
func TestViewerCompletes(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	type proposal struct{ text, want string }
	for _, p := range []proposal{
		{"quake3.oob.comm", "quake3.oob.command"},
		{"quake3.oob.command == ", `"getchallenge"`},
		{"quake3.server_message.ops.snapshot.entities.weapon == rocket", "rocket_launcher"},
		{"direction == client", "client_to_server"},
	} {
		b.run(chromedp.Focus("#filter"), chromedp.SetValue("#filter", p.text),
			chromedp.Evaluate(`viewer.filterBar.input.setSelectionRange(1000, 1000); viewer.filterBar.typed()`, nil))
		b.until(fmt.Sprintf(`!viewer.filterBar.list.hidden && [...viewer.filterBar.list.querySelectorAll(".mono")].some(p => p.textContent === %q)`, p.want))
	}
	b.run(chromedp.SetValue("#filter", "quake3.oob.comma"), chromedp.Evaluate(`viewer.filterBar.input.setSelectionRange(1000, 1000); viewer.filterBar.typed()`, nil))
	b.until(`!viewer.filterBar.list.hidden && viewer.filterBar.list.querySelector(".mono").textContent === "quake3.oob.command"`)
	b.run(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	if text := eval[string](b, `viewer.filterBar.input.value`); text != "quake3.oob.command" {
		t.Errorf("the bar has %q", text)
	}
}

// The menu of a field makes a filter of it.
func TestViewerAppliesAFieldAsFilter(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-connect-play.pcap")
	b := openViewer(t, desk, file)
	goTo(b, 1, "quake3.oob.command")
	b.run(chromedp.Focus(".tree"), chromedp.KeyEvent("m"))
	b.until(`!viewer.tree.menu.hidden`)
	b.run(chromedp.KeyEvent(kb.Enter))
	b.until(`viewer.filter !== "" && viewer.filterDone`)
	if filter := eval[string](b, `viewer.filter`); filter != `quake3.oob.command == "getchallenge"` {
		t.Errorf("the filter is %s", filter)
	}
}

// Everything is reached with the keys.
func TestViewerKeys(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	frame := func(want int) {
		t.Helper()
		b.until(fmt.Sprintf(`viewer.record && viewer.record.number === %d && viewer.row.number === %d`, want, want))
	}
	b.run(chromedp.Focus("#row"), chromedp.KeyEvent(kb.ArrowDown))
	frame(2)
	b.run(chromedp.KeyEvent(kb.End))
	frame(500)
	b.run(chromedp.KeyEvent(kb.Home))
	frame(1)
	b.run(chromedp.KeyEvent("2"))
	b.until(`document.activeElement === viewer.tree.root`)
	b.run(chromedp.KeyEvent(kb.ArrowDown, chromedp.KeyModifiers(input.ModifierCtrl)))
	frame(2)
	b.until(`document.activeElement === viewer.tree.root`)
	b.run(chromedp.KeyEvent("/"))
	b.until(`document.activeElement === viewer.filterBar.input`)
	b.run(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent(kb.Escape))
	b.until(`document.activeElement === viewer.list.element`)
	b.run(chromedp.KeyEvent("?"))
	b.until(`document.querySelector("dialog.help").open`)
	b.run(chromedp.KeyEvent(kb.Escape))
	b.until(`!document.querySelector("dialog.help").open`)
	b.run(chromedp.KeyEvent("e"))
	b.until(`viewer.panels.shown === "events"`)
	b.run(chromedp.KeyEvent(kb.Escape))
	b.until(`viewer.panels.element.hidden`)
}

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

// The page can be read at any size, in light and dark, and never scrolls sideways.
func TestViewerFitsTheWindow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		look
		picture string
	}{{look{1280, 800, true}, "viewer-dark.png"}, {look{400, 800, false}, "viewer-narrow.png"}, {look{400, 800, true}, "viewer-narrow-dark.png"}} {
		b := openViewer(t, c.look, sample("quake3/68-connect-play.pcap"))
		goTo(b, 26, "quake3.server_message.ops[0].snapshot.server_time")
		if wide := eval[int](b, `document.documentElement.scrollWidth`); wide > int(c.width) {
			t.Errorf("%s: the page is %d pixels wide", c.picture, wide)
		}
		if pale := eval[[]string](b, paleTexts); len(pale) > 0 {
			t.Errorf("%s: too little contrast: %v", c.picture, pale)
		}
		b.picture(c.picture)
	}
}

// paleTexts are the texts whose contrast is below 4.5 to 1.
const paleTexts = `(async () => {
	const { contrast } = await import("../assets/colour.js");
	const rgb = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
	const found = new Set();
	for (const e of document.querySelectorAll(".cell, .label, .value, .meaning, .byte, .status, .note, .heading, button, .offset")) {
		if (!e.checkVisibility() || !e.textContent.trim()) continue;
		let paper = e;
		while (paper && (rgb(getComputedStyle(paper).backgroundColor)[3] === 0)) paper = paper.parentElement;
		const ink = getComputedStyle(e).color;
		const below = paper ? getComputedStyle(paper).backgroundColor : "rgb(255,255,255)";
		if (contrast(rgb(ink).slice(0, 3), rgb(below).slice(0, 3)) < 4.5) found.add(e.className + ": " + ink + " on " + below);
	}
	return [...found];
})()`
