package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
)

// A TimeFormat says how text output writes the time of a packet, in the words of tshark's -t. The zero
// value is seconds since the first packet with six decimals.
type TimeFormat struct {
	style timeStyle
	local *time.Location // of a, ad and adoy; nil: UTC
	extra int8           // decimals beyond six
}

type timeStyle uint8

const (
	relative timeStyle = iota
	clockTime
	dateTime
	dayOfYear
	utcClock
	utcDate
	utcDayOfYear
	epoch
	delta
)

// timeStyles are tshark's words (man page of tshark, option -t).
var timeStyles = [...]string{
	relative: "r", clockTime: "a", dateTime: "ad", dayOfYear: "adoy",
	utcClock: "u", utcDate: "ud", utcDayOfYear: "udoy", epoch: "e", delta: "d",
}

// ParseTimeFormat reads the value of -t: r, a, ad, adoy, u, ud, udoy, e or d, optionally followed by a
// point and the number of decimals. local is the time zone of a, ad and adoy. tshark's dd, the time
// since the packet displayed before, is refused: a record does not know what was displayed.
func ParseTimeFormat(s string, local *time.Location) (TimeFormat, error) {
	f := TimeFormat{local: local}
	word, decimals, given := strings.Cut(s, ".")
	if given {
		if len(decimals) != 1 || decimals[0] < '0' || decimals[0] > '9' {
			return f, fmt.Errorf("time format %q: decimals must be 0 to 9", s)
		}
		f.extra = int8(decimals[0]-'0') - 6
	}
	for i, known := range timeStyles {
		if word == known || word == "" && given && i == 0 {
			f.style = timeStyle(i)
			return f, nil
		}
	}
	return f, fmt.Errorf("time format %q: want r, a, ad, adoy, u, ud, udoy, e or d, with .N for N decimals", s)
}

// Delta reports whether the format needs the time of the packet before.
func (f TimeFormat) Delta() bool { return f.style == delta }

func (f TimeFormat) decimals() int { return int(6 + f.extra) }

// width is the usual width of a time in cells.
func (f TimeFormat) width() int {
	w := 4 // seconds of a capture of some hours
	switch f.style {
	case clockTime, utcClock:
		w = len("07:11:46")
	case dateTime, utcDate:
		w = len("2026-11-21 07:11:46")
	case dayOfYear, utcDayOfYear:
		w = len("2026/325 07:11:46")
	case epoch:
		w = len("1795245106")
	}
	if d := f.decimals(); d > 0 {
		w += 1 + d
	}
	return w
}

// append appends the time of a record that has one. previous is the time of the packet before.
func (f TimeFormat) append(dst []byte, rec *dissect.Record, previous int64) []byte {
	switch f.style {
	case relative:
		return appendSeconds(dst, rec.Time, rec.FirstTime, f.decimals())
	case delta:
		return appendSeconds(dst, rec.Time, previous, f.decimals())
	case epoch:
		return appendSeconds(dst, rec.Time, 0, f.decimals())
	}
	t := time.Unix(0, rec.Time).UTC()
	if f.local != nil && (f.style == clockTime || f.style == dateTime || f.style == dayOfYear) {
		t = t.In(f.local)
	}
	switch f.style {
	case dateTime, utcDate:
		dst = append(appendDate(dst, t), ' ')
	case dayOfYear, utcDayOfYear:
		day := t.YearDay()
		dst = append(appendPadded(dst, t.Year(), 4), '/')
		dst = append(appendPadded(dst, day, 3), ' ')
	}
	return appendClock(dst, t, f.decimals())
}

// appendDate appends 2026-11-21.
func appendDate(dst []byte, t time.Time) []byte {
	year, month, day := t.Date()
	dst = append(appendPadded(dst, year, 4), '-')
	dst = append(appendPadded(dst, int(month), 2), '-')
	return appendPadded(dst, day, 2)
}

// appendClock appends 07:11:46.447123 with a number of decimals.
func appendClock(dst []byte, t time.Time, decimals int) []byte {
	hour, minute, second := t.Clock()
	dst = append(appendPadded(dst, hour, 2), ':')
	dst = append(appendPadded(dst, minute, 2), ':')
	dst = appendPadded(dst, second, 2)
	return appendFraction(dst, uint32(t.Nanosecond()), decimals)
}

// appendSeconds appends the seconds between two times in Unix nanoseconds; further decimals are cut.
func appendSeconds(dst []byte, at, since int64, decimals int) []byte {
	span := uint64(at) - uint64(since) // right for any two times
	if at < since {
		dst = append(dst, '-')
		span = -span
	}
	dst = appendUint(dst, span/1e9)
	return appendFraction(dst, uint32(span%1e9), decimals)
}

func appendFraction(dst []byte, nanoseconds uint32, decimals int) []byte {
	if decimals <= 0 {
		return dst
	}
	dst = append(dst, '.')
	from := len(dst)
	dst = appendPadded(dst, int(nanoseconds), 9)
	return dst[:from+decimals]
}

// appendPadded appends a number that is not negative with zeros in front.
func appendPadded(dst []byte, v, width int) []byte {
	from := len(dst)
	dst = append(dst, "000000000"[:width]...)
	for i := len(dst) - 1; i >= from && v > 0; i-- {
		dst[i] = byte('0' + v%10)
		v /= 10
	}
	return dst
}
