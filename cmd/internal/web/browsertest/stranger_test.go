package browsertest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// What stops somebody who uses the viewer for the first time.

// The bits of a number that is not coded spell it, in the order in which positions count.
func TestViewerBitsSpellNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sample, filter string
		fields         []string
		lowestFirst    bool
	}{
		{"teeworlds/07-ipv6-join.pcap", "teeworlds.chunks.size > 3", []string{"teeworlds.chunks[0].size", "teeworlds.num_chunks", "teeworlds.ack"}, false},
		{"quake3/68-connect-play.pcap", "quake3.netchan.sequence > 300 and quake3.netchan.qport > 0", []string{"quake3.netchan.sequence", "quake3.netchan.qport"}, true},
		{"gamestudio/enet-0ad.pcap", "enet.commands.send_reliable.sequence > 99", []string{"enet.sent_time", "enet.commands[0].send_reliable.sequence"}, false},
	} {
		b := openViewer(t, desk, sample(c.sample), c.filter)
		b.until(`viewer.filterDone && viewer.list.many > 0 && viewer.record && viewer.record.row === viewer.list.item(0)?.row`)
		for _, path := range c.fields {
			b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.tree.reveal(%q)`, path), nil))
			value := eval[string](b, fmt.Sprintf(`viewer.tree.path === %q ? viewer.tree.selected.value : ""`, path))
			bits := eval[string](b, `[...document.querySelector(".strip-line").querySelectorAll(".bit.on")].map(b => b.textContent).join("")`)
			said := eval[bool](b, `document.querySelector(".strip-line").textContent.includes("lowest bit first")`)
			if said != c.lowestFirst {
				t.Errorf("%s: the page says that the lowest bit stands first: %v", path, said)
			}
			if c.lowestFirst {
				bits = reversed(bits)
			}
			if spelt, err := strconv.ParseUint(bits, 2, 64); err != nil || fmt.Sprint(spelt) != value {
				t.Errorf("%s is %s, its bits spell %d (%s): %v", path, value, spelt, bits, err)
			}
		}
	}
}

func reversed(s string) string {
	var b strings.Builder
	for i := len(s) - 1; i >= 0; i-- {
		b.WriteByte(s[i])
	}
	return b.String()
}

// An empty list shows why it is empty.
func TestViewerSaysWhyThereIsNothing(t *testing.T) {
	t.Parallel()
	nothing := `(() => { const e = document.querySelector(".none-shown"); return e.checkVisibility() ? e.textContent : ""; })()`
	for _, c := range []struct {
		payloads []string
		want     string
	}{
		{nil, "There is no packet in the file."},
		{[]string{"not a game", "nor this one"}, "None of the 2 packets is of a game that is known."},
	} {
		address := view(t, capture(t, c.payloads...))
		b := newTab(t, desk)
		b.run(chromedp.Navigate(address))
		b.until(`globalThis.viewer && viewer.status && viewer.status.done`)
		b.until(fmt.Sprintf(`%s === %q`, nothing, c.want))
		checkNames(t, b, "an empty list")
	}
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	if said := eval[string](b, nothing); said != "" {
		t.Errorf("a list with lines says %q", said)
	}
	b.run(chromedp.Evaluate(`viewer.filterBar.write("length > 60000")`, nil))
	b.until(fmt.Sprintf(`%s === "No packet matches the filter."`, nothing))
}

// What was open and how large the panes were is so again when the page is loaded again.
func TestViewerRemembers(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	goTo(b, 26, "quake3.server_message.ops[0].snapshot.server_time")
	b.run(chromedp.Evaluate(`viewer.tree.toggle(viewer.tree.byPath.get("quake3.netchan"), false)`, nil))
	b.run(chromedp.Focus(`[aria-label="Height of the list"]`), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.ArrowUp))
	b.run(chromedp.Evaluate(`viewer.panels.open("events")`, nil))
	b.run(chromedp.Focus(`[aria-label="Width of the list beside a panel"]`), chromedp.KeyEvent(kb.ArrowLeft))
	state := `(() => [Math.round(viewer.list.element.clientHeight), Math.round(viewer.panels.element.clientWidth), viewer.tree.isOpen(viewer.tree.byPath.get("quake3.netchan")), viewer.tree.path, viewer.row.number].join(" "))()`
	before := eval[string](b, state)
	if fields := strings.Fields(before); fields[2] != "false" || fields[4] != "26" {
		t.Fatalf("shown are %s", before)
	}
	b.run(chromedp.Reload())
	b.until(`globalThis.viewer && viewer.record && viewer.record.number === 26 && viewer.row.number === 26 && viewer.panels.shown === "events" && viewer.tree.selected`)
	if after := eval[string](b, state); after != before {
		t.Errorf("shown are %s, before the page was loaded again %s", after, before)
	}
}

// A key opens a panel at the packet that is shown, and its lines are reached with the keys.
func TestViewerPanelsWithKeys(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-natrebind.pcap"))
	goTo(b, 300, "quake3")
	b.run(chromedp.Focus("#row"), press("f"))
	b.until(`document.activeElement?.classList.contains("virtual") && document.activeElement.id === "line" && document.querySelector("#line .selected")?.shown`)
	// It is at the counts that the packet is part of: the next line is of a later one.
	rows := eval[[]int](b, `(s => [s.shown.row, viewer.row.row, Math.min(...[...document.querySelectorAll("#line .line")].filter(l => l.place > s.place && l.shown).map(l => l.shown.row))])(document.querySelector("#line .selected"))`)
	if rows[0] > rows[1] || rows[2] <= rows[1] {
		t.Errorf("the line is of row %d, the packet is row %d, the next line is of row %d", rows[0], rows[1], rows[2])
	}
	b.run(chromedp.KeyEvent(kb.ArrowDown))
	b.until(`viewer.row.number > 300 && viewer.record.row === viewer.row.row`)
	b.run(press("s"))
	b.until(`document.activeElement?.tagName === "SELECT"`)
	b.run(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Escape))
	b.until(`viewer.panels.element.hidden`)
}

// Bytes of recordings are called so.
func TestViewerNamesRecordings(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-kicked.dm_68"))
	b.run(chromedp.Evaluate(`viewer.tree.reveal(viewer.record.fields.find(f => f.bits && f.layer === 1).path)`, nil))
	if said := eval[string](b, `document.querySelector(".strip").textContent`); !strings.Contains(said, "recording") || strings.Contains(said, "frame") {
		t.Errorf("the bits are of %q", said)
	}
}
