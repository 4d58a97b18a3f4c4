package browsertest

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// holdAnswers keeps answers to a question from the page until release() is called there. of: which, by its arguments.
func holdAnswers(b *tab, question, of string) {
	b.t.Helper()
	b.run(chromedp.Evaluate(fmt.Sprintf(`(() => {
		const { carrier } = viewer;
		const before = carrier.ask;
		globalThis.held = 0;
		const free = new Promise((done) => { globalThis.release = () => { carrier.ask = before; done(); }; });
		carrier.ask = async (name, args) => {
			const answer = await before(name, args);
			if (name === %q && (%s)(args)) {
				held++;
				await free;
			}
			return answer;
		};
	})()`, question, of), nil))
}

// drawnTwice lets the page do what it does with answers that have come.
const drawnTwice = `new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame)).then(() => true)`

// Rows of a filter that come after another one was applied are not taken for its own.
func TestViewerRowsOfAnOldFilter(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	holdAnswers(b, "rows", `(a) => a.filter === "length > 100" && a.count > 0`) // not how far it is
	b.run(chromedp.Evaluate(`viewer.filterBar.write("length > 100")`, nil))
	b.until(`held > 0`)
	filterWith(b, "frame == 7")
	b.until(`viewer.list.many === 1 && viewer.record.number === 7`)
	b.run(chromedp.Evaluate(`release()`, nil))
	eval[bool](b, drawnTwice)
	if many := eval[int](b, `viewer.list.many`); many != 1 {
		t.Errorf("the list has %d rows of another filter", many)
	}
}

// The packet that is chosen while the page asks for the place of the one before it stays chosen.
func TestViewerKeepsWhatIsChosen(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	goTo(b, 26, "quake3.version")
	holdAnswers(b, "place", `() => true`)
	filterWith(b, "frame > 20")
	b.until(rowsShown + ` && held > 0`)
	b.run(chromedp.Focus("#row"), chromedp.KeyEvent(kb.Home))
	b.until(`viewer.record.number === 21`)
	b.run(chromedp.Evaluate(`release()`, nil))
	eval[bool](b, drawnTwice)
	if place := eval[int](b, `viewer.list.selected`); place != 0 {
		t.Errorf("selected is line %d, and packet 21 is the first", place)
	}
}

// While the page goes to an address, nothing of the address is lost: it may be loaded again.
func TestViewerKeepsTheAddress(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	holdAnswers(b, "rows", `(a) => a.filter === "frame > 20"`)
	const address = "#frame=26&filter=frame+%3E+20&columns=quake3.netchan.sequence&sort=-length&marks=3-4&panel=events"
	b.run(chromedp.Evaluate(fmt.Sprintf(`location.hash = %q`, address), nil))
	b.until(`held > 0 && viewer.columns.chosen.length === 1`)
	if now := eval[string](b, `location.hash`); now != address {
		t.Errorf("the address is %s on the way to %s", now, address)
	}
	b.run(chromedp.Evaluate(`release()`, nil))
	b.until(`viewer.record.number === 26 && viewer.isSorted && viewer.panels.shown === "events"`)
	again := eval[string](b, `["frame", "filter", "columns", "sort", "marks", "panel"].map((name) => name + "=" + new URLSearchParams(location.hash.slice(1)).get(name)).join("&")`)
	const want = "frame=26&filter=frame > 20&columns=quake3.netchan.sequence&sort=-length&marks=3-4&panel=events"
	if again != want {
		t.Errorf("the address has %s, want %s", again, want)
	}
}

// The filter of an address is kept where the search for its packets takes longer than the page does.
func TestViewerWaitsForTheFilter(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	b.run(chromedp.Evaluate(`(() => {
		const { carrier } = viewer;
		const before = carrier.ask;
		let asked = 0; // the program has found nothing until it is asked for the third time
		carrier.ask = async (name, args) => {
			const answer = await before(name, args);
			if (args?.filter !== "frame > 20" || asked > 2) return answer;
			if (name === "rows") return asked++, { ...answer, rows: [], many: 0, done: false, sorted: false };
			return name === "place" ? { row: 0, exact: false } : answer;
		};
		location.hash = "#frame=26&filter=frame+%3E+20";
	})()`, nil))
	b.until(`viewer.record.number === 26 && viewer.filterDone`)
	if filter := eval[string](b, `viewer.filter`); filter != "frame > 20" {
		t.Errorf("the filter is %q", filter)
	}
}

// Of two addresses, the later one is shown, however long the first one takes.
func TestViewerGoesToTheLastAddress(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	holdAnswers(b, "find", `(a) => a.number === 26`)
	b.run(chromedp.Evaluate(`location.hash = "#frame=26"`, nil))
	b.until(`held > 0`)
	b.run(chromedp.Evaluate(`location.hash = "#frame=20"`, nil))
	b.until(`viewer.record.number === 20`)
	b.run(chromedp.Evaluate(`release()`, nil))
	eval[bool](b, drawnTwice)
	if shown := eval[int](b, `viewer.row.number`); shown != 20 {
		t.Errorf("packet %d is shown", shown)
	}
}

// The bits of the chosen field are lit after the window has another width, too.
func TestViewerLightsInAnotherWidth(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	goTo(b, 26, "quake3.server_message.ops[0].snapshot.server_time")
	before := eval[[][]int](b, litBytes)
	b.run(emulation.SetDeviceMetricsOverride(400, 800, 1, false))
	b.until(`viewer.bytes.perLine === 8`)
	if after := eval[[][]int](b, litBytes); fmt.Sprint(after) != fmt.Sprint(before) || len(before[0]) == 0 {
		t.Errorf("lit are %v, before %v", after, before)
	}
}
