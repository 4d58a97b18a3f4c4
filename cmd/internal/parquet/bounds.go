package parquet

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/parquet-go/parquet-go/format"

	"github.com/q3dissect/q3dissect/dissect/rows"
)

// boundBytes is the longest text that is the least or greatest value in the statistics of a column chunk.
const boundBytes = 64

// bounds are the least and the greatest value of a column chunk, which readers skip row groups by: min_value and
// max_value of Statistics in parquet.thrift, in the order of ColumnOrder's TypeDefinedOrder.
type bounds struct {
	any       bool
	least     int64
	greatest  int64
	low, high float64
	first     []byte
	last      []byte
}

func (b *bounds) reset() { *b = bounds{first: b.first[:0], last: b.last[:0]} }

func (b *bounds) ints(values []int64) {
	if len(values) == 0 {
		return
	}
	if !b.any {
		b.any, b.least, b.greatest = true, values[0], values[0]
	}
	least, greatest := b.least, b.greatest
	for _, v := range values {
		least, greatest = min(least, v), max(greatest, v)
	}
	b.least, b.greatest = least, greatest
}

// uints is ints for numbers without a sign.
func (b *bounds) uints(values []int64) {
	for _, v := range values {
		if !b.any {
			b.any, b.least, b.greatest = true, v, v
		}
		b.least = int64(min(uint64(b.least), uint64(v)))
		b.greatest = int64(max(uint64(b.greatest), uint64(v)))
	}
}

// bools adds values of 0 and 1.
func (b *bounds) bools(values []byte) {
	for _, v := range values {
		if !b.any {
			b.any, b.least, b.greatest = true, int64(v), int64(v)
		}
		b.least, b.greatest = min(b.least, int64(v)), max(b.greatest, int64(v))
	}
}

// float adds a number. One that is not a number has no place in the order.
func (b *bounds) float(v float64) {
	switch {
	case math.IsNaN(v):
	case !b.any:
		b.any, b.low, b.high = true, v, v
	default:
		b.low, b.high = min(b.low, v), max(b.high, v)
	}
}

// texts adds strings in the encoding PLAIN.
func (b *bounds) texts(plain []byte) {
	for len(plain) > 0 {
		end := 4 + binary.LittleEndian.Uint32(plain)
		v := plain[4:end]
		plain = plain[end:]
		if !b.any {
			b.any, b.first, b.last = true, append(b.first[:0], v...), append(b.last[:0], v...)
			continue
		}
		if bytes.Compare(v, b.first) < 0 {
			b.first = append(b.first[:0], v...)
		} else if bytes.Compare(v, b.last) > 0 {
			b.last = append(b.last[:0], v...)
		}
	}
}

// put adds the bounds to the statistics of a chunk of values of a type. Zeros get the signs that include each other.
func (b *bounds) put(s *format.Statistics, t rows.Type) {
	if !b.any {
		return
	}
	if b.low == 0 {
		b.low = math.Copysign(0, -1)
	}
	if b.high == 0 {
		b.high = 0
	}
	switch t {
	case rows.Bool:
		s.MinValue, s.MaxValue = []byte{byte(b.least)}, []byte{byte(b.greatest)}
	case rows.Float:
		s.MinValue = binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(b.low)))
		s.MaxValue = binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(b.high)))
	case rows.Double:
		s.MinValue = binary.LittleEndian.AppendUint64(nil, math.Float64bits(b.low))
		s.MaxValue = binary.LittleEndian.AppendUint64(nil, math.Float64bits(b.high))
	case rows.String:
		if len(b.first) <= boundBytes && len(b.last) <= boundBytes {
			s.MinValue, s.MaxValue = append([]byte{}, b.first...), append([]byte{}, b.last...)
		}
	default:
		s.MinValue = binary.LittleEndian.AppendUint64(nil, uint64(b.least))
		s.MaxValue = binary.LittleEndian.AppendUint64(nil, uint64(b.greatest))
	}
}
