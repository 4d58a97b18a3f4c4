package browsertest

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// What a large capture may take, docs/viewer.md.
const (
	firstRows  = time.Second // until the list has rows
	mostMemory = 500         // MB, at the peak
	atOnce     = time.Second // until rows or a record are seen, wherever in the file they are
)

// milestone is when the page marked something, in milliseconds after it was opened, or 0.
func milestone(name string) string {
	return fmt.Sprintf(`(performance.getEntriesByName(%q)[0]?.startTime ?? 0)`, name)
}

// A large capture is looked at from its first to its last packet: VIEW_CAPTURE names one of a gigabyte.
func TestViewerShowsALargeCapture(t *testing.T) {
	file := os.Getenv("VIEW_CAPTURE")
	if file == "" {
		t.Skip("VIEW_CAPTURE names no capture")
	}
	b := newTab(t, desk)
	program(t) // it is built before the time counts
	b.run()
	begun := time.Now()
	address, process := startView(t, file)
	started := time.Since(begun)
	status := func() map[string]any { return eval[map[string]any](b, `viewer.carrier.ask("status")`) }
	b.run(chromedp.Navigate(address))
	b.until(`globalThis.viewer && viewer.list.shown.length > 5`)
	b.until(milestone("first rows") + " > 0")
	painted := time.Duration(eval[float64](b, milestone("first rows")) * float64(time.Millisecond))
	took := started + painted
	t.Logf("first rows after %v: the address after %v, the rows %v after it was opened", took, started, painted)
	if took > firstRows {
		t.Errorf("want them after %v", firstRows)
	}
	for !status()["done"].(bool) {
		time.Sleep(time.Second) // the program works meanwhile
	}
	rows := int(status()["rows"].(float64))
	t.Logf("%d rows after %v", rows, time.Since(begun))
	b.until(`viewer.status.done`)
	t.Logf("the program used %v of processor time", processorTime(t, process))
	within := func(what string, do func()) {
		t.Helper()
		start := time.Now()
		do()
		if took := time.Since(start); took > atOnce {
			t.Errorf("%s after %v", what, took)
		} else {
			t.Logf("%s after %v", what, took)
		}
	}
	b.run(chromedp.Focus("#row"))
	within("the last record", func() {
		b.run(chromedp.KeyEvent(kb.End))
		b.until(fmt.Sprintf(`viewer.record && viewer.record.row === %d`, rows-1))
	})
	for i := range 8 {
		place := (2*i + 1) * (rows / 16)
		within(fmt.Sprintf("the rows at %d", place), func() {
			b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.list.moveTo(%d)`, place), nil))
			b.until(fmt.Sprintf(`viewer.list.item(%d) && viewer.list.lines.every(l => l.shown)`, place))
		})
		within(fmt.Sprintf("the record of %d", place), func() {
			b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.list.select(%d)`, place), nil))
			b.until(fmt.Sprintf(`viewer.record.row === %d`, place))
		})
	}
	filterOverAll(b, rows)
	sortAll(b, rows)
	frames := eval[[]float64](b, `(async () => {
		const took = [];
		let last = performance.now();
		for (let i = 0; i < 120; i++) {
			viewer.list.element.dispatchEvent(new WheelEvent("wheel", { deltaY: 400, cancelable: true }));
			await new Promise(requestAnimationFrame);
			took.push(performance.now() - last);
			last = performance.now();
		}
		took.sort((a, b) => a - b);
		return [took[60], took[108], took[119]];
	})()`)
	t.Logf("scrolling, milliseconds between two pictures: half of them below %.0f, nine of ten below %.0f, the longest "+
		"%.0f", frames[0], frames[1], frames[2])
	if frames[1] > 100 {
		t.Errorf("it does not scroll smoothly")
	}
	if memory := peak(t, process); memory > mostMemory {
		t.Errorf("the program took %d MB", memory)
	} else {
		t.Logf("the program took %d MB", memory)
	}
	t.Logf("the program used %v of processor time in all", processorTime(t, process))
	t.Logf("the page took %v MB", eval[int](b, `Math.round(performance.memory.usedJSHeapSize / 1e6)`))
}

// rareFilter matches few packets of play, and needs the fields of each to be read.
const rareFilter = `quake3.oob.command == "connect"`

// filterOverAll applies a filter to all rows, and takes it away again.
func filterOverAll(b *tab, rows int) {
	b.t.Helper()
	begun := time.Now()
	b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.filterBar.write(%q)`, rareFilter), nil))
	b.until(`viewer.filter !== "" && viewer.list.item(0)`)
	b.t.Logf("the first row that fits a filter after %v", time.Since(begun))
	deadline := begun.Add(20 * time.Minute)
	for !eval[bool](b, `viewer.filterDone`) {
		if time.Now().After(deadline) {
			b.t.Fatalf("a filter over %d rows takes more than %v", rows, time.Since(begun))
		}
		time.Sleep(time.Second) // the program works meanwhile
	}
	many := eval[int](b, `viewer.list.many`)
	b.t.Logf("a filter over %d rows after %v: %d fit", rows, time.Since(begun), many)
	if many == 0 || many >= rows {
		b.t.Errorf("%d of %d rows fit the filter", many, rows)
	}
	b.run(chromedp.Evaluate(`viewer.filterBar.write("")`, nil))
	b.until(fmt.Sprintf(`viewer.filter === "" && viewer.list.many === %d`, rows))
}

// sortAll sorts all rows by their length, the longest first, and no longer.
func sortAll(b *tab, rows int) {
	b.t.Helper()
	begun := time.Now()
	b.run(chromedp.Evaluate(`viewer.columns.sortBy("-length")`, nil))
	b.until(`viewer.isSorted && viewer.list.item(0)`)
	b.t.Logf("%d rows are sorted after %v", rows, time.Since(begun))
	b.run(chromedp.Evaluate(`viewer.list.moveTo(0)`, nil))
	b.until(`viewer.list.item(0) && viewer.list.item(1) && viewer.list.item(0).length >= viewer.list.item(1).length`)
	b.run(chromedp.Evaluate(`viewer.columns.sortBy("")`, nil))
	b.until(`viewer.list.item(0)?.row === 0`)
}

// processorTime returns the processor time of a process so far, where the system reports it, in steps of 10 ms.
func processorTime(t *testing.T, process int) (used time.Duration) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		t.Logf("the processor time of the program cannot be told: %v", err)
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name may have spaces
	for _, field := range strings.Fields(rest)[11:13] {
		ticks, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		used += time.Duration(ticks) * 10 * time.Millisecond
	}
	return used
}

// peak returns the most memory that a process had, in MB, where the system reports it.
func peak(t *testing.T, process int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		t.Logf("the memory of the program cannot be told: %v", err)
		return 0
	}
	m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	if m == nil {
		t.Fatalf("no peak in %s", text)
	}
	kilobytes, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes / 1000
}
