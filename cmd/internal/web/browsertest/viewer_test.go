package browsertest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// rowTexts are the cells of the rows that are seen.
const rowTexts = `[...document.querySelectorAll("#row .line")].sort((a, b) => a.place - b.place).map(l => [...l.children].map(c => c.textContent.trim()))`

// rowsShown is true once all rows in view have come, with the values of their columns.
const rowsShown = `viewer.list.lines.length > 0 && viewer.list.lines.every(l => l.shown) && viewer.columns.missing(viewer.list.shown).length === 0`

// seenRows are the cells of the rows that are seen, by their places in the list.
func seenRows(b *tab) map[int][]string {
	b.t.Helper()
	return eval[map[int][]string](b, `Object.fromEntries(viewer.list.lines.map(l => [l.place, [...l.children].map(c => c.textContent.trim())]))`)
}

func TestViewerShowsTheList(t *testing.T) {
	t.Parallel()
	const file = "quake3/68-connect-play.pcap"
	b := openViewer(t, desk, sample(file))
	b.until(rowsShown)
	rows := eval[[][]string](b, rowTexts)
	lines := strings.Split(output(t, sample(file)), "\n")
	if len(rows) < 10 {
		t.Fatalf("%d rows are seen", len(rows))
	}
	for i, row := range rows {
		number, time := row[0], row[1]
		if words := strings.Fields(lines[i]); words[0] != number || words[1] != time ||
			!strings.HasSuffix(lines[i], strings.TrimLeft(row[6], "ℹ⚠✖ ")) {
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
	b.run(press("2"))
	b.until(`document.activeElement === viewer.tree.root`)
	b.run(chromedp.KeyEvent(kb.ArrowDown, chromedp.KeyModifiers(input.ModifierCtrl)))
	frame(2)
	b.until(`document.activeElement === viewer.tree.root`)
	b.run(press("/"))
	b.until(`document.activeElement === viewer.filterBar.input`)
	b.run(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent(kb.Escape))
	b.until(`document.activeElement === viewer.list.element`)
	b.run(press("?"))
	b.until(`document.querySelector("dialog.help").open`)
	b.run(chromedp.KeyEvent(kb.Escape))
	b.until(`!document.querySelector("dialog.help").open`)
	b.run(press("e"))
	b.until(`viewer.panels.shown === "events"`)
	b.run(chromedp.KeyEvent(kb.Escape))
	b.until(`viewer.panels.element.hidden`)
}

// The page can be read at any size, in light and dark, and never scrolls sideways.
func TestViewerFitsTheWindow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		look
		picture string
	}{
		{look{1280, 800, true}, "viewer-dark.png"},
		{look{400, 800, false}, "viewer-narrow.png"},
		{look{400, 800, true}, "viewer-narrow-dark.png"},
	} {
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
