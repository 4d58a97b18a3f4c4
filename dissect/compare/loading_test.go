package compare_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/compare"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
)

// TestLoadingIsNoPause compares the pauses with the gaps in a capture, less those in which the client connected or
// loaded a map by the engine's own decoding.
func TestLoadingIsNoPause(t *testing.T) {
	folder := reference.Folder(t, "captures", "quake3")
	for _, names := range [][2]string{
		{"q3-68-loss-clientside", "q3-68-loss-serverside"},
		{"q3-68-natrebind-clientside", "q3-68-natrebind-serverside"},
	} {
		t.Run(names[0], func(t *testing.T) {
			client, fromClient := place(t, filepath.Join(folder, names[0]+".pcap"))
			server, fromServer := place(t, filepath.Join(folder, names[1]+".pcap"))
			loads := append(engineLoads(t, filepath.Join(folder, names[0]+".truth.jsonl.gz"), fromClient),
				engineLoads(t, filepath.Join(folder, names[1]+".truth.jsonl.gz"), fromServer)...)
			r := compare.Compare(client, server)
			for d, list := range map[dissect.Direction][]sight{
				dissect.ClientToServer: fromClient, dissect.ServerToClient: fromServer,
			} {
				want, left := gaps(list, d, loads)
				var got []int64
				for _, p := range pathOf(t, r, d).Pauses {
					got = append(got, (p.Length+5e5)/1e6)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%v: -engine +found, ms:\n%s", d, diff)
				}
				if left == 0 {
					t.Errorf("%v: no gap lies in loading, so nothing is tested", d)
				}
			}
		})
	}
}

// gaps returns the lengths of the gaps of a sender in ms, and how many were left out.
func gaps(list []sight, d dissect.Direction, loads [][2]int64) (lengths []int64, left int) {
	var times, all []int64
	for _, s := range list {
		if s.direction == d {
			times = append(times, s.time)
		}
	}
	for i := 1; i < len(times); i++ {
		all = append(all, times[i]-times[i-1])
	}
	sorted := slices.Sorted(slices.Values(all))
	least := max(250e6, 4*sorted[len(sorted)/2])
	for i, length := range all {
		switch {
		case length < least:
		case slices.ContainsFunc(loads, func(l [2]int64) bool { return l[0] <= times[i+1] && times[i] < l[1] }):
			left++
		default:
			lengths = append(lengths, (length+5e5)/1e6)
		}
	}
	return lengths, left
}

// engineLoads returns when clients connected or loaded: from the connect, or the first frame of a gamestate, to the
// first user command with the gamestate's server id.
func engineLoads(t *testing.T, name string, list []sight) (loads [][2]int64) {
	t.Helper()
	at := map[uint64]int64{}
	for _, s := range list {
		at[s.frame] = s.time
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<24)
	open, serverID := false, ""
	for lines.Scan() {
		var m struct {
			Frames   []uint64
			Text     string
			ServerID json.Number
			Ops      []struct {
				Op string
				CS map[string]string
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		begin := func() {
			if !open {
				loads, open = append(loads, [2]int64{at[m.Frames[0]], 1<<63 - 1}), true
			}
		}
		if strings.HasPrefix(m.Text, "connect ") {
			begin()
		}
		for _, op := range m.Ops {
			switch {
			case op.Op == "gamestate":
				begin()
				_, rest, _ := strings.Cut(op.CS["1"], `\sv_serverid\`)
				serverID, _, _ = strings.Cut(rest, `\`)
			case open && strings.HasPrefix(op.Op, "move") && m.ServerID.String() == serverID:
				loads[len(loads)-1][1], open = at[m.Frames[0]], false
			}
		}
	}
	return loads
}
