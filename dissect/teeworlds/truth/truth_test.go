// Package truth_test compares what becomes of Teeworlds captures and demos with the games' own account of them: truth
// files, written by the games' code run over the capture, and the servers' logs.
package truth_test

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/quake3"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// teeworldsDepartures are where records may differ from a truth file, and the expert entries of each capture, by
// severity and code. All others have neither.
var teeworldsDepartures = map[string]teeworldsDeparture{
	"tw07-loss-clientside": {experts: []string{"note snapshot_stale"}},
	"tw07-midsession":      {experts: []string{"note base_missing"}},
	// The truth does not look into truncated datagrams, and so misses vital chunks whose headers are there.
	"tw07-var-snap96": {more: true, experts: []string{"note base_missing", "warning truncated_by_capture"}},
	"tw07-synth": {synthetic: true, experts: []string{
		"error malformed", "error truncated", "note base_missing", "note demo_only", "note int_overlong", "note out_of_range",
		"note snapshot_lost", "note snapshot_stale", "note unknown_message", "warning snapshot_crc",
	}},
}

// A teeworldsDeparture is what is different in one capture.
type teeworldsDeparture struct {
	more      bool // vital chunks are ok where the truth has a gap
	synthetic bool // packets made to be wrong
	most      int  // frames that are compared; 0 means all
	parts     bool // parts of a session: chunks are missed where the truth has none missing, and bases of snapshots
	experts   []string
}

var shown = flag.Int("differences", 3, "differences from a truth file that are shown in full")

// A node is a JSON object: leaves are json.Number, string and bool.
type node = map[string]any

// teeworldsFolder returns the folder of the Teeworlds reference captures. Tests that need it are skipped where it is
// absent.
func teeworldsFolder(tb testing.TB) string {
	tb.Helper()
	return reference.Folder(tb, "captures", "teeworlds")
}

// teeworldsCaptures returns the base names of all captures with a truth file.
func teeworldsCaptures(tb testing.TB) []string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(teeworldsFolder(tb), "*.truth.jsonl.gz"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no truth: %v", err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(filepath.Base(f), ".truth.jsonl.gz")
	}
	return files
}

// teeworldsCapture finds the capture of a base name, which may have its suffix already.
func teeworldsCapture(tb testing.TB, base string) string {
	tb.Helper()
	name := filepath.Join(teeworldsFolder(tb), base)
	if _, err := os.Stat(name); err != nil {
		name += ".pcap"
	}
	return name
}

// TestTeeworldsTruth compares every record of every capture, field by field, with the games' own account, and the
// decompressed payloads by their SHA-1.
func TestTeeworldsTruth(t *testing.T) {
	t.Parallel()
	for _, name := range teeworldsCaptures(t) {
		truth := filepath.Join(teeworldsFolder(t), name+".truth.jsonl.gz")
		d := teeworldsDepartures[name]
		d.most = reference.Most(comparedFrames)
		compareTeeworlds(t, name, teeworldsCapture(t, name), truth, d)
	}
}

// comparedFrames is how many frames of reference captures go test compares: connections, maps, the first snapshots,
// kills and chat.
const comparedFrames = 1000

// compareTeeworlds compares every record of a capture with its truth file, with absolute states and without, as two
// subtests.
func compareTeeworlds(t *testing.T, name, capture, truth string, d teeworldsDeparture) {
	t.Helper()
	for _, state := range []bool{false, true} {
		t.Run(fmt.Sprintf("%s/state=%v", name, state), func(t *testing.T) {
			t.Parallel()
			c := &teeworldsComparison{
				TB: t, state: state, truth: openLines(t, truth), snaps: map[string]map[string]bool{}, departure: d,
			}
			dissectTeeworlds(t, capture, reftest.Run{
				State: state,
				Finish: func(worker int, dst []byte, rec *dissect.Record) []byte {
					if d.most > 0 && rec.Frame > uint64(d.most) {
						return append(dst, '\n')
					}
					return finishTeeworlds(worker, dst, rec)
				},
				Output: reftest.Lines(c.record),
			})
			c.end()
		})
	}
}

// finishTeeworlds writes a record as JSON, and before it the SHA-1 of the decompressed payload.
func finishTeeworlds(_ int, dst []byte, rec *dissect.Record) []byte {
	dst = fmt.Appendf(dst, "%x\t", sha1.Sum(rec.Message))
	return render.AppendJSON(dst, rec, render.JSON{NoNames: true})
}

// A teeworldsComparison compares the records of one capture with its truth file as they come.
type teeworldsComparison struct {
	testing.TB
	truth       *lineReader
	state       bool
	departure   teeworldsDeparture
	snaps       map[string]map[string]bool // keys of the items of each snapshot, by connection and tick
	experts     []string
	records     int
	differences int
}

func (c *teeworldsComparison) record(b []byte) {
	if c.records++; len(b) == 0 {
		return // not compared
	}
	sum, rest, _ := bytes.Cut(b, []byte{'\t'})
	got, err := reftest.Object(rest)
	if err != nil {
		c.Fatalf("%v in %.300s", err, b)
	}
	t := c.truth.next(c)
	if t == nil || fmt.Sprint(t["frame"]) != fmt.Sprint(got["frame"]) {
		c.Fatalf("frame %v where the truth has %v", got["frame"], t["frame"])
	}
	for _, e := range reftest.List(got["expert"]) {
		if kind := fmt.Sprint(e.(node)["severity"], " ", e.(node)["code"]); !slices.Contains(c.experts, kind) {
			c.experts = append(c.experts, kind)
		}
	}
	if want := fmt.Sprint(t["payload_sha1"]); t["payload_sha1"] != nil && string(sum) != want {
		c.differ("frame %v: payload %s, want %s", t["frame"], sum, want)
	}
	game, _ := got["teeworlds"].(node)
	want := c.want(t, game)
	if got["direction"] != c.wantDirection(t, game) {
		c.differ("frame %v: direction %v", t["frame"], got["direction"])
	}
	if diff := differences(nil, "teeworlds", want, game); len(diff) > 0 {
		c.differ("frame %v (want, got):\n%s", t["frame"], strings.Join(diff[:min(len(diff), 10)], "\n"))
	}
}

// wantDirection returns the direction of a packet; of a connless one the truth does not say it.
func (c *teeworldsComparison) wantDirection(t, game node) string {
	switch t["dir"] {
	case "c2s":
		return "client_to_server"
	case "s2c":
		return "server_to_client"
	}
	for key := range game["connless"].(node) {
		if slices.Contains([]string{"list", "count", "fwresponse", "version", "maplist"}, key) ||
			strings.HasPrefix(key, "info") {
			return "server_to_client"
		}
	}
	return "client_to_server"
}

func (c *teeworldsComparison) differ(format string, args ...any) {
	c.Helper()
	if c.differences++; c.differences <= *shown {
		c.Errorf(format, args...)
	}
}

func (c *teeworldsComparison) end() {
	some := c.departure.most > 0 && c.records > c.departure.most
	if !some {
		if t := c.truth.next(c); t != nil {
			c.Errorf("frame %v: no record", t["frame"])
		}
	}
	if c.differences > 0 {
		c.Errorf("%d differences in %d records", c.differences, c.records)
	}
	slices.Sort(c.experts)
	if some { // some may come later
		c.departure.experts = slices.DeleteFunc(slices.Clone(c.departure.experts),
			func(kind string) bool { return !slices.Contains(c.experts, kind) })
	}
	if diff := cmp.Diff(c.departure.experts, c.experts); diff != "" {
		c.Errorf("expert entries (-want +got):\n%s", diff)
	}
}

// differences lists where two trees of JSON differ. The truth writes flags as 0 and 1, and long bytes as length
// and SHA-1.
func differences(dst []string, path string, want, got any) []string {
	switch w := want.(type) {
	case node:
		if g, ok := got.(node); ok {
			for _, key := range slices.Sorted(maps.Keys(w)) {
				dst = differences(dst, path+"."+key, w[key], g[key])
			}
			for key := range g {
				if _, ok := w[key]; !ok {
					dst = append(dst, fmt.Sprintf("%s.%s: not there, %v", path, key, g[key]))
				}
			}
			return dst
		}
	case []any:
		if g, ok := got.([]any); ok && len(g) == len(w) {
			for i := range w {
				dst = differences(dst, fmt.Sprintf("%s[%d]", path, i), w[i], g[i])
			}
			return dst
		}
	}
	if !sameLeaf(want, got) {
		dst = append(dst, fmt.Sprintf("%s: %v, %v", path, want, got))
	}
	return dst
}

// sameTeeworlds reports whether there are no differences.
func sameTeeworlds(want, got any) bool { return len(differences(nil, "", want, got)) == 0 }

func sameLeaf(want, got any) bool {
	if b, ok := got.(bool); ok {
		if n, ok := want.(json.Number); ok {
			return b == (n != "0")
		}
	}
	if blob, ok := want.(node); ok {
		text, isText := got.(string)
		b, err := hex.DecodeString(text)
		return isText && err == nil && fmt.Sprint(len(b)) == fmt.Sprint(blob["len"]) &&
			fmt.Sprintf("%x", sha1.Sum(b)) == blob["sha1"]
	}
	switch want.(type) {
	case node, []any:
		return false
	}
	switch got.(type) {
	case node, []any:
		return false
	}
	return want == got
}

func dissectTeeworlds(tb testing.TB, name string, r reftest.Run) engine.Stats {
	tb.Helper()
	e := newTeeworlds(tb, r)
	reftest.Packets(tb, name, func(p *dissect.Packet) {
		if err := e.Packet(p); err != nil {
			tb.Errorf("%s: %v", name, err)
		}
	})
	return reftest.Close(tb, e)
}

func newTeeworlds(tb testing.TB, r reftest.Run) *engine.Engine {
	tb.Helper()
	return reftest.NewEngine(tb, r, quake3.New(), teeworlds.New())
}
