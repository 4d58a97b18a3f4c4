package world

import (
	"math"
	"math/bits"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// WriteEntity writes an entity of a list or a baseline, number first, as a delta of another state:
// MSG_WriteDeltaEntity with force in code/qcommon/msg.c.
func WriteEntity(w *huffcodec.Writer, gen *tables.Generation, number int32, from, to *tables.State) {
	writeNumber(w, gen, number)
	w.Bit(false) // not removed
	writeEntityFields(w, gen, from, to)
	if gen.Shared != nil {
		w.Bits(sharedMagic, 8)
		w.Bit(false) // not removed
		w.Bit(true)
		writeWide(w, gen.Shared, from, to, true)
	}
}

// WriteEnd writes what ends the list of entities.
func WriteEnd(w *huffcodec.Writer, gen *tables.Generation) { writeNumber(w, gen, EntityNumNone) }

func writeNumber(w *huffcodec.Writer, gen *tables.Generation, number int32) {
	w.Bits((uint32(number)+gen.EntityBias)&(MaxEntities-1), EntityNumBits)
}

// writeEntityFields writes whether there is a delta, and the delta.
func writeEntityFields(w *huffcodec.Writer, gen *tables.Generation, from, to *tables.State) {
	if from.Equal(to) {
		w.Bit(false)
		return
	}
	w.Bit(true)
	switch {
	case gen.Entity.Values != nil:
		writeCoded(w, gen.Entity, from, to)
	case gen.Entity.Wide:
		writeWide(w, gen.Entity, from, to, true)
	case gen.Old:
		writeMasked(w, gen.Entity, &from.Values, &to.Values, gen.MaskTail)
	default:
		writePrefix(w, gen.Entity, &from.Values, &to.Values, true)
	}
}

// WritePlayer writes a player state as a delta of the all-zero one: MSG_WriteDeltaPlayerstate in
// code/qcommon/msg.c.
func WritePlayer(w *huffcodec.Writer, gen *tables.Generation, p *Player) {
	var zero tables.State
	switch {
	case gen.Player.Values != nil:
		writeCoded(w, gen.Player, &zero, &p.State)
	case gen.Player.Wide:
		if gen.Pilot != nil {
			w.Bit(false)
		}
		writeWide(w, gen.Player, &zero, &p.State, false)
	case gen.Old:
		writeChosen(w, gen.Player, &zero.Values, &p.Values)
	default:
		writePrefix(w, gen.Player, &zero.Values, &p.Values, false)
	}
	writeArrays(w, gen, p)
	if p.Vehicle != nil && gen.Vehicle != nil {
		writeWide(w, gen.Vehicle, &zero, &p.Vehicle.State, false)
		writeArrays(w, gen, p.Vehicle)
	}
}

// writeArrays is the reverse of readArrays.
func writeArrays(w *huffcodec.Writer, gen *tables.Generation, p *Player) {
	switch gen.Arrays {
	case tables.ArraysGrouped:
		p.writeGroupedArrays(w)
		return
	case tables.ArraysActive:
		p.writeActiveArrays(w)
		return
	}
	if !gen.Old {
		if w.Bit(p.Arrays != [statArrays][arrayLength]int32{}); p.Arrays == [statArrays][arrayLength]int32{} {
			return
		}
	}
	for i, array := range &arraysOf[gen.Arrays] {
		if array == nil {
			continue
		}
		weapons := -1
		if gen.Arrays == tables.ArraysWideWeapons && i == statsArray {
			weapons = statWeapons
		}
		writeElements(w, array.Children[0].Bits, weapons, &p.Arrays[i])
	}
}

// writeElements writes whether an array has elements, and those that are not zero.
func writeElements(w *huffcodec.Writer, width, wide int, values *[arrayLength]int32) {
	var mask uint16
	for i, v := range values {
		if v != 0 {
			mask |= 1 << i
		}
	}
	if w.Bit(mask != 0); mask == 0 {
		return
	}
	w.Bits(uint32(mask), arrayLength)
	for ; mask != 0; mask &= mask - 1 {
		i, bits := bits.TrailingZeros16(mask), width
		if i == wide {
			bits = statWeaponsBits
		}
		w.Bits(uint32(values[i]), bits)
	}
}

// writeWide is the reverse of readWide.
func writeWide(w *huffcodec.Writer, t *tables.Layout, from, to *tables.State, zeroBit bool) {
	writeChanged(w, t, from, to, func(i int, v uint32) {
		if zeroBit {
			if w.Bit(v != 0); v == 0 {
				return
			}
		}
		writeValue(w, t.Wire[i].Bits, v)
	})
}

// writeChanged writes how many fields of a wide layout there are, up to the last one that changed, and for each a bit,
// and its value if it changed.
func writeChanged(w *huffcodec.Writer, t *tables.Layout, from, to *tables.State, value func(i int, v uint32)) {
	differ := func(i int) (uint32, bool) {
		before, _ := from.At(t.Wire[i].Output)
		now, _ := to.At(t.Wire[i].Output)
		return now, before != now
	}
	n := len(t.Wire)
	for ; n > 0; n-- {
		if _, yes := differ(n - 1); yes {
			break
		}
	}
	w.Bits(uint32(n), 8)
	for i := range t.Wire[:n] {
		v, yes := differ(i)
		if w.Bit(yes); yes {
			value(i, v)
		}
	}
}

// writePrefix is the reverse of readPrefix.
func writePrefix(w *huffcodec.Writer, t *tables.Layout, from, to *tables.Values, zeroBit bool) {
	n := len(t.Wire)
	for n > 0 && from[n-1] == to[n-1] {
		n--
	}
	w.Bits(uint32(n), 8)
	for i := range t.Wire[:n] {
		if w.Bit(from[i] != to[i]); from[i] == to[i] {
			continue
		}
		if zeroBit {
			if w.Bit(to[i] != 0); to[i] == 0 {
				continue
			}
		}
		writeValue(w, t.Wire[i].Bits, to[i])
	}
}

// writeChosen writes a bit for every field, and the value where it changed: the player state of 43 and 48.
func writeChosen(w *huffcodec.Writer, t *tables.Layout, from, to *tables.Values) {
	for i := range t.Wire {
		if w.Bit(from[i] != to[i]); from[i] != to[i] {
			writeValue(w, t.Wire[i].Bits, to[i])
		}
	}
}

// writeMasked is the reverse of readMasked, with the mask written out.
func writeMasked(w *huffcodec.Writer, t *tables.Layout, from, to *tables.Values, tail int) {
	var mask uint64
	for i := range t.Wire {
		if from[i] != to[i] {
			mask |= 1 << i
		}
	}
	w.Bits(uint32(presetMasks)-1, 5)
	w.Bits(uint32(mask)&(1<<24-1), 24)
	w.Bits(uint32(mask>>24)&(1<<24-1), 24)
	w.Bits(uint32(mask>>48), tail)
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		writeValue(w, t.Wire[i].Bits, to[i])
	}
}

// writeValue is the reverse of readValue.
func writeValue(w *huffcodec.Writer, width int8, v uint32) {
	switch {
	case width == 0:
		writeFloat(w, v)
	case width < 0:
		w.Bits(v, int(-width))
	default:
		w.Bits(v, int(width))
	}
}

// writeFloat is the reverse of readFloat. Values without a short form, among them minus zero, keep all their
// bits.
func writeFloat(w *huffcodec.Writer, v uint32) {
	f := math.Float32frombits(v)
	if f >= -floatIntBias && f < floatIntBias && math.Float32bits(float32(int32(f))) == v {
		w.Bit(false)
		w.Bits(uint32(int32(f)+floatIntBias), floatIntBits)
		return
	}
	w.Bit(true)
	w.Bits(v, 32)
}
