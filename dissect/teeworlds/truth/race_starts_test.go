package truth_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// TestRaceStarts compares when the finished runs of teehistorian files began, which follows from their finishes, with
// the race timers that clients of the same sessions received, tick by tick.
func TestRaceStarts(t *testing.T) {
	t.Parallel()
	folder := reference.Folder(t, "captures", "teehistorian", "sessions")
	compared := 0
	for _, session := range []string{"th20-race", "th20-full"} {
		starts := map[string][]int64{} // by player, in ms
		eachEvent(t, filepath.Join(folder, session+".pcap"), func(e dissect.Value) {
			if e.Get("event").String() == event.RaceStart {
				name := e.Get("client").Get("name").String()
				starts[name] = append(starts[name], e.Get("start_time").Int())
			}
		})
		eachEvent(t, filepath.Join(folder, session+".0.teehistorian"), func(e dissect.Value) {
			if e.Get("event").String() != event.RaceFinish {
				return
			}
			name, start := e.Get("client").Get("name").String(), e.Get("start_time")
			if !start.Exists() || !slices.Contains(starts[name], start.Int()) {
				t.Errorf("%s: %s began at %s ms, by the timers at %d", session, name, start, starts[name])
			}
			compared++
		})
	}
	if compared < 4 {
		t.Errorf("%d runs", compared)
	}
	// A team that was saved in another game finishes after more time than this one has lasted.
	eachEvent(t, filepath.Join(folder, "th20-team.0.teehistorian"), func(e dissect.Value) {
		if at := e.Get("server_time").Int(); e.Get("event").String() == event.RaceFinish &&
			e.Get("start_time").Exists() != (e.Get("finish_time").Int() <= at) {
			t.Errorf("th20-team: a finish at %d ms began at %s", at, e.Get("start_time"))
		}
	})
}

func eachEvent(t *testing.T, name string, each func(e dissect.Value)) {
	t.Helper()
	for rec, err := range open.Records(name, []*dissect.Protocol{teeworlds.New()}, dissect.Options{Events: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for e := range rec.Events.Top().Children() {
			each(e)
		}
	}
}
