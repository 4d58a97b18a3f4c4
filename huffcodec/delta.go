package huffcodec

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Widths of a float in a delta: 13 bits for a small integer, 32 for anything else. FLOAT_INT_BITS in
// code/qcommon/msg.c.
const (
	floatBits    = 32
	floatIntBits = 13
	floatIntBias = 1 << (floatIntBits - 1)
)

// A DeltaField describes how a field of a delta is coded after its change bit.
type DeltaField struct {
	steps [4]deltaStep // indexed by the two bits that follow
	bit   uint8
}

// A deltaStep is how to read one form of a field: how many bits to skip, how many raw bits and
// symbols follow, and how they become a value.
type deltaStep struct {
	skip, raw, symbols uint8
	unsigned           uint8 // 32 less the width, for a signed number
	small              bool  // a float sent as a small integer
}

// NewDeltaField describes a field as the engine's netField_t does: width is its width in bits,
// negative for a signed number, 0 for a float. If zeroBit is set, a bit before the value shows
// whether it is zero. bit is the field's position in the mask that Delta returns.
func NewDeltaField(width int, zeroBit bool, bit int) DeltaField {
	f := DeltaField{bit: uint8(bit)}
	for next := range f.steps {
		s, follows := &f.steps[next], next
		if zeroBit {
			s.skip, follows = 1, next>>1
			if next&1 == 0 {
				continue
			}
		}
		n := max(width, -width)
		if width == 0 {
			s.skip++
			if n = floatBits; follows&1 == 0 {
				n, s.small = floatIntBits, true
			}
		}
		s.raw, s.symbols = uint8(n&7), uint8(n>>3)
		if width < 0 {
			s.unsigned = uint8(MaxBits - n)
		}
	}
	return f
}

// A DeltaSpan holds the positions and sizes of a delta's fields in bits, by field index.
type DeltaSpan struct {
	Bit  [64]uint32
	Size [64]uint8
}

// Delta reads the fields of a delta in the [Static] coding: for each field a bit that shows whether
// it changed, then the value if it did. Changed values are stored in values at their index, signed
// numbers extended to 32 bits, floats as their IEEE bits; other values are left alone. There are at
// most 64 fields. If span is not nil, Delta records the position of each value in it.
//
// It returns the mask of the changed fields and the number of fields read. After a failure the
// latter is the index of the field that could not be read. MSG_ReadDeltaEntity and
// MSG_ReadDeltaPlayerstate, code/qcommon/msg.c.
func (r *Reader) Delta(fields []DeltaField, values []uint32, span *DeltaSpan) (changed uint64, read int) {
	if r.fault != noFault {
		return 0, len(fields)
	}
	values = values[:len(fields)]
	data, total := r.data, uint(len(fields))
	buf, count, end := r.buf>>1, r.count, r.end
	for i := uint(0); i < total; i++ {
		// A run of unchanged fields, and the bit that ends it.
		run := uint(bits.TrailingZeros64(buf))
		if left := total - i; run >= min(count, left) {
			if left <= count { // the run reaches the last field
				buf >>= left & 63
				count -= left
				break
			}
			i += count - 1 // the run continues beyond the loaded bits
			if buf, count, end = r.load(0, 0, end); count == 0 {
				r.seek(end)
				r.Bit() // fails
				return changed, int(total)
			}
			continue
		}
		i += run
		buf >>= run & 63
		buf >>= 1
		count -= run + 1

		// A value takes at most 46 bits; a loaded buffer has 55.
		if at := end >> 3; at < at+8 && at+8 <= uint(len(data)) { // as in Bits
			buf |= binary.LittleEndian.Uint64(data[at:at+8]) << (count & 63)
			fresh := (maxCount - count) &^ 7
			count += fresh
			end += fresh
		} else if end < uint(r.size) {
			buf, count, end = r.load(buf, count, end)
		}
		f := &fields[i]
		s := &f.steps[buf&3]
		at := end - count
		buf >>= s.skip & 63
		raw := uint(s.raw)
		v := uint32(buf & (1<<(raw&63) - 1))
		buf >>= raw & 63
		count -= uint(s.skip) + raw
		// Most values have at most one symbol, so these steps are unrolled here instead of running
		// through the loop.
		if s.symbols > 0 {
			e := uint(decodeTable[buf&codeMask])
			buf >>= e & 63
			count -= e & lengthMask
			flags := e
			v |= uint32(e>>symbolShift) << (raw & 31)
			if s.symbols > 1 {
				e = uint(decodeTable[buf&codeMask])
				buf >>= e & 63
				count -= e & lengthMask
				flags |= e
				v |= uint32(e>>symbolShift) << ((raw + 8) & 31)
				for n := uint(2); n < uint(s.symbols); n++ {
					e = uint(decodeTable[buf&codeMask])
					buf >>= e & 63
					count -= e & lengthMask
					flags |= e
					v |= uint32(e>>symbolShift) << ((raw + n<<3) & 31)
				}
			}
			count |= flags & unusedCode
		}
		if count&unusedCode != 0 {
			r.seek(at)
			r.failDelta(s)
			return changed, int(i)
		}
		v = uint32(int32(v<<(s.unsigned&31)) >> (s.unsigned & 31))
		if s.small {
			v = math.Float32bits(float32(int32(v) - floatIntBias))
		}
		values[i] = v
		if changed |= 1 << (f.bit & 63); span != nil {
			span.Bit[i&63], span.Size[i&63] = uint32(at), uint8(end-count-at)
		}
	}
	r.buf, r.count, r.end = buf<<1, count, end
	return changed, int(total)
}

// failDelta reads a value that is known to fail, to record the position and the reason.
func (r *Reader) failDelta(s *deltaStep) {
	for range s.skip {
		r.Bit()
	}
	r.Bits(int(s.raw) + int(s.symbols)<<3)
}

// seek moves to a position inside the data, in bits.
func (r *Reader) seek(at uint) {
	r.buf, r.count, r.end = 0, 0, at&^7
	if at&7 != 0 {
		r.refill()
		r.buf >>= at & 7
		r.count -= at & 7
	}
}
