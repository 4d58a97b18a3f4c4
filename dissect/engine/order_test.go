package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
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
		marked := rapid.IntRange(0, 5).Draw(t, "marked") // one of so many records has pieces for lanes, or is kept; 0: none
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
		order := make([]int, count)
		for i := range order {
			order[i] = i
		}
		for i := 0; i < count; i += spread {
			part := order[i:min(i+spread, count)]
			random.Shuffle(len(part), func(a, b int) { part[a], part[b] = part[b], part[a] })
		}
		// What Output and two lanes wrote.
		var got, want [3]strings.Builder
		write := func(n int) func(b []byte) error {
			return func(b []byte) error {
				if len(b) == 0 {
					t.Fatal("nothing to write")
				}
				got[n].Write(b)
				return nil
			}
		}
		w := newWriter(&Config{
			Workers: 1, Output: write(0), Lanes: []func([]byte) error{write(1), write(2)},
			InOrder: func(dst []byte, k *Kept) ([]byte, error) {
				return fmt.Appendf(dst, "kept %d %d %s.", k.Frame, k.Tag, k.Bytes), nil
			},
		})
		finish := func(o *Out, i int) {
			if marked == 0 || i%marked > 0 {
				o.Bytes = append(o.Bytes, record(i)...)
				return
			}
			o.Bytes = append(o.Bytes, "first."...)
			if i%3 > 0 {
				o.Lane(i % 3)
			}
			o.Bytes = append(o.Bytes, record(i)...)
			if i%2 == 0 {
				k := o.Keep(&dissect.Record{Packet: dissect.Packet{Frame: uint64(i), Payload: []byte("x")}})
				if len(k.Bytes) > 0 || k.Tag != 0 || k.Payload != nil {
					t.Fatalf("%+v", k)
				}
				k.Tag, k.Bytes = i+1, append(k.Bytes, record(i)...)
			}
			o.Bytes = append(o.Bytes, "last."...)
		}
		for i := range count {
			if marked == 0 || i%marked > 0 {
				want[0].WriteString(record(i))
				continue
			}
			want[i%3].WriteString("first.")
			want[0].WriteString(record(i))
			if i%2 == 0 {
				fmt.Fprintf(&want[0], "kept %d %d %s.", i, i+1, record(i))
			}
			want[0].WriteString("last.")
		}
		for len(order) > 0 {
			n := min(rapid.SampledFrom([]int{1, 2, 300}).Draw(t, "together"), len(order))
			o := w.take(0)
			for _, i := range order[:n] {
				finish(o, i)
				o.add(uint64(i))
			}
			w.accept(o)
			order = order[n:]
		}
		w.flush()
		for n := range got {
			if got[n].String() != want[n].String() {
				t.Fatalf("output %d: wrong order, or %d bytes for %d", n, got[n].Len(), want[n].Len())
			}
		}
		if w.waiting != 0 || w.next != uint64(count) {
			t.Fatalf("%d waiting, next %d of %d", w.waiting, w.next, count)
		}
	})
}

func TestWriterWritesInOnePiece(t *testing.T) {
	t.Parallel()
	var sizes []int
	w := newWriter(&Config{Workers: 1, Output: func(b []byte) error {
		sizes = append(sizes, len(b))
		return nil
	}})
	seq := uint64(0)
	add := func(o *Out, n int) *Out {
		o.Bytes = append(o.Bytes, make([]byte, n)...)
		o.add(seq)
		seq++
		return o
	}
	fill := func(records, size int) *Out {
		o := w.take(0)
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
