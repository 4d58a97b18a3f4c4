package truth_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// teeworldsDemo dissects a demo file and gives its records that are wanted.
func teeworldsDemo(
	tb testing.TB, name string, state bool, wanted func(*dissect.Record) bool,
) (records []node, end error) {
	tb.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	recording, ok := teeworlds.New().OpenRecording(bytes.NewReader(b), b[:min(len(b), dissect.RecordingHead)], name, 0)
	if !ok {
		tb.Fatalf("%s is no demo", name)
	}
	e := newTeeworlds(tb, reftest.Run{
		State: state,
		Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
			if !wanted(rec) {
				return dst
			}
			return render.AppendJSON(dst, rec, render.JSON{NoNames: true})
		},
		Output: reftest.Lines(func(line []byte) {
			rec, err := reftest.Object(line)
			if err != nil {
				tb.Errorf("%v in %.200s", err, line)
			}
			records = append(records, rec)
		}),
	})
	for {
		p, err := recording.Next()
		if err != nil {
			reftest.Close(tb, e)
			if !errors.Is(err, io.EOF) {
				end = err
			}
			return records, end
		}
		if err := e.Packet(p); err != nil {
			tb.Error(err)
		}
	}
}

// demosOf returns the demos that were recorded during the captures.
func demosOf(tb testing.TB, pattern string) []string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(teeworldsFolder(tb), pattern))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no demos: %v", err)
	}
	return files
}

// demoDepartures are the expert entries of demos, and how their files end; all others have none and are whole.
var demoDepartures = map[string][]string{
	// The server does not set the client's number in De_ClientLeave.
	"tw07-admin.d/srv.autorecord_2026-11-21_07-17-10.demo": {"note out_of_range"},
	// The server was killed.
	"tw07-ctf3.d/srv.autorecord_2026-11-21_07-20-35.demo": {"truncated_file"},
}

// TestTeeworldsDemos reads every demo that clients and servers wrote during the captures.
func TestTeeworldsDemos(t *testing.T) {
	t.Parallel()
	for _, name := range demosOf(t, "*.d/*.demo") {
		short := filepath.Base(filepath.Dir(name)) + "/" + filepath.Base(name)
		t.Run(short, func(t *testing.T) {
			t.Parallel()
			records, end := teeworldsDemo(t, name, false, func(rec *dissect.Record) bool {
				return rec.Frame == 1 || len(rec.Experts) > 0
			})
			var codes []string
			for _, rec := range records {
				for _, e := range reftest.List(rec["expert"]) {
					if code := fmt.Sprint(e.(node)["severity"], " ", e.(node)["code"]); !slices.Contains(codes, code) {
						codes = append(codes, code)
					}
				}
			}
			var broken *dissect.FileError
			if errors.As(end, &broken) {
				codes = append(codes, broken.Code)
			} else if end != nil {
				t.Error(end)
			}
			if diff := cmp.Diff(demoDepartures[short], codes); diff != "" {
				t.Errorf("expert entries and end (-want +got):\n%s", diff)
			}
			demo, _ := records[0]["teeworlds"].(node)["demo"].(node)
			if version := fmt.Sprint(demo["version"]); demo["type"] != "header" || version != "4" && version != "6" {
				t.Errorf("header %v", demo)
			}
		})
	}
}

// TestTeeworldsDemosAgree compares the snapshots of clients' demos with those of the same ticks in the captures,
// value by value: the same snapshot comes as a difference to different bases. 0.7 adds objects of its own. go test
// leaves out the largest.
func TestTeeworldsDemosAgree(t *testing.T) {
	t.Parallel()
	for i, tt := range []struct{ capture, demos string }{
		{"tw07-var-full", "tw07-var-full.d/*.demo"},
		{"dd06-full", "dd06-full.d/*.demo"},
		{"tw07-ctf3", "tw07-ctf3.d/[abc]*.demo"},
	} {
		if i >= reference.Most(2) {
			break
		}
		t.Run(tt.capture, func(t *testing.T) {
			t.Parallel()
			known := map[string][]string{} // by the ticks of the demos
			ticks := map[int64]bool{}      // the same ticks, for the workers, which only read
			demos := map[string][]node{}
			for _, name := range demosOf(t, tt.demos) {
				demos[name], _ = teeworldsDemo(t, name, true, func(rec *dissect.Record) bool {
					return rec.Frame <= uint64(reference.Most(comparedFrames))
				})
				for _, snap := range snapshotsOf(demos[name]...) {
					tick := fmt.Sprint(snap["tick"])
					known[tick] = nil
					n, err := strconv.ParseInt(tick, 10, 64)
					if err != nil {
						t.Fatal(err)
					}
					ticks[n] = true
				}
			}
			dissectTeeworlds(t, teeworldsCapture(t, tt.capture), reftest.Run{
				State: true,
				Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
					if !slices.ContainsFunc(rec.Tree.Nodes, func(n dissect.Node) bool {
						return n.Field.Key == "tick" && ticks[n.Int()]
					}) {
						return dst
					}
					return render.AppendJSON(dst, rec, render.JSON{NoNames: true})
				},
				Output: reftest.Lines(func(line []byte) {
					rec, _ := reftest.Object(line)
					for _, snap := range snapshotsOf(rec) {
						tick, items := fmt.Sprint(snap["tick"]), itemsOf(snap)
						if list, wanted := known[tick]; wanted && !slices.Contains(list, items) {
							known[tick] = append(list, items)
						}
					}
				}),
			})
			for name, records := range demos {
				compared := 0
				for _, snap := range snapshotsOf(records...) {
					items := itemsOf(snap)
					if compared++; !slices.Contains(known[fmt.Sprint(snap["tick"])], items) {
						t.Fatalf("%s: tick %v has\n%s, and in the capture\n%s", filepath.Base(name), snap["tick"], items,
							strings.Join(known[fmt.Sprint(snap["tick"])], "\n"))
					}
				}
				if compared < 10 {
					t.Errorf("%s: %d snapshots compared", filepath.Base(name), compared)
				}
			}
		})
	}
}

// snapshotsOf returns the snapshots in records.
func snapshotsOf(records ...node) (list []node) {
	for _, rec := range records {
		for _, chunk := range reftest.List(rec["teeworlds"].(node)["chunks"]) {
			if snap, ok := chunk.(node)["snapshot"].(node); ok {
				list = append(list, snap)
			}
		}
	}
	return list
}

// itemsOf writes the items of a snapshot in order, but for those that only demos have.
func itemsOf(snap node) string {
	var items []string
	for _, it := range reftest.List(snap["items"]) {
		it := maps.Clone(it.(node))
		if it["de_clientinfo"] != nil || it["de_gameinfo"] != nil || it["de_tuneparams"] != nil {
			continue
		}
		delete(it, "update")
		items = append(items, fmt.Sprint(it))
	}
	slices.Sort(items)
	return strings.Join(items, "\n")
}
