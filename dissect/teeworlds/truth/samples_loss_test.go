package truth_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// TestSampleLoss takes packets out of samples, one in so many, and compares every item that is shown as known with the
// truth of the whole recording.
func TestSampleLoss(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"07-ipv6-join", "ddnet-join"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			truth := lossTruth(t, filepath.Join(samples, "truth", name+".truth.jsonl.gz"))
			var all lossCount
			for _, every := range []uint64{4, 7} {
				for first := range every {
					n := sampleLoss(t, name, truth, func(frame uint64) bool { return frame%every == first })
					all.add(&n)
				}
			}
			t.Logf("%v", &all)
			if all.wrong > 0 || all.carriedKnown == 0 {
				t.Errorf("%d items are wrong, %d are known", all.wrong, all.carriedKnown)
			}
		})
	}
}

// sampleLoss dissects a sample without some packets.
func sampleLoss(t *testing.T, name string, truth map[string]node, lost func(frame uint64) bool) (n lossCount) {
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
				n.compare(t, fmt.Sprint(name, ": frame ", rec["frame"]), want, snap)
			}
		}
	})})
	reftest.Packets(t, filepath.Join(samples, name+".pcap"), func(p *dissect.Packet) {
		if lost(p.Frame) {
			return
		}
		if err := e.Packet(p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
	reftest.Close(t, e)
	return n
}
