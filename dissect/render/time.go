package render

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/suggest"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
)

// A TimeFormat is the format of a packet's time in text output, named like tshark's -t. The zero value is
// seconds since the first packet with six decimals. Times of day end with their zone: Z or +01:00.
type TimeFormat struct {
	style  timeStyle
	local  *time.Location // of a, ad and adoy; nil: UTC
	extra  int8           // decimals beyond six
	noZone bool
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

// TimeFormats returns the words that ParseTimeFormat reads.
func TimeFormats() []string { return slices.Clone(timeStyles[:]) }

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
	return f, fmt.Errorf("time format %q: %s, with .N for N decimals", s, suggest.Choices(word, TimeFormats()))
}

// Local reports whether times of day are those of the time zone that was given.
func (f TimeFormat) Local() bool {
	return f.style == clockTime || f.style == dateTime || f.style == dayOfYear
}

// WithoutZone returns the format without the zone of times of day, as tshark has them.
func (f TimeFormat) WithoutZone() TimeFormat {
	f.noZone = true
	return f
}

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
	switch {
	case f.noZone || f.style == relative || f.style == epoch || f.style == delta:
	case f.Local() && f.local != nil && f.local != time.UTC:
		w += len("+01:00")
	default:
		w += len("Z")
	}
	return w
}

// Append appends the time of a record that has one.
func (f TimeFormat) Append(dst []byte, rec *dissect.Record) []byte {
	switch f.style {
	case relative:
		return text.AppendSeconds(dst, rec.Time, rec.FirstTime, f.decimals())
	case delta:
		return text.AppendSeconds(dst, rec.Time, rec.Previous, f.decimals())
	case epoch:
		return text.AppendSeconds(dst, rec.Time, 0, f.decimals())
	}
	t := time.Unix(0, rec.Time).UTC()
	if f.local != nil && f.Local() {
		t = t.In(f.local)
	}
	switch f.style {
	case dateTime, utcDate:
		dst = append(text.AppendDate(dst, t), ' ')
	case dayOfYear, utcDayOfYear:
		day := t.YearDay()
		dst = append(text.AppendPadded(dst, t.Year(), 4), '/')
		dst = append(text.AppendPadded(dst, day, 3), ' ')
	}
	if dst = text.AppendClock(dst, t, f.decimals()); f.noZone {
		return dst
	}
	return t.AppendFormat(dst, "Z07:00")
}
