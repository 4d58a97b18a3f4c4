package mapfiles

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// Pieces of a file come in any order and more than once; a file with a hole is none.
func TestCarriedPieces(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		size   int64
		pieces map[int64]string
		want   string
	}{
		{"in order", 6, map[int64]string{0: "abc", 3: "def"}, "abcdef"},
		{"one over the other", 6, map[int64]string{0: "abcd", 2: "cdef"}, "abcdef"},
		{"longer than it should be", 4, map[int64]string{0: "abc", 3: "def"}, "abcd"},
		{"the size is not known", -1, map[int64]string{0: "abc", 3: "def"}, "abcdef"},
		{"a hole", 6, map[int64]string{0: "ab", 3: "def"}, ""},
		{"too short", 7, map[int64]string{0: "abc", 3: "def"}, ""},
		{"far away", -1, map[int64]string{1 << 40: "abc"}, ""},
	} {
		f := file{size: row.size, pieces: map[int64][]byte{}}
		for offset, text := range row.pieces {
			f.pieces[offset] = []byte(text)
		}
		if got := string(f.whole()); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// An input may begin more files than it ends, and carry them byte by byte.
func TestCarriedIsBounded(t *testing.T) {
	t.Parallel()
	var c Maps
	rec := dissect.NewRecord()
	for rec.Stream = range maxOpen + 5 {
		rec.Files = []extract.File{{Begin: true}, {Data: []byte("a")}, {Offset: 1, Data: []byte("b")}}
		c.Add(rec)
	}
	if len(c.open) != maxOpen || c.Dropped != 5 {
		t.Errorf("%d files are open, %d were dropped", len(c.open), c.Dropped)
	}
	if least := 2 * maxOpen * 64; c.held < least { // a key, a slice and 8 bytes at least
		t.Errorf("%d bytes are counted, want %d at least", c.held, least)
	}
	if !c.Library().Empty() || c.held != 0 || len(c.open) != 0 {
		t.Errorf("in the end %d files are open, with %d bytes", len(c.open), c.held)
	}
}
