package truth_test

import (
	"path/filepath"
	"testing"
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
					n := countLoss(t, name, filepath.Join(samples, name+".pcap"), truth,
						func(frame uint64) bool { return frame%every == first })
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
