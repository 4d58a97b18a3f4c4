package world

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// drawState draws a state of a table's fields, most of them zero.
func drawState(t *rapid.T, table *tables.Layout) (s tables.State) {
	s.Set(table.Zero)
	for i := range table.Wire {
		if rapid.IntRange(0, 3).Draw(t, "zero") > 0 {
			continue
		}
		var v uint32
		switch n := table.Wire[i].Bits; {
		case table.Values != nil:
			v = drawCoded(t, table.Values[i])
		case n == 0:
			v = drawFloat(t)
		case n < 0:
			v = uint32(signExtend(rapid.Uint32().Draw(t, "value"), int(-n)))
		default:
			v = rapid.Uint32().Draw(t, "value") & uint32(1<<n-1)
		}
		if table.Wide {
			s.Put(table.Wire[i].Output, v)
		} else {
			s.Values[i] = v
		}
	}
	return s
}

// drawEntity draws an entity, with its part for TV servers.
func drawEntity(t *rapid.T, gen *tables.Generation) tables.State {
	s := drawState(t, gen.Entity)
	if gen.Shared != nil {
		shared := drawState(t, gen.Shared)
		for i := range gen.Shared.Wire {
			place := gen.Shared.Wire[i].Output
			v, _ := shared.At(place)
			s.Put(place, v)
		}
	}
	return s
}

// drawCoded draws a value that a coding can hold, by reading one.
func drawCoded(t *rapid.T, coding tables.Value) uint32 {
	data := binary.LittleEndian.AppendUint64(nil, rapid.Uint64().Draw(t, "value"))
	r := huffcodec.NewReader(data, huffcodec.Raw)
	v, _ := ReadValue(&r, coding, 0, true, 0)
	return v
}

// drawFloat draws floats that are small whole numbers, at their limits, or anything.
func drawFloat(t *rapid.T) uint32 {
	return rapid.OneOf(
		rapid.Map(rapid.Int32Range(-4100, 4100), func(n int32) uint32 { return math.Float32bits(float32(n)) }),
		rapid.SampledFrom([]uint32{
			1 << 31, math.Float32bits(-4096.5), math.Float32bits(4095), math.Float32bits(4095.5),
			0x7f800000, 0x7fc00001,
		}),
		rapid.Uint32(),
	).Draw(t, "float")
}

// drawPlayer draws a player state with its arrays.
func drawPlayer(t *rapid.T, gen *tables.Generation, table *tables.Layout) (p Player) {
	zero := zeroPlayer(gen)
	p.Set(&zero)
	p.State = drawState(t, table)
	draw := func(values *[arrayLength]int32, width int) {
		for j := range values {
			if rapid.IntRange(0, 7).Draw(t, "element") == 0 {
				values[j] = signExtend(rapid.Uint32().Draw(t, "element"), width)
			}
		}
	}
	for i, array := range arraysOf[gen.Arrays] {
		if array != nil {
			draw(&p.Arrays[i], array.Children[0].Bits)
		}
	}
	if gen.Arrays == tables.ArraysWideWeapons {
		p.Arrays[statsArray][statWeapons] &= 1<<statWeaponsBits - 1
	}
	switch {
	case gen.Arrays == tables.ArraysActive:
		draw(&p.Arrays[statsArray], 16)
		for _, a := range activeArrays {
			draw(&p.Extra.Values[a.place], 16)
			clear(p.Extra.Values[a.place][min(a.count, arrayLength):])
		}
	case p.Extra != nil:
		for i := range p.Extra.Values {
			draw(&p.Extra.Values[i], 16)
		}
	}
	return p
}

// TestWriteDelta writes entities and players in every generation and reads them back.
func TestWriteDelta(t *testing.T) {
	for i := range tables.NumGenerations {
		gen := tables.GenerationAt(i)
		t.Run(fmt.Sprint(gen.Version), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				from := drawEntity(t, gen)
				to := from
				if rapid.Bool().Draw(t, "changed") {
					to = drawEntity(t, gen)
				}
				p := drawPlayer(t, gen, gen.Player)
				if gen.Vehicle != nil {
					if number, _ := p.At(gen.Player.Place("m_iVehicleNum")); number != 0 {
						vehicle := drawPlayer(t, gen, gen.Vehicle)
						p.Vehicle = &vehicle
					}
				}
				var w huffcodec.Writer
				w.Reset(gen.Coding)
				WriteEntity(&w, gen, 77, &from, &to)
				WritePlayer(&w, gen, &p)

				r := Reader{Generation: gen, World: &World{}, Family: new(uint8)}
				var d decode.Decoder
				d.Reset("quake3", w.Data(), gen.Coding, nil)
				number, removed := (d.Bits(EntityNumBits)-gen.EntityBias)&(MaxEntities-1), d.Bit()
				var got tables.State
				if got.Set(&from); d.Bit() {
					r.readFields(&d, &got)
				}
				if gen.Shared != nil {
					r.readShared(&d, &got)
				}
				var player Player
				zero := zeroPlayer(gen)
				player.Set(&zero)
				r.readPlayer(&d, &player)
				if gen.Vehicle != nil {
					r.readVehicle(&d, &player)
				}
				if d.Err() != nil || number != 77 || removed || d.Pos() != w.Pos() {
					t.Fatalf("entity %d, removed %v, read to bit %d of %d: %v", number, removed, d.Pos(), w.Pos(), d.Err())
				}
				if !got.Equal(&to) {
					t.Fatalf("entity %v\nwant %v", got, to)
				}
				if diff := cmp.Diff(p, player); diff != "" {
					t.Fatalf("player (-want +got):\n%s", diff)
				}
			})
		})
	}
}
