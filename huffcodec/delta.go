package huffcodec

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Widths of a float in a delta: a small whole number takes 13 bits, any other all 32. FLOAT_INT_BITS in
// code/qcommon/msg.c.
const (
	floatBits    = 32
	floatIntBits = 13
	floatIntBias = 1 << (floatIntBits - 1)
)

// A DeltaField describes how a field of a delta is coded after the bit that says it changed.
type DeltaField struct {
	steps [4]deltaStep // by the two bits that follow
	bit   uint8
}

// A deltaStep is what a field turns out to be: bits to skip, bits as they are, symbols, and what to make
// of it.
type deltaStep struct {
	skip, raw, symbols uint8
	unsigned           uint8 // bits that the number is short of 32, if it has a sign
	small              bool  // a float that is a small whole number
}

// NewDeltaField describes a field as the engine's netField_t does: width is its bits, negative if it has a
// sign, 0 for a float. With zeroBit a bit says first whether the value is zero. bit is the field's place
// in the mask that Delta gives.
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

// A DeltaSpan holds the positions and sizes in bits of a delta's fields, by index.
type DeltaSpan struct {
	Bit  [64]uint32
	Size [64]uint8
}

// Delta reads the fields of a delta in the [Static] coding: for each a bit that says whether it changed,
// and if it did its value. Changed values go to their index in values, numbers with their sign in 32 bits,
// floats as their bits; the others stay as they are. There are 64 fields at most. With a span it notes
// where each value stands.
//
// It gives the mask of the changed fields, and how many fields were read: fewer than all after a failure
// inside a value, whose index that is. MSG_ReadDeltaEntity and MSG_ReadDeltaPlayerstate, code/qcommon/msg.c.
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
			if left <= count { // it reaches to the end
				buf >>= left & 63
				count -= left
				break
			}
			i += count - 1 // it goes on beyond what is loaded
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

		// A value takes 46 bits at most, a loaded buffer has 55.
		if at := end >> 3; at < at+8 && at+8 <= uint(len(data)) { // as in Bits
			buf |= binary.LittleEndian.Uint64(data[at:at+8]) << (count & 63)
			fresh := (maxCount - count) &^ 7
			count += fresh
			end += fresh
		} else {
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
		// Most values have one symbol or none; two of three steps stand here for that, and not in the loop.
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

// failDelta reads a value that cannot be read, for the place and the reason.
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
