package truth_test

import (
	"crypto/sha256"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// variants are captures of the same session by other means, as suffixes of the first one's name.
var variants = map[string][]string{
	"q3-68-connect-play": {"-any-sll", "-any-sll2", "-nano"},
	"q3-71-connect-play": {"-pcapng", "-gz", "-vlan100", "-rawip", "-null", "-bigendian"},
}

// TestVariants compares captures of one session in other files and on other link layers: the game's objects
// are the same, in the same order.
func TestVariants(t *testing.T) {
	t.Parallel()
	for name, suffixes := range variants {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := shortRecords(t, reference.Capture(t, "quake3", name))
			for _, suffix := range suffixes {
				compareShortRecords(t, name+suffix, want, shortRecords(t, reference.Capture(t, "quake3", name+suffix)))
			}
		})
	}
}

// TestMerged compares the two sessions of a file of two link layers with the captures of each.
func TestMerged(t *testing.T) {
	t.Parallel()
	ports := map[int]string{27960: "q3-68-connect-play", 27970: "q3-71-connect-play"} // of the servers
	parts := map[string][]shortRecord{}
	for _, s := range shortRecords(t, reference.Capture(t, "quake3", "q3-merged-68-71-sll2")) {
		name := ports[s.serverPort]
		s.game = frameList.ReplaceAllString(s.game, "") // frames have other numbers there
		parts[name] = append(parts[name], s)
	}
	for _, name := range ports {
		want := shortRecords(t, reference.Capture(t, "quake3", name))
		for i := range want {
			want[i].game = frameList.ReplaceAllString(want[i].game, "")
		}
		compareShortRecords(t, "merged "+name, want, parts[name])
	}
}

var frameList = regexp.MustCompile(`"reassembled_from":\[[0-9,]*\],?`)

// A shortRecord is the part of one record that is about the game.
type shortRecord struct {
	direction  string
	serverPort int
	length     int
	info       string
	game       string // the object quake3, as it was written
}

// shortRecords returns what all records of a capture say.
func shortRecords(t *testing.T, name string) []shortRecord {
	t.Helper()
	var list []shortRecord
	reftest.Dissect(t, name, reftest.Run{Finish: reftest.JSON(render.JSON{}), Output: reftest.Lines(func(b []byte) {
		var r struct {
			Direction, Info string
			SrcPort         int `json:"src_port"`
			DstPort         int `json:"dst_port"`
			Length          int
			Quake3          json.RawMessage
		}
		if err := json.Unmarshal(b, &r); err != nil {
			t.Errorf("%v in %.300s", err, b)
		}
		s := shortRecord{r.Direction, r.DstPort, r.Length, r.Info, string(r.Quake3)}
		if r.Direction == "server_to_client" {
			s.serverPort = r.SrcPort
		}
		list = append(list, s)
	})})
	return list
}

func compareShortRecords(t *testing.T, name string, want, got []shortRecord) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%s: %d records, want %d", name, len(got), len(want))
		return
	}
	for i := range want {
		if want[i] != got[i] {
			t.Errorf("%s: record %d (-want +got):\n%s", name, i, cmp.Diff(want[i], got[i], cmp.AllowUnexported(shortRecord{})))
			return
		}
	}
}

// TestWorkers demands the same bytes from every number of workers. go test has the smaller captures.
func TestWorkers(t *testing.T) {
	t.Parallel()
	for _, name := range reference.UpTo(t, 280_000, reference.Glob(t, "captures", "quake3", "*.pcap*")) {
		t.Run(reference.Base(name), func(t *testing.T) {
			t.Parallel()
			runs := []reftest.Run{{Finish: reftest.JSON(render.JSON{})}}
			if strings.Contains(name, "loss") || strings.Contains(name, "voip") { // several streams, and much that waits
				runs = append(runs, reftest.Run{Finish: reftest.JSON(render.JSON{Bits: true, NoNames: true}), State: true})
			}
			for _, r := range runs {
				want := digest(t, name, r, 1)
				for _, workers := range []int{2, 4} {
					if got := digest(t, name, r, workers); got != want {
						t.Errorf("%d workers: other output than with one", workers)
					}
				}
			}
		})
	}
}

// digest is the SHA-256 of all output for a capture.
func digest(t *testing.T, name string, r reftest.Run, workers int) (sum [sha256.Size]byte) {
	t.Helper()
	h := sha256.New()
	r.Workers = workers
	r.Output = func(b []byte) error {
		h.Write(b)
		return nil
	}
	reftest.Dissect(t, name, r)
	h.Sum(sum[:0])
	return sum
}

// TestFrames demands that every packet of a capture is accounted for once: it has a record, or is an IP
// fragment of one that has. Nothing but the games' packets is in the captures. go test has the smaller ones.
func TestFrames(t *testing.T) {
	t.Parallel()
	for _, name := range reference.UpTo(t, 300_000, reference.Glob(t, "captures", "quake3", "*.pcap*")) {
		t.Run(reference.Base(name), func(t *testing.T) {
			t.Parallel()
			seen := map[uint64]bool{}
			once := func(frame uint64) {
				if seen[frame] {
					t.Errorf("frame %d twice", frame)
				}
				seen[frame] = true
			}
			stats, count := reftest.Dissect(t, name,
				reftest.Run{Finish: reftest.JSON(render.JSON{}), Output: reftest.Lines(func(b []byte) {
					var r struct {
						Frame       uint64
						IPFragments []uint64 `json:"ip_fragments"`
					}
					if err := json.Unmarshal(b, &r); err != nil {
						t.Error(err)
					}
					if r.IPFragments == nil {
						once(r.Frame)
						return
					}
					for _, f := range r.IPFragments {
						once(f)
					}
					if r.IPFragments[len(r.IPFragments)-1] != r.Frame {
						t.Errorf("frame %d is not the last of %v", r.Frame, r.IPFragments)
					}
				})})
			if uint64(len(seen)) != count || stats.Unknown != 0 {
				t.Errorf("%d of %d packets are accounted for, %d are of no known protocol", len(seen), count, stats.Unknown)
			}
		})
	}
}
