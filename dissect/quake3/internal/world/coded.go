package world

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// readCoded reads the first n fields of a delta against a table with codings into state. Afterwards w.spans has the
// positions of the changed fields. A step from a value that is not known leaves the field unknown.
func readCoded(t *tables.Layout, d *decode.Decoder, state *tables.State, w *wideDelta, n int) {
	r := d.Reader()
	for i := range t.Values[:n] {
		if !d.NamedBit(t.Wire[i].Name) {
			continue
		}
		place, at := t.Wire[i].Output, r.Pos()
		base, known := state.At(place)
		v, known := ReadValue(r, t.Values[i], base, known, w.frameTime)
		if !d.Check(t.Wire[i].Field) {
			return
		}
		if d.Framed() {
			frameCoded(d, t.Values[i].Coding, at, known)
		}
		if known {
			state.Put(place, v)
			w.spans[place] = tables.Span{Bit: uint32(at), Size: uint8(r.Pos() - at)}
		}
	}
	d.Check(nil)
}

// UnknownFrameTime is not a number: values that are reckoned with it are unknown.
var UnknownFrameTime = float32(math.NaN())

// ReadValue reads a changed value in its coding. base is the value of the field before, if known is set. It reports
// whether the value is known: MSG_ReadDeltaEntity and MSG_ReadDeltaPlayerstate, code/qcommon/msg.cpp of openmohaa.
func ReadValue(r *huffcodec.Reader, v tables.Value, base uint32, known bool, frameTime float32) (uint32, bool) {
	n := int(v.Bits)
	switch v.Coding {
	case tables.ValueIntZero, tables.ValueIntZigzag, tables.ValueFloatZero, tables.ValueFloatRotated:
		if !r.Bit() {
			return 0, true
		}
	case tables.ValueTimeFrame:
		if !r.Bit() {
			return math.Float32bits(math.Float32frombits(base) + frameTime), known && frameTime == frameTime
		}
	}
	var f float32
	switch v.Coding {
	case tables.ValueInt, tables.ValueIntZero:
		u := r.Bits(n)
		if v.Signed {
			u = uint32(signExtend(u, n))
		}
		return u, true
	case tables.ValueIntZigzag:
		u := r.Bits(n)
		if v.Signed {
			u = uint32(zigzag(u))
		}
		return u, true
	case tables.ValueFloat, tables.ValueFloatZero:
		return readFloat(r), true
	case tables.ValueFloatRotated:
		if !r.Bit() {
			f = float32(zigzag(r.Bits(floatIntBits)))
			break
		}
		u := r.Bits(32)
		return (u+rotatedBias)>>1 | u<<31, true
	case tables.ValueAngleSignFirst:
		negative := false
		if v.Signed {
			negative = r.Bit()
			n--
		}
		f = angle(r.Bits(n), n, negative)
	case tables.ValueAngle:
		u, negative := r.Bits(n), false
		if v.Signed {
			n--
			negative = u>>n != 0
		}
		f = angle(u&(1<<n-1), n, negative)
	case tables.ValueCoord:
		f = readMagnitude(r, coordBits) / coordUnit
	case tables.ValueVelocity:
		f = readMagnitude(r, velocityBits) / velocityUnit
	case tables.ValueCoordStep:
		return readStep(r, base, known, &coordStep)
	case tables.ValueCoordExtraStep:
		return readStep(r, base, known, &coordExtraStep)
	case tables.ValueTime, tables.ValueTimeFrame, tables.ValueScale:
		f = float32(r.Bits(n)) / 100
	case tables.ValueFraction:
		f = float32(r.Bits(n)) / float32(uint32(1)<<n-1)
	}
	return math.Float32bits(f), true
}

// Sizes of the codings, code/qcommon/msg.cpp of openmohaa.
const (
	coordBits, coordUnit       = 19, 16
	velocityBits, velocityUnit = 17, 8
	rotatedBias                = 0x7a000000 // makes the exponents of usual floats small
)

// zigzag returns the number whose sign is in the lowest bit: 0, -1, 1, -2, 2...
func zigzag(u uint32) int32 { return int32(u>>1) ^ -int32(u&1) }

// readMagnitude reads a number of n bits whose highest bit is the sign.
func readMagnitude(r *huffcodec.Reader, n int) float32 {
	u := r.Bits(n)
	m := float32(u & (1<<(n-1) - 1))
	if u>>(n-1) != 0 {
		return -m
	}
	return m
}

// angle returns the degrees of an angle with n bits.
func angle(m uint32, n int, negative bool) float32 {
	f := float32(float64(m) * 360 / float64(uint32(1)<<n))
	if negative {
		return -f
	}
	return f
}

// A stepCoding is a coordinate as a step from the base, or as a whole number of units above the lowest.
type stepCoding struct {
	step, whole int // bits of each form
	unit        float32
	bias        int32
}

var (
	coordStep      = stepCoding{step: 8, whole: 16, unit: 4, bias: 1 << 15}
	coordExtraStep = stepCoding{step: 10, whole: 18, unit: 16, bias: 1 << 17}
)

// readStep reads a coordinate: a step of at least one unit from the base, with the sign in the lowest bit, or all of
// it.
func readStep(r *huffcodec.Reader, base uint32, known bool, c *stepCoding) (uint32, bool) {
	var units int32
	if r.Bit() {
		u := r.Bits(c.step)
		step := int32(u>>1) + 1
		if u&1 != 0 {
			step = -step
		}
		f := math.Float32frombits(base)
		units = int32(math.Round(float64(f*c.unit+float32(c.bias)))) + step
	} else {
		units, known = int32(r.Bits(c.whole)), true
	}
	return math.Float32bits(float32(units-c.bias) / c.unit), known
}
