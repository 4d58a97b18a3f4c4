package flags

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Moment is the value of --from and --to, in one of the forms in which the program prints times.
type Moment struct {
	text  string
	form  momentForm
	nanos int64
}

type momentForm uint8

const (
	noMoment momentForm = iota
	elapsed             // nanoseconds since the first packet of the file
	absolute            // Unix nanoseconds
	clock               // nanoseconds since midnight, UTC: the first such time from the first packet on
)

// datesBefore are numbers of seconds that are still taken for the time since the first packet: three years. Larger ones
// are seconds since 1970.
const datesBefore = 1e8

// layouts are the absolute forms: of JSON, of -t ad, ud, adoy and udoy, and a day alone.
var layouts = [...]string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04",
	"2006-01-02", "2006/002 15:04:05",
}

var errMoment = errors.New("want a time as the program prints it: 20.5, 20s, 0:20, 07:11:46.447, " +
	"2026-11-21T07:11:46Z or 2026-11-21 07:11:46")

// Given reports whether the flag was given.
func (m *Moment) Given() bool { return m.form != noMoment }

// String returns the value as it was given.
func (m *Moment) String() string { return m.text }

// Type is what completions call the value.
func (m *Moment) Type() string { return "TIME" }

// Set takes a time.
func (m *Moment) Set(s string) error {
	m.text, s = s, strings.TrimSpace(s)
	if seconds, err := strconv.ParseFloat(s, 64); err == nil {
		return m.setSeconds(s, seconds)
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		m.form, m.nanos = elapsed, int64(d)
		return nil
	}
	if strings.Count(s, ":") > 0 && !strings.ContainsAny(s, "-/TZ") {
		return m.setColons(s)
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			m.form, m.nanos = absolute, t.UnixNano()
			return nil
		}
	}
	return errMoment
}

// setSeconds takes a number: every decimal counts, as 1795245106.447123000 of -t e has more of them than a float64.
func (m *Moment) setSeconds(s string, seconds float64) error {
	if !(seconds >= 0) || seconds > math.MaxInt64/1e9 {
		return errMoment
	}
	whole, decimals, _ := strings.Cut(s, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	fraction, fault := parseFraction(decimals)
	if err != nil || fault != nil { // 1e3, .5
		n, fraction = int64(seconds), int64((seconds-math.Trunc(seconds))*1e9)
	}
	m.form, m.nanos = elapsed, n*1e9+fraction
	if seconds >= datesBefore {
		m.form = absolute
	}
	return nil
}

// parseFraction reads decimals of a second as nanoseconds; further ones are cut off.
func parseFraction(decimals string) (int64, error) {
	if decimals == "" {
		return 0, nil
	}
	return strconv.ParseInt((decimals + "000000000")[:9], 10, 64)
}

// setColons takes minutes:seconds since the first packet, or hours:minutes:seconds of the day.
func (m *Moment) setColons(s string) error {
	whole, decimals, _ := strings.Cut(s, ".")
	parts := strings.Split(whole, ":")
	total, err := parseFraction(decimals)
	if err != nil || len(parts) > 3 {
		return errMoment
	}
	limits := [...]uint64{60, 60, 24}
	if len(parts) == 2 {
		limits[1] = 1e6
	}
	unit := int64(1e9)
	for i := range parts {
		part := parts[len(parts)-1-i]
		n, err := strconv.ParseUint(part, 10, 32)
		if err != nil || n >= limits[i] {
			return errMoment
		}
		total += int64(n) * unit
		unit *= 60
	}
	m.form, m.nanos = elapsed, total
	if len(parts) == 3 {
		m.form = clock
	}
	return nil
}

// At returns the moment in Unix nanoseconds, in a file whose first packet has a time.
func (m *Moment) At(first int64) int64 {
	switch m.form {
	case elapsed:
		if m.nanos > math.MaxInt64-max(first, 0) {
			return math.MaxInt64
		}
		return first + m.nanos
	case clock:
		const day = 24 * int64(time.Hour)
		midnight := first - ((first%day)+day)%day
		if at := midnight + m.nanos; at >= first {
			return at
		}
		return midnight + day + m.nanos
	}
	return m.nanos
}

// A Window is --from and --to: the packets between two times, both included.
type Window struct{ From, To Moment }

// Given reports whether one of the flags was given.
func (w *Window) Given() bool { return w.From.Given() || w.To.Given() }

// Has reports whether the window has a packet. One without a time is in no window that was given.
func (w *Window) Has(at, first int64, dated bool) bool {
	switch {
	case !w.Given():
		return true
	case !dated, w.From.Given() && at < w.From.At(first):
		return false
	}
	return !w.To.Given() || at <= w.To.At(first)
}
