package world

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// drawState draws a state of a table's fields, most of them zero.
func drawState(t *rapid.T, table *tables.Layout) (v tables.Values) {
	for i := range table.Wire {
		if rapid.IntRange(0, 3).Draw(t, "zero") > 0 {
			continue
		}
		switch n := table.Wire[i].Bits; {
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
	for i := range tables.Generations {
		gen := &tables.Generations[i]
		t.Run(fmt.Sprint(gen.Version), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				from := tables.State{Values: drawState(t, gen.Entity), Known: gen.Entity.AllFields}
				to := from
				if rapid.Bool().Draw(t, "changed") {
					to.Values = drawState(t, gen.Entity)
				}
				p := Player{Values: drawState(t, gen.Player), Known: gen.Player.AllFields, ArraysKnown: AllArrays}
				for i := range p.Arrays {
					for j := range p.Arrays[i] {
						if rapid.Bool().Draw(t, "element") {
							p.Arrays[i][j] = signExtend(rapid.Uint32().Draw(t, "element"), playerArrays[i].Children[0].Bits)
						}
					}
				}
				var w huffcodec.Writer
				w.Reset(gen.Coding)
				WriteEntity(&w, gen, 77, &from, &to)
				WritePlayer(&w, gen, &p)

				r := Reader{Generation: gen, World: &World{}, Family: new(uint8)}
				var d decode.Decoder
				d.Reset("quake3", w.Data(), gen.Coding, nil)
				number, removed, got := d.Bits(EntityNumBits), d.Bit(), from
				if d.Bit() {
					r.readDelta(&d, &got.Values)
				}
				player := Player{Known: gen.Player.AllFields, ArraysKnown: AllArrays}
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
