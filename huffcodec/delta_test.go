package huffcodec

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A modelDelta is the result of Delta, read one bit at a time.
type modelDelta struct {
	Values  []uint32
	Bit     []uint32
	Size    []uint8
	Changed uint64
	Read    int
}

// delta reads fields as MSG_ReadDeltaEntity and MSG_ReadDeltaPlayerstate in code/qcommon/msg.c do. Widths
// are those of netField_t.
func (m *modelReader) delta(widths []int, zeroBit bool, before []uint32) modelDelta {
	d := modelDelta{
		Values: append([]uint32(nil), before...), Bit: make([]uint32, len(widths)), Size: make([]uint8, len(widths)),
		Read: len(widths),
	}
	for i, width := range widths {
		if m.field(1) == 0 {
			continue
		}
		at := m.pos
		value := m.deltaValue(width, zeroBit)
		if m.err != nil {
			d.Read = i
			return d
		}
		d.Values[i], d.Bit[i], d.Size[i] = value, uint32(at), uint8(m.pos-at)
		d.Changed |= 1 << (len(widths) - 1 - i)
	}
	return d
}

func (m *modelReader) deltaValue(width int, zeroBit bool) uint32 {
	if zeroBit && m.field(1) == 0 {
		return 0
	}
	switch {
	case width > 0:
		return uint32(m.field(width))
	case width < 0:
		v := uint32(m.field(-width))
		if v>>(-width-1) != 0 {
			v -= 1 << -width
		}
		return v
	case m.field(1) != 0:
		return uint32(m.field(32))
	}
	small := float64(m.field(13)) - 4096
	if m.err != nil {
		return 0
	}
	return math.Float32bits(float32(small))
}

// FuzzDelta compares Delta with the model: values, places, position and error. The first bit of shape decides
// whether there are zero bits, the others which widths.
func FuzzDelta(f *testing.F) {
	list := codes(f)
	widths := []int{0, 8, 32, -16, 1, 10, 24, 5, 16, -8, 0, 19, 2, 12, 31, 0}
	f.Add([]byte{0x55, 0x13, 0xff, 0x80, 0x22, 0x91, 0xab, 0x00, 0x7f, 0x31, 0x95}, []byte{1, 0, 2, 15, 7, 9, 3}, uint8(3))
	f.Add([]byte{}, []byte{0}, uint8(0))
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, make([]byte, 64), uint8(0))
	source := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		data, shape := make([]byte, source.IntN(120)), make([]byte, source.IntN(64))
		for i := range data {
			data[i] = byte(source.Uint32() & source.Uint32())
		}
		for i := range shape {
			shape[i] = byte(source.Uint32())
		}
		f.Add(data, shape, uint8(source.Uint32()))
	}
	f.Fuzz(func(t *testing.T, data, shape []byte, skip uint8) {
		data, shape = data[:len(data):len(data)], shape[:min(len(shape), 64)]
		zeroBit := len(shape) > 0 && shape[0]&0x80 != 0
		var wide []int
		var fields []DeltaField
		var before []uint32
		for i, b := range shape {
			width := widths[int(b)%len(widths)]
			wide = append(wide, width)
			fields = append(fields, NewDeltaField(width, zeroBit, len(shape)-1-i))
			before = append(before, 0xdead0000+uint32(i))
		}
		r, m := NewReader(data, Static), newModelReader(list, data, Static)
		r.Bits(int(skip & 31))
		m.field(int(skip & 31))
		want := m.delta(wide, zeroBit, before)
		quiet, plain := r, append([]uint32(nil), before...)

		var span DeltaSpan
		got := modelDelta{
			Values: append([]uint32(nil), before...), Bit: make([]uint32, len(fields)),
			Size: make([]uint8, len(fields)),
		}
		got.Changed, got.Read = r.Delta(fields, got.Values, &span)
		copy(got.Bit, span.Bit[:])
		copy(got.Size, span.Size[:])
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("widths %v, zero bit %v (-want +got):\n%s", wide, zeroBit, diff)
		}
		if changed, read := quiet.Delta(fields, plain, nil); changed != got.Changed || read != got.Read ||
			!cmp.Equal(plain, got.Values) {
			t.Fatal("without a span it reads something else")
		}
		// What follows is read alike.
		if a, b := r.Bits(9), uint32(m.field(9)); a != b || r.Pos() != m.pos {
			t.Fatalf("behind it: %d at bit %d, want %d at %d", a, r.Pos(), b, m.pos)
		}
		var err error
		if m.err != nil {
			err = m.err
		}
		if !sameError(err, r.Err()) {
			t.Fatalf("error %v, want %v", r.Err(), err)
		}
	})
}
