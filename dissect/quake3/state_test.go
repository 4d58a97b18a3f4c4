package quake3

import "testing"

// TestEntityPool holds 40 states in snapshots and baselines and takes many more that nothing refers to:
// those that are held must stay, and the pool must not grow.
func TestEntityPool(t *testing.T) {
	var w world
	for i := range int32(10) {
		slot, state := w.take()
		state.known = uint64(i) + 1
		w.baselines[i*7] = slot + 1
	}
	for sequence := range int32(3) {
		s := w.begin(sequence)
		for i := range int32(10) {
			slot, state := w.take()
			state.known = uint64(100*(sequence+1) + i)
			s.entities = append(s.entities, entityRef{number: i, state: slot})
		}
		if sequence < 2 {
			w.store()
		} // the third is being read
	}
	for range 10_000 {
		_, state := w.take()
		state.known = 0
	}
	for i := range int32(10) {
		if got := w.pool.at(w.baselines[i*7] - 1).known; got != uint64(i)+1 {
			t.Errorf("baseline %d has become %d", i, got)
		}
	}
	for sequence, s := range []*snapshot{w.ring[0], w.ring[1], w.scratch} {
		for i, e := range s.entities {
			if got := w.pool.at(e.state).known; got != uint64(100*(sequence+1)+i) {
				t.Errorf("snapshot %d: entity %d has become %d", sequence, i, got)
			}
		}
	}
	if n := len(w.pool.used); n > 2*statesPerBlock {
		t.Errorf("the pool has grown to %d states for 40", n)
	}
}
