package world

import (
	"math"
	"math/bits"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// writeCoded is the reverse of readCoded for fields that are written whole. A value that its coding cannot hold, such
// as a time in an animation that moved on frame by frame, becomes the nearest one that it can, as in a full snapshot of
// the server.
func writeCoded(w *huffcodec.Writer, t *tables.Layout, from, to *tables.State) {
	writeChanged(w, t, from, to, func(i int, v uint32) { writeCodedValue(w, t.Values[i], v) })
}

// writeCodedValue is the reverse of ReadValue.
func writeCodedValue(w *huffcodec.Writer, c tables.Value, v uint32) {
	f, n := math.Float32frombits(v), int(c.Bits)
	switch c.Coding {
	case tables.ValueIntZero, tables.ValueIntZigzag, tables.ValueFloatZero, tables.ValueFloatRotated:
		if w.Bit(v != 0); v == 0 {
			return
		}
	}
	switch c.Coding {
	case tables.ValueIntZigzag:
		if c.Signed {
			v = toZigzag(int32(v))
		}
		w.Bits(v, n)
	case tables.ValueInt, tables.ValueIntZero:
		w.Bits(v, n)
	case tables.ValueFloat, tables.ValueFloatZero:
		writeFloat(w, v)
	case tables.ValueFloatRotated:
		writeRotated(w, v)
	case tables.ValueAngleSignFirst:
		if c.Signed {
			w.Bit(math.Signbit(float64(f)))
			n--
		}
		w.Bits(fromAngle(f, n), n)
	case tables.ValueAngle:
		if !c.Signed {
			w.Bits(fromAngle(f, n), n)
			break
		}
		w.Bits(fromAngle(f, n-1)|v>>31<<(n-1), n)
	case tables.ValueCoord:
		writeMagnitude(w, f*coordUnit, coordBits)
	case tables.ValueVelocity:
		writeMagnitude(w, f*velocityUnit, velocityBits)
	case tables.ValueCoordStep:
		writeWhole(w, f, &coordStep)
	case tables.ValueCoordExtraStep:
		writeWhole(w, f, &coordExtraStep)
	case tables.ValueTimeFrame:
		w.Bit(true)
		w.Bits(nearest(f*100, n), n)
	case tables.ValueTime, tables.ValueScale:
		w.Bits(nearest(f*100, n), n)
	case tables.ValueFraction:
		w.Bits(nearest(f*float32(uint32(1)<<n-1), n), n)
	}
}

// nearest returns the whole number of n bits that is nearest to a float.
func nearest(f float32, n int) uint32 {
	most := float64(uint32(1)<<n - 1)
	if !(f > 0) {
		return 0
	}
	return uint32(min(math.Round(float64(f)), most))
}

// toZigzag is the reverse of zigzag.
func toZigzag(v int32) uint32 { return uint32(v<<1) ^ uint32(v>>31) }

// fromAngle returns the number of n bits for degrees, without their sign.
func fromAngle(f float32, n int) uint32 {
	turn := math.Abs(float64(f)) / 360 * float64(uint32(1)<<n)
	return nearest(float32(turn), n)
}

// writeMagnitude is the reverse of readMagnitude.
func writeMagnitude(w *huffcodec.Writer, f float32, n int) {
	w.Bits(nearest(float32(math.Abs(float64(f))), n-1)|math.Float32bits(f)>>31<<(n-1), n)
}

// writeRotated writes a float whose sign is in the lowest bit, as a whole number if it is a small one.
func writeRotated(w *huffcodec.Writer, v uint32) {
	f := math.Float32frombits(v)
	if f >= -floatIntBias && f < floatIntBias && math.Float32bits(float32(int32(f))) == v {
		w.Bit(false)
		w.Bits(toZigzag(int32(f)), floatIntBits)
		return
	}
	w.Bit(true)
	w.Bits((v<<1|v>>31)-rotatedBias, 32)
}

// writeWhole writes a coordinate that is no step.
func writeWhole(w *huffcodec.Writer, f float32, c *stepCoding) {
	w.Bit(false)
	w.Bits(nearest(f*c.unit+float32(c.bias), c.whole), c.whole)
}

// writeActiveArrays is the reverse of readActiveArrays.
func (p *Player) writeActiveArrays(w *huffcodec.Writer) {
	if p.Extra == nil {
		p = &Player{Arrays: p.Arrays, Extra: &ExtraArrays{}}
	}
	var masks [len(activeArrays)]uint32
	all := uint32(0)
	for i := range activeArrays {
		for index := range activeArrays[i].count {
			if values, _ := p.active(i, index); values[index%arrayLength] != 0 {
				masks[i] |= 1 << index
			}
		}
		all |= masks[i]
	}
	if w.Bit(all != 0); all == 0 {
		return
	}
	for i, mask := range masks {
		if w.Bit(mask != 0); mask == 0 {
			continue
		}
		w.Bits(mask, activeArrays[i].count)
		for ; mask != 0; mask &= mask - 1 {
			index := bits.TrailingZeros32(mask)
			values, _ := p.active(i, index)
			w.Bits(uint32(values[index%arrayLength]), 16)
		}
	}
}
