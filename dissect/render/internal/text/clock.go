package text

import (
	"slices"
	"time"
)

// AppendDate appends 2026-11-21.
func AppendDate(dst []byte, t time.Time) []byte {
	year, month, day := t.Date()
	dst = append(AppendPadded(dst, year, 4), '-')
	dst = append(AppendPadded(dst, int(month), 2), '-')
	return AppendPadded(dst, day, 2)
}

// AppendClock appends 07:11:46.447123 with a number of decimals.
func AppendClock(dst []byte, t time.Time, decimals int) []byte {
	hour, minute, second := t.Clock()
	dst = append(AppendPadded(dst, hour, 2), ':')
	dst = append(AppendPadded(dst, minute, 2), ':')
	dst = AppendPadded(dst, second, 2)
	return appendFraction(dst, uint32(t.Nanosecond()), decimals)
}

// AppendSeconds appends the seconds between two times in Unix nanoseconds; further decimals are cut.
func AppendSeconds(dst []byte, at, since int64, decimals int) []byte {
	span := uint64(at) - uint64(since) // right for any two times
	if at < since {
		dst = append(dst, '-')
		span = -span
	}
	dst = AppendUint(dst, span/1e9)
	return appendFraction(dst, uint32(span%1e9), decimals)
}

func appendFraction(dst []byte, nanoseconds uint32, decimals int) []byte {
	if decimals <= 0 {
		return dst
	}
	dst = append(dst, '.')
	for range 9 - decimals {
		nanoseconds /= 10
	}
	return AppendPadded(dst, int(nanoseconds), decimals)
}

// AppendPadded appends a number that is not negative with zeros in front.
func AppendPadded(dst []byte, v, width int) []byte {
	if width == 2 && uint(v) < 100 {
		return append(dst, digitPairs[2*v], digitPairs[2*v+1])
	}
	return appendPadded(dst, uint(v), width)
}

func appendPadded(dst []byte, v uint, width int) []byte {
	from := len(dst)
	dst = slices.Grow(dst, width)[:from+width]
	i := len(dst)
	for ; i >= from+2; i -= 2 {
		q := v / 100
		r := 2 * (v - 100*q)
		dst[i-2], dst[i-1] = digitPairs[r], digitPairs[r+1]
		v = q
	}
	if i > from {
		dst[from] = byte('0' + v%10)
	}
	return dst
}
