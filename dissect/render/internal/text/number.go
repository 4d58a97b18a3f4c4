package text

import (
	"math"
	"slices"
	"strconv"
)

// digitPairs holds "00" to "99".
const digitPairs = "00010203040506070809101112131415161718192021222324252627282930313233343536373839" +
	"40414243444546474849505152535455565758596061626364656667686970717273747576777879" +
	"8081828384858687888990919293949596979899"

// AppendUint appends v in decimal.
func AppendUint(dst []byte, v uint64) []byte {
	if v < 10 {
		return append(dst, byte('0'+v))
	}
	n := 2
	for limit := uint64(100); v >= limit && n < 19; limit *= 10 {
		n++
	}
	if v >= 1e19 {
		n = 20
	}
	end := len(dst) + n
	dst = slices.Grow(dst, n)[:end]
	for v >= 100 {
		q := v / 100
		r := 2 * (v - 100*q)
		end -= 2
		dst[end], dst[end+1] = digitPairs[r], digitPairs[r+1]
		v = q
	}
	if v >= 10 {
		dst[end-2], dst[end-1] = digitPairs[2*v], digitPairs[2*v+1]
	} else {
		dst[end-1] = byte('0' + v)
	}
	return dst
}

// AppendInt appends v in decimal.
func AppendInt(dst []byte, v int64) []byte {
	if v < 0 {
		return AppendUint(append(dst, '-'), -uint64(v))
	}
	return AppendUint(dst, uint64(v))
}

// maxExactFloat is the limit up to which a float32 can hold every whole number.
const maxExactFloat = 1 << 24

// maxEighth is the limit of the multiples of 1/8 whose exact decimal form is the shortest one: below it floats
// are so close (2^-7) that no decimal with fewer places reads back as the same float.
const maxEighth = 1 << 16

// eighths are the decimals of 1/8 to 7/8.
var eighths = [8]string{1: ".125", ".25", ".375", ".5", ".625", ".75", ".875"}

// AppendFloat appends the shortest decimal that reads back as the same float32, as a JSON number: with
// an exponent below 1e-6 and from 1e21 on, as ECMAScript and encoding/json write. A value that is not
// finite becomes nan, inf or -inf, and finite is false.
func AppendFloat(dst []byte, f float32) (out []byte, finite bool) {
	abs := f
	if f < 0 {
		abs = -f
	}
	if abs < maxExactFloat {
		whole := int32(f)
		if float32(whole) == f && (whole != 0 || !math.Signbit(float64(f))) {
			return AppendInt(dst, int64(whole)), true
		}
	}
	if abs < maxEighth {
		// Coordinates are often multiples of 1/8, where bodies come to rest.
		if n := uint32(abs * 8); float32(n) == abs*8 && n != 0 {
			if f < 0 {
				dst = append(dst, '-')
			}
			return append(AppendUint(dst, uint64(n>>3)), eighths[n&7]...), true
		}
	}
	switch {
	case f != f:
		return append(dst, "nan"...), false
	case f > math.MaxFloat32:
		return append(dst, "inf"...), false
	case f < -math.MaxFloat32:
		return append(dst, "-inf"...), false
	}
	format := byte('f')
	if abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	dst = strconv.AppendFloat(dst, float64(f), format, -1, 32)
	if n := len(dst); format == 'e' && dst[n-4] == 'e' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1] // e-09 is e-9
		dst = dst[:n-1]
	}
	return dst, true
}

// HexDigits are the digits of lower-case hexadecimal.
const HexDigits = "0123456789abcdef"

// AppendHexDigits appends b in lower-case hexadecimal.
func AppendHexDigits(dst, b []byte) []byte {
	for _, c := range b {
		dst = append(dst, HexDigits[c>>4], HexDigits[c&15])
	}
	return dst
}

// AppendJSONFloat appends a float as a number, or as a string where it is not finite.
func AppendJSONFloat(dst []byte, v float32) []byte {
	mark := len(dst)
	dst, finite := AppendFloat(dst, v)
	if finite {
		return dst
	}
	dst = append(dst, '"', '"')
	copy(dst[mark+1:], dst[mark:len(dst)-2])
	dst[mark] = '"'
	return dst
}
