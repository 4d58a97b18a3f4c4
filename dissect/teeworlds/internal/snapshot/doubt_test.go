package snapshot

import "testing"

// TestDoubt: one snapshot with a tick far from the others changes nothing, two that are near each other do.
func TestDoubt(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		name   string
		ticks  []int32
		newest int32
		kept   []int32 // that can be bases
		gone   []int32
	}{
		{"in order", []int32{2, 4, 6}, 6, []int32{2, 4, 6}, nil},
		{"the last tick that there is", []int32{2, 4, 1<<31 - 1, 6}, 6, []int32{2, 4, 6}, nil},
		{"it is the first", []int32{1<<31 - 1, 2, 4}, 4, []int32{2, 4}, []int32{1<<31 - 1}},
		{"one each time", []int32{2, 9000, 4, 19000, 6, 9000, 8}, 8, []int32{2, 4, 6, 8}, nil},
		{"in the place of a base", []int32{1000, 1002, 1004 + 256, 1004}, 1004, []int32{1000, 1002, 1004}, nil},
		{"a pause", []int32{2, 4, 1000, 1002}, 1002, []int32{1000, 1002}, nil},
		{"a pause, and two that do not fit", []int32{2, 9000, 19000, 19002}, 19002, []int32{2, 19000, 19002}, []int32{9000}},
		{"a restart", []int32{900, 902, 2, 4}, 4, []int32{2, 4}, []int32{900, 902}},
		{"one like a restart", []int32{900, 902, 2, 904}, 904, []int32{900, 902, 904}, []int32{2}},
		{"an old one", []int32{900, 902, 902 - 256, 904}, 904, []int32{900, 902, 902 - 256, 904}, nil},
		{"two old ones", []int32{400, 402, 402 - 256, 404 - 256}, 402, []int32{402 - 256, 404 - 256}, []int32{402}},
		{"a late one", []int32{900, 904, 902, 906}, 906, []int32{900, 902, 904, 906}, nil},
	} {
		p := NewReader(false)
		for _, tick := range v.ticks {
			_, aside := p.arrive(tick)
			p.store(&snapshotHead{tick: tick, aside: aside}, &snapshot{})
		}
		if p.Latest() != v.newest {
			t.Errorf("%s: the newest is %d, want %d", v.name, p.Latest(), v.newest)
		}
		for _, tick := range v.kept {
			if _, ok := p.At(tick); !ok {
				t.Errorf("%s: %d is not there", v.name, tick)
			}
		}
		for _, tick := range v.gone {
			if _, ok := p.At(tick); ok {
				t.Errorf("%s: %d is there", v.name, tick)
			}
		}
	}
}
