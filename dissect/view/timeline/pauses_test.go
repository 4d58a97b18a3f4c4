package timeline_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// Pauses of demos are as many and as long as another reader of demos finds; where it finds none there are none.
func TestPausesAreThoseOfAnotherReader(t *testing.T) {
	t.Parallel()
	folder := reference.Folder(t, "demos", "matches")
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	// The other reader does not know time-outs of OSP: there the configstring of the level's start moves by their length.
	osp := map[string]float64{"dm_66_67__2004_-_TDM_1__QLAN2_.dm_67": 55.275}
	paused := 0
	for _, entry := range entries {
		name, found := strings.CutSuffix(entry.Name(), ".udt.json.gz")
		if !found {
			continue
		}
		type stats struct {
			MatchStats []struct {
				TimeOutCount         int
				TotalTimeOutDuration float64 // ms
			}
		}
		count, length := 0, 0.0
		for _, m := range lines[stats](t, filepath.Join(folder, entry.Name()))[0].MatchStats {
			count, length = count+m.TimeOutCount, length+m.TotalTimeOutDuration/1000
		}
		if osp[name] > 0 {
			count, length = count+1, length+osp[name]
		}
		if testing.Short() && count == 0 {
			continue
		}
		d, _ := collect(t, filepath.Join(folder, name), timeline.Options{}, nil)
		got := 0.0
		for _, p := range d.Games[0].Pauses {
			got += p[1] - p[0]
		}
		if len(d.Games[0].Pauses) != count || math.Abs(got-length) > 0.1 {
			t.Errorf("%s: pauses %v, want %d of %v s", name, d.Games[0].Pauses, count, length)
		}
		paused += count
	}
	if paused == 0 {
		t.Error("no demo has a pause")
	}
}

// In captures with loss nothing is taken for a pause: there were none.
func TestStallsAreNoPauses(t *testing.T) {
	t.Parallel()
	folder := reference.Folder(t, "captures", "quake3")
	for _, name := range []string{"q3-68-loss-clientside.pcap", "q3-68-loss-serverside.pcap", "q3-68-connect-play.pcap"} {
		d, _ := collect(t, filepath.Join(folder, name), timeline.Options{}, nil)
		for _, g := range d.Games {
			if len(g.Pauses) > 0 {
				t.Errorf("%s: pauses %v", name, g.Pauses)
			}
		}
	}
}
