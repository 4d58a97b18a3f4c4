package inorder

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
)

// Records arrive in any order and partition, and leave in order.
func TestWriterPutsRecordsInOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.SampledFrom([]int{1, 10, 3000}).Draw(t, "records")
		spread := rapid.IntRange(1, count).Draw(t, "spread") // how far a record is from its place
		width := rapid.SampledFrom([]int{1, 40, 2000}).Draw(t, "width")
		record := func(i int) string { return strings.Repeat(fmt.Sprintf("%d.", i), i%width) }
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
		order := make([]int, count)
		for i := range order {
			order[i] = i
		}
		for i := 0; i < count; i += spread {
			part := order[i:min(i+spread, count)]
			random.Shuffle(len(part), func(a, b int) { part[a], part[b] = part[b], part[a] })
		}
		var got, want strings.Builder
		w := New(1, func(b []byte) error {
			if len(b) == 0 {
				t.Fatal("nothing to write")
			}
			got.Write(b)
			return nil
		}, nil)
		for i := range count {
			want.WriteString(record(i))
		}
		for len(order) > 0 {
			n := min(rapid.SampledFrom([]int{1, 2, 300}).Draw(t, "together"), len(order))
			o := w.Take()
			for _, i := range order[:n] {
				o.Bytes = append(o.Bytes, record(i)...)
				o.Add(uint64(i))
			}
			w.accept(o)
			order = order[n:]
		}
		w.flush()
		if got.String() != want.String() {
			t.Fatal("wrong order")
		}
		if w.waiting != 0 || w.next != uint64(count) {
			t.Fatalf("%d waiting, next %d of %d", w.waiting, w.next, count)
		}
	})
}

func TestWriterWritesInOnePiece(t *testing.T) {
	t.Parallel()
	var sizes []int
	w := New(1, func(b []byte) error {
		sizes = append(sizes, len(b))
		return nil
	}, nil)
	seq := uint64(0)
	add := func(o *Output, n int) *Output {
		o.Bytes = append(o.Bytes, make([]byte, n)...)
		o.Add(seq)
		seq++
		return o
	}
	fill := func(records, size int) *Output {
		o := w.Take()
		for range records {
			add(o, size)
		}
		return o
	}
	w.accept(fill(256, 400)) // in order: as it is
	w.accept(fill(2, 100))   // small ones together
	w.accept(fill(2, 100))
	late := fill(1, 10)
	w.accept(fill(100, 1000)) // has to wait
	w.accept(late)
	w.flush()
	if want := []int{102400, 410, 100000}; !slices.Equal(sizes, want) {
		t.Errorf("pieces of %v bytes, want %v", sizes, want)
	}
}
