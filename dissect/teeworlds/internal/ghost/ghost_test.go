package ghost

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A writer writes a file from the description of the format, without the code under test, and lists what it wrote.
type writer struct {
	b       []byte
	version byte
	want    []string // a line for each item: type and values
	last    []int32
	kind    byte
	any     bool
}

func newWriter(version byte, characters int) *writer {
	w := &writer{version: version}
	w.b = append([]byte("TWGHOST\x00"), version)
	w.b = append(w.b, "runner\x00padding00"...)
	w.b = append(append(w.b, "made"...), make([]byte, 60)...)
	w.b = append(w.b, 1, 2, 3, 4)
	w.b = binary.BigEndian.AppendUint32(w.b, uint32(characters))
	w.b = binary.BigEndian.AppendUint32(w.b, 2500)
	if version >= 6 {
		w.b = append(w.b, bytes.Repeat([]byte{0xab}, 32)...)
	}
	return w
}

// chunk writes a chunk of items of one type.
func (w *writer) chunk(kind byte, items ...[]int32) {
	var data []byte
	base := w.last
	if w.version > 4 || !w.any || kind != w.kind {
		base = make([]int32, len(items[0]))
	}
	for _, item := range items {
		for i, n := range item {
			data = packInt(data, n-base[i])
		}
		base = item
		w.want = append(w.want, fmt.Sprintf("%d%d", kind, item))
	}
	w.last, w.kind, w.any = base, kind, true
	packed := huffcodec.EncodeTeeworlds(nil, data)
	w.b = append(w.b, kind, byte(len(items)), byte(len(packed)>>8), byte(len(packed)))
	w.b = append(w.b, packed...)
}

// packInt writes an int: sign and 6 bits, then 7 bits a byte.
func packInt(b []byte, v int32) []byte {
	n, sign := int64(v), byte(0)
	if n < 0 {
		sign, n = 0x40, ^n
	}
	first := sign | byte(n&63)
	if n >>= 6; n == 0 {
		return append(b, first)
	}
	return binary.AppendUvarint(append(b, first|0x80), uint64(n))
}

// read reads a file: a line for each item, the records, and how it ends.
func read(file io.Reader, each func(rec *dissect.Record, r *Reader)) (lines []string, end error) {
	in, reader := NewRecording(file, "teeworlds"), NewReader(true)
	for {
		p, err := in.Next()
		if err == io.EOF {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
		rec := dissect.NewRecord()
		rec.Packet, rec.Hint = *p, p.RecorderHint
		reader.Dissect(rec, rec.Decoding())
		rec.Tree.CloseAll(8 * len(p.Payload))
		if line := describe(rec); line != "" {
			lines = append(lines, line)
		}
		if each != nil {
			each(rec, reader)
		}
	}
}

// describe returns the item of a record as the writer lists it.
func describe(rec *dissect.Record) string {
	g := rec.Tree.Top().Get("ghost")
	var numbers []string
	add := func(of dissect.Value) {
		for v := range of.Children() {
			if v.Field().Kind.Number() {
				numbers = append(numbers, v.String())
			}
		}
	}
	for _, key := range []string{"start", "character", "unknown"} {
		v := g.Get(key)
		add(v)
		add(v.Get("ints"))
		add(v.Get("extra_ints"))
	}
	if len(numbers) == 0 {
		return ""
	}
	return g.Get("type").String() + "[" + strings.Join(numbers, " ") + "]"
}

// drawItems draws items of a type.
func drawItems(t *rapid.T, ints int) (items [][]int32) {
	for range rapid.IntRange(1, maxItems).Draw(t, "items") {
		items = append(items, rapid.SliceOfN(rapid.Int32(), ints, ints).Draw(t, "item"))
	}
	return items
}

// What a client can write is read, whatever the numbers, in every version.
func TestEveryItem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		w := newWriter(rapid.SampledFrom([]byte{4, 5, 6}).Draw(rt, "version"), 1)
		size, other := rapid.IntRange(12, 14).Draw(rt, "ints"), rapid.IntRange(1, 5).Draw(rt, "other ints")
		for range rapid.IntRange(1, 4).Draw(rt, "chunks") {
			switch kind := rapid.SampledFrom([]byte{1, 2, 3, 9}).Draw(rt, "kind"); kind {
			case 1:
				w.chunk(kind, drawItems(rt, 11)...)
			case 2:
				w.chunk(kind, drawItems(rt, size)...)
			case 3:
				w.chunk(kind, drawItems(rt, 1)...)
			default:
				w.chunk(kind, drawItems(rt, other)...)
			}
		}
		w.chunk(1, drawItems(rt, 11)...)
		lines, err := read(iotest.HalfReader(bytes.NewReader(w.b)), nil)
		if diff := cmp.Diff(w.want, lines); diff != "" || err != nil {
			rt.Fatalf("%v (-want +got):\n%s", err, diff)
		}
	})
}

// sample is a file of version 6 with every type.
func sample() *writer {
	w := newWriter(6, 3)
	w.chunk(3, []int32{500})
	w.chunk(0, []int32{-471604253, -505290271, -2139062144, -2139062144, -2139062144, -2139062272, 1, 2, 3})
	w.chunk(2, []int32{10, 20, 256, 0, 402, 1, 3, -1, 0, 0, 490, 502},
		[]int32{20, 22, 512, 0, -402, 1, 3, -1, 0, 0, 503, 504})
	w.chunk(1, []int32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	w.chunk(77, []int32{5, 6})
	return w
}

// A file that is cut anywhere gives every whole item before the cut, and where it ends.
func TestPrefixes(t *testing.T) {
	t.Parallel()
	file := sample().b
	whole, err := read(bytes.NewReader(file), nil)
	if err != nil || len(whole) != 5 {
		t.Fatal(whole, err)
	}
	for cut := versionAt + 1; cut < len(file); cut++ {
		lines, err := read(bytes.NewReader(file[:cut]), nil)
		var fault *dissect.FileError
		if !errors.As(err, &fault) && len(lines) < 4 ||
			fault != nil && (fault.Code != dissect.TruncatedFile || fault.Offset != int64(cut)) {
			t.Errorf("cut at %d: %v", cut, err)
		}
		if len(lines) > len(whole) || !slices.Equal(whole[:len(lines)], lines) {
			t.Errorf("cut at %d: %q", cut, lines)
		}
	}
}

// A chunk has at most 50 items: NUM_ITEMS_PER_CHUNK in src/engine/shared/ghost.h of DDNet.
func TestItemsOfAChunk(t *testing.T) {
	t.Parallel()
	for items, want := range map[int]int{49: 49, 50: 50, 51: 0} {
		w := newWriter(6, 1)
		w.chunk(77, slices.Repeat([][]int32{{5, 6}}, items)...)
		lines, _ := read(bytes.NewReader(w.b), nil)
		if len(lines) != want {
			t.Errorf("%d items: %d records, want %d", items, len(lines), want)
		}
	}
}

// What a ghost shows of the run: its times, moves and shots, and what happens.
func TestRun(t *testing.T) {
	t.Parallel()
	var got []string
	_, err := read(bytes.NewReader(sample().b), func(rec *dissect.Record, r *Reader) {
		for _, in := range rec.Inputs {
			got = append(got, fmt.Sprintf("%s %d %v %.0f %.0f %d", in.Kind, in.Time, in.Place, in.Yaw, in.Speed, in.Shots))
		}
		if since := rec.Tree.Top().Get("ghost").Get("race_time"); since.Exists() {
			got = append(got, "race_time "+since.String())
		}
		if run := &r.Run; run.Header || run.Start || run.Finish {
			got = append(got, fmt.Sprintf("%s %d: %t %t %t at %d %t", run.Owner, run.Time, run.Header, run.Start, run.Finish,
				run.ServerTime, run.Timed))
		}
	})
	want := []string{
		"runner 2500: true false false at 0 false",
		"view 10040 [10 20 0] 90 50 0", "race_time 40", "runner 2500: false true false at 10000 true",
		"view 10080 [20 22 0] -90 100 1", "race_time 80",
		"view 10040 [1 2 0] 1 1 1", "race_time 40",
		"runner 2500: false false true at 12500 true",
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// Damage costs its own chunk; in version 4 the items that are differences to it too.
func TestDamage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		version byte
		change  func(chunk []byte)
		code    string
		bit     int
		lost    int // items
	}{
		{"no items", 5, func(b []byte) { b[1] = 0 }, "malformed", 32, 1},
		{"more items than a chunk has", 5, func(b []byte) { b[1] = 51 }, "malformed", 32, 1},
		{"numbers that are not so many items", 5, func(b []byte) { b[1] = 2 }, "malformed", 32, 1},
		{"what cannot be unpacked", 5, func(b []byte) { clear(b[4:]) }, "malformed", 32, 1},
		{"in version 4", 4, func(b []byte) { b[1] = 2 }, "malformed", 32, 2},
	} {
		w := newWriter(test.version, 2)
		at := len(w.b)
		item := []int32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
		w.chunk(1, item)
		end := len(w.b)
		w.chunk(1, item)
		w.chunk(3, []int32{7})
		test.change(w.b[at:end])
		var codes []string
		bit := -1
		lines, err := read(bytes.NewReader(w.b), func(rec *dissect.Record, _ *Reader) {
			for _, e := range rec.Experts {
				if codes = append(codes, e.Code); bit < 0 {
					bit = e.BitOffset
				}
			}
		})
		var fault *dissect.FileError
		if !errors.As(err, &fault) || len(codes) != test.lost || codes[0] != test.code || len(lines) != 3-test.lost ||
			test.bit > bit || bit > (end-at)*8 {
			t.Errorf("%s: %v at %d, %q, %v", test.name, codes, bit, lines, err)
		}
	}
}

// FuzzFile: whatever is in a file, positions are inside the records, and a run without a tree agrees.
func FuzzFile(f *testing.F) {
	f.Add(sample().b)
	old := newWriter(4, 2)
	old.chunk(1, []int32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, []int32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12})
	old.chunk(1, []int32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13})
	f.Add(old.b)
	real, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "samples", "teeworlds", "ddnet.gho"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(real)
	f.Fuzz(func(t *testing.T, b []byte) {
		if !Recognised(b) {
			return
		}
		plain := NewReader(true)
		_, _ = read(bytes.NewReader(b), func(rec *dissect.Record, r *Reader) {
			for _, n := range rec.Tree.Nodes {
				if end := int(n.Bit) + int(n.Bits); end > 8*len(rec.Payload) {
					t.Fatalf("%s ends at bit %d of %d", n.Field.Key, end, 8*len(rec.Payload))
				}
			}
			for _, e := range rec.Experts {
				if e.BitOffset > 8*len(rec.Payload) {
					t.Fatalf("%s at bit %d of %d", e.Code, e.BitOffset, 8*len(rec.Payload))
				}
			}
			other := dissect.NewRecord()
			other.Packet, other.Hint, other.NoTree = rec.Packet, rec.Hint, true
			plain.Dissect(other, nil)
			if diff := cmp.Diff(r.Run, plain.Run); diff != "" || cmp.Diff(rec.Inputs, other.Inputs) != "" ||
				rec.Damaged != other.Damaged {
				t.Fatalf("a run without a tree differs: %s", diff)
			}
		})
	})
}
