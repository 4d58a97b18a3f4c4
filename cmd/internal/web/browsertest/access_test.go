package browsertest

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// controls are the roles of elements that can be used, whose names a screen reader speaks.
var controls = map[string]bool{
	"button": true, "link": true, "textbox": true, "combobox": true, "searchbox": true, "checkbox": true,
	"slider": true, "menuitem": true, "option": true, "tree": true, "treeitem": true, "grid": true, "menu": true,
	"dialog": true, "splitter": true, "image": true, "columnheader": true, "DisclosureTriangle": true, "progressbar": true,
}

// An axValue is a value of the browser's tree for screen readers.
type axValue struct {
	Value any `json:"value"`
}

// checkNames fails the test if something that can be used has no name, as the browser reports to screen readers.
func checkNames(t *testing.T, b *tab, where string) {
	t.Helper()
	used, nameless := controlNames(b)
	for try := 0; len(nameless) > 0 && try < 20; try++ { // the browser makes the tree later than the page, line by line
		steady[int](b, `document.querySelectorAll("*").length`)
		used, nameless = controlNames(b)
	}
	for _, role := range nameless {
		t.Errorf("%s: a screen reader has no name for a %s", where, role)
	}
	if used < 2 {
		t.Errorf("%s: the tree for screen readers has %d controls", where, used)
	}
	wrong := eval[[]string](b, brokenReferences)
	if len(wrong) > 0 {
		t.Errorf("%s: roles that do not fit: %q", where, wrong)
	}
}

// controlNames counts what can be used in the browser's tree for screen readers, and gives the roles of what has no
// name.
func controlNames(b *tab) (used int, nameless []string) {
	b.t.Helper()
	var tree struct {
		Nodes []struct {
			Ignored bool    `json:"ignored"`
			Role    axValue `json:"role"`
			Name    axValue `json:"name"`
		} `json:"nodes"`
	}
	b.run(chromedp.ActionFunc(func(ctx context.Context) error { // the library does not know all words of a new browser
		return cdp.Execute(ctx, "Accessibility.getFullAXTree", nil, &tree)
	}))
	for _, n := range tree.Nodes {
		role, _ := n.Role.Value.(string)
		if n.Ignored || !controls[role] {
			continue
		}
		used++
		if n.Name.Value == nil || n.Name.Value == "" {
			nameless = append(nameless, role)
		}
	}
	return used, nameless
}

// brokenReferences are elements whose ARIA attributes name elements that are not there, identifiers that occur twice,
// and children of lists, trees and menus with other roles.
const brokenReferences = `(() => {
	const wrong = [];
	for (const e of document.querySelectorAll("*")) {
		for (const name of ["aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-activedescendant"]) {
			for (const id of (e.getAttribute(name) ?? "").split(" ").filter(Boolean)) {
				if (!document.getElementById(id) && !(name === "aria-activedescendant" && e.classList.contains("virtual"))) wrong.push(name + " " + id);
			}
		}
		if (e.id && document.querySelectorAll("#" + CSS.escape(e.id)).length > 1) wrong.push("twice: " + e.id);
		if (e.role === "treeitem" && e.parentElement.role !== "tree") wrong.push("a treeitem outside a tree");
		if (e.role === "menuitem" && e.parentElement.role !== "menu") wrong.push("a menuitem outside a menu");
		if (e.role === "option" && e.parentElement.role !== "listbox") wrong.push("an option outside a listbox");
		if (e.role === "gridcell" && e.parentElement.role !== "row") wrong.push("a gridcell outside a row");
		if (e.role === "columnheader" && !e.closest("[role=grid]") && !document.querySelector("[role=grid][aria-owns=" + CSS.escape(e.parentElement.id) + "]")) wrong.push("a head outside a grid");
		if (e.tabIndex > 0) wrong.push("an order of its own for Tab: " + e.outerHTML.slice(0, 60));
	}
	return [...new Set(wrong)];
})()`

// Whatever is open, everything has a name and a role, at any width, and the page does not scroll sideways.
func TestViewerAccess(t *testing.T) {
	t.Parallel()
	for _, l := range []look{desk, {400, 800, true}} {
		b := openViewer(t, l, sample("quake3/68-natrebind.pcap"))
		check := func(where string) {
			t.Helper()
			where = fmt.Sprintf("%s at %d pixels", where, l.width)
			checkNames(t, b, where)
			if wide := eval[int](b, `document.documentElement.scrollWidth`); wide > int(l.width) {
				t.Errorf("%s: the page is %d pixels wide", where, wide)
			}
			if pale := eval[[]string](b, paleTexts); len(pale) > 0 {
				t.Errorf("%s: too little contrast: %v", where, pale)
			}
		}
		b.until(`[...document.querySelectorAll("[role=treeitem]")].every((e) => e.textContent || e.ariaLabel)`)
		check("three panes")
		b.run(chromedp.Focus(".tree"), chromedp.KeyEvent(kb.ArrowDown), press("m"))
		b.until(`!viewer.tree.menu.element.hidden`)
		check("the menu of a field")
		b.run(chromedp.KeyEvent(kb.Escape))
		b.run(chromedp.Evaluate(`viewer.columns.set("stream,quake3.netchan.sequence")`, nil))
		b.until(`viewer.list.shown.length > 3 && viewer.columns.missing(viewer.list.shown).length === 0`)
		check("columns")
		for _, panel := range []string{"events", "follow"} {
			b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.panels.open(%q)`, panel), nil))
			b.until(linesListed)
			check(panel)
		}
		b.run(chromedp.Evaluate(`viewer.panels.open("statistics", "io,1")`, nil))
		b.until(`document.querySelectorAll(".panel canvas").length > 0`)
		check("statistics")
		b.run(chromedp.Evaluate(`viewer.panels.open("plot", "length")`, nil))
		b.until(plotDrawn)
		check("a plot")
		b.run(chromedp.Evaluate(`viewer.panels.close(); viewer.filterBar.input.focus(); viewer.filterBar.input.value = "quake3."; viewer.filterBar.typed()`, nil))
		b.until(`!viewer.filterBar.list.hidden`)
		check("proposals")
		b.run(chromedp.Evaluate(`viewer.filterBar.filters.used("stream == 0"); viewer.filterBar.filters.toggle("length > 3"); viewer.filterBar.showKept(true)`, nil))
		b.until(`!viewer.filterBar.list.hidden && viewer.filterBar.keptShown`)
		check("filters that are kept")
		b.run(chromedp.Evaluate(`viewer.filterBar.write("nothing ==")`, nil))
		b.until(`!document.getElementById("filter-fault").hidden`)
		check("a filter that is wrong")
		b.run(chromedp.Evaluate(`viewer.help.open()`, nil))
		b.until(`document.querySelector("dialog.help").open`)
		check("the keys")
	}
}

// Everything of the report that can be used has a name and a role, too, with all its tables open.
func TestReportAccess(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"quake3/68-natrebind.pcap", "teeworlds/07-ctf.demo"} {
		b := openReport(t, desk, writeReport(t, sample(name)))
		for _, id := range reportSections {
			b.scrollTo(id)
		}
		b.run(chromedp.Evaluate(`document.querySelectorAll("details").forEach(d => { d.open = true; })`, nil))
		b.until(tablesOpen)
		if many := eval[int](b, `document.querySelectorAll("details table").length`); many <= 5 {
			t.Errorf("the report of %s has %d tables", name, many)
		}
		checkNames(t, b, "the report of "+name)
		if wrong := eval[[]string](b, `[...document.querySelectorAll("table")].filter(t => !t.caption && !t.getAttribute("aria-label") && !t.getAttribute("aria-labelledby")).map(t => t.closest("section")?.id + ": " + t.textContent.slice(0, 40))`); len(wrong) > 0 {
			t.Errorf("%s: tables without a name: %q", name, wrong)
		}
	}
}
