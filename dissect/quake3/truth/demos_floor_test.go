package truth_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/q3dissect/q3dissect/dissect/quake3"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// BenchmarkDemoFloor shows what the layers of decoding demos of protocol 68 cost, each on top of the one before:
// best-MB/s of demo, as in BenchmarkDemos.
//
//   - codes: every bit of every message as symbols of the Huffman code, whatever they mean
//   - deltas: the messages as they are, values that changed into memory that nobody reads
//   - states: the same, with a copy of the entity's last state for each delta, as a snapshot needs it
//   - conversation: the real thing
func BenchmarkDemoFloor(b *testing.B) {
	const repeats = 50
	p := quake3.New()
	demos := intactDemos(b, "dm_68")
	for _, layer := range []struct {
		name   string
		decode func(demo *demoFile, r *floorReader)
	}{
		{"codes", func(demo *demoFile, r *floorReader) { r.each(b, demo, r.codes) }},
		{"deltas", func(demo *demoFile, r *floorReader) { r.copies = false; r.each(b, demo, r.message) }},
		{"states", func(demo *demoFile, r *floorReader) { r.copies = true; r.each(b, demo, r.message) }},
		{"conversation", func(demo *demoFile, _ *floorReader) { demo.decode(b, p, nil) }},
	} {
		b.Run(layer.name, func(b *testing.B) {
			best := make([]time.Duration, len(demos))
			r := floorReader{generation: tables.GenerationOf(68)}
			for b.Loop() {
				for range repeats {
					for i := range demos {
						began := time.Now()
						layer.decode(&demos[i], &r)
						if took := time.Since(began); best[i] == 0 || took < best[i] {
							best[i] = took
						}
					}
				}
			}
			var size int
			var quick time.Duration
			for i := range demos {
				size += len(demos[i].bytes)
				quick += best[i]
			}
			b.SetBytes(int64(repeats * size))
			b.ReportMetric(float64(size)/quick.Seconds()/1e6, "best-MB/s")
		})
	}
}

// A floorReader reads messages of protocol 68, and keeps nothing of them but what its layer is about.
type floorReader struct {
	huffcodec.Reader
	generation *tables.Generation
	copies     bool
	bytes      []byte // of the message
	text       []byte
	values     tables.Values
	states     [1 << entityNumBits]tables.State
	next       [64]tables.State // where a delta is made, in turn
	turn       int
}

const entityNumBits = 10 // GENTITYNUM_BITS in code/qcommon/q_shared.h

// each calls read for every message of a demo, which is intact.
func (r *floorReader) each(b *testing.B, demo *demoFile, read func()) {
	for rest := demo.bytes; len(rest) >= 8; {
		size := int32(binary.LittleEndian.Uint32(rest[4:]))
		if size < 0 {
			return
		}
		r.bytes = rest[8 : 8+size]
		r.Reset(r.bytes, huffcodec.Static)
		if read(); r.Failed() {
			b.Fatalf("%s: %v", demo.name, r.Err())
		}
		rest = rest[8+size:]
	}
}

// codes reads all but the last bits, which may be padding. Raw bits can look like the code that no encoder emits: it
// continues with the next byte then.
func (r *floorReader) codes() {
	for rest := r.bytes; ; {
		for r.Pos() < r.Len()-16 && !r.Failed() {
			r.Byte()
		}
		if !r.Failed() {
			return
		}
		rest = rest[r.Pos()/8+1:]
		r.Reset(rest, huffcodec.Static)
	}
}

// message reads a server message.
func (r *floorReader) message() {
	for r.Bits(32); !r.Failed(); {
		switch r.Byte() {
		case tables.SvcGamestate:
			r.gamestate()
		case tables.SvcServerCommand:
			r.Bits(32)
			r.text = r.AppendString(r.text[:0])
		case tables.SvcSnapshot:
			r.snapshot()
		case tables.SvcEOF:
			return
		}
	}
}

func (r *floorReader) gamestate() {
	for r.Bits(32); !r.Failed(); {
		switch r.Byte() {
		case tables.SvcConfigstring:
			r.Bits(16)
			r.text = r.AppendString(r.text[:0])
		case tables.SvcBaseline:
			r.entity(r.Bits(entityNumBits))
		case tables.SvcEOF:
			r.Bits(32)
			r.Bits(32)
			return
		}
	}
}

func (r *floorReader) snapshot() {
	r.Bits(32)
	r.Byte()
	r.Byte()
	r.text = r.AppendBytes(r.text[:0], int(r.Byte()))
	r.delta(r.generation.Player, &r.values)
	if r.Bit() {
		for i := range 4 {
			if !r.Bit() {
				continue
			}
			width := 16
			if i == 3 { // powerups
				width = 32
			}
			for mask := r.Bits(16); mask != 0; mask &= mask - 1 {
				r.Bits(width)
			}
		}
	}
	for number := r.Bits(entityNumBits); number != 1<<entityNumBits-1 && !r.Failed(); number = r.Bits(entityNumBits) {
		r.entity(number)
	}
}

// entity reads an entity after its number.
func (r *floorReader) entity(number uint32) {
	if removed := r.Bit(); removed {
		return
	}
	if changed := r.Bit(); !changed {
		return
	}
	if !r.copies {
		r.delta(r.generation.Entity, &r.values)
		return
	}
	state, last := &r.next[r.turn], &r.states[number]
	r.turn = (r.turn + 1) % len(r.next)
	state.Set(last)
	state.Known |= r.delta(r.generation.Entity, &state.Values)
	last.Set(state)
}

// delta reads the fields of a delta.
func (r *floorReader) delta(layout *tables.Layout, values *tables.Values) (changed uint64) {
	n := min(int(r.Byte()), len(layout.Coded))
	changed, _ = r.Delta(layout.Coded[:n], values[:], nil)
	return changed
}
