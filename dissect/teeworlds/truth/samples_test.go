package truth_test

import (
	"path/filepath"
	"strings"
	"testing"
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
