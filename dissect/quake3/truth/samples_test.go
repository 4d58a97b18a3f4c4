package truth_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// samples is the folder of the samples, and of the truth that was cut out for them: samples/gen/truth.sh.
var samples = filepath.FromSlash("../../../samples/quake3")

// sampleDepartures are what is different in a sample; all others are whole sessions without expert entries.
var sampleDepartures = map[string]departure{
	"68-midsession": {midgame: true, experts: []string{"warning key_unknown"}}, // TestSampleRecovered has its key
	"68-loss":       {experts: []string{repeated}},
	"71-midsession": {midgame: true, experts: []string{"note base_missing", "note key_unknown"}},
	"71-voip":       {midgame: true, experts: []string{"note base_missing", "note key_unknown"}},
	"oob":           {experts: []string{"note rcon_password_split", "warning attack_overlong_query"}},

	"et-84-play":      {game: "et"},
	"rtcw-60-61-play": {game: "rtcw"},
	"jka-26-vehicle":  {game: "jka"},
	"jo-16-synth":     {game: "jo"},
}

// sampleTruths returns the files of a kind that were cut out for samples. They are part of the repository.
func sampleTruths(t *testing.T, pattern string, want int) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(samples, "truth", pattern))
	if err != nil || len(files) != want {
		t.Fatalf("%d files %s, want %d: %v", len(files), pattern, want, err)
	}
	return files
}

// TestSamples compares every record of the samples, field by field and both ways, with what the game's own code read
// of the recordings that they were cut from.
func TestSamples(t *testing.T) {
	t.Parallel()
	for _, name := range sampleTruths(t, "*.truth.jsonl.gz", 14) {
		t.Run(reference.Base(name), func(t *testing.T) {
			t.Parallel()
			compareTruth(t, filepath.Join(samples, reference.Base(name)+".pcap"), name, sampleDepartures[reference.Base(name)])
		})
	}
}

// TestSampleDemos compares the samples that are demos, absolute states included.
func TestSampleDemos(t *testing.T) {
	t.Parallel()
	for _, name := range sampleTruths(t, "*.dm_??.jsonl.gz", 2) {
		t.Run(reference.Base(name), func(t *testing.T) {
			t.Parallel()
			compareClientDemo(t, filepath.Join(samples, strings.TrimSuffix(filepath.Base(name), ".jsonl.gz")), name)
		})
	}
}

// TestSampleStates compares the absolute states in the samples with a model that applies the changes which the game's
// own code read, as TestRecordedStates does with demos.
func TestSampleStates(t *testing.T) {
	t.Parallel()
	for name, version := range map[string]int{
		"68-connect-play": 68, "71-ipv6-chat": 71,
		"68-loss": 68, "68-natrebind": 68,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines := map[uint64]*demoLine{}
			for truth := openTruth(t, filepath.Join(samples, "truth", name+".truth.jsonl.gz")); truth.more; truth.next(t) {
				if truth.line.Dir == "s2c" && truth.line.Kind == "msg" {
					lines[truth.line.Frame] = asDemo(&truth.line)
				}
			}
			m := newWorldModel(t, version)
			compared, differences := 0, 0
			reftest.Dissect(t, filepath.Join(samples, name+".pcap"),
				reftest.Run{State: true, Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
					line := lines[rec.Frame]
					if line == nil {
						return dst
					}
					got, ok := m.shown(rec.Tree)
					want, _ := m.apply(line)
					switch {
					case ok != (want != nil):
						t.Errorf("frame %d: a snapshot in the truth: %v, in the record: %v", rec.Frame, want != nil, ok)
					case !ok:
					case !want.equal(&got):
						if differences++; differences <= *shown {
							t.Errorf("frame %d (-want +got):\n%s", rec.Frame, cmp.Diff(m.named(want), m.named(&got)))
						}
						fallthrough
					default:
						compared++
					}
					return dst
				}})
			if compared < 60 || differences > 0 {
				t.Errorf("%d of %d snapshots differ", differences, compared)
			}
		})
	}
}

// asDemo returns a message of a capture as one of a demo.
func asDemo(t *truthLine) *demoLine {
	line := &demoLine{Sequence: t.Sequence}
	for _, op := range t.Ops {
		d := demoOp{truthOp: op}
		for _, b := range op.Baselines {
			d.Baselines = append(d.Baselines, demoEntity{truthEntity: b})
		}
		for i := range op.Entities {
			if e := &op.Entities[i]; e.Kind == "nochange" {
				e.Kind = e.Source
			}
		}
		line.Ops = append(line.Ops, d)
	}
	return line
}
