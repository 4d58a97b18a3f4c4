package truth_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// packedChunk returns a chunk of data that is packed already. Ints below 64 are one byte each.
func packedChunk(kind byte, data ...byte) []byte {
	coded := huffcodec.EncodeTeeworlds(nil, data)
	return append([]byte{kind<<5 | 31, byte(len(coded)), byte(len(coded) >> 8)}, coded...)
}

// readerRules are what makes players refuse a demo, or leave out a snapshot, each made to one that plays.
var readerRules = []struct {
	name   string
	rule   error
	breaks func(d *recorded, b []byte) []byte
}{
	{"a text does not end", errText, func(_ *recorded, b []byte) []byte {
		copy(b[72:136], "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")
		return b
	}},
	{"a text is not UTF-8", errText, func(_ *recorded, b []byte) []byte { b[160] = 0xff; return b }},
	{"neither client nor server", errText, func(_ *recorded, b []byte) []byte { b[144] = 'x'; return b }},
	{"no length", errLength, func(_ *recorded, b []byte) []byte { clear(b[152:156]); return b }},
	{"a wrong length", errLength, func(_ *recorded, b []byte) []byte { b[153] = 7; return b }},
	{"too many marks", errTimeline, func(_ *recorded, b []byte) []byte { b[176] = 1; return b }},
	{"a mark before the demo", errTimeline, func(_ *recorded, b []byte) []byte {
		binary.BigEndian.PutUint32(b[176:], 1)
		binary.BigEndian.PutUint32(b[180:], 1)
		return b
	}},
	{"another map", errMap, func(d *recorded, b []byte) []byte {
		if d.chunks <= 484 {
			return nil // no map in it
		}
		b[d.chunks-1]++
		return b
	}},
	{"a tick below zero", errTick, func(d *recorded, b []byte) []byte { b[d.keys[1]+1] = 0xa5; return b }},
	{"a tick that is too high", errTick, func(d *recorded, b []byte) []byte { b[d.keys[1]+1] = 0x70; return b }},
	{"a step before the first tick", errTick, func(d *recorded, b []byte) []byte {
		return slices.Insert(b, d.keys[0], d.step(1))
	}},
	{"no step", nil, func(d *recorded, b []byte) []byte { return slices.Insert(b, d.keys[1]+5, d.step(0)) }},
	{"the first is no keyframe", errSnapshot, func(d *recorded, b []byte) []byte { b[d.keys[0]] &^= 0x40; return b }},
	{"a keyframe without the mark", errSnapshot, func(d *recorded, b []byte) []byte { b[d.keys[1]] &^= 0x40; return b }},
	{"a chunk of no type", errChunk, func(d *recorded, b []byte) []byte { return slices.Insert(b, d.keys[1], 1, 7) }},
	{"an empty chunk", errChunk, func(d *recorded, b []byte) []byte { return slices.Insert(b, d.ends[2], 0x40) }},
	{"a chunk that is cut", errChunk, func(d *recorded, b []byte) []byte { return b[:lastByte(d)] }},
	{"no code", errUnpack, func(d *recorded, b []byte) []byte { return slices.Insert(b, d.ends[2], 0x42, 0x55, 0xaa) }},
	{"an int that breaks off", errUnpack, func(d *recorded, b []byte) []byte {
		return slices.Insert(b, d.ends[2], packedChunk(2, 0x80)...)
	}},
	{"a snapshot whose sizes disagree", errSnapshot, func(d *recorded, b []byte) []byte {
		return slices.Insert(b, d.keys[1]+5, packedChunk(1, 8, 1, 12, 3, 0)...)
	}},
	{"a snapshot of the wrong length", errSnapshot, func(d *recorded, b []byte) []byte {
		return slices.Insert(b, d.keys[1]+5, packedChunk(1, 4, 1, 0, 3, 0, 0)...)
	}},
	{"a difference with an item that breaks off", errDelta, func(d *recorded, b []byte) []byte {
		return slices.Insert(b, middle(d), packedChunk(3, 0, 1, 0, 1, 9)...)
	}},
	{"a difference without what it removes", errDelta, func(d *recorded, b []byte) []byte {
		return slices.Insert(b, middle(d), packedChunk(3, 1, 0, 0, 5)...)
	}},
	{"a difference before the first snapshot", errDelta, func(d *recorded, b []byte) []byte {
		return slices.Insert(b, d.keys[0]+5, packedChunk(3, 0, 0, 0)...)
	}},
}

// losing are the rows after which snapshots are lost, from a place to the next keyframe.
var losing = map[string]func(*recorded) int{
	"a chunk that is cut": lastByte, "a difference with an item that breaks off": middle,
	"a difference without what it removes": middle,
}

// middle returns where a chunk in the middle of a demo ends.
func middle(d *recorded) int { return d.ends[len(d.ends)/2] }

// lastByte returns where the last byte of the last chunk is.
func lastByte(d *recorded) int { return d.ends[len(d.ends)-1] - 1 }

// without returns how many snapshots a demo has whose differences are lost from a place to the next keyframe.
func (d *recorded) without(t *testing.T, at int) int {
	t.Helper()
	seen := &player{states: map[int]uint64{}}
	_ = play(t, d.b[:at], seen) // it breaks off
	if next := slices.IndexFunc(d.keys, func(key int) bool { return key >= at }); next >= 0 {
		for tick := range d.seen.states {
			if tick >= int(binary.BigEndian.Uint32(d.b[d.keys[next]+1:])) {
				seen.states[tick] = 0
			}
		}
	}
	return len(seen.states)
}

// step returns a marker of a step.
func (d *recorded) step(n byte) byte {
	if d.b[7] < 5 {
		return 0x80 | n
	}
	return 0xa0 | n
}

// TestDemoReaderRules breaks each rule of the players by itself: the damaged demo does not play, and its copy does.
func TestDemoReaderRules(t *testing.T) {
	t.Parallel()
	for _, d := range theDemos(t, 2) {
		for _, tt := range readerRules {
			b := tt.breaks(d, slices.Clone(d.b))
			if b == nil {
				continue
			}
			if err := playable(t, b); err == nil || tt.rule != nil && !errors.Is(err, tt.rule) {
				t.Errorf("%s, %s: %v", d.name, tt.name, err)
			}
			out, told, end := copyOf(t, b, extract.DemoRange{})
			if told == nil || len(told.Repaired)+len(told.Lost) == 0 && end == nil {
				t.Errorf("%s, %s: nothing is said to be repaired", d.name, tt.name)
				continue
			}
			want := len(d.seen.states)
			if from := losing[tt.name]; from != nil {
				want = d.without(t, from(d))
			}
			if n := checkCopy(t, tt.name, d, out); n != want {
				t.Errorf("%s, %s: %d snapshots, want %d of %d", d.name, tt.name, n, want, len(d.seen.states))
			}
		}
	}
}

// TestDemoTicksAfterSteps damages the tick of a keyframe where the steps before do not say how far it is.
func TestDemoTicksAfterSteps(t *testing.T) {
	t.Parallel()
	d := sampleDemo(t)
	key, tick := d.keys[1], binary.BigEndian.Uint32(d.b[d.keys[1]+1:])
	end := d.ends[slices.IndexFunc(d.ends, func(at int) bool { return at > key })]
	again := func(tick uint32) []byte {
		return append(binary.BigEndian.AppendUint32([]byte{0xc0}, tick), d.b[key+5:end]...)
	}
	for _, tt := range []struct {
		name   string
		at     int // of what is inserted
		insert []byte
		later  uint32 // ticks of what follows
		damage int    // the keyframe
		lost   int    // snapshots
	}{
		{"after a pause", key, []byte{0x80 | 40}, 40, 1, 0},
		{"one tick before another keyframe", end, slices.Concat(again(tick+1), again(tick+2)), 2, 2, 1},
	} {
		b := slices.Insert(slices.Clone(d.b), tt.at, tt.insert...)
		for _, key := range d.keys {
			if key >= tt.at {
				key += len(tt.insert) + 1
				binary.BigEndian.PutUint32(b[key:], binary.BigEndian.Uint32(b[key:])+tt.later)
			}
		}
		whole := theDemo(t, recordedOf(tt.name, d.measure(t, b)))
		for _, wrong := range []int32{-1524740773, -1, 0x6ffffff0, int32(tick) + 1<<22} {
			b := slices.Clone(b)
			binary.BigEndian.PutUint32(b[whole.keys[tt.damage]+1:], uint32(wrong))
			out, told, _ := copyOf(t, b, extract.DemoRange{})
			if told == nil || len(told.Repaired) == 0 {
				t.Fatalf("%s, tick %d: nothing is said to be repaired", tt.name, wrong)
			}
			n, want := checkCopy(t, fmt.Sprint("tick ", wrong), whole, out), len(whole.seen.states)-tt.lost
			if n != want || tt.lost == 0 && !bytes.Equal(out, whole.b) {
				t.Errorf("%s, tick %d: %d snapshots, want %d", tt.name, wrong, n, want)
			}
		}
	}
}

func sampleDemo(t *testing.T) *recorded {
	t.Helper()
	return readRecorded(t, filepath.Join(reference.Repository(t), "samples", "teeworlds", "07-ctf.demo"))
}

// measure sets the length in the header of a demo that was made of this one.
func (d *recorded) measure(t *testing.T, b []byte) []byte {
	t.Helper()
	var seen player
	_ = play(t, b, &seen) // the length is wrong
	binary.BigEndian.PutUint32(b[152:], (uint32(seen.tick)-binary.BigEndian.Uint32(b[d.keys[0]+1:]))/50)
	return b
}

// TestDemoEnds copies demos that end with markers: those of a paused game stay, and others are lost.
func TestDemoEnds(t *testing.T) {
	t.Parallel()
	d := theDemo(t, sampleDemo(t))
	for _, n := range []int{1, 64, 65, 250} {
		b := d.measure(t, append(slices.Clone(d.b), bytes.Repeat([]byte{0x82}, n)...))
		if out, _, _ := copyOf(t, b, extract.DemoRange{}); playable(t, b) != nil || !bytes.Equal(out, b) {
			t.Errorf("%d steps: the copy is another", n)
		}
		b = append(slices.Clone(d.b), bytes.Repeat([]byte{0xff}, n)...)
		out, told, _ := copyOf(t, b, extract.DemoRange{})
		if !bytes.Equal(out, d.b) || len(told.Lost) != 1 || told.Lost[0].Bytes != n {
			t.Errorf("%d ones: lost %+v", n, told.Lost)
		}
		wants := extract.DemoRange{HasTo: true, To: int32(binary.BigEndian.Uint32(d.b[d.keys[1]+1:])) * 20}
		if _, told, _ = copyOf(t, b, wants); len(told.Lost) > 0 {
			t.Errorf("%d ones after the part: lost %+v", n, told.Lost)
		}
	}
}

// TestDemoSameTick copies demos with snapshots that the last tick of the copy cannot have: a keyframe without a marker,
// and differences after some noise, which changes with the seed.
func TestDemoSameTick(t *testing.T) {
	t.Parallel()
	d := sampleDemo(t)
	list := [][]byte{slices.Insert(slices.Clone(d.b), d.ends[2], d.b[d.keys[0]+5:d.ends[0]]...)}
	d = readRecorded(t, filepath.Join(teeworldsFolder(t), "tw07-ctf3.d", "bob.autorecord_2026-11-21_07-20-35.demo"))
	for _, seed := range []uint64{28, 75, 103, 123} {
		random := rand.New(rand.NewPCG(seed, 2))
		b := slices.Clone(d.b)
		from := d.keys[1] + random.IntN(d.keys[len(d.keys)-1]-d.keys[1])
		for i := from; i < min(from+1000, len(b)); i++ {
			b[i] = byte(random.Uint32())
		}
		list = append(list, b)
	}
	for i, b := range list {
		out, told, _ := copyOf(t, b, extract.DemoRange{})
		if err := playable(t, out); err != nil || len(told.Lost) == 0 {
			t.Errorf("%d: %v, lost %+v", i, err, told.Lost)
		}
	}
}
