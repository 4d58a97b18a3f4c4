package browsertest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openSite opens the first page of the viewer without a server.
func openSite(t *testing.T, l look) *tab {
	t.Helper()
	address, _ := site(t)
	b := newTab(t, l)
	b.run(chromedp.Navigate(address), chromedp.WaitVisible(".drop"))
	return b
}

// siteViewer is true when the viewer shows a record of a file with that name.
func siteViewer(name string) string {
	return fmt.Sprintf(`globalThis.viewer?.record && viewer.status.done && !document.querySelector(".welcome") && document.title.startsWith(%q)`, name)
}

// Each sample opens, and has what its card promises: what the game's server logged, and what was sent in the capture.
func TestSiteSamples(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sample, file, find string
		want               []string
	}{
		// The server's log: six kills by Sarge after InitGame, "Exit: Fraglimit hit."
		{"duel", "71-duel.dm_71", `asked("events", { from: 0, count: 1000 }).then(({ lines }) => {
			const events = lines.map((l) => l.line);
			const match = events.slice(events.findIndex((e) => e.event === "match_start"));
			const end = match.find((e) => e.event === "match_end");
			return match.filter((e) => e.event === "kill" && e.killer.name === "Sarge" && e.victim.name === "Gargoyle").length + " " + end.info;
		})`, []string{"6 the match is over: Sarge won, Sarge 6, Gargoyle 0, fraglimit"}},
		// The console said it: its commands are beside the recording.
		{"middle", "68-midsession.pcap", `asked("rows", { from: 0, count: 600 }).then(({ rows }) =>
			rows.length + " " + rows.filter((r) => r.info.includes("key_unknown")).length + " " + rows.filter((r) => r.info.includes("server console speaking")).length)`, []string{"581 0 1"}},
		// 409 queries were sent in the name of 198.51.100.23, six by a monitor.
		{"reflection", "71-reflection.pcap", `asked("statistic", { z: "drdos" }).then((found) => JSON.stringify(found))`, []string{
			`"198.51.100.23",409,`, `"reflection victim"`, `"203.0.113.7",6,`,
		}},
	} {
		b := openSite(t, desk)
		b.run(chromedp.Click(`[data-sample="` + c.sample + `"]`))
		b.until(siteViewer(c.file))
		got := eval[string](b, `(async () => {
			const asked = async (...question) => {
				for (;;) {
					const answer = await viewer.carrier.ask(...question);
					if (answer.done !== false) return answer;
				}
			};
			return `+c.find+`;
		})()`)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s has %.600s, want %s", c.file, got, want)
			}
		}
	}
}

// Every question is answered with a sample: in the viewer at the address of the link, or in the report.
func TestSiteQuestions(t *testing.T) {
	t.Parallel()
	b := openSite(t, desk)
	many := eval[int](b, `document.querySelectorAll(".questions button").length`)
	if many < 8 {
		t.Fatalf("there are %d questions", many)
	}
	reports := 0
	for i := range many {
		text := eval[string](b, fmt.Sprintf(`document.querySelectorAll(".questions button")[%d].textContent`, i))
		click := chromedp.Evaluate(fmt.Sprintf(`document.querySelectorAll(".questions button")[%d].click()`, i), nil)
		if strings.HasSuffix(text, "↗") {
			reports++
			siteReport(t, b, click, text)
		} else {
			b.run(click)
		}
		b.until(`globalThis.viewer?.record && viewer.status.done && !document.querySelector(".welcome")`)
		place := eval[string](b, `location.hash`)
		switch {
		case strings.Contains(place, "panel=plot"):
			b.until(plotDrawn)
		case strings.Contains(place, "panel=statistics"):
			b.until(`document.querySelectorAll(".panel table td").length > 10`)
		case strings.Contains(place, "panel=events"):
			b.until(`document.querySelectorAll("#line .line").length > 10`)
		case strings.Contains(place, "filter="):
			b.until(`viewer.filterDone && viewer.list.many > 0 && viewer.list.many < viewer.status.rows`)
		case strings.Contains(place, "field="):
			b.until(`viewer.record.number === 117 && viewer.tree.selected?.path.endsWith("event_parm") && document.querySelectorAll(".bit.on").length > 0`)
			if value := eval[string](b, `document.querySelector(".tree .selected").textContent`); !strings.Contains(value, "machinegun") {
				t.Errorf("%s: the field is %q", text, value)
			}
		case !strings.HasSuffix(text, "↗"):
			t.Errorf("%s shows %q", text, place)
		}
		b.run(chromedp.Evaluate(`history.back()`, nil), chromedp.WaitVisible(".questions"))
	}
	if reports == 0 || reports == many {
		t.Errorf("%d of %d questions lead to reports", reports, many)
	}
}

// siteReport does what opens a report, and waits until it shows a section.
func siteReport(t *testing.T, b *tab, click chromedp.Action, text string) {
	t.Helper()
	r, stop := openSiteReport(b, click)
	defer stop()
	r.until(`scrollY > 100`)
	if got := eval[string](r, `[...document.querySelectorAll("section")].findLast((s) => s.getBoundingClientRect().top < innerHeight / 2)?.id ?? ""`); got == "" || got == "evidence" {
		t.Errorf("%s shows the section %q", text, got)
	}
}

// dropOn lets files and folders fall on the page, as from a window of the system.
func dropOn(b *tab, paths ...string) {
	b.t.Helper()
	data := &input.DragData{Files: paths, Items: []*input.DragDataItem{}, DragOperationsMask: 1}
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		for _, kind := range []input.DispatchDragEventType{input.DragEnter, input.DragOver, input.Drop} {
			if err := input.DispatchDragEvent(kind, 200, 300, data).Do(ctx); err != nil {
				return err
			}
		}
		return nil
	}))
}

// What cannot be opened is refused with a sentence that names it, and what can be is shown.
func TestSiteTakesAndRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	absolute := func(name string) string {
		path, err := filepath.Abs(sample(name))
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	capture, demo := absolute("quake3/68-loss.pcap"), absolute("quake3/68-kicked.dm_68")
	whole, err := os.ReadFile(capture)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := os.ReadFile(filepath.Join(repository, "docs", "report.png"))
	if err != nil {
		t.Fatal(err)
	}
	png, empty := write("shot.png", picture), write("empty.pcap", nil)
	zip := write("demos.zip", []byte("PK\x03\x04"+strings.Repeat(".", 28)))
	folder := filepath.Join(dir, "demos")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		paths  []string
		opened string   // the title of the viewer
		said   []string // why others are not
	}{
		{"a picture", []string{png}, "", []string{"shot.png: no known kind of capture", "Captures (pcap, pcapng) and demos can be opened"}},
		{"an empty file", []string{empty}, "", []string{"empty.pcap is empty."}},
		{"a folder", []string{folder}, "", []string{"demos is a folder: drop the files in it."}},
		{"a zip file", []string{zip}, "", []string{"demos.zip: ", "a zip archive, which is not read"}},
		{"two that are none", []string{png, empty}, "", []string{"shot.png: ", "no known kind", "empty.pcap is empty."}},
		{"a capture and an empty file", []string{capture, empty}, "68-loss.pcap", []string{"empty.pcap is empty."}},
		{"a capture and a folder", []string{capture, folder}, "68-loss.pcap", []string{"demos is a folder"}},
		{"two files", []string{capture, demo}, "68-loss.pcap, 68-kicked.dm_68", nil},
		{"a demo", []string{demo}, "68-kicked.dm_68", nil},
		{"a teehistorian file", []string{absolute("teeworlds/ddnet.teehistorian")}, "ddnet.teehistorian", nil},
		{"a packed capture", []string{write("loss.pcap.gz", gzipped(t, whole))}, "loss.pcap.gz", nil},
		{"a capture that is cut short", []string{write("cut.pcap", whole[:len(whole)/2])}, "cut.pcap", nil},
	} {
		b := openSite(t, desk)
		dropOn(b, c.paths...)
		if c.opened != "" {
			b.until(siteViewer(c.opened))
		} else {
			b.until(`!document.querySelector(".welcome [role=alert]").hidden`)
		}
		said := eval[string](b, `[...document.querySelectorAll("[role=alert]")].filter((e) => e.checkVisibility()).map((e) => e.innerText).join(" ")`)
		for _, want := range c.said {
			if !strings.Contains(said, want) {
				t.Errorf("%s: the page says %q, want %q", c.name, said, want)
			}
		}
		if len(c.said) == 0 && said != "" {
			t.Errorf("%s: the page says %q", c.name, said)
		}
		if c.opened != "" { // what is open stays so when something else cannot be
			dropOn(b, folder)
			b.until(`document.querySelector(".told")?.textContent.includes("demos is a folder")`)
			if !eval[bool](b, siteViewer(c.opened)) {
				t.Errorf("%s: it is closed", c.name)
			}
		}
	}
}

// A text that is dropped, and files that no page can hold, are refused before they are read.
func TestSiteRefusesUnread(t *testing.T) {
	t.Parallel()
	b := openSite(t, desk)
	for _, c := range []struct{ fill, want string }{
		{`transfer.setData("text/plain", "a link");`, "What was dropped is no file."},
		{`const file = new File(["x"], "huge.pcap"); Object.defineProperty(file, "size", { value: 2.5e9 }); transfer.items.add(file);
			Object.defineProperty(transfer, "files", { value: [file] });`, "2.5 GB are more than a page can hold: q3dissect view"},
	} {
		b.run(chromedp.Evaluate(`(() => {
			const transfer = new DataTransfer();
			`+c.fill+`
			const event = new Event("drop", { bubbles: true, cancelable: true });
			event.dataTransfer = transfer;
			document.body.dispatchEvent(event);
		})()`, nil))
		b.until(fmt.Sprintf(`document.querySelector(".welcome [role=alert]").textContent.includes(%q)`, c.want))
	}
}

// The browser's back and forward lead between the first page and what was open, and so does a button.
func TestSiteGoesBack(t *testing.T) {
	t.Parallel()
	b := openSite(t, desk)
	title := eval[string](b, `document.title`)
	b.run(chromedp.Click(`[data-sample="duel"]`))
	b.until(siteViewer("71-duel.dm_71"))
	b.run(chromedp.Evaluate(`history.back()`, nil), chromedp.WaitVisible(".welcome"))
	if got := eval[string](b, `document.title`); got != title {
		t.Errorf("the first page is called %q", got)
	}
	b.run(chromedp.Evaluate(`history.forward()`, nil))
	b.until(siteViewer("71-duel.dm_71"))
	b.run(chromedp.Evaluate(`[...document.querySelectorAll("header button")].find((e) => e.textContent === "open another").click()`, nil), chromedp.WaitVisible(".welcome"))
	b.until(`document.activeElement.id === "files"`)
	b.run(chromedp.Click(`[data-sample="reflection"]`))
	b.until(siteViewer("71-reflection.pcap"))
	b.run(chromedp.Evaluate(`history.back()`, nil), chromedp.WaitVisible(".welcome"))
}

// With keys alone: the chooser is first, then the samples; Enter opens one.
func TestSiteWithKeys(t *testing.T) {
	t.Parallel()
	b := openSite(t, desk)
	var order []string
	for range 30 {
		b.run(chromedp.KeyEvent(kb.Tab))
		at := eval[string](b, `(({ id, dataset, tagName, textContent }) => id || dataset.sample || tagName + " " + textContent)(document.activeElement)`)
		if slices.Contains(order, at) {
			break
		}
		order = append(order, at)
	}
	if len(order) < 12 || order[0] != "files" || !slices.Contains(order, "reflection") {
		t.Fatalf("Tab leads to %q", order)
	}
	if !eval[bool](b, `(() => { document.getElementById("files").focus(); return getComputedStyle(document.querySelector(".drop")).outlineStyle !== "none"; })()`) {
		t.Error("the focus of the chooser is not seen")
	}
	b.run(chromedp.Focus(`[data-sample="middle"]`), chromedp.KeyEvent(kb.Enter))
	b.until(siteViewer("68-midsession.pcap"))
}

// The first page has names and roles for everything, enough contrast, and no width beyond the window's.
func TestSiteFirstPage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		look
		picture string
	}{
		{look{1280, 800, false}, "site.png"},
		{look{1280, 800, true}, ""},
		{look{390, 844, false}, ""},
		{look{390, 844, true}, "site-narrow.png"},
	} {
		b := openSite(t, c.look)
		where := fmt.Sprintf("the first page at %d pixels", c.width)
		b.until(`document.querySelector(".picture img").complete`)
		if loaded := eval[int](b, `document.querySelector(".picture img").naturalWidth`); loaded == 0 {
			t.Errorf("%s: the picture is not there", where)
		}
		if c.picture != "" {
			b.picture(c.picture)
		}
		check := func(where string) {
			t.Helper()
			checkNames(t, b, where)
			if wide := eval[int](b, `document.documentElement.scrollWidth`); wide > int(c.width) {
				t.Errorf("%s is %d pixels wide", where, wide)
			}
			if pale := eval[[]string](b, paleTexts); len(pale) > 0 {
				t.Errorf("%s: too little contrast: %v", where, pale)
			}
			if small := eval[[]string](b, `[...document.querySelectorAll(".welcome button, .welcome summary")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 24).map((e) => e.textContent)`); len(small) > 0 {
				t.Errorf("%s: too small for a finger: %q", where, small)
			}
		}
		check(where)
		if headings := eval[string](b, `[...document.querySelectorAll("h1, h2")].map((e) => e.tagName).join("")`); headings != "H1H2H2" {
			t.Errorf("%s: headings %s", where, headings)
		}
		if said := eval[string](b, `document.body.innerText`); !strings.Contains(said, "Your files stay on your machine") {
			t.Errorf("%s says %q", where, said)
		}
		b.run(chromedp.Click("summary"), chromedp.SetValue("#hex", "no packet"), chromedp.Click("details button"))
		b.until(`!document.querySelector("[role=alert]").hidden`)
		check(where + " with a fault")
	}
}
