package enet

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
)

// A rangeVector is what samples/gamestudio/libenet/range.c wrote: bytes, and what ENet 1.3.17 makes of them.
type rangeVector struct{ plain, packed []byte }

func rangeVectors(tb testing.TB) (list []rangeVector) {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "range.txt"))
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		plain, packed, _ := strings.Cut(strings.TrimSpace(line), " ")
		var v rangeVector
		if v.plain, err = hex.DecodeString(plain); err != nil {
			tb.Fatal(err)
		}
		if v.packed, err = hex.DecodeString(packed); err != nil {
			tb.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// TestRangeVectors decodes what the library encoded, and encodes it again: the model that both ways share is
// the library's.
func TestRangeVectors(t *testing.T) {
	t.Parallel()
	var d rangeDecoder
	var e rangeEncoder
	list := rangeVectors(t)
	if len(list) < 70 {
		t.Fatalf("%d vectors", len(list))
	}
	for i, v := range list {
		got, ok := d.decode(nil, v.packed, len(v.plain))
		if !ok || !bytes.Equal(got, v.plain) {
			t.Errorf("vector %d: %d bytes, %v, want %d", i, len(got), ok, len(v.plain))
		}
		if again := e.encode(v.plain); !bytes.Equal(again, v.packed) {
			t.Errorf("vector %d: encoded %d bytes, want %d", i, len(again), len(v.packed))
		}
		if _, ok := d.decode(nil, v.packed, len(v.plain)-1); ok {
			t.Errorf("vector %d: longer than the limit, and no error", i)
		}
	}
}

// TestRangeRefuses: a packet that is cut, longer or has another bit is mostly none that a coder made.
func TestRangeRefuses(t *testing.T) {
	t.Parallel()
	var d rangeDecoder
	taken, tried := 0, 0
	refuses := func(b []byte) {
		tried++
		if got, ok := d.decode(nil, b, 4096); ok {
			// What it decodes to has to be what a coder makes it from.
			var e rangeEncoder
			if !bytes.Equal(e.encode(got), b) {
				t.Errorf("%x decodes to %x, which is encoded as %x", b, got, e.encode(got))
			}
			taken++
		}
	}
	for _, v := range rangeVectors(t) {
		if len(v.packed) > 200 || len(v.packed) < 5 {
			continue
		}
		for n := range v.packed {
			refuses(v.packed[:n])
		}
		refuses(append(bytes.Clone(v.packed), 0))
		for bit := range len(v.packed) * 8 {
			b := bytes.Clone(v.packed)
			b[bit/8] ^= 1 << (bit % 8)
			refuses(b)
		}
	}
	if taken*500 > tried {
		t.Errorf("%d of %d damaged packets decode", taken, tried)
	}
	t.Logf("%d of %d damaged packets decode", taken, tried)
}

// TestRangePair: what is encoded decodes.
func TestRangePair(t *testing.T) {
	t.Parallel()
	var d rangeDecoder
	var e rangeEncoder
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.IntRange(1, 256).Draw(t, "values")
		plain := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, values-1), func(v int) byte { return byte(v * 7) }),
			1, 4096).Draw(t, "plain")
		packed := e.encode(plain)
		got, ok := d.decode(nil, packed, len(plain))
		if !ok || !bytes.Equal(got, plain) {
			t.Fatalf("%x came back as %x, %v", plain, got, ok)
		}
	})
}

// FuzzRange decodes any bytes: what decodes has to be what its content is encoded as, within the limit.
func FuzzRange(f *testing.F) {
	for _, v := range rangeVectors(f) {
		if len(v.packed) < 400 {
			f.Add(v.packed)
		}
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		const limit = 4096
		var d rangeDecoder
		got, ok := d.decode(nil, packed, limit)
		if len(got) > limit {
			t.Fatalf("%d bytes", len(got))
		}
		if !ok {
			return
		}
		var e rangeEncoder
		if again := e.encode(got); !bytes.Equal(again, packed) {
			t.Fatalf("%x decodes to %x, which is encoded as %x", packed, got, again)
		}
	})
}

// A rangeEncoder is the other way of the coder. Only tests need it.
type rangeEncoder struct {
	model      rangeModel
	low, width uint32
	out        []byte
}

func (e *rangeEncoder) encode(plain []byte) []byte {
	e.model.reset()
	e.low, e.width, e.out = 0, 1<<32-1, nil
	m := &e.model
	for _, value := range plain {
		context := m.longest
		for ; ; context = m.nodes[context].lower {
			c := &m.nodes[context]
			under, count := e.interval(context, value)
			if count > 0 {
				e.narrow(uint32(c.escapes)+under, count, uint32(c.total))
				break
			}
			if c.escapes > 0 && c.escapes < c.total {
				e.narrow(0, uint32(c.escapes), uint32(c.total))
			}
		}
		m.learn(value, context)
	}
	for ; e.low != 0; e.low <<= 8 {
		e.out = append(e.out, byte(e.low>>24))
	}
	return e.out
}

// interval returns a byte's count in a context and the sum of those with lower values.
func (e *rangeEncoder) interval(context uint16, value byte) (under, count uint32) {
	m := &e.model
	if context == 0 {
		for v := range int(value) + 1 {
			under += count
			count = 1
			if s := m.root[v]; s != 0 {
				count += uint32(m.nodes[s].count)
			}
		}
		return under, count
	}
	for s := m.nodes[context].first; s != 0; s = m.nodes[s].next {
		switch n := &m.nodes[s]; {
		case n.value == value:
			return under, uint32(n.count)
		case n.value < value:
			under += uint32(n.count)
		}
	}
	return 0, 0
}

func (e *rangeEncoder) narrow(under, count, total uint32) {
	e.width /= total
	e.low += under * e.width
	e.width *= count
	for {
		if e.low^(e.low+e.width) >= rangeTop {
			if e.width >= rangeBottom {
				return
			}
			e.width = -e.low & (rangeBottom - 1)
		}
		e.out = append(e.out, byte(e.low>>24))
		e.width <<= 8
		e.low <<= 8
	}
}

func BenchmarkRange(b *testing.B) {
	for _, v := range rangeVectors(b) {
		if len(v.plain) != 1400 && len(v.plain) != 4096 {
			continue
		}
		b.Run("", func(b *testing.B) {
			var d rangeDecoder
			dst := make([]byte, 0, 4096)
			b.SetBytes(int64(len(v.plain)))
			b.ReportAllocs()
			for b.Loop() {
				d.decode(dst, v.packed, 4096)
			}
		})
	}
}
