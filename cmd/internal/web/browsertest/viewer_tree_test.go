package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Every field is one line with its value, however narrow the window and long the value; what it means, its bits and
// its source are in the last lines of the page.
func TestViewerFieldsAreLines(t *testing.T) {
	t.Parallel()
	for _, l := range []look{desk, {390, 800, true}} {
		b := openViewer(t, l, sample("quake3/68-connect-play.pcap"))
		for _, frame := range []int{1, 4, 9, 26} { // with an infostring and a gamestate among them
			b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.go({ frame: %d, filter: "" })`, frame), nil))
			b.until(fmt.Sprintf(`viewer.record.number === %d`, frame))
			tall := eval[[]string](b, `viewer.tree.items.filter(f => f.element.getBoundingClientRect().height > 22)
				.map(f => f.path)`)
			if len(tall) > 0 {
				t.Errorf("frame %d, %d pixels wide: %d fields are taller than a line: %.3q", frame, l.width, len(tall), tall)
			}
		}
		goTo(b, 26, "quake3.server_message.ops[0].snapshot.server_time")
		about := eval[string](b, `document.querySelector(".about").textContent`)
		for _, part := range []string{
			"server_time = 7450 ms", "time of the game that the snapshot shows", "22 bits at 1.6 of the message",
			"CL_ParseSnapshot",
		} {
			if !strings.Contains(about, part) {
				t.Errorf("the line about the field is %q, without %q", about, part)
			}
		}
		b.run(chromedp.Focus(".tree"), chromedp.KeyEvent(kb.ArrowDown))
		b.until(`document.querySelector(".about").textContent.startsWith("delta_num = 0 messages")`)
		b.run(chromedp.Evaluate(`viewer.list.select(0)`, nil))
		b.until(`viewer.record.number === 1 && document.querySelector(".about").textContent.startsWith("Choose a field")`)
	}
}

// An object that is closed shows what is in it, and no longer when it is open.
func TestViewerSummarizesClosedObjects(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	goTo(b, 26, "quake3.server_message.ops[0].snapshot.server_time")
	shown := func(path string) string {
		t.Helper()
		return eval[string](b, fmt.Sprintf(`viewer.tree.byPath.get(%q).element.querySelector(".summary")?.textContent ?? ""`, path))
	}
	const state = "quake3.server_message.ops[0].snapshot.player_state"
	for path, want := range map[string]string{
		state: "stats {max_health 100}",
		"quake3.server_message.ops[0].snapshot.entities": "1, 86, 87, 88, 91, 98, 110, 116, 117, 118, 119, 120",
		"quake3": "",
	} {
		if got := shown(path); got != want {
			t.Errorf("%s is summarized as %q, want %q", path, got, want)
		}
	}
	b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.tree.reveal(%q, true)`, state), nil), chromedp.KeyEvent(kb.ArrowRight))
	b.until(fmt.Sprintf(`viewer.tree.byPath.get(%q).element.ariaExpanded === "true"`, state))
	if got := shown(state); got != "" {
		t.Errorf("open it is summarized as %q", got)
	}
	b.run(chromedp.Evaluate(`viewer.tree.reveal("quake3", true)`, nil), chromedp.KeyEvent(kb.ArrowLeft))
	b.until(`viewer.tree.byPath.get("quake3").element.ariaExpanded === "false"`)
	const whole = "version 68, encoding legacy, session 0, netchan {sequence 19, fragmented false}, server_message {"
	if got := shown("quake3"); !strings.HasPrefix(got, whole) {
		t.Errorf("the whole record is summarized as %q", got)
	}
}

// Statistics take the whole width below the list, and go beside it; only those by spans of time are drawn.
func TestViewerWidePanel(t *testing.T) {
	t.Parallel()
	for _, l := range []look{desk, {390, 800, false}} {
		b := openViewer(t, l, sample("quake3/68-connect-play.pcap"))
		b.run(chromedp.Focus("#row"), press("s"))
		b.until(`document.querySelectorAll(".panel table").length > 0`)
		b.run(chromedp.Evaluate(`viewer.panels.open("statistics", "players")`, nil))
		b.until(`document.querySelectorAll(".panel tbody tr").length === 5`)
		if drawn := eval[int](b, `document.querySelectorAll(".panel figure").length`); drawn != 0 {
			t.Errorf("%d plots of a statistic whose rows are no spans of time", drawn)
		}
		if wide := eval[int](b, `Math.round(viewer.panels.element.getBoundingClientRect().width)`); wide != int(l.width) {
			t.Errorf("the panel is %d pixels wide of %d", wide, l.width)
		}
		if l != desk {
			continue
		}
		b.run(chromedp.Click(".wide-button"))
		b.until(`viewer.panels.element.getBoundingClientRect().width < 700 && viewer.tree.element.checkVisibility()`)
		b.run(chromedp.Click(".wide-button"))
		b.until(`viewer.panels.element.getBoundingClientRect().width === 1280 && !viewer.tree.element.checkVisibility()`)
		b.run(chromedp.Focus("#row"), chromedp.KeyEvent(kb.Escape))
		b.until(`viewer.tree.element.checkVisibility()`)
	}
}
