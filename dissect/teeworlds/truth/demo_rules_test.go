package truth_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/extract"
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
	{"a chunk that is cut", errChunk, func(d *recorded, b []byte) []byte { return b[:d.ends[len(d.ends)-1]-1] }},
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
		return slices.Insert(b, d.ends[len(d.ends)/2], packedChunk(3, 0, 1, 0, 1, 9)...)
	}},
	{"a difference without what it removes", errDelta, func(d *recorded, b []byte) []byte {
		return slices.Insert(b, d.ends[len(d.ends)/2], packedChunk(3, 1, 0, 0, 5)...)
	}},
	{"a difference before the first snapshot", errDelta, func(d *recorded, b []byte) []byte {
		return slices.Insert(b, d.keys[0]+5, packedChunk(3, 0, 0, 0)...)
	}},
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
	demos := theDemos(t, 2)
	for _, d := range demos[:min(3, len(demos))] {
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
			if n := checkCopy(t, tt.name, d, out); n < len(d.seen.states)/3 {
				t.Errorf("%s, %s: %d of %d snapshots", d.name, tt.name, n, len(d.seen.states))
			}
		}
	}
}
