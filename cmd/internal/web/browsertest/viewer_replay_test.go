package browsertest

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// panelAt is the second that the replay in the viewer's panel shows.
const panelAt = `Number(document.querySelector(".panel .replay [role=slider]").getAttribute("aria-valuenow"))`

// panelDrawn is true once the panel has drawn its second.
const panelDrawn = `document.querySelector(".panel .replay canvas")?.dataset.drawn !== undefined`

// The replay is a panel of the viewer: nothing of it is loaded before, it goes to the state of the chosen packet,
// and leads to the record of the state that it shows.
func TestViewerReplay(t *testing.T) {
	t.Parallel()
	file := sample("quake3/71-duel.dm_71")
	b := openViewer(t, desk, file)
	const loaded = `performance.getEntriesByType("resource").map(r => r.name).some(n =>
		/replay\.|\/report\?/.test(n.replace("replaypanel.", "")))`
	if eval[bool](b, loaded) {
		t.Error("the viewer loads the replay before it is opened")
	}
	states, _ := statesOf(t, file)
	if len(states) < 20 {
		t.Fatalf("%d states in the sample", len(states))
	}
	b.run(chromedp.Focus("#row"), press("r"))
	b.until(panelDrawn + ` && document.activeElement.classList.contains("replay-stage")`)
	if !eval[bool](b, loaded) {
		t.Error("this test does not see what the viewer loads")
	}
	for _, s := range []state{states[len(states)/2], states[len(states)*3/4], states[3]} {
		b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.go({ frame: %d, filter: "" })`, s.message), nil))
		b.until(fmt.Sprintf(`viewer.row.number === %d && Math.abs(%s - %f) < 0.051`, s.message, panelAt, s.second))
		if !eval[bool](b, `document.activeElement.classList.contains("replay-stage")`) {
			t.Error("the replay has lost the keys")
		}
	}
	b.until(`location.hash.includes("panel=replay")`)
	// Keys of the replay are not those of the viewer: F follows a player there, and no conversation.
	b.run(chromedp.Evaluate(`document.querySelector(".panel .replay-stage").focus()`, nil), press("f"))
	b.until(`document.querySelector(".panel .replay-players button[aria-pressed=true]") !== null`)
	if shown := eval[string](b, `viewer.panels.shown`); shown != "replay" {
		t.Fatalf("F in the replay shows the panel %s", shown)
	}
	was := states[3]
	for range 5 {
		b.run(press("."))
	}
	later := states[8]
	b.until(fmt.Sprintf(`Math.abs(%s - %f) < 0.051`, panelAt, later.second))
	if now := eval[int](b, `viewer.row.number`); now != was.message {
		t.Errorf("the list is at message %d before its record is asked for, want %d", now, was.message)
	}
	b.until(fmt.Sprintf(`document.querySelector(".panel .replay [role=status]").textContent.includes("message %d.")`, later.message))
	b.picture("viewer-replay.png")
	b.run(chromedp.Evaluate(`[...document.querySelectorAll(".panel .replay button")].find(b => b.textContent === "The record").click()`, nil))
	b.until(fmt.Sprintf(`viewer.record.number === %d && !viewer.lower.hidden && viewer.bytes.element.checkVisibility()`, later.message))
	b.until(fmt.Sprintf(`Math.abs(%s - %f) < 0.051`, panelAt, later.second))
	b.run(chromedp.Evaluate(`viewer.panels.close()`, nil))
	b.until(`document.querySelector(".panel .replay") === null && viewer.panels.shown === null`)
}

// The replay of the panel is that of the input whose packet is chosen.
func TestViewerReplayOfFiles(t *testing.T) {
	t.Parallel()
	first, second := sample("quake3/71-duel.dm_71"), sample("teeworlds/07-ctf.demo")
	b := openViewer(t, look{width: 390, height: 844, dark: true}, first, second)
	b.run(chromedp.Evaluate(`viewer.panels.open("replay")`, nil))
	b.until(panelDrawn)
	title := `document.querySelector(".panel .replay .title").textContent`
	one := eval[string](b, title)
	b.run(chromedp.Evaluate(`viewer.go({ frame: 20, file: 1, filter: "" })`, nil))
	b.until(`viewer.row.file === 1 && viewer.row.number === 20 && ` + title + ` !== ` + fmt.Sprintf("%q", one) + ` && ` + panelDrawn)
	b.run(chromedp.Evaluate(`viewer.go({ frame: 20, file: 0, filter: "" })`, nil))
	b.until(`(viewer.row.file ?? 0) === 0 && ` + title + ` === ` + fmt.Sprintf("%q", one))
	if wide := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
		t.Errorf("the page is %d pixels too wide", wide)
	}
}

// A state is the message that a snapshot of a demo is in, and its second since the first one.
type state struct {
	message int
	second  float64
}

// statesOf gives the states of a demo, as the records have them, and the time of the first one in milliseconds.
func statesOf(t *testing.T, name string) (list []state, first float64) {
	t.Helper()
	first = math.Inf(1)
	for line := range strings.Lines(output(t, name, "--json", "-Y", "quake3.server_message.ops.snapshot")) {
		var rec struct {
			Message int `json:"demo_message"`
			Quake3  struct {
				ServerMessage struct {
					Ops []struct {
						Snapshot *struct {
							ServerTime float64 `json:"server_time"`
						}
					}
				} `json:"server_message"`
			}
		}
		if err := json.Unmarshal([]byte(line), &rec); err != nil {
			t.Fatal(err)
		}
		for _, op := range rec.Quake3.ServerMessage.Ops {
			if op.Snapshot != nil {
				first = min(first, op.Snapshot.ServerTime)
				list = append(list, state{rec.Message, (op.Snapshot.ServerTime - first) / 1000})
			}
		}
	}
	return list, first
}
