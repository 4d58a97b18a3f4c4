package footprint_test

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/footprint"
)

type ring struct {
	next  *ring
	bytes []byte
}

type own int

func (own) MemorySize() int { return 5 }

// What a value refers to is counted once, with its room; what all share is not, and what measures itself is asked.
func TestOf(t *testing.T) {
	t.Parallel()
	m := footprint.NewMeter()
	one := &ring{bytes: make([]byte, 10, 100)}
	one.next = &ring{next: one, bytes: one.bytes}
	long := make([][]byte, 3, 4)
	long[0], long[2] = make([]byte, 1000), make([]byte, 7)
	five := own(0)
	for _, c := range []struct {
		name string
		of   any
		want int
	}{
		{"nothing", nil, 0},
		{"a ring", one, 2*32 + 100},
		{"slices", long, 24 + 4*24 + 1007},
		{"a number", 7, 8},
		{"a text", struct{ s string }{"12345"}, 16 + 5},
		{"an array of pointers", &[2]*int{new(int), nil}, 16 + 8},
		{"something hidden in an interface", struct{ x any }{&[10]int64{}}, 16 + 80},
		{"a map", map[int32]*[100]byte{1: {}, 2: {}}, 8 + 48 + 2*(4+8+16) + 200},
		{"a field, which all share", struct{ f *dissect.Field }{&dissect.Field{Children: make([]*dissect.Field, 100)}}, 8},
		{"a record, which is the engine's", struct{ r *dissect.Record }{new(dissect.Record)}, 8},
		{"one that measures itself", &five, 5},
	} {
		if got := m.Of(c.of); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
}
