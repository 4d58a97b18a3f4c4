package browsertest

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// replayAt is the second that the replay's time line says.
const replayAt = `Number(document.querySelector("#replay [role=slider]").getAttribute("aria-valuenow"))`

// The replay is used with keys alone: it plays and stops, goes to seconds, states and kills, and follows players; the
// address has its second.
func TestReplayWithKeys(t *testing.T) {
	t.Parallel()
	b := openReport(t, desk, writeReport(t, sample("quake3/71-duel.dm_71")))
	b.scrollTo("replay")
	b.until(`document.querySelector("#replay canvas").dataset.drawn !== undefined`)
	b.run(chromedp.Evaluate(`document.querySelector("#replay .replay-stage").focus()`, nil))
	key := func(name string) {
		b.run(chromedp.Evaluate(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown",
			{ key: "`+name+`", bubbles: true, cancelable: true }))`, nil))
	}
	key("Home")
	from := eval[float64](b, replayAt)
	key("End")
	b.until(replayAt + ` > ` + fmt.Sprint(from+3))
	to := eval[float64](b, replayAt)
	key("Home")
	for _, step := range []struct {
		key string
		by  float64
	}{{"ArrowRight", 1}, {"ArrowRight", 1}, {"ArrowLeft", -1}, {"PageUp", 30}} {
		before := eval[float64](b, replayAt)
		key(step.key)
		b.until(fmt.Sprintf(`Math.abs(%s - %f) < 0.11`, replayAt, min(to, before+step.by)))
	}
	key("Home")
	b.until(fmt.Sprintf(`Math.abs(%s - %f) < 0.11`, replayAt, from))
	b.until(`location.hash.includes("replay=")`)
	key(" ")
	b.until(fmt.Sprintf(`%s > %f`, replayAt, from+0.9))
	key(" ")
	b.until(`document.querySelector("#replay .replay-play").textContent.includes("Play")`)
	const drawn = `Number(document.querySelector("#replay canvas").dataset.drawn)`
	first := eval[float64](b, drawn)
	key(".")
	b.until(fmt.Sprintf(`%s > %f && %s < %f`, drawn, first, drawn, first+0.3)) // the next state
	key("Home")
	key("n")
	kills := killsOf(t, sample("quake3/71-duel.dm_71"))
	if len(kills) == 0 {
		t.Fatal("the sample has no kill")
	}
	b.until(fmt.Sprintf(`Math.abs(%s - %f) < 0.11`, replayAt, math.Max(from, kills[0]-1)))
	key("f")
	b.until(`document.querySelector("#replay .replay-players button[aria-pressed=true]") !== null`)
	if followed := eval[string](b, `document.querySelector("#replay .controls label select").value`); followed == "" {
		t.Error("F follows nobody")
	}
}

// killsOf gives the times of the kills of a demo since its first state.
func killsOf(t *testing.T, name string) (list []float64) {
	t.Helper()
	_, first := statesOf(t, name)
	for line := range strings.Lines(output(t, "events", name, "--json")) {
		var e struct {
			Event string  `json:"event"`
			Time  float64 `json:"server_time"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Event == "kill" {
			list = append(list, (e.Time-first)/1000)
		}
	}
	return list
}

// Who was seen too shortly for a path on the map is in the replay's picture.
func TestReplayOfOnePlace(t *testing.T) {
	t.Parallel()
	b := openReport(t, desk, writeReport(t, sample("quake3/68-fragment-loss.pcap")))
	b.until(`document.querySelector("#replay canvas")?.height > 200`)
	at := eval[float64](b, replayAt)
	for name, s := range b.standings(at) {
		if !s.Drawn {
			t.Errorf("%s is not in the picture", name)
		}
	}
}

// A click on an event of the list, and an address, lead to their second.
func TestReplayIsLinked(t *testing.T) {
	t.Parallel()
	phone := look{width: 390, height: 844, dark: true}
	b := openReport(t, phone, writeReport(t, sample("quake3/71-duel.dm_71"))+"#replay=3.5")
	b.until(`document.querySelector("#replay canvas")?.dataset.drawn === "3.50"`)
	b.run(chromedp.Evaluate(`document.querySelector("#replay .replay-events").open = true`, nil))
	b.until(`document.querySelector("#replay .replay-events li button") !== null`)
	want := eval[float64](b, `(() => {
		const line = [...document.querySelectorAll("#replay .replay-events li")].find(l => l.textContent.includes("killed"));
		const [minutes, seconds] = line.querySelector("button").textContent.split(":").map(Number);
		line.querySelector("button").click();
		return minutes * 60 + seconds;
	})()`)
	b.until(fmt.Sprintf(`Math.abs(%s - %f) < 0.16`, replayAt, want-1)) // a second before it
	b.scrollTo("chat")
	if n := eval[int](b, `document.querySelectorAll("#chat a.second").length`); n > 0 {
		at := eval[string](b, `(() => { const a = document.querySelector("#chat a.second"); a.click(); return a.hash; })()`)
		b.until(`location.hash.endsWith("` + strings.TrimPrefix(at, "#") + `")`)
		b.until(fmt.Sprintf(`Math.abs(%s - %s) < 0.11`, replayAt, strings.TrimPrefix(at, "#replay=")))
	}
	if wide := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
		t.Errorf("the page is %d pixels too wide", wide)
	}
}

// Who wants less motion gets stills, and no trails; what is drawn in between does not move.
func TestReplayWithLessMotion(t *testing.T) {
	t.Parallel()
	file := writeReport(t, sample("teeworlds/07-ctf.demo"))
	b := newTab(t, desk)
	b.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
		{Name: "prefers-reduced-motion", Value: "reduce"},
	}), chromedp.Navigate("file://"+file))
	b.until(`document.documentElement.dataset.ready === "true"`)
	b.scrollTo("replay")
	b.until(`document.querySelector("#replay canvas").dataset.drawn !== undefined`)
	seconds := eval[[]string](b, `(async () => {
		document.querySelector("#replay .replay-stage").dispatchEvent(
			new KeyboardEvent("keydown", { key: "Home", bubbles: true }));
		document.querySelector("#replay .replay-play").click();
		const seen = new Set();
		const end = performance.now() + 2500;
		while (performance.now() < end) {
			seen.add(document.querySelector("#replay canvas").dataset.drawn);
			await new Promise(requestAnimationFrame);
		}
		document.querySelector("#replay .replay-play").click();
		return [...seen];
	})()`)
	if len(seconds) < 2 || len(seconds) > 4 {
		t.Errorf("in two and a half seconds the pictures of %v were drawn, want a still for each second", seconds)
	}
	if eval[bool](b, `document.querySelector("#replay .controls input[type=checkbox]").checked`) {
		t.Error("there are trails")
	}
}
