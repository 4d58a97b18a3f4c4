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
