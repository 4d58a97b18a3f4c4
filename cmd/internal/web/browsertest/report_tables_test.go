package browsertest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A table is saved from a menu beside its title, as a plot is: no button is seen before it is opened. It closes on
// Escape, when it did its work, and when something else is pressed.
func TestReportTablesHaveMenus(t *testing.T) {
	t.Parallel()
	b := openReport(t, desk, writeReport(t, sample("quake3/68-natrebind.pcap")))
	const seen = `[...document.querySelectorAll("button")].filter((b) => b.textContent === "Save CSV" && b.checkVisibility()).length`
	if n := eval[int](b, seen); n != 0 {
		t.Errorf("%d buttons are seen before a menu is opened", n)
	}
	tables := eval[int](b, `document.querySelectorAll(".table-head").length`)
	if menus := eval[int](b, `document.querySelectorAll(".table-head > .menu").length`); menus != tables || menus < 4 {
		t.Errorf("%d of %d tables have a menu", menus, tables)
	}
	const menu = `document.querySelector("#matches .table-head .menu")`
	open := func() {
		b.run(chromedp.Focus("#matches .table-head .menu > summary"), chromedp.KeyEvent(kb.Enter))
		b.until(menu + `.open && ` + seen + ` === 1`)
	}
	open()
	checkNames(t, b, "a menu of a table")
	b.run(chromedp.KeyEvent(kb.Escape))
	b.until(`!` + menu + `.open && document.activeElement === ` + menu + `.querySelector("summary")`)
	open()
	b.run(chromedp.MouseClickXY(5, 5))
	b.until(`!` + menu + `.open`)
	open()
	b.run(chromedp.Evaluate(`globalThis.saved = null; HTMLAnchorElement.prototype.click = function () { saved = this.download; }`, nil),
		chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	b.until(`saved?.endsWith(".csv") && !` + menu + `.open`)
}

// tooWide are elements that reach beyond the window and are not in something that scrolls.
const tooWide = `[...document.querySelectorAll("body *")].filter((e) => {
	if (e.getBoundingClientRect().right <= innerWidth + 1 || !e.checkVisibility() || e.closest(".skip")) return false;
	for (let p = e.parentElement; p; p = p.parentElement) if (getComputedStyle(p).overflowX !== "visible") return false;
	return true;
}).map((e) => e.tagName + " " + e.className + " " + e.textContent.slice(0, 40))`

// On a phone nothing of a report is wider than the window, whose row it is stays in view, and a long text has lines of
// some width.
func TestReportOnAPhone(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"quake3/71-duel.dm_71", "quake3/71-reflection.pcap", "quake3/mohaa-8.pcap", "teeworlds/07-ctf.demo",
	} {
		b := openReport(t, look{width: 390, height: 844}, writeReport(t, sample(name)))
		for _, id := range reportSections {
			b.scrollTo(id)
		}
		if wide := eval[[]string](b, tooWide); len(wide) > 0 {
			t.Errorf("%s: too wide: %q", name, wide)
		}
		if narrow := eval[[]string](b, `[...document.querySelectorAll("td")].filter((e) => e.textContent.length > 40 && e.getBoundingClientRect().width < 120).map((e) => e.textContent)`); len(narrow) > 0 {
			t.Errorf("%s: a word a line: %q", name, narrow)
		}
	}
	b := openReport(t, look{width: 390, height: 844}, writeReport(t, sample("quake3/71-duel.dm_71")))
	moved := fmt.Sprintf(`(() => {
		const table = document.querySelector("#matches .who-first");
		const cell = table.tBodies[0].rows[0].cells[0];
		const before = cell.getBoundingClientRect().left;
		table.parentElement.scrollLeft = 200;
		return %s;
	})()`, `Math.abs(cell.getBoundingClientRect().left - before) + (table.parentElement.scrollLeft > 50 ? 0 : 1000)`)
	if by := eval[float64](b, moved); by > 1 {
		t.Errorf("the names move by %v pixels, or the table does not scroll", by)
	}
}

// The page begins with the victim of a reflection attack, and has a rule against the queries in its name.
func TestReportNamesTheVictim(t *testing.T) {
	t.Parallel()
	b := openReport(t, desk, writeReport(t, sample("quake3/71-reflection.pcap")))
	b.until(`document.querySelector("header").textContent.includes("198.51.100.23 looks like the victim of a reflection attack")`)
	b.scrollTo("queries")
	b.until(`[...document.querySelectorAll("#queries tr")].some((r) => r.textContent.includes("reflection victim") && r.textContent.includes("nft add rule inet filter input ip saddr 198.51.100.23"))`)
}
