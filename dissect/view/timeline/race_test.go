package timeline_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// TestRaceEvents has the runs and checkpoints of a race of DDNet: times as the server's log has them, checkpoints as
// the messages have them.
func TestRaceEvents(t *testing.T) {
	t.Parallel()
	d, _ := collect(t, filepath.Join(reference.Folder(t, "captures", "teehistorian", "sessions"), "th16-race.pcap"),
		timeline.Options{}, nil)
	var got []string
	for _, g := range d.Games {
		for _, e := range g.Events {
			switch {
			case e.Run != nil:
				name := g.Players[*e.Player].Clean
				got = append(got, fmt.Sprintf("%s %s %s %.2f %t", e.Course, e.What, name, e.Run.Time, e.Run.Distance > 1500))
			case e.Split != nil:
				line := fmt.Sprintf("split %s %.2f", g.Players[*e.Player].Clean, *e.Split)
				if e.Diff != nil {
					line += fmt.Sprintf(" %+.2f", *e.Diff)
				}
				got = append(got, line)
			}
		}
	}
	want := []string{
		"race finished racer 3.54 true", "race finished paul 5.34 true", "split racer 1.64 -0.08", "split racer 2.84 +0.11",
		"race finished paul 2.64 true",
		"race finished racer 3.54 true", "race finished paul 5.34 true", "split paul 0.96", "split paul 1.88",
		"race finished paul 2.64 true", "split paul 1.98 +1.02",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
