package huffcodec

import (
	"math/rand/v2"
	"testing"
)

// TestAllocations keeps the working parts free of allocation.
func TestAllocations(t *testing.T) {
	message, connect := unhex(t, serverVector), unhex(t, connectVector)
	plain := []byte(connectPlain)
	buf := make([]byte, 0, 1<<12)
	var w Writer
	tests := []struct {
		name string
		run  func()
	}{
		{"read", func() {
			r := NewReader(message, Static)
			r.Bits(32)
			r.Byte()
			r.Bits(32)
			r.AppendString(buf)
			r.Bit()
			r.AppendBytes(buf, 100) // fails
			if !r.Failed() {
				t.Error("read past the end")
			}
			r.Reset(message, Raw)
			r.AppendString(buf)
			for !r.Failed() {
				r.Signed(13)
			}
		}},
		{"write", func() {
			w.Reset(Static)
			w.Bits(7, 32)
			w.String("a string")
			w.Data()
		}},
		{"decode", func() { _, _ = DecodeAdaptive(buf, connect[connectHead:]) }},
		{"encode", func() { EncodeAdaptive(buf, plain) }},
	}
	for _, tt := range tests {
		if n := testing.AllocsPerRun(100, tt.run); n != 0 {
			t.Errorf("%s: %v allocations", tt.name, n)
		}
	}
}

// benchFields makes a message with fields of the given widths in random order, and the order. Wide
// fields hold mostly small numbers, as in games.
func benchFields(coding Coding, widths []int) ([]byte, []int) {
	random := rand.New(rand.NewPCG(1, 2))
	var w Writer
	w.Reset(coding)
	fields := make([]int, 1<<14)
	for i := range fields {
		n := widths[random.IntN(len(widths))]
		v := random.Uint32() >> (MaxBits - n)
		if n > 13 {
			v >>= random.IntN(n)
		}
		fields[i] = n
		w.Bits(v, n)
	}
	return w.Data(), fields
}

// BenchmarkReader reads fields. The mix has a bit before each other field and every width in random
// order, so that the processor cannot learn the branches; the others have one width.
func BenchmarkReader(b *testing.B) {
	mix := []int{1, 1, 1, 1, 8, 10, 13, 32}
	for _, bb := range []struct {
		name   string
		coding Coding
		widths []int
	}{
		{"mix", Static, mix},
		{"raw mix", Raw, mix},
		{"1", Static, []int{1}},
		{"8", Static, []int{8}},
		{"10", Static, []int{10}},
		{"13", Static, []int{13}},
		{"32", Static, []int{32}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			data, fields := benchFields(bb.coding, bb.widths)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			var sum uint32
			for b.Loop() {
				r := NewReader(data, bb.coding)
				for _, n := range fields {
					if n != 1 {
						sum += r.Bits(n)
					} else if r.Bit() {
						sum++
					}
				}
				if r.Failed() {
					b.Fatal(r.Err())
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(fields)), "ns/field")
		})
	}
}

func BenchmarkReaderString(b *testing.B) {
	var w Writer
	w.String(connectPlain)
	data := w.Data()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	buf := make([]byte, 0, len(connectPlain))
	for b.Loop() {
		r := NewReader(data, Static)
		buf = r.AppendString(buf[:0])
	}
	if string(buf) != connectPlain {
		b.Errorf("read %q", buf)
	}
}

func BenchmarkWriter(b *testing.B) {
	_, fields := benchFields(Static, []int{1, 1, 1, 1, 8, 10, 13, 32})
	b.ReportAllocs()
	var w Writer
	for b.Loop() {
		w.Reset(Static)
		for i, n := range fields {
			w.Bits(uint32(i), n)
		}
	}
	b.SetBytes(int64(len(w.Data())))
}

func BenchmarkDecodeAdaptive(b *testing.B) {
	block := unhex(b, connectVector)[connectHead:]
	b.SetBytes(int64(len(block)))
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		buf, _ = DecodeAdaptive(buf[:0], block)
	}
}

func BenchmarkEncodeAdaptive(b *testing.B) {
	plain := []byte(connectPlain[8:])
	b.SetBytes(int64(len(plain)))
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		buf = EncodeAdaptive(buf[:0], plain)
	}
}
