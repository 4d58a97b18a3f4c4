package reassembly

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// permutations calls f with every order of 0..n-1.
func permutations(n int, f func([]int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var permute func(int)
	permute = func(k int) {
		if k == n {
			f(order)
			return
		}
		for i := k; i < n; i++ {
			order[k], order[i] = order[i], order[k]
			permute(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	permute(0)
}

// Every order of four fragments: alone, doubled, and with each of them lost.
func TestMessagesPermutations(t *testing.T) {
	t.Parallel()
	for _, size := range []int{3*1300 + 77, 3 * 1300} { // the latter with an empty fourth
		want := message(3, size)
		fragments := split(3, want, 1300)
		if len(fragments) != 4 {
			t.Fatalf("%d bytes make %d fragments", size, len(fragments))
		}
		permutations(4, func(order []int) {
			inOrder := slices.IsSorted(order)
			for _, copies := range []int{1, 2} {
				var m Messages
				for i, k := range slices.Repeat(order, copies) {
					f := fragments[k]
					f.Frame = uint64(10 + i)
					r, err := m.Add(f)
					if err != nil {
						t.Fatalf("%v: %v", order, err)
					}
					if complete := i == 3; (r.Message != nil) != complete || r.Duplicate != (i > 3) || r.Conflict {
						t.Fatalf("%v: step %d: %s", order, i, outcome(r, nil))
					}
					if i != 3 {
						continue
					}
					if !bytes.Equal(r.Message, want) || r.ReceiverDropped == inOrder || r.Delivered != inOrder {
						t.Errorf("%v: %s", order, outcome(r, nil))
					}
					if diff := cmp.Diff([]uint64{10, 11, 12, 13}, r.Frames); diff != "" {
						t.Errorf("%v: frames (-want +got):\n%s", order, diff)
					}
				}
				if lost := m.Flush(); len(lost) != 0 {
					t.Errorf("%v: complete, and abandoned: %v", order, lost)
				}
			}
			testLosses(t, fragments, order, size)
		})
	}
}

func testLosses(t *testing.T, fragments []Fragment, order []int, size int) {
	for lost := range fragments {
		var m Messages
		for _, k := range order {
			if k == lost {
				continue
			}
			r, err := m.Add(fragments[k])
			if got := outcome(r, err); got != "" {
				t.Errorf("%v without %d: %s", order, lost, got)
			}
		}
		got := m.Flush()
		want := []Abandoned{{
			Sequence: 3, Frames: []uint64{0}, // all from frame 0
			Held: size - fragments[lost].Length, Total: size, Missing: 1300 * lost,
		}}
		if lost == 3 {
			want[0].Total = -1
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v without %d (-want +got):\n%s", order, lost, diff)
		}
	}
}

// Fragments that come long after their message are not a new message.
func TestMessagesRemembersFinished(t *testing.T) {
	t.Parallel()
	var m Messages
	for seq := uint32(1); seq <= finishedMessages; seq++ {
		if r, err := m.Add(Fragment{Sequence: seq}); err != nil || r.Message == nil {
			t.Fatalf("%d: %s", seq, outcome(r, err))
		}
	}
	for seq := uint32(1); seq <= finishedMessages; seq++ {
		if r, err := m.Add(Fragment{Sequence: seq}); outcome(r, err) != "duplicate" {
			t.Fatalf("%d again: %s", seq, outcome(r, err))
		}
	}
}
