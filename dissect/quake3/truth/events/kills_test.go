package events_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// TestKillsOfDemos compares every kill of the recordings of matches, who killed whom, with UberDemoTools' analysis. It
// drops Quake Live's kills by a headshot of the railgun.
func TestKillsOfDemos(t *testing.T) {
	t.Parallel()
	total := 0
	for _, name := range reference.Glob(t, "demos", "matches", "*.dm_[0-9][0-9]") {
		var a struct {
			Obituaries []struct {
				ServerTime           int
				AttackerClientNumber *int
				TargetClientNumber   int
			}
		}
		if err := json.Unmarshal(reference.Read(t, name+".udt.json.gz"), &a); err != nil {
			t.Fatal(err)
		}
		line := func(time, killer, victim int) string {
			if killer == victim {
				killer = -1 // only the means distinguish a suicide from the world's doing
			}
			return fmt.Sprintf("%08d %d killed %d", time, killer, victim)
		}
		var got, want []string
		for _, o := range a.Obituaries {
			killer := -1
			if o.AttackerClientNumber != nil {
				killer = *o.AttackerClientNumber
			}
			want = append(want, line(o.ServerTime, killer, o.TargetClientNumber))
		}
		eventsOfDemo(t, name, func(e reftest.Event) {
			if e.Kind() != "kill" || e.Text("means_of_death_name") == "railgun_headshot" {
				return
			}
			got = append(got, line(e.Number("server_time"), e.Number("killer", "client_num"), e.Number("victim", "client_num")))
		})
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-analysis +events):\n%s", filepath.Base(name), diff)
		}
		total += len(got)
	}
	if total < 1000 {
		t.Errorf("%d kills", total)
	}
}
