package events_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// TestFlagRuns compares the runs that end with a capture with UberDemoTools' analysis: who had the flag, when it was
// taken and captured, and that the path is not shorter than from where it was taken to where it was captured, nor much
// longer. It lists the captures of players in view alone.
func TestFlagRuns(t *testing.T) {
	t.Parallel()
	total, measured := 0, 0
	for _, name := range reference.Glob(t, "demos", "matches", "*.dm_[0-9][0-9]") {
		var a struct {
			Captures []struct {
				PlayerName              string
				PickUpTime, CaptureTime int
				Distance                *float64
			}
		}
		if err := json.Unmarshal(reference.Read(t, name+".udt.json.gz"), &a); err != nil {
			t.Fatal(err)
		}
		if len(a.Captures) == 0 {
			continue
		}
		var runs []reftest.Event
		eventsOfDemo(t, name, func(e reftest.Event) {
			if e.Kind() == "run" && e.Text("action") == "captured" {
				runs = append(runs, e)
			}
		})
		for _, c := range a.Captures {
			found := false
			for _, e := range runs {
				end := e.Number("server_time")
				if near := math.Abs(float64(end-c.CaptureTime)) <= 50; !near {
					continue
				}
				found = true
				if who := e.Text("client", "name_clean"); who != c.PlayerName {
					t.Errorf("%s: %s captured at %d, not %s", filepath.Base(name), who, end, c.PlayerName)
				}
				if began := end - e.Number("run_time"); math.Abs(float64(began-c.PickUpTime)) <= 50 {
					total++
				} else {
					t.Errorf("%s: taken at %d, not %d", filepath.Base(name), began, c.PickUpTime)
				}
				if c.Distance == nil {
					continue
				}
				measured++
				// Half a second of the path may not have been seen.
				if d, _ := strconv.ParseFloat(e.Text("distance"), 64); d < *c.Distance*0.9 || d > *c.Distance*2.5 {
					t.Errorf("%s at %d: %.0f units, with %.0f from end to end", filepath.Base(name), end, d, *c.Distance)
				}
			}
			if !found {
				t.Errorf("%s: no run of %s until %d", filepath.Base(name), c.PlayerName, c.CaptureTime)
			}
		}
	}
	if total != 10 || measured != 7 {
		t.Errorf("%d runs and %d ways were compared", total, measured)
	}
}
