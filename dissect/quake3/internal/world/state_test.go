package world

import "testing"

// TestEntityPool holds 40 states in snapshots and baselines and takes many more without a reference: the held
// ones must stay, and the pool must not grow.
func TestEntityPool(t *testing.T) {
	var w World
	for i := range int32(10) {
		slot, state := w.Take()
		state.Known = uint64(i) + 1
		w.Baselines.Set(i*7, slot)
	}
	for sequence := range int32(3) {
		s := w.begin(sequence)
		for i := range int32(10) {
			slot, state := w.Take()
			state.Known = uint64(100*(sequence+1) + i)
			s.Entities = append(s.Entities, entityRef{Number: i, State: slot})
		}
		if sequence < 2 {
			w.Store()
		} // the third is being read
	}
	for range 10_000 {
		_, state := w.Take()
		state.Known = 0
	}
	for i := range int32(10) {
		if got := w.Pool.At(w.Baselines.At(i * 7)).Known; got != uint64(i)+1 {
			t.Errorf("baseline %d has become %d", i, got)
		}
	}
	for sequence, s := range []*Snapshot{w.Ring[0], w.Ring[1], w.scratch} {
		for i, e := range s.Entities {
			if got := w.Pool.At(e.State).Known; got != uint64(100*(sequence+1)+i) {
				t.Errorf("snapshot %d: entity %d has become %d", sequence, i, got)
			}
		}
	}
	if n := len(w.Pool.used); n > 128 {
		t.Errorf("the pool has grown to %d states for 40", n)
	}
}
