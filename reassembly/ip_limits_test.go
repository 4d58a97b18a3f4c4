package reassembly

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
)

// Without times nothing expires.
func TestIPFragmentsWithoutTime(t *testing.T) {
	t.Parallel()
	var p IPFragments
	add := func(offset int, more bool, when time.Time) IPResult {
		r, err := p.Add(IPFragment{IPKey: key4, Offset: offset, More: more, Length: 8, Data: make([]byte, 8), Time: when})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	add(0, true, time.Time{})
	if r := add(8, true, noon); r.Datagram != nil || p.Pending() != 1 {
		t.Errorf("%d pending", p.Pending())
	}
	if r := add(16, false, time.Time{}); len(r.Datagram) != 24 {
		t.Errorf("got %d bytes, want 24", len(r.Datagram))
	}
}

// The oldest go first when there are too many, or too many bytes of them.
func TestIPFragmentsBounds(t *testing.T) {
	t.Parallel()
	for _, size := range []int{8, 60000} {
		var p IPFragments
		const flood = 3000
		data := make([]byte, size)
		for i := range flood {
			key := key6
			key.ID = uint32(i)
			if _, err := p.Add(IPFragment{IPKey: key, Offset: 8, Length: size, Data: data, Time: noon}); err != nil {
				t.Fatal(err)
			}
			if p.memory > MaxIPBytes || len(p.live) > MaxIPDatagrams {
				t.Fatalf("%d bytes in %d datagrams", p.memory, len(p.live))
			}
			if real := memoryOf(&p); real != p.memory {
				t.Fatalf("%d bytes occupied, %d accounted for", real, p.memory)
			}
		}
		if p.Pending()+int(p.Dropped()) != flood || p.Pending() < 40 {
			t.Errorf("%d pending, %d dropped", p.Pending(), p.Dropped())
		}
		for i := range uint32(flood) {
			key := key6
			key.ID = i
			if _, held := p.live[IPKey{Src: key.Src, Dst: key.Dst, ID: i}]; held != (int(i) >= flood-p.Pending()) {
				t.Fatalf("datagram %d: held %v, with %d pending", i, held, p.Pending())
			}
		}
	}
}

func memoryOf(p *IPFragments) int {
	n := 0
	for d := p.list.next; d != nil && d != &p.list; d = d.next {
		n += d.memory()
	}
	return n
}

func TestIPFragmentsPermutations(t *testing.T) {
	t.Parallel()
	want := message(1, 3*24+5)
	permutations(4, func(order []int) {
		var p IPFragments
		for i, k := range order {
			part := want[k*24 : min(k*24+24, len(want))]
			r, err := p.Add(IPFragment{
				IPKey: key4, Offset: k * 24, More: k < 3, Length: len(part),
				Data: part, Frame: uint64(i),
			})
			if err != nil || r.Overlap || r.Duplicate || (r.Datagram != nil) != (i == 3) {
				t.Fatalf("%v: step %d: %s", order, i, ipOutcome(r, err))
			}
			if i == 3 && (!bytes.Equal(r.Datagram, want) || !slices.Equal(r.Frames, []uint64{0, 1, 2, 3})) {
				t.Errorf("%v: %s", order, ipOutcome(r, err))
			}
		}
	})
}

// Any cover of a datagram by fragments that agree, in any order and with copies
// and overlaps, returns the datagram when the last of its bytes comes.
func TestIPFragmentsCover(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := message(1, rapid.IntRange(9, 400).Draw(t, "size"))
		units := (len(want) + 7) / 8
		seen := make([]bool, units)
		missing := units
		var p IPFragments
		for frame := uint64(1); missing > 0; frame++ {
			first := rapid.IntRange(0, units-1).Draw(t, "first")
			last := rapid.IntRange(first, min(units-1, first+10)).Draw(t, "last")
			if first == 0 && last == units-1 {
				continue // not a fragment
			}
			news, old := 0, 0
			for u := first; u <= last; u++ {
				if seen[u] {
					old++
				} else {
					news++
				}
				seen[u] = true
			}
			missing -= news
			part := want[first*8 : min(last*8+8, len(want))]
			r, err := p.Add(IPFragment{
				IPKey: key6, Offset: first * 8, More: last < units-1, Length: len(part), Data: part, Frame: frame,
			})
			if err != nil {
				t.Fatal(err)
			}
			if r.Duplicate != (news == 0) || !r.Overlap && news > 0 && old > 0 {
				t.Fatalf("frame %d: %d new units, %d old: %s", frame, news, old, ipOutcome(r, err))
			}
			if complete := missing == 0; (r.Datagram != nil) != complete {
				t.Fatalf("frame %d: %d units missing: %s", frame, missing, ipOutcome(r, err))
			}
			if missing == 0 {
				if !bytes.Equal(r.Datagram, want) || !slices.IsSorted(r.Frames) || r.Frames[len(r.Frames)-1] != frame {
					t.Fatalf("frame %d: %s", frame, ipOutcome(r, err))
				}
			}
		}
		if p.Pending() != 0 || p.memory != 0 {
			t.Fatalf("%d pending, %d bytes", p.Pending(), p.memory)
		}
	})
}
