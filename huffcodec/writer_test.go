package huffcodec

import (
	"encoding/hex"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestWriterVectors writes the messages that the engine made; a byte it left to chance is zero.
func TestWriterVectors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		want  string
		bits  int
		write func(*Writer)
	}{
		{"fields", fieldsVector, 63, func(w *Writer) {
			minus := int32(-300)
			w.Bits(5, 3)
			w.Bits(1023, 10)
			w.Bits(uint32(minus), 16)
			w.Bits(0x12345678, 32)
		}},
		{"server message", serverVector, 185, func(w *Writer) {
			w.Bits(7, 32)
			w.Byte(5)
			w.Bits(42, 32)
			w.String("print \"hello 50.\n\"")
			w.Byte(1)
			w.Byte(8)
		}},
		{"client message that ends with a byte", clientVector, 304, func(w *Writer) {
			const key = 0x5eefb630
			w.Bits(0x0012d687, 32)
			w.Bits(299, 32)
			w.Bits(42, 32)
			w.Byte(4)
			w.Bits(8, 32)
			w.String("score")
			w.Byte(2)
			w.Byte(2)
			value := func(v uint32, n int, time uint32) {
				w.Bit(true)
				w.Bits(v^key^time, n)
			}
			none := func(n int) { w.Bits(0, n) }
			w.Bit(false)
			w.Bits(123456, 32)
			w.Bit(true)
			value(1000, 16, 123456)
			value(40000, 16, 123456)
			none(1)
			value(127, 8, 123456)
			none(2)
			value(1, 16, 123456)
			value(5, 8, 123456)
			w.Bit(true)
			w.Byte(8)
			w.Bit(true)
			none(1)
			value(40100, 16, 123464)
			none(4)
			value(0, 16, 123464)
			none(1)
			w.Byte(5)
		}},
		{"nothing", "00", 0, func(*Writer) {}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var w Writer
			tt.write(&w)
			if d := cmp.Diff(tt.want, hex.EncodeToString(w.Data())); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			if w.Pos() != tt.bits {
				t.Errorf("%d bits, want %d", w.Pos(), tt.bits)
			}
		})
	}
}

// TestWriterData takes the data in the middle of a message and writes on.
func TestWriterData(t *testing.T) {
	t.Parallel()
	var w Writer
	for range 2 { // the second time in used memory
		w.Reset(Raw)
		w.Bits(0xfff, 12)
		if d := cmp.Diff([]byte{0xff, 0x0f}, w.Data()); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
		w.Align()
		w.Align()
		if d := cmp.Diff([]byte{0xff, 0x0f, 0}, w.Data()); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
		w.Bytes([]byte{0xaa, 0xbb})
		if d := cmp.Diff([]byte{0xff, 0x0f, 0xaa, 0xbb, 0}, w.Data()); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	}
}

// item is one write of the round trip.
type item struct {
	Bits  int    // width, or -1 for a string, -2 for bytes, -3 for an alignment
	Value uint32 // with no bits above the width
	Text  string
}

func TestWriterReader(t *testing.T) {
	t.Parallel()
	items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) item {
		n := rapid.IntRange(-3, MaxBits).Draw(t, "bits")
		switch n {
		case -1:
			return item{Bits: n, Text: rapid.StringMatching(`[^\x00]*`).Draw(t, "text")}
		case -2:
			return item{Bits: n, Text: string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))}
		case -3:
			return item{Bits: n}
		default:
			return item{Bits: n, Value: uint32(rapid.Uint64Range(0, 1<<n-1).Draw(t, "value"))}
		}
	}), 0, 200)
	rapid.Check(t, func(t *rapid.T) {
		coding := rapid.SampledFrom([]Coding{Static, Raw}).Draw(t, "coding")
		list := items.Draw(t, "items")
		var w Writer
		w.Reset(coding)
		ends := make([]int, len(list))
		for i, it := range list {
			switch it.Bits {
			case -1:
				w.String(it.Text)
			case -2:
				w.Bytes([]byte(it.Text))
			case -3:
				w.Align()
			default:
				w.Bits(it.Value, it.Bits)
			}
			ends[i] = w.Pos()
		}
		data := w.Data()
		if len(data) != w.Pos()/8+1 {
			t.Fatalf("%d bytes for %d bits", len(data), w.Pos())
		}
		r := NewReader(data, coding)
		for i, it := range list {
			got := item{Bits: it.Bits}
			switch it.Bits {
			case -1:
				got.Text = string(r.AppendString(nil))
			case -2:
				got.Text = string(r.AppendBytes(nil, len(it.Text)))
			case -3:
				r.Align()
			default:
				got.Value = r.Bits(it.Bits)
			}
			if d := cmp.Diff(it, got); d != "" {
				t.Fatalf("item %d (-want +got)\n%s", i, d)
			}
			if r.Pos() != ends[i] {
				t.Fatalf("after item %d at %d, want %d", i, r.Pos(), ends[i])
			}
		}
		for r.Pos() < r.Len() { // what Data adds
			if r.Bit() {
				t.Fatalf("bit %d is not zero", r.Pos()-1)
			}
		}
		if err := r.Err(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestCopy compares copied bits with single ones, at any place of the source and of the message.
func TestCopy(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "data")
		to := rapid.IntRange(0, 8*len(data)).Draw(t, "to")
		from := rapid.IntRange(0, to).Draw(t, "from")
		before := rapid.IntRange(0, 9).Draw(t, "bits before")
		var copied, single Writer
		for i := range before {
			copied.Bit(i%3 == 0)
			single.Bit(i%3 == 0)
		}
		copied.Copy(data, from, to)
		for i := from; i < to; i++ {
			single.Bit(data[i>>3]>>(i&7)&1 != 0)
		}
		if d := cmp.Diff(single.Data(), copied.Data()); d != "" || single.Pos() != copied.Pos() {
			t.Fatalf("%d bits, want %d (-want +got)\n%s", copied.Pos(), single.Pos(), d)
		}
	})
}
