package browsertest

import (
	"path/filepath"
	"reflect"
	"testing"
)

// The card of a race has every finish of the server's log, and pictures of the best runs.
func TestReportRaces(t *testing.T) {
	t.Parallel()
	capture := filepath.Join(reference(), "captures", "teehistorian", "sessions", "th16-race.pcap")
	if !exists(capture) {
		t.Skip("the reference captures are not here")
	}
	b := openReport(t, look{width: 390, height: 844, dark: true}, writeReport(t, capture))
	want := [][]string{{"racer", "0:03.540", "+0.9"}, {"paul", "0:05.340", "+2.7"}, {"paul", "0:02.640", "best"}}
	got := eval[[][]string](b, `[...document.querySelectorAll("#race tbody tr")].map(r => [...r.cells].slice(1, 4).map(c => c.innerText.replace(/[^\w.:+]/g, "")))`)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("finishes %v, the log has %v", got, want)
	}
	titles := eval[[]string](b, `[...document.querySelectorAll("#race figure .title")].map(e => e.textContent)`)
	if !reflect.DeepEqual(titles, []string{
		"Times of the race", "Speed over the best runs, laid over each other", "Path of the best runs, laid over each other",
	}) {
		t.Errorf("pictures %q", titles)
	}
	b.scrollTo("race")
	if wide := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
		t.Errorf("the page is %d pixels too wide", wide)
	}
}

// Captures of one flag by two players are laid over each other, the best of each: in this demo those of the blue flag,
// with the times that the events have. The red flag was captured once, which has no picture.
func TestReportLaysFlagRuns(t *testing.T) {
	t.Parallel()
	demo := filepath.Join(reference(), "demos", "matches", "dm_90__ctf.dm_90")
	if !exists(demo) {
		t.Skip("the reference demos are not here")
	}
	b := openReport(t, look{width: 1280, height: 900, dark: true}, writeReport(t, demo))
	titles := eval[[]string](b, `[...document.querySelectorAll("#flag-runs figure .title")].map(e => e.textContent)`)
	if !reflect.DeepEqual(titles, []string{
		"Speed over the best blue flag runs, laid over each other", "Path of the best blue flag runs, laid over each other",
	}) {
		t.Errorf("pictures %q", titles)
	}
	b.scrollTo("flag-runs")
	if wide := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
		t.Errorf("the page is %d pixels too wide", wide)
	}
}
