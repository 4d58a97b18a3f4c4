package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A filter of the address that is wrong, or that the server does not take, is said under the bar, all packets are
// shown, and the page still works: every promise gets an answer.
func TestViewerOddAddress(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	b.run(chromedp.Evaluate(`addEventListener("unhandledrejection", (e) => { (window.left ??= []).push(String(e.reason)); })`, nil))
	for _, text := range []string{`"(("`, `"%"`, `"\nx == "`, `"\ufffd"`, `"a".repeat(70000)`} {
		b.run(chromedp.Evaluate(`document.getElementById("filter-fault").hidden = true; viewer.go({ filter: `+text+` }).then(() => { window.gone = true; })`, nil))
		b.until(`window.gone && !document.getElementById("filter-fault").hidden && viewer.list.many === 500`)
		b.run(chromedp.Evaluate(`window.gone = false; viewer.filterBar.typed(); viewer.filterBar.submit()`, nil))
	}
	b.run(chromedp.Evaluate(`viewer.filterBar.write("frame == 7")`, nil))
	b.until(`viewer.filterDone && viewer.list.many === 1`)
	if left := eval[[]string](b, `window.left ?? []`); len(left) > 0 {
		t.Errorf("promises that nobody caught: %q", left)
	}
}

// A wrong filter is reported under its column; a right one shows the rows that the command shows.
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
	if said := eval[string](b, `document.querySelector(".fault p").textContent`); said != "column 18: unknown field quake3.oob.comand; did you mean quake3.oob.command?" {
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
	b.run(chromedp.Focus(".tree"), press("m"))
	b.until(`!viewer.tree.menu.element.hidden`)
	b.run(chromedp.KeyEvent(kb.Enter))
	b.until(`viewer.filter !== "" && viewer.filterDone`)
	if filter := eval[string](b, `viewer.filter`); filter != `quake3.oob.command == "getchallenge"` {
		t.Errorf("the filter is %s", filter)
	}
}

// An address that is written by hand is followed, also where the page writes another at the same time, as it does when
// a record that was asked for before comes.
func TestViewerFollowsTheAddress(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	b.run(chromedp.Evaluate(`{ const before = location.hash; location.hash = "#frame=26"; history.replaceState(null, "", before || "#frame=1"); }`, nil))
	b.until(`viewer.record.number === 26`)
	b.run(chromedp.Evaluate(`location.hash = "#frame=20"`, nil))
	b.until(`viewer.record.number === 20`)
	b.run(chromedp.Evaluate(`history.back()`, nil))
	b.until(`viewer.record.number === 26`)
}
