package huffcodec

import (
	"fmt"
	"strings"
	"testing"
)

// TestStaticTables compares both tables, entry by entry, with the list of codes.
func TestStaticTables(t *testing.T) {
	t.Parallel()
	list := codes(t)
	for symbol, e := range encodeTable {
		if got := codeText(uint(e&codeMask), int(e>>encodeLengthShift)); got != list[symbol] {
			t.Errorf("encodeTable[%d] is %s, want %s", symbol, got, list[symbol])
		}
	}
	for i, e := range decodeTable {
		window := codeText(uint(i), maxCodeBits)
		want := uint16(unusedCode | len(modelUnused))
		found := 0
		if strings.HasPrefix(window, modelUnused) {
			found++
		}
		for symbol, code := range list {
			if strings.HasPrefix(window, code) {
				want = uint16(symbol<<symbolShift | len(code))
				found++
			}
		}
		if found != 1 {
			t.Errorf("%d codes begin %s, want one", found, window)
		}
		if e != want {
			t.Errorf("decodeTable[%s] is %#x, want %#x", window, e, want)
		}
	}
}

// TestStaticLengths checks the list of codes against what is known of it elsewhere: how many codes
// have which length (the tables of two other decoders), and what that means for numbers on the wire.
func TestStaticLengths(t *testing.T) {
	t.Parallel()
	lengths := map[int]int{}
	for _, code := range codes(t) {
		lengths[len(code)]++
	}
	want := "map[2:1 5:2 6:7 7:24 8:43 9:49 10:129 11:1]"
	if got := fmt.Sprint(lengths); got != want {
		t.Errorf("codes by length: %s, want %s", got, want)
	}
	longest := func(limit uint32) int {
		bits := 0
		for v := range limit {
			var w Writer
			w.Bits(v, 32)
			bits = max(bits, w.Pos())
		}
		return bits
	}
	// A long of zero takes 8 bits, one below 256 at most 17, one below 65536 at most 26: how much of a
	// message's start the cipher leaves readable.
	got := [...]int{longest(1), longest(256), longest(65536)}
	if want := [...]int{8, 17, 26}; got != want {
		t.Errorf("longest codes of longs: %v bits, want %v", got, want)
	}
}

// codeText writes the n low bits of v, lowest first.
func codeText(v uint, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteByte('0' + byte(v>>i&1))
	}
	return b.String()
}
