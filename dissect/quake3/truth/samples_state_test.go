package truth_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// TestSampleStates compares the absolute states in the samples with a model that applies the changes which the game's
// own code read, as TestRecordedStates does with demos.
func TestSampleStates(t *testing.T) {
	t.Parallel()
	for name, version := range map[string]int{"68-connect-play": 68, "71-ipv6-chat": 71, "68-loss": 68, "68-natrebind": 68} {
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
			reftest.Dissect(t, filepath.Join(samples, name+".pcap"), reftest.Run{State: true, Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
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

// asDemo gives a message of a capture as one of a demo.
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
