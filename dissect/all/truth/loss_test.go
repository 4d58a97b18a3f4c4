package truth_test

import (
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// A frameSet is a set of IP packets, by their identification.
type frameSet map[uint32]bool

func (s frameSet) list() []uint32 { return slices.Sorted(maps.Keys(s)) }

// linkLog returns what the lossy link did to the frames that went one way: LOST, DUP, DELAYED.
func linkLog(t *testing.T, way string) map[string]frameSet {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(reference.Folder(t, "captures", "quake3"), "q3-68-loss.bridge.log"))
	if err != nil {
		t.Fatal(err)
	}
	done := map[string]frameSet{"LOST": {}, "DUP": {}, "DELAYED": {}}
	for _, m := range regexp.MustCompile(`(?m)^\S+ `+way+` (LOST|DUP|DELAYED)(?: \d+ms)? ipid=(\d+) `).FindAllSubmatch(text, -1) {
		id, _ := strconv.Atoi(string(m[2]))
		done[string(m[1])][uint32(id)] = true
	}
	return done
}

// An arrival is what the bytes of a sequenced packet say: ioquake3's Netchan_Process reads them so.
type arrival struct {
	id       uint32
	sequence uint32
	whole    bool // it is no fragment, or the last one
}

// arrivals reads the headers of the packets that went one way, of the one session in a capture; unnumbered are those
// out of band.
func arrivals(t *testing.T, name string, fromClient bool) (list []arrival, unnumbered frameSet) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unnumbered = frameSet{}
	const server = 27960
	for p, err := range reftest.PacketsOf(t, f, name, true) {
		if err != nil {
			t.Fatal(err)
		}
		if !p.UDP || (p.Src.Port() == server) == fromClient {
			continue
		}
		number := binary.LittleEndian.Uint32(p.Payload)
		if number == 0xffffffff {
			unnumbered[p.Link.IPID] = true
			continue
		}
		a := arrival{id: p.Link.IPID, sequence: number &^ (1 << 31), whole: true}
		if number>>31 != 0 {
			at := 4
			if fromClient {
				at += 2 // qport
			}
			const fragmentSize = 1300
			a.whole = binary.LittleEndian.Uint16(p.Payload[at+2:]) < fragmentSize
		}
		list = append(list, a)
	}
	return list, unnumbered
}

// The frames that the lossy link lost, doubled and delayed are found exactly, at the end where they arrive: each one,
// by the identification in its IP header. Two kinds cannot show in sequence numbers, and are not counted: packets out
// of band have none; and a message that was overtaken by parts of a later one alone is not late for a client, whose
// counter goes up when a message is complete.
func TestLossFindsEveryFrame(t *testing.T) {
	for _, tt := range []struct {
		capture, way string
		fromClient   bool
	}{
		{"q3-68-loss-serverside", "B>A", true},
		{"q3-68-loss-clientside", "A>B", false},
	} {
		name := captureNamed(t, tt.capture)
		log := linkLog(t, tt.way)
		list, unnumbered := arrivals(t, name, tt.fromClient)
		want := map[string]frameSet{"duplicate": {}, "late": {}}
		newest, seen := uint32(0), frameSet{}
		for _, a := range list {
			switch {
			case log["LOST"][a.id]:
				t.Fatalf("%s: frame %d was lost and arrived", tt.capture, a.id)
			case seen[a.id]:
				if !log["DUP"][a.id] {
					t.Fatalf("%s: frame %d arrived twice, and the link did not double it", tt.capture, a.id)
				}
				want["duplicate"][a.id] = true
			case a.sequence < newest:
				if !log["DELAYED"][a.id] {
					t.Fatalf("%s: frame %d was overtaken, and the link did not delay it", tt.capture, a.id)
				}
				want["late"][a.id] = true
			}
			if seen[a.id] = true; a.whole {
				newest = max(newest, a.sequence)
			}
		}
		for id := range log["DUP"] {
			if !want["duplicate"][id] && !unnumbered[id] {
				t.Errorf("%s: frame %d was doubled, has a number and came once", tt.capture, id)
			}
		}
		got := map[string]frameSet{"duplicate": {}, "late": {}}
		lost := 0
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for rec, err := range engine.Records(reftest.PacketsOf(t, f, name, true), engine.Config{Protocols: all.Protocols()}) {
			if err != nil {
				t.Fatal(err)
			}
			if (rec.Direction == dissect.ClientToServer) != tt.fromClient {
				continue
			}
			for what, set := range got {
				if rec.Lookup("quake3.netchan." + what).Exists() {
					set[rec.Link.IPID] = true
				}
			}
		}
		for what := range want {
			if diff := cmp.Diff(want[what].list(), got[what].list()); diff != "" || len(want[what]) < 20 {
				t.Errorf("%s: %s (-link +program):\n%s", tt.capture, what, diff)
			}
		}
		for _, r := range statistic(t, name, "loss") {
			if r.text("direction") == map[bool]string{true: "client_to_server", false: "server_to_client"}[tt.fromClient] {
				lost = r.int("lost")
				if r.int("duplicates") != len(want["duplicate"]) || r.int("late") != len(want["late"]) {
					t.Errorf("%s: %v, the link doubled %d and delayed %d that have numbers", tt.capture, r,
						len(want["duplicate"]), len(want["late"]))
				}
			}
		}
		if lost != len(log["LOST"]) {
			t.Errorf("%s: %d lost, the link lost %d", tt.capture, lost, len(log["LOST"]))
		}
	}
}
