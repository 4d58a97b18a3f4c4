package quake3

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// drawState draws a state of a table's fields, most of them zero.
func drawState(t *rapid.T, table *deltaTable) (v deltaValues) {
	for i := range table.wire {
		if rapid.IntRange(0, 3).Draw(t, "zero") > 0 {
			continue
		}
		switch n := table.wire[i].bits; {
		case n == 0:
			v[i] = drawFloat(t)
		case n < 0:
			v[i] = uint32(signExtend(rapid.Uint32().Draw(t, "value"), int(-n)))
		default:
			v[i] = rapid.Uint32().Draw(t, "value") & uint32(1<<n-1)
		}
	}
	return v
}

// drawFloat draws floats that are small whole numbers, at their limits, or anything.
func drawFloat(t *rapid.T) uint32 {
	return rapid.OneOf(
		rapid.Map(rapid.Int32Range(-4100, 4100), func(n int32) uint32 { return math.Float32bits(float32(n)) }),
		rapid.SampledFrom([]uint32{1 << 31, math.Float32bits(-4096.5), math.Float32bits(4095), math.Float32bits(4095.5), 0x7f800000, 0x7fc00001}),
		rapid.Uint32(),
	).Draw(t, "float")
}

// TestWriteDelta reads back what is written of entities and players, in every generation.
func TestWriteDelta(t *testing.T) {
	for i := range generations {
		gen := &generations[i]
		t.Run(fmt.Sprint(gen.version), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				from := entityState{values: drawState(t, gen.entity), known: gen.entity.all}
				to := from
				if rapid.Bool().Draw(t, "changed") {
					to.values = drawState(t, gen.entity)
				}
				p := playerState{values: drawState(t, gen.player), known: gen.player.all, arraysKnown: allArrays}
				for i := range p.arrays {
					for j := range p.arrays[i] {
						if rapid.Bool().Draw(t, "element") {
							p.arrays[i][j] = signExtend(rapid.Uint32().Draw(t, "element"), playerArrays[i].Children[0].Bits)
						}
					}
				}
				var w huffcodec.Writer
				w.Reset(gen.coding)
				writeEntity(&w, gen, 77, &from, &to)
				writePlayer(&w, gen, &p)

				r := snapshotReader{gen: gen, world: &world{}, names: new(uint8)}
				var d dissect.Decoder
				d.Reset("quake3", w.Data(), gen.coding, nil)
				number, removed, got := d.Bits(entityNumBits), d.Bit(), from
				if d.Bit() {
					r.readDelta(&d, &got.values)
				}
				player := playerState{known: gen.player.all, arraysKnown: allArrays}
				r.readPlayer(&d, &player)
				if d.Err() != nil || number != 77 || removed || d.Pos() != w.Pos() {
					t.Fatalf("entity %d, removed %v, read to bit %d of %d: %v", number, removed, d.Pos(), w.Pos(), d.Err())
				}
				if got != to || player != p {
					t.Fatalf("got %v %v\nwant %v %v", got, player, to, p)
				}
			})
		})
	}
}
