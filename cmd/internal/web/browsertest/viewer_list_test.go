package browsertest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// manyRows are more than an element can be tall: browsers end at about 33 million pixels, a row takes 22.
const manyRows = 10_000_000

// openManyRows puts a list of rows that are their own numbers into a page, in place of what is there.
const openManyRows = `(async () => {
	const { VirtualList } = await import("./virtual.js");
	const { el } = await import("../assets/dom.js");
	viewer.end();
	globalThis.many = new VirtualList({
		id: "many", height: 22, label: "Numbers", make: () => el("div", { class: "line", role: "row" }),
		fetch: async (from, count) => ({ many: %[1]d, items: Array.from({ length: Math.max(0, Math.min(count, %[1]d - from)) }, (_, i) => ({ number: from + i })) }),
		draw: (line, item) => (line.textContent = item ? String(item.number) : ""),
		choose: (place, item) => (globalThis.chosen = item.number),
	});
	const box = el("div", {});
	box.style.cssText = "position: fixed; inset: 0; display: grid; background: white; z-index: 9";
	box.append(many.element);
	document.body.append(box);
	many.reset();
	await many.need(0);
	return true;
})()`

// manySeen are the numbers that the rows in the window show, from top to bottom.
const manySeen = `(() => {
	const box = many.element.getBoundingClientRect();
	return many.lines.map(l => [l.getBoundingClientRect(), l]).filter(([r]) => r.bottom > box.top + 1 && r.top < box.bottom - 1)
		.sort((a, b) => a[0].top - b[0].top).map(([, l]) => l.textContent === "" ? -1 : Number(l.textContent));
})()`

// A list of ten million rows is scrolled to its end and its middle, with the bar, the wheel and the keys, and shows the
// rows that are there, each once.
func TestListOfTenMillionRows(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	if !eval[bool](b, fmt.Sprintf(openManyRows, manyRows)) {
		t.Fatal("there is no list")
	}
	if tall := eval[int](b, `many.element.scrollHeight`); tall > 16_000_000 || tall < 1_000_000 {
		t.Errorf("what is scrolled is %d pixels tall", tall)
	}
	// seen waits for the rows from first on, at most slack away, and compares all that are seen.
	seen := func(how string, first, slack int) int {
		t.Helper()
		b.until(fmt.Sprintf(`(rows => rows.length > 20 && !rows.includes(-1) && Math.abs(rows[0] - %d) <= %d)(%s)`, first, slack, manySeen))
		rows := eval[[]int](b, manySeen)
		for i, row := range rows {
			if row != rows[0]+i {
				t.Fatalf("%s: rows %v", how, rows)
			}
		}
		if lines := eval[int](b, `document.querySelectorAll("#many .line").length`); lines > 60 {
			t.Errorf("%s: there are %d lines", how, lines)
		}
		return rows[0]
	}
	bar := func(part string) { b.run(chromedp.Evaluate(`many.element.scrollTop = `+part, nil)) }
	visible := eval[int](b, `Math.ceil(many.element.clientHeight / 22)`)

	seen("at first", 0, 0)
	bar(`many.element.scrollHeight`)
	if last := seen("the bar at its end", manyRows-visible, 1); last+visible < manyRows {
		t.Errorf("the last row that is seen is %d", last+visible-1)
	}
	bar(`(many.element.scrollHeight - many.element.clientHeight) / 2`)
	middle := seen("the bar in the middle", manyRows/2, 100)
	b.run(chromedp.Evaluate(`many.element.dispatchEvent(new WheelEvent("wheel", { deltaY: 220, cancelable: true }))`, nil))
	seen("ten lines of the wheel", middle+10, 1)
	b.run(chromedp.Focus("#many"), chromedp.KeyEvent(kb.End))
	b.until(fmt.Sprintf(`globalThis.chosen === %d`, manyRows-1))
	seen("the key End", manyRows-visible, 1)
	b.run(chromedp.KeyEvent(kb.ArrowUp))
	b.until(fmt.Sprintf(`globalThis.chosen === %d`, manyRows-2))
	b.run(chromedp.KeyEvent(kb.Home))
	b.until(`globalThis.chosen === 0`)
	seen("the key Home", 0, 0)
	b.run(chromedp.Evaluate(`many.select(7_654_321)`, nil))
	b.until(`globalThis.chosen === 7_654_321`)
	if row := eval[string](b, `document.getElementById("many-7654321").textContent`); row != "7654321" {
		t.Errorf("row 7654321 is %s", row)
	}
}
