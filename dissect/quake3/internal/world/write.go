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
	w.Bits(uint32(number), EntityNumBits)
	w.Bit(false) // not removed
	if from.Values == to.Values {
		w.Bit(false)
		return
	}
	w.Bit(true)
	if gen.Old {
		writeMasked(w, gen.Entity, &from.Values, &to.Values, gen.MaskTail)
	} else {
		writePrefix(w, gen.Entity, &from.Values, &to.Values, true)
	}
}

// WritePlayer writes a player state as a delta of the all-zero one: MSG_WriteDeltaPlayerstate in
// code/qcommon/msg.c.
func WritePlayer(w *huffcodec.Writer, gen *tables.Generation, p *Player) {
	var zero tables.Values
	var masks [statArrays]uint16
	any := false
	for i := range p.Arrays {
		for j, v := range p.Arrays[i] {
			if v != 0 {
				masks[i] |= 1 << j
				any = true
			}
		}
	}
	if gen.Old {
		writeChosen(w, gen.Player, &zero, &p.Values)
	} else {
		writePrefix(w, gen.Player, &zero, &p.Values, false)
		if w.Bit(any); !any {
			return
		}
	}
	for i, mask := range masks {
		if w.Bit(mask != 0); mask == 0 {
			continue
		}
		w.Bits(uint32(mask), arrayLength)
		for m := mask; m != 0; m &= m - 1 {
			w.Bits(uint32(p.Arrays[i][bits.TrailingZeros16(m)]), playerArrays[i].Children[0].Bits)
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

// writeFloat is the reverse of readFloat. What the short form has no place for keeps its bits, minus zero
// among it.
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
