package truth_test

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// samples is the folder of the samples, and of the truth that was cut out for them: samples/gen/truth.sh.
var samples = filepath.FromSlash("../../../samples/teeworlds")

// sampleDepartures are what is different in a sample; all others are whole sessions without expert entries.
var sampleDepartures = map[string]teeworldsDeparture{
	"07-made":       teeworldsDepartures["tw07-synth"],
	"07-ipv6-join":  {parts: true, experts: []string{"note base_missing"}},
	"07-midsession": {parts: true, experts: []string{"note base_missing"}},
	"ddnet-join":    {parts: true},
}

// TestSamples compares every record of the samples, field by field, with what the games' own code read of the
// recordings that they were cut from.
func TestSamples(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(samples, "truth", "*.truth.jsonl.gz"))
	if err != nil || len(files) != 5 {
		t.Fatalf("%d truth files: %v", len(files), err)
	}
	for _, truth := range files {
		name := strings.TrimSuffix(filepath.Base(truth), ".truth.jsonl.gz")
		compareTeeworlds(t, name, filepath.Join(samples, name+".pcap"), truth, sampleDepartures[name])
	}
}

// TestSampleEvents compares what the samples show with what the servers wrote into their logs.
func TestSampleEvents(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]map[string]int{
		"07-ipv6-join": {"kill": 1, "say": 1, "leave": 1},
		"ddnet-join":   {"console": 1, "say": 2, "team chat": 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareTeeworldsEvents(t, filepath.Join(samples, name+".pcap"),
				filepath.Join(samples, "truth", name+".srv.log.gz"), want)
		})
	}
}

// TestRaceSamples compares what happens in a race with what the client logged of the chat, in order. A freeze lasts as
// long as the server's setting: sv_freeze_delay is 3 s, and a snapshot comes every other tick.
func TestRaceSamples(t *testing.T) {
	t.Parallel()
	finished := regexp.MustCompile(`(\w+) finished in: (\d+) minute\(s\) +(\d+)\.(\d\d) second`)
	for name, want := range map[string]map[string]int{
		"ddnet-freeze": {"chat": 6, "freeze frozen": 1, "freeze unfrozen": 1},
		"ddnet-race":   {"chat": 8, "race_finish": 1, "checkpoint": 2, "save saved": 1, "kill": 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var logged []string
			finishes := map[string]int64{} // in ms, by player
			for s := reference.Lines(t, filepath.Join(samples, "truth", name+".chat.log.gz")); s.Scan(); {
				_, line, _ := strings.Cut(s.Text(), "chat: *** ")
				logged = append(logged, line)
				if m := finished.FindStringSubmatch(line); m != nil {
					number := func(i int) int64 { n, _ := strconv.ParseInt(m[i], 10, 64); return n }
					finishes[m[1]] = number(2)*60_000 + number(3)*1000 + number(4)*10
				}
			}
			var chat []string
			got := map[string]int{}
			for rec, err := range open.Records(filepath.Join(samples, name+".pcap"), []*dissect.Protocol{teeworlds.New()},
				dissect.Options{Events: true}) {
				if err != nil {
					t.Fatal(err)
				}
				for e := range rec.Events.Top().Children() {
					key := strings.TrimSpace(e.Get("event").String() + " " + e.Get("action").String())
					if _, ok := want[key]; ok {
						got[key]++
					}
					switch key {
					case "chat":
						chat = append(chat, e.Get("text").String())
					case "race_finish":
						who := e.Get("client").Get("name").String()
						if ms := e.Get("finish_time").Int(); ms != finishes[who] {
							t.Errorf("%s finished in %d ms, the log has %d", who, ms, finishes[who])
						}
					case "freeze unfrozen":
						if ms := e.Get("frozen_time").Int(); ms < 2920 || ms > 3040 {
							t.Errorf("frozen for %d ms", ms)
						}
					}
				}
			}
			if diff := cmp.Diff(logged, chat); diff != "" {
				t.Errorf("chat (-log +events):\n%s", diff)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}
