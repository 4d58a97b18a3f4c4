package export

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzPieces adds runs of bytes in any order, overlapping and repeated, and compares with an array that is written
// byte by byte: the first that came counts, each byte is stored once, and the gaps are what was never written.
func FuzzPieces(f *testing.F) {
	f.Add([]byte{0, 10, 10, 10, 20, 10})              // in order
	f.Add([]byte{20, 10, 0, 10, 10, 10, 5, 30})       // out of order, then all over again
	f.Add([]byte{0, 4, 8, 4, 16, 4, 2, 20, 255, 255}) // a run over three holes
	f.Fuzz(func(t *testing.T, script []byte) {
		const size = 512
		var p pieces
		var have [size]bool  // of the file
		var first [size]byte // what came first for each byte
		var kept []byte      // the part file
		for i := 0; i+1 < len(script); i += 2 {
			offset, length := int(script[i]), int(script[i+1])
			run := make([]byte, length)
			for k := range run {
				run[k] = byte(i + k)
			}
			stored := map[int]bool{}
			ok := p.add(int64(offset), int64(length), int64(len(kept)), func(from, to int64) {
				for k := from; k < to; k++ {
					if stored[int(k)] || have[offset+int(k)] {
						t.Fatalf("byte %d is stored twice", offset+int(k))
					}
					stored[int(k)] = true
					kept = append(kept, run[k])
				}
			})
			if !ok {
				t.Fatal("too many holes in a small file")
			}
			for k, b := range run {
				if !have[offset+k] {
					have[offset+k], first[offset+k] = true, b
					if !stored[k] {
						t.Fatalf("byte %d was not stored", offset+k)
					}
				}
			}
		}
		// The pieces give the file back.
		var got [size]byte
		var filled [size]bool
		end := int64(-1)
		for _, piece := range p {
			if piece.offset <= end-1 || piece.length <= 0 {
				t.Fatalf("pieces overlap or are empty: %v", p)
			}
			end = piece.end()
			for k := range piece.length {
				got[piece.offset+k], filled[piece.offset+k] = kept[piece.at+k], true
			}
		}
		if filled != have || got != first {
			t.Fatal("the pieces are not the file that came")
		}
		var want []ByteRange
		for i := 0; i < size; i++ {
			if have[i] {
				continue
			}
			if n := len(want); n > 0 && want[n-1].Offset+want[n-1].Length == int64(i) {
				want[n-1].Length++
			} else {
				want = append(want, ByteRange{int64(i), 1})
			}
		}
		if diff := cmp.Diff(want, slices.Clip(p.gaps(size))); diff != "" {
			t.Errorf("gaps (-want +got):\n%s", diff)
		}
	})
}
