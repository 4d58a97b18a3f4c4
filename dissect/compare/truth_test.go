package compare_test

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/compare"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// A sight is a datagram of a capture, for tests.
type sight struct {
	frame     uint64
	time      int64
	ipid      uint32
	payload   string
	direction dissect.Direction
}

// place reads a capture as a place, and as a list.
func place(t *testing.T, name string) (*compare.Place, []sight) {
	t.Helper()
	in, err := open.File(name, open.Options{Protocols: all.Protocols(), Link: true})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	p := compare.NewPlace(filepath.Base(name))
	var list []sight
	for rec, err := range in.Records(dissect.Options{Events: true, Inputs: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Add(rec); err != nil {
			t.Fatal(err)
		}
		if rec.Closing {
			continue
		}
		list = append(list, sight{rec.Frame, rec.Time, rec.Link.IPID, string(rec.Payload), rec.Direction})
	}
	return p, list
}

func pathOf(t *testing.T, r *compare.Result, d dissect.Direction) *compare.Path {
	t.Helper()
	if len(r.Pairs) == 0 {
		t.Fatal("no pair")
	}
	for _, p := range r.Pairs[0].Paths {
		if p.Direction == d {
			return p
		}
	}
	t.Fatalf("nothing %v", d)
	return nil
}

// TestQuakeTruth compares lost and doubled datagrams with the log of the bridge that lost them, and delays with the
// headers: whole recordings, and what the samples have of them.
func TestQuakeTruth(t *testing.T) {
	t.Run("samples", func(t *testing.T) {
		folder := filepath.FromSlash("../../samples/quake3")
		compareWithBridge(t, filepath.Join(folder, "68-loss.pcap"), filepath.Join(folder, "68-loss-server.pcap"),
			filepath.Join(folder, "truth", "68-loss.bridge.log"))
	})
	t.Run("recordings", func(t *testing.T) {
		folder := reference.Folder(t, "captures", "quake3")
		compareWithBridge(t, filepath.Join(folder, "q3-68-loss-clientside.pcap"),
			filepath.Join(folder, "q3-68-loss-serverside.pcap"),
			filepath.Join(folder, "q3-68-loss.bridge.log"))
	})
}

func compareWithBridge(t *testing.T, clientSide, serverSide, bridge string) {
	t.Helper()
	client, fromClient := place(t, clientSide)
	server, fromServer := place(t, serverSide)
	log, err := os.ReadFile(bridge)
	if err != nil {
		t.Fatal(err)
	}
	r := compare.Compare(client, server)
	for d, at := range map[dissect.Direction]struct {
		arrow        string
		sight, other []sight
	}{
		dissect.ServerToClient: {"A>B", fromServer, fromClient},
		dissect.ClientToServer: {"B>A", fromClient, fromServer},
	} {
		lost, doubled := map[uint32]bool{}, 0
		for line := range strings.Lines(string(log)) {
			f := strings.Fields(line)
			if len(f) < 4 || f[1] != at.arrow {
				continue
			}
			for _, field := range f {
				if id, ok := strings.CutPrefix(field, "ipid="); ok {
					n, err := strconv.Atoi(id)
					if err != nil {
						t.Fatal(err)
					}
					switch f[2] {
					case "LOST":
						lost[uint32(n)] = true
					case "DUP":
						doubled++
					}
				}
			}
		}
		var want []uint64
		for _, s := range at.sight {
			if s.direction == d && lost[s.ipid] {
				want = append(want, s.frame)
			}
		}
		p := pathOf(t, r, d)
		if diff := cmp.Diff(want, p.LostFrames); diff != "" || p.Lost != len(want) {
			t.Errorf("%v: lost -bridge +found:\n%s", d, diff)
		}
		checkDelays(t, p, at.sight, at.other)
		if p.Duplicated != doubled {
			t.Errorf("%v: %d doubled, the bridge doubled %d", d, p.Duplicated, doubled)
		}
	}
}

// checkDelays compares the delays with those by the identification of the IP headers, which the bridge left as it was.
// Both captures were made by one clock.
func checkDelays(t *testing.T, p *compare.Path, near, far []sight) {
	t.Helper()
	at := map[uint32]int64{}
	for _, s := range far {
		if _, ok := at[s.ipid]; !ok && s.direction == p.Direction {
			at[s.ipid] = s.time
		}
	}
	var delays []int64
	for _, s := range near {
		if arrived, ok := at[s.ipid]; ok && s.direction == p.Direction {
			delays = append(delays, arrived-s.time)
		}
	}
	slices.Sort(delays)
	n := len(delays)
	const tolerance = 100_000 // nanoseconds: the two directions of the bridge are not exactly as fast
	for what, pair := range map[string][2]int64{
		"shortest": {delays[0], p.Delay.Min}, "median": {delays[n/2], p.Delay.Median}, "longest": {delays[n-1], p.Delay.Max},
	} {
		if d := pair[1] - pair[0]; d > tolerance || d < -tolerance {
			t.Errorf("%v: %s delay %d, by the headers %d", p.Direction, what, pair[1], pair[0])
		}
	}
	if n != p.Arrived {
		t.Errorf("%v: %d arrived, by the headers %d", p.Direction, p.Arrived, n)
	}
}

// TestTeeworldsTruth compares what was lost and doubled with the log of the relay between the captures, which changes
// addresses.
func TestTeeworldsTruth(t *testing.T) {
	folder := reference.Folder(t, "captures", "teeworlds")
	client, fromClient := place(t, filepath.Join(folder, "tw07-loss-clientside.pcap"))
	server, fromServer := place(t, filepath.Join(folder, "tw07-loss-serverside.pcap"))
	type fate struct {
		T              float64
		Dir, MD5, Fate string
	}
	var fates []fate
	lines := bufio.NewScanner(bytes.NewReader(reference.Read(t,
		filepath.Join(folder, "tw07-loss-serverside.d", "relay-truth.jsonl.gz"))))
	for lines.Scan() {
		var f fate
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			t.Fatal(err)
		}
		fates = append(fates, f)
	}
	r := compare.Compare(client, server)
	for d, at := range map[dissect.Direction]struct {
		dir   string
		sight []sight
	}{
		dissect.ServerToClient: {"s2c", fromServer},
		dissect.ClientToServer: {"c2s", fromClient},
	} {
		// The capture near the sender has the datagrams in the order of the relay's log.
		var want []uint64
		doubled, k := 0, 0
		sent := slices.DeleteFunc(slices.Clone(at.sight), func(s sight) bool { return s.direction != d })
		for _, f := range fates {
			if f.Dir != at.dir {
				continue
			}
			for k < len(sent) {
				sum := md5.Sum([]byte(sent[k].payload))
				if hex.EncodeToString(sum[:]) == f.MD5 {
					break
				}
				k++
			}
			if k == len(sent) {
				t.Fatalf("%v: the capture lacks %+v", d, f)
			}
			switch f.Fate {
			case "drop":
				want = append(want, sent[k].frame)
			case "dup":
				doubled++
			}
			k++
		}
		p := pathOf(t, r, d)
		if diff := cmp.Diff(want, p.LostFrames); diff != "" {
			t.Errorf("%v: lost -relay +found:\n%s", d, diff)
		}
		if p.Duplicated != doubled {
			t.Errorf("%v: %d doubled, the relay doubled %d", d, p.Duplicated, doubled)
		}
	}
}
