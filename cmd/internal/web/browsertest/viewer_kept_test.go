package browsertest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// keptFilters are the lines of the list below the filter, "" where it is closed.
const keptFilters = `viewer.filterBar.list.hidden ? "" : [...viewer.filterBar.list.children].map(l => l.textContent.trim()).join("\n")`

// filterWith writes a filter and waits for its rows.
func filterWith(b *tab, text string) {
	b.t.Helper()
	b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.filterBar.write(%q)`, text), nil))
	b.until(fmt.Sprintf(`viewer.filter === %q && viewer.filterDone`, text))
}

// Filters that were used are listed below an empty bar, the last one first, saved ones before them with a star. All of
// it works with the keys, and is kept for other tabs and runs; of a capture nothing but texts of filters is.
func TestViewerKeepsFilters(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-connect-play.pcap")
	b := openViewer(t, desk, file)
	list := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf(`(%s) === %q`, keptFilters, want))
	}
	b.run(chromedp.Focus("#filter"))
	list("") // nothing was used so far
	filterWith(b, "length > 400")
	filterWith(b, "stream == 0")
	filterWith(b, "length > 400")
	b.run(chromedp.Click(".filter .save"))
	b.until(`document.querySelector(".filter .save").ariaPressed === "true"`)
	b.run(chromedp.Click(`[aria-label="Clear the filter"]`))
	b.until(`viewer.filter === "" && document.activeElement === viewer.filterBar.input`)
	b.run(chromedp.KeyEvent(kb.ArrowDown))
	b.until(`!viewer.filterBar.list.hidden`)
	list("★ length > 400\nstream == 0\nForget 2 filters used before")
	if tall := eval[float64](b, `viewer.filterBar.list.getBoundingClientRect().height / innerHeight`); tall > 0.5 {
		t.Errorf("the list takes %.2f of the window", tall)
	}
	// The first arrow opened the list, the second and third choose.
	b.run(chromedp.KeyEvent(kb.ArrowDown))
	b.until(`viewer.filterBar.chosen >= 0`)
	for eval[int](b, `viewer.filterBar.chosen`) != 1 {
		b.run(chromedp.KeyEvent(kb.ArrowDown))
	}
	b.run(chromedp.KeyEvent(kb.Enter))
	b.until(`viewer.filter === "stream == 0" && viewer.filterDone && viewer.filterBar.list.hidden`)
	if kept := eval[[]string](b, `Object.keys(localStorage)`); !slices.Equal(kept, []string{"q3dissect-filters"}) {
		t.Errorf("the browser keeps %q", kept)
	}

	// Another file, loaded again: the filters are there, and one is forgotten, then those that were used.
	b.run(chromedp.Reload())
	b.until(`globalThis.viewer && viewer.record && viewer.filter === "stream == 0"`)
	b.run(chromedp.Focus("#filter"), chromedp.KeyEvent(kb.ArrowDown, chromedp.KeyModifiers(input.ModifierAlt)))
	list("★ length > 400\nstream == 0\nForget 2 filters used before")
	b.run(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Delete))
	list("stream == 0\nForget 1 filter used before")
	b.run(chromedp.Click("#proposal-1")) // the key Enter of the test would submit the filter after it
	list("")
	if kept := eval[string](b, `localStorage.getItem("q3dissect-filters")`); kept != `{"recent":[],"saved":[]}` {
		t.Errorf("the browser keeps %s", kept)
	}
	b.run(chromedp.Click(".filter .kept"))
	list("Filters that you use and save will be here.")
	b.run(chromedp.KeyEvent(kb.Escape))
	list("")
}

// A filter that is wrong, one of an address, and what somebody else wrote into the storage are not listed.
func TestViewerKeepsNoWrongFilters(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	b.run(chromedp.Evaluate(`viewer.filterBar.write("lenght > 4")`, nil))
	b.until(`!document.getElementById("filter-fault").hidden`)
	b.run(chromedp.Evaluate(`location.hash = "#filter=length+%3E+500"`, nil))
	b.until(`viewer.filter === "length > 500"`)
	if kept := eval[[]string](b, `viewer.filterBar.filters.kept.recent`); len(kept) > 0 {
		t.Errorf("kept are %q", kept)
	}
	for _, odd := range []string{`null`, `7`, `{"recent":{"length":4},"saved":[7,null,"","stream == 0"]}`, `{`} {
		b.run(chromedp.Evaluate(fmt.Sprintf(`localStorage.setItem("q3dissect-filters", %q);
			viewer.filterBar.showKept(true)`, odd), nil))
		b.until(`!viewer.filterBar.list.hidden`)
	}
	filterWith(b, "length > 300")
	if kept := eval[string](b, `localStorage.getItem("q3dissect-filters")`); kept != `{"recent":["length > 300"],"saved":[]}` {
		t.Errorf("the browser keeps %s", kept)
	}
}

// A page whose program has ended shows that another one answers in its place, instead of mixing their inputs.
func TestViewerNoticesAnotherRun(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	said := eval[string](b, `(async () => {
		const { httpCarrier } = await import("../viewer/carrier.js");
		const answers = ["one", "one", "two"];
		const before = globalThis.fetch;
		globalThis.fetch = async () => new Response("{}", {
			headers: { "Content-Type": "application/json", "Q3dissect-Run": answers.shift() },
		});
		const carrier = httpCarrier("x/");
		await carrier.ask("status");
		await carrier.ask("status");
		const fault = await carrier.ask("rows").catch((e) => e.message);
		globalThis.fetch = before;
		return fault;
	})()`)
	const want = "The program that showed this has ended, and another one runs in its place: " +
		"open the address that it printed."
	if said != want {
		t.Errorf("the page says %q", said)
	}
}
