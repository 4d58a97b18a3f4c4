package keys

import (
	"sync"
	"testing"
)

// Inputs have what those before them left, whichever ends first; the last few are not waited for.
func TestWork(t *testing.T) {
	t.Parallel()
	w := NewWork()
	shares := make([]*Share, 3*ahead)
	for i := range shares {
		shares[i] = w.Share()
	}
	const each = mostWork / 4
	left := make([]int64, len(shares))
	var running sync.WaitGroup
	for i := len(shares) - 1; i >= 0; i-- { // the last ones begin first, and wait
		running.Go(func() {
			s := shares[i]
			left[i] = s.Left()
			if s.Spend(each); i == 0 {
				s.Spend(-each) // it had success
			}
			s.End()
			s.Spend(each)
		})
	}
	running.Wait()
	for i, got := range left {
		done := max(0, i-ahead+1) // that are counted
		if want := max(0, mostWork-each*int64(max(0, done-1))); got != want {
			t.Errorf("input %d has %d, want %d", i, got, want)
		}
	}
	var none *Share
	none.Spend(1)
	none.End()
	if none.Left() != mostWork {
		t.Error("without a run an input has not all")
	}
}
