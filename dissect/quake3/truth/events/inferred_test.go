package events_test

import (
	"maps"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// TestKillsOfCutSessions compares the killers and victims of sessions that are read from some frame on with those of
// the same kills where all of the session is read, with its baselines. go test cuts each session twice at most.
func TestKillsOfCutSessions(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("many parts of captures")
	}
	folder := reference.Folder(t, "captures")
	kills, inferred := 0, 0
	for _, tt := range []struct {
		// part is a file of the same session from its middle; "": the capture itself from each of the frames
		name, part string
		frames     []int
	}{
		{"quake3/q3-68-connect-play.pcap", "quake3/q3-68-connect-play-mid.pcap", []int{1}},
		{"quake3/q3-71-connect-play.pcap", "quake3/q3-71-connect-play-mid.pcap", []int{1}},
		{"quake3/q3-71-connect-play.pcap", "", []int{200, 600, 1000, 1400, 1800, 2200, 2600, 3000, 3400, 3800}},
		{"quake3/q3-71-ipv6.pcap", "", []int{200, 800, 1400, 2000, 2600, 3200}},
		{"idtech3/jka-26-play.pcap", "idtech3/jka-26-play-mid.pcap", []int{1}},
		{"idtech3/rtcw-60-61-play.pcap", "idtech3/rtcw-60-61-play-mid.pcap", []int{1}},
		{"idtech3/et-84-play.pcap", "idtech3/et-84-play-mid.pcap", []int{1}},
	} {
		all, _ := killsOf(t, filepath.Join(folder, tt.name), 0)
		part := tt.part
		if part == "" {
			part = tt.name
		}
		for _, first := range tt.frames[:min(reference.Most(2), len(tt.frames))] {
			got, marked := killsOf(t, filepath.Join(folder, part), first)
			want := maps.Clone(all)
			maps.DeleteFunc(want, func(at string, _ int) bool { return got[at] == 0 })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s from frame %d (-all +part):\n%s", part, first, diff)
			}
			kills, inferred = kills+len(got), inferred+marked
		}
	}
	least, leastInferred := min(60, reference.Most(40)), min(15, reference.Most(5))
	if t.Logf("%d kills, %d of them inferred", kills, inferred); kills < least || inferred < leastInferred {
		t.Errorf("%d kills, %d of them inferred", kills, inferred)
	}
}

// killsOf counts the kills of a capture from a frame on by time, killer and victim. inferred is how many are marked.
func killsOf(t *testing.T, name string, first int) (kills map[string]int, inferred int) {
	kills = map[string]int{}
	eventsFrom(t, name, first, func(e reftest.Event) {
		if e.Kind() != "kill" || e.Text("stream") != "0" {
			return
		}
		if e.Text("inferred") == "true" {
			inferred++
		}
		kills[e.Text("server_time")+" "+number(e, "killer")+" "+number(e, "victim")]++
	})
	return kills, inferred
}

func number(e reftest.Event, who string) string {
	if v, ok := e.Value(who, "client_num"); ok {
		return v
	}
	return "world " + strconv.Quote(e.Text("world"))
}
