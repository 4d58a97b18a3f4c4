package huffcodec

import (
	"bytes"
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// teeworldsCodes reads the list of codes; the end is the last.
func teeworldsCodes(tb testing.TB) []string {
	tb.Helper()
	f, err := os.Open("testdata/teeworlds-codes.csv")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		tb.Fatal(err)
	}
	list := make([]string, 0, teeworldsEnd+1)
	for _, row := range rows[1:] {
		list = append(list, row[4])
	}
	if len(list) != teeworldsEnd+1 || rows[len(list)][0] != "EOF" {
		tb.Fatalf("%d codes", len(list))
	}
	return list
}

// modelTeeworlds decodes bit by bit with the list of codes alone.
func modelTeeworlds(symbols map[string]int, src []byte, limit int) (out []byte, bits int, err error) {
	start, code := 0, ""
	for pos := range len(src) * 8 {
		code += string('0' + src[pos>>3]>>(pos&7)&1)
		symbol, ok := symbols[code]
		switch {
		case !ok:
		case symbol == teeworldsEnd:
			return out, pos + 1, nil
		case len(out) == limit:
			return out, start, ErrOversize
		default:
			out = append(out, byte(symbol))
			start, code = pos+1, ""
		}
	}
	return out, start, ErrTruncated
}

func symbolsOf(list []string) map[string]int {
	symbols := make(map[string]int, len(list))
	for symbol, code := range list {
		symbols[code] = symbol
	}
	return symbols
}

// The vectors were made with the games' own compressor, compiled.
var teeworldsVectors = []struct{ plain, coded string }{
	{"", "8a1b"},
	{"00", "153700"},
	{"00010002008000", "b1082a6e00"},
	{"008f0200112940b4072801a401710000000000000000", "19134de9284175b3a26d84b37fc50d"}, // an INPUT chunk, and three bytes before
}

func TestTeeworldsVectors(t *testing.T) {
	t.Parallel()
	for _, v := range teeworldsVectors {
		plain, coded := unhex(t, v.plain), unhex(t, v.coded)
		if got := EncodeTeeworlds(nil, plain); !bytes.Equal(got, coded) {
			t.Errorf("%s encodes to %x, want %s", v.plain, got, v.coded)
		}
		got, bits, err := DecodeTeeworlds([]byte("kept"), coded, len(plain))
		if string(got) != "kept"+string(plain) || err != nil {
			t.Errorf("%s decodes to %x, %v, want %s", v.coded, got, err, v.plain)
		}
		if !TeeworldsPadding(coded, bits) {
			t.Errorf("%s: wrong end at bit %d", v.coded, bits)
		}
		for n := range (bits + 7) >> 3 {
			if _, used, err := DecodeTeeworlds(nil, coded[:n], 100); err != ErrTruncated || used > n*8 {
				t.Errorf("%s cut to %d bytes: %v at bit %d", v.coded, n, err, used)
			}
		}
		if n := len(plain) - 1; n >= 0 {
			if got, _, err := DecodeTeeworlds(nil, coded, n); err != ErrOversize || !bytes.Equal(got, plain[:n]) {
				t.Errorf("%s limited to %d bytes: %x, %v", v.coded, n, got, err)
			}
		}
	}
}

func TestTeeworldsPadding(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		src  []byte
		bits int
		want bool
	}{
		{[]byte{0x8a, 0x1b}, 15, true},
		{[]byte{0x8a, 0x9b}, 15, false},       // a bit after the end
		{[]byte{0x8a, 0x1b, 0}, 15, false},    // a whole byte too much
		{[]byte{0x15, 0x37, 0}, 16, true},     // the last byte of Teeworlds
		{[]byte{0x15, 0x37}, 16, true},        // and without it, as DDNet 20 writes
		{[]byte{0x15, 0x37, 1}, 16, false},    //
		{[]byte{0x15, 0x37, 0, 0}, 16, false}, //
	} {
		if got := TeeworldsPadding(tt.src, tt.bits); got != tt.want {
			t.Errorf("TeeworldsPadding(%x, %d) = %v", tt.src, tt.bits, got)
		}
		if got := TeeworldsEnds(tt.src); got != tt.want {
			t.Errorf("TeeworldsEnds(%x) = %v", tt.src, got)
		}
	}
}

// TestTeeworldsEnds looks at every tail of three bytes: the bits from the last one that is set backwards are the end's,
// and the bits after the end are those that TeeworldsPadding allows.
func TestTeeworldsEnds(t *testing.T) {
	t.Parallel()
	var end uint32
	list := teeworldsCodes(t)
	for i, bit := range list[teeworldsEnd] {
		end |= uint32(bit-'0') << i
	}
	ends := map[uint32]bool{}
	for at := range 25 - teeworldsMaxCode {
		for before := range uint32(1) << at {
			if tail := end<<at | before; TeeworldsPadding([]byte{byte(tail), byte(tail >> 8), byte(tail >> 16)},
				at+teeworldsMaxCode) {
				ends[tail] = true
			}
		}
	}
	src := []byte{0xff, 0, 0, 0}
	for tail := range uint32(1) << 24 {
		src[1], src[2], src[3] = byte(tail), byte(tail>>8), byte(tail>>16)
		if got := TeeworldsEnds(src); got != ends[tail] {
			t.Fatalf("%x: %v", src, got)
		}
	}
	if len(ends) != 1<<10-2 {
		t.Errorf("%d tails", len(ends))
	}
	if TeeworldsEnds(nil) || TeeworldsEnds(src[:1]) {
		t.Error("no room for an end")
	}
}

// TestTeeworldsTables compares all tables with the list of codes.
func TestTeeworldsTables(t *testing.T) {
	t.Parallel()
	list := teeworldsCodes(t)
	space := 0
	for symbol, e := range teeworldsEncode {
		if got := codeText(uint(e&0xffff), int(e>>16)); got != list[symbol] {
			t.Errorf("symbol %d is %s, want %s", symbol, got, list[symbol])
		}
		space += 1 << (teeworldsMaxCode - len(list[symbol]))
	}
	if space != 1<<teeworldsMaxCode {
		t.Errorf("the codes fill %#x of %#x", space, 1<<teeworldsMaxCode)
	}
	symbols := symbolsOf(list)
	for window := range 1 << teeworldsMaxCode { // what can be looked up, and the second symbol after it
		src := []byte{byte(window), byte(window >> 8), 0, 0, 0, 0, 0, 0, 0, 0}
		for _, limit := range []int{1, 2} {
			got, bits, err := DecodeTeeworlds(nil, src, limit)
			want, wantBits, wantErr := modelTeeworlds(symbols, src, limit)
			if !bytes.Equal(got, want) || bits != wantBits || wantErr != err {
				t.Fatalf("%x: %x, %d, %v, want %x, %d, %v", src, got, bits, err, want, wantBits, wantErr)
			}
		}
	}
}

// TestTeeworldsEndIsLong compares the end with the encoded forms of the protocol description.
func TestTeeworldsEndIsLong(t *testing.T) {
	t.Parallel()
	if list := teeworldsCodes(t); list[teeworldsEnd] != "010100011101100" || list[0] != "1" {
		t.Errorf("end %s, zero %s", list[teeworldsEnd], list[0])
	}
}

func TestTeeworldsRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		plain := rapid.SliceOf(rapid.Byte()).Draw(t, "plain")
		coded := EncodeTeeworlds([]byte("x"), plain)[1:]
		got, bits, err := DecodeTeeworlds(nil, coded, len(plain))
		if !bytes.Equal(got, plain) || err != nil {
			t.Fatalf("%x decodes to %x, %v", coded, got, err)
		}
		if len(coded) != bits>>3+1 || !TeeworldsPadding(coded, bits) || !TeeworldsEnds(coded) {
			t.Fatalf("%d bytes for %d bits", len(coded), bits)
		}
	})
}

// FuzzDecodeTeeworlds compares the decoder with the model: bytes, position and error.
func FuzzDecodeTeeworlds(f *testing.F) {
	symbols := symbolsOf(teeworldsCodes(f))
	for _, v := range teeworldsVectors {
		f.Add(unhex(f, v.coded), 1391)
	}
	f.Add(EncodeTeeworlds(nil, []byte(strings.Repeat("all your base ", 9))), 100)
	f.Fuzz(func(t *testing.T, src []byte, limit int) {
		limit = max(0, min(limit, 1<<12))
		got, bits, err := DecodeTeeworlds(nil, src[:len(src):len(src)], limit)
		want, wantBits, wantErr := modelTeeworlds(symbols, src, limit)
		if !bytes.Equal(got, want) || bits != wantBits || wantErr != err {
			t.Fatalf("%x, %d, %v, want %x, %d, %v", got, bits, err, want, wantBits, wantErr)
		}
		if err == nil && TeeworldsPadding(src, bits) && !TeeworldsEnds(src) {
			t.Fatalf("%x is said not to end", src)
		}
		if err == nil {
			if again, _, err := DecodeTeeworlds(nil, EncodeTeeworlds(nil, got), len(got)); !bytes.Equal(again, got) ||
				err != nil {
				t.Fatalf("again %x, %v", again, err)
			}
		}
	})
}

func TestTeeworldsAllocations(t *testing.T) {
	coded := unhex(t, teeworldsVectors[3].coded)
	plain := unhex(t, teeworldsVectors[3].plain)
	buf := make([]byte, 0, 256)
	if n := testing.AllocsPerRun(100, func() {
		_, _, _ = DecodeTeeworlds(buf, coded, 100)
		_, _, _ = DecodeTeeworlds(buf, coded, 10)
		_, _, _ = DecodeTeeworlds(buf, coded[:9], 100)
		EncodeTeeworlds(buf, plain)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkDecodeTeeworlds decodes what snapshots are like, small numbers and many zeros, and text.
func BenchmarkDecodeTeeworlds(b *testing.B) {
	for _, bb := range []struct{ name, plain string }{
		{"numbers", strings.Repeat("\x00\x11\x29\x40\xb4\x07\x28\x01\xa4\x01\x71\x00\x00\x00\x00\x00\x00\x00\x00", 50)},
		{"text", strings.Repeat("all your base are belong to us ", 30)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			coded := EncodeTeeworlds(nil, []byte(bb.plain))
			b.SetBytes(int64(len(bb.plain)))
			b.ReportAllocs()
			var buf []byte
			for b.Loop() {
				buf, _, _ = DecodeTeeworlds(buf[:0], coded, 1391)
			}
		})
	}
}
