package browsertest

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// downloads makes the browser save files in a folder, and gives what waits for a file there.
func downloads(t *testing.T, b *tab) func(name string) string {
	t.Helper()
	folder := t.TempDir()
	b.run(browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(folder))
	return func(name string) string {
		t.Helper()
		for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(30 * time.Millisecond) {
			partly, _ := filepath.Glob(filepath.Join(folder, "*.crdownload"))
			text, err := os.ReadFile(filepath.Join(folder, name))
			if err == nil && len(partly) == 0 && len(text) > 0 {
				return string(text)
			}
		}
		entries, _ := os.ReadDir(folder)
		t.Fatalf("the browser saved no %s: %v", name, entries)
		return ""
	}
}

// The browser saves what the list shows, as a table in its order, as records and as packets; the server writes no file.
func TestViewerExports(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-connect-play.pcap")
	folder := t.TempDir()
	b := openViewer(t, desk, "--temp", folder, file)
	saved := downloads(t, b)
	const filter = `quake3.oob or length > 140`
	filterWith(b, filter)
	b.run(chromedp.Evaluate(`viewer.columns.set("quake3.netchan.sequence"); viewer.columns.sortBy("-length")`, nil))
	b.until(`viewer.isSorted && viewer.list.item(viewer.list.selected)?.row === viewer.row.row`)
	b.until(rowsShown)
	export := func(nth int) {
		b.run(chromedp.Focus("#row"), press("x"))
		b.until(`!viewer.actions.menu.element.hidden`)
		checkNames(t, b, "the forms of an export")
		for range nth {
			b.run(chromedp.KeyEvent(kb.ArrowDown))
		}
		b.run(chromedp.KeyEvent(kb.Enter))
	}
	export(0)
	lines, err := csv.NewReader(strings.NewReader(saved("68-connect-play.pcap-filtered.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	shown := seenRows(b)
	for place, row := range shown {
		line := lines[place+1]
		if line[0] != row[0] || line[5] != row[5] || line[7] != row[6] || !strings.HasSuffix(row[7], line[6]) {
			t.Errorf("line %d is %q, the list shows %q", place, line, row)
		}
	}
	want := output(t, file, "--json", "-Y", filter)
	if many := strings.Count(want, "\n"); len(lines) != many+1 || len(shown) < 5 {
		t.Errorf("%d lines, want %d; %d are seen", len(lines), many+1, len(shown))
	}
	export(1)
	records := strings.SplitAfter(saved("68-connect-play.pcap-filtered.ndjson"), "\n")
	for i, line := range records[:len(records)-1] {
		if number := fmt.Sprintf(`{"frame":%s,`, lines[i+1][0]); !strings.HasPrefix(line, number) {
			t.Errorf("record %d begins with %.20q, the list has %s there", i, line, number)
		}
	}
	slices.Sort(records)
	commands := strings.SplitAfter(want, "\n")
	slices.Sort(commands)
	if !slices.Equal(records, commands) {
		t.Errorf("%d records, the command has %d or others", len(records), len(commands))
	}
	export(2)
	packets := filepath.Join(t.TempDir(), "written.pcapng")
	output(t, file, "-Y", filter, "-w", packets)
	written, err := os.ReadFile(packets)
	if err != nil {
		t.Fatal(err)
	}
	if got := saved("68-connect-play.pcap-filtered.pcapng"); got != string(written) {
		t.Errorf("%d bytes of packets, the command has %d", len(got), len(written))
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("the server left %v, %v", left, err)
	}
}

// Without a server the page makes the same files.
func TestSiteExports(t *testing.T) {
	t.Parallel()
	address, _ := site(t)
	file, err := filepath.Abs(sample("quake3/68-natrebind.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t, desk)
	saved := downloads(t, b)
	b.run(chromedp.Navigate(address), chromedp.WaitVisible(".drop"), chromedp.SetUploadFiles("#files", []string{file}))
	b.until(`globalThis.viewer && viewer.record && viewer.status.done`)
	b.run(chromedp.Evaluate(`viewer.actions.save("json", "ndjson")`, nil))
	if got := saved("68-natrebind.pcap.ndjson"); got != output(t, file, "--json") {
		t.Errorf("the records are not those of the command")
	}
	b.run(chromedp.Evaluate(`viewer.actions.save("csv")`, nil))
	if got := strings.Count(saved("68-natrebind.pcap.csv"), "\r\n"); got != 1+strings.Count(output(t, file), "\n") {
		t.Errorf("the table has %d lines", got)
	}
}

// The list is sorted by the heads of its columns: up, down, and no longer. The packet that is shown stays so, and the
// address has the order.
func TestViewerSorts(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-connect-play.pcap")
	b := openViewer(t, desk, file)
	goTo(b, 26, "quake3.version")
	numbers := func() []string {
		t.Helper()
		b.until(rowsShown)
		var list []string
		for _, row := range eval[[][]string](b, rowTexts) {
			list = append(list, row[0])
		}
		return list
	}
	first := numbers()
	b.run(chromedp.Focus(`[data-key="length"]`), chromedp.KeyEvent(kb.Enter))
	b.until(`viewer.isSorted && document.querySelector(".heads .length").ariaSort === "ascending" && viewer.list.item(viewer.list.selected)?.number === 26`)
	b.until(`document.activeElement.dataset.key === "length"`)
	checkNames(t, b, "a sorted list")
	b.run(chromedp.KeyEvent(kb.Enter))
	b.until(`viewer.isSorted && document.querySelector(".heads .length").ariaSort === "descending"`)
	b.run(chromedp.Focus("#row"), chromedp.KeyEvent(kb.Home))
	b.until(`viewer.record.length === 1308`)
	if hash := eval[string](b, `new URLSearchParams(location.hash.slice(1)).get("sort")`); hash != "-length" {
		t.Errorf("the address has the order %q", hash)
	}
	b.run(chromedp.Reload())
	b.until(`globalThis.viewer && viewer.record && viewer.isSorted && viewer.list.item(0)?.length === 1308`)
	filterWith(b, "direction == client_to_server")
	b.until(`viewer.isSorted && viewer.statusLine.textContent.includes("317 of 500")`)
	b.run(chromedp.Focus("#row"), chromedp.KeyEvent(kb.Home)) // the neighbour of the chosen packet is the last row
	b.until(`viewer.list.item(0)?.length === 452 && viewer.record.length === 452`)
	b.run(chromedp.Evaluate(`viewer.columns.add("quake3.netchan.sequence"); viewer.columns.sortBy("-quake3.netchan.sequence")`, nil))
	b.until(`viewer.isSorted && viewer.list.item(viewer.list.selected)?.row === viewer.row.row`)
	b.run(chromedp.Evaluate(`viewer.list.moveTo(0)`, nil))
	b.until(rowsShown)
	rows := eval[[][]string](b, rowTexts)
	if !slices.IsSortedFunc(rows, func(a, b []string) int { return len(b[6]) - len(a[6]) }) || rows[0][6] == "" {
		t.Errorf("by a field the list begins with %q", rows[:3])
	}
	b.run(chromedp.Evaluate(`viewer.columns.remove("quake3.netchan.sequence")`, nil))
	filterWith(b, "")
	b.run(chromedp.Evaluate(`viewer.go({ frame: 26, filter: "", sort: "" })`, nil))
	b.until(`viewer.record.number === 26 && !document.querySelector(".heads [aria-sort]")`)
	if again := numbers(); !slices.Equal(again, first) {
		t.Errorf("in the order of the file the list is %q, it was %q", again, first)
	}
	b.run(chromedp.Evaluate(`viewer.columns.sortBy("nothing")`, nil)) // of an address
	b.until(`viewer.columns.sort === "" && viewer.statusLine.textContent.includes("nothing")`)
	b.complains("sort=nothing") // the server refused it
}

// Packets are marked with a key or the menu, are found again and shown alone; their numbers are in the address.
func TestViewerMarks(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"), sample("quake3/oob.pcap"))
	frame := func(file, number int) {
		t.Helper()
		b.until(fmt.Sprintf(`viewer.record && (viewer.record.file ?? 0) === %d && viewer.record.number === %d`, file, number))
	}
	for _, number := range []int{2, 3, 4, 9} {
		b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.go({ frame: %d, filter: "", marks: viewer.marks.text })`, number), nil))
		frame(0, number)
		b.run(chromedp.Focus("#row"), press("m"))
	}
	b.run(chromedp.Evaluate(`viewer.go({ file: 1, frame: 7, filter: "", marks: viewer.marks.text })`, nil))
	frame(1, 7)
	b.run(press("m"))
	b.until(`new URLSearchParams(location.hash.slice(1)).get("marks") === "2-4,9;1:7"`)
	if seen := eval[int](b, `document.querySelectorAll("#row .row.marked [aria-label=marked]").length`); seen < 1 {
		t.Errorf("%d marks are seen", seen)
	}
	b.run(press("n"))
	frame(0, 2) // from the last on to the first
	b.run(press("n"))
	frame(0, 3)
	b.run(press("N"))
	frame(0, 2)
	b.run(chromedp.Evaluate(`viewer.list.element.dispatchEvent(new KeyboardEvent("keydown", { key: "ContextMenu", bubbles: true }))`, nil))
	b.until(`!viewer.actions.menu.element.hidden`)
	checkNames(t, b, "the menu of a packet")
	b.run(chromedp.Click(`//button[text()="Show marked packets alone"]`))
	b.until(`viewer.filterDone && viewer.list.many === 5`)
	b.run(chromedp.Reload())
	b.until(`globalThis.viewer && viewer.record && viewer.marks.places.length === 5 && viewer.list.many === 5`)
	b.run(chromedp.Focus("#row"), press("m"))
	b.until(`new URLSearchParams(location.hash.slice(1)).get("marks") === "3-4,9;1:7"`)
	for _, odd := range []string{"x", "1-", "9-1", "1-999999999999", "::3", ";;,", "7:"} {
		b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.marks.text = %q`, odd), nil))
	}
	if kept := eval[[]string](b, `Object.keys(localStorage).filter(k => k !== "q3dissect-filters")`); len(kept) > 0 {
		t.Errorf("the browser keeps %q", kept)
	}
}
