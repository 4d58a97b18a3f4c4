package truth_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

var lossSeeds = flag.Int("loss-seeds", 1,
	"how often packets are lost at random from each Teeworlds capture, for each rate")

// A lossCount is how much of the snapshots that were captured is known.
type lossCount struct {
	snapshots, whole, assumed int
	carried, carriedKnown     int // items that were sent
	items, itemsKnown         int // items of the whole state
	wrong                     int
}

func (n *lossCount) add(m *lossCount) {
	n.snapshots, n.whole, n.assumed = n.snapshots+m.snapshots, n.whole+m.whole, n.assumed+m.assumed
	n.carried, n.carriedKnown = n.carried+m.carried, n.carriedKnown+m.carriedKnown
	n.items, n.itemsKnown, n.wrong = n.items+m.items, n.itemsKnown+m.itemsKnown, n.wrong+m.wrong
}

func (n *lossCount) String() string {
	share := func(a, b int) string {
		return fmt.Sprintf("%d of %d (%.1f %%)", a, b, 100*float64(a)/float64(max(b, 1)))
	}
	return fmt.Sprintf("snapshots %s, %d by a sum; items sent %s; items of the state %s; %d wrong",
		share(n.whole, n.snapshots), n.assumed, share(n.carriedKnown, n.carried), share(n.itemsKnown, n.items), n.wrong)
}

// TestTeeworldsLoss takes packets out of captures at random, and compares every item that is shown as known with the
// truth of the whole capture.
func TestTeeworldsLoss(t *testing.T) {
	t.Parallel()
	percents := []int{1, 5, 10}
	var mu sync.Mutex
	all := make([]lossCount, len(percents))
	t.Cleanup(func() {
		for i, percent := range percents {
			t.Logf("%d %% all: %v", percent, &all[i])
		}
	})
	for _, name := range teeworldsCaptures(t) {
		if strings.HasPrefix(name, "tw07-var") && name != "tw07-var-full" || name == "tw07-synth" ||
			name == "tw07-midsession" {
			continue // the same session; packets of no session; no whole snapshot
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			truth := lossTruth(t, filepath.Join(teeworldsFolder(t), name+".truth.jsonl.gz"))
			for i, percent := range percents {
				var sum lossCount
				for seed := range *lossSeeds {
					random := rand.New(rand.NewPCG(uint64(seed), uint64(percent)))
					n := countLoss(t, fmt.Sprint(name, " ", percent, " ", seed), teeworldsCapture(t, name), truth,
						func(uint64) bool { return random.IntN(100) < percent })
					sum.add(&n)
				}
				t.Logf("%d %% %s: %v", percent, name, &sum)
				mu.Lock()
				all[i].add(&sum)
				mu.Unlock()
				if sum.wrong > 0 {
					t.Errorf("%d %%: %d items are wrong", percent, sum.wrong)
				}
			}
		})
	}
}

// lossTruth returns the snapshots of a truth file that are compared, by frame and number of the chunk.
func lossTruth(tb testing.TB, name string) map[string]node {
	tb.Helper()
	truth := map[string]node{}
	lines := openLines(tb, name)
	for l := lines.next(tb); l != nil && reftest.Number(l["frame"]) <= reference.Most(comparedFrames); l = lines.next(tb) {
		for i, chunk := range reftest.List(l["chunks"]) {
			if snap, ok := chunk.(node)["snap"].(node); ok && snap["error"] == nil && snap["crc_ok"] != false {
				truth[fmt.Sprint(l["frame"], " ", i)] = snap
			}
		}
	}
	return truth
}

// countLoss dissects a capture without some packets. what names the run.
func countLoss(t *testing.T, what, name string, truth map[string]node, lost func(frame uint64) bool) (n lossCount) {
	t.Helper()
	e := newTeeworlds(t, reftest.Run{State: true, Finish: finishTeeworlds, Output: reftest.Lines(func(b []byte) {
		_, rest, _ := strings.Cut(string(b), "\t")
		rec, err := reftest.Object([]byte(rest))
		if err != nil {
			t.Fatal(err)
		}
		game, _ := rec["teeworlds"].(node)
		for i, chunk := range reftest.List(game["chunks"]) {
			snap, ok := chunk.(node)["snapshot"].(node)
			if want := truth[fmt.Sprint(rec["frame"], " ", i)]; ok && want != nil {
				n.compare(t, fmt.Sprint(what, ": frame ", rec["frame"]), want, snap)
			}
		}
	})})
	most := uint64(reference.Most(comparedFrames))
	reftest.Packets(t, name, func(p *dissect.Packet) {
		if lost(p.Frame) || p.Frame > most {
			return
		}
		if err := e.Packet(p); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	})
	reftest.Close(t, e)
	return n
}

// compare compares the items of a snapshot with the truth.
func (n *lossCount) compare(t *testing.T, where string, want, got node) {
	t.Helper()
	n.snapshots++
	if got["base_missing"] == nil {
		n.whole++
	}
	if got["base_assumed"] == true {
		n.assumed++
	}
	n.carried += len(reftest.List(want["updated"]))
	n.items += len(reftest.List(want["items"]))
	items := map[string]node{}
	for _, it := range reftest.List(want["items"]) {
		it := it.(node)
		items[fmt.Sprint(it["type"], " ", it["id"])] = it
	}
	for _, it := range reftest.List(got["items"]) {
		it := it.(node)
		if it["update"] == "unknown" {
			continue
		}
		n.itemsKnown++
		if it["update"] != "unchanged" {
			n.carriedKnown++
		}
		item := items[fmt.Sprint(it["type"], " ", it["id"])]
		if item == nil {
			n.wrong++
			t.Errorf("%s: there is no item %v", where, it)
			continue
		}
		wanted := wantItem(item, fmt.Sprint(it["update"]))
		if diff := differences(nil, "", wanted, it); len(diff) > 0 && it["unknown"] == nil {
			n.wrong++
			t.Errorf("%s: %v", where, diff[:min(len(diff), 4)])
		}
	}
}
