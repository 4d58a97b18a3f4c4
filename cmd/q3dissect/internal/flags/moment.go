package flags

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Moment is the value of --from and --to, in one of the forms in which the program prints times. The last
// digits of a printed time may have been cut: as the end of a window it is the last moment that is printed so.
type Moment struct {
	text  string
	form  momentForm
	nanos int64
	unit  int64          // of the last digit: what is printed so is shorter than the next moment by this
	zone  *time.Location // of dates and times of day
	bare  bool           // without a zone of its own: zone is a default
	colon bool           // minutes:seconds, which of a recording are the match's
}

type momentForm uint8

const (
	noMoment momentForm = iota
	elapsed             // nanoseconds since the first packet of the file
	absolute            // Unix nanoseconds
	clock               // nanoseconds since midnight: the first such time from the first packet on
)

// datesBefore are numbers of seconds that are still taken for the time since the first packet: three years. Larger ones
// are seconds since 1970.
const datesBefore = 1e8

// A layout is a form of dates, and the unit of its last digit if it has no decimals.
type layout struct {
	form string
	unit int64
}

// layouts are the absolute forms: of JSON, of catalogue, of -t ad, ud, adoy and udoy, and a day alone.
var layouts = [...]layout{
	{"2006-01-02T15:04:05Z07:00", int64(time.Second)},
	{"2006-01-02 15:04:05Z07:00", int64(time.Second)},
	{"2006-01-02 15:04Z07:00", int64(time.Minute)},
	{"2006/002 15:04:05Z07:00", int64(time.Second)},
	{"2006-01-02Z07:00", 24 * int64(time.Hour)},
}

// zoneless is the end of a layout that a time without a zone does not have.
const zoneless = "Z07:00"

var errMoment = errors.New("want a time as the program prints it: 20.5, 20s, 0:20, 07:11:46.447, 08:11:46+01:00, " +
	"2026-11-21T07:11:46Z or 2026-11-21 07:11:46")

// Given reports whether the flag was given.
func (m *Moment) Given() bool { return m.form != noMoment }

// String returns the value as it was given.
func (m *Moment) String() string { return m.text }

// Type is what completions call the value.
func (m *Moment) Type() string { return "TIME" }

// Set takes a time.
func (m *Moment) Set(s string) error {
	*m = Moment{text: s, zone: time.UTC, unit: 1}
	s = strings.TrimSpace(s)
	if seconds, err := strconv.ParseFloat(s, 64); err == nil {
		return m.setSeconds(s, seconds)
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		m.form, m.nanos = elapsed, int64(d)
		return nil
	}
	if m.setDate(s) {
		return nil
	}
	return m.setColons(s)
}

// setDate takes a date, with a zone or without.
func (m *Moment) setDate(s string) bool {
	for _, l := range layouts {
		t, err := time.Parse(l.form, s)
		if err != nil {
			t, err = time.Parse(strings.TrimSuffix(l.form, zoneless), s)
			m.bare = err == nil
		}
		if err == nil {
			m.form, m.nanos = absolute, t.UnixNano()
			if m.unit = l.unit; l.unit == int64(time.Second) {
				m.unit = unitOf(s)
			}
			return true
		}
	}
	return false
}

// unitOf returns the unit of the last decimal of a time, in nanoseconds.
func unitOf(s string) int64 {
	_, decimals, _ := strings.Cut(s, ".")
	unit := int64(time.Second)
	for i := 0; i < len(decimals) && '0' <= decimals[i] && decimals[i] <= '9' && unit > 1; i++ {
		unit /= 10
	}
	return unit
}

// fewestDecimals are those of a number of seconds that is taken for a printed one. Others are exact: 20 is the second
// 20.000000.
const fewestDecimals = int64(time.Millisecond)

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
	} else if unit := unitOf(s); unit <= fewestDecimals {
		m.unit = unit
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

// setColons takes minutes:seconds since the first packet, or hours:minutes:seconds of the day, with a zone or without.
func (m *Moment) setColons(s string) error {
	if at := strings.IndexAny(s, "Z+-"); at > 0 {
		zone, err := time.Parse(zoneless, s[at:])
		if err != nil || strings.Count(s[:at], ":") != 2 {
			return errMoment
		}
		m.zone, s = zone.Location(), s[:at]
	} else {
		m.bare = true
	}
	whole, decimals, _ := strings.Cut(s, ".")
	parts := strings.Split(whole, ":")
	total, err := parseFraction(decimals)
	if err != nil || len(parts) < 2 || len(parts) > 3 {
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
	m.form, m.nanos, m.colon = elapsed, total, true
	last := unitOf(s)
	if len(parts) == 3 {
		m.form, m.colon, m.unit = clock, false, last
	} else if m.bare = false; last <= fewestDecimals {
		m.unit = last
	}
	return nil
}

// In returns the moment with another default zone for dates and times of day that have none.
func (m *Moment) In(zone *time.Location) Moment {
	in := *m
	if !m.bare {
		return in
	}
	in.zone = zone
	if m.form == absolute {
		t := time.Unix(0, m.nanos).In(m.zone)
		in.nanos = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone).UnixNano()
	}
	return in
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
		t := time.Unix(0, first).In(m.zone)
		for day := t.Day(); ; day++ {
			midnight := time.Date(t.Year(), t.Month(), day, 0, 0, 0, 0, m.zone)
			if at := midnight.UnixNano() + m.nanos; at+m.unit > first || day > t.Day() {
				return at
			}
		}
	}
	return m.nanos
}

// end is the last moment that is printed as this one.
func (m *Moment) end(first int64) int64 {
	at := m.At(first)
	if at > math.MaxInt64-m.unit {
		return at
	}
	return at + m.unit - 1
}

// A Window is --from and --to: the packets between two times, both included.
type Window struct{ From, To Moment }

// Given reports whether one of the flags was given.
func (w *Window) Given() bool { return w.From.Given() || w.To.Given() }

// In returns the window with another default zone.
func (w *Window) In(zone *time.Location) Window { return Window{w.From.In(zone), w.To.In(zone)} }

// Check refuses a window that nothing can be in.
func (w *Window) Check() error {
	if w.From.form != noMoment && w.From.form == w.To.form && w.From.form != clock && w.From.colon == w.To.colon &&
		w.From.nanos > w.To.end(0) {
		return errors.New("--from " + w.From.text + " is after --to " + w.To.text)
	}
	return nil
}

// Has reports whether the window has a packet. One without a time is in no window that was given.
func (w *Window) Has(at, first int64, dated bool) bool {
	switch {
	case !w.Given():
		return true
	case !dated, w.From.Given() && at < w.From.At(first):
		return false
	}
	return !w.To.Given() || at <= w.To.end(first)
}

// Dated reports whether one of the ends is a date or a time of day, which recordings do not have.
func (w *Window) Dated() bool { return w.From.form > elapsed || w.To.form > elapsed }

// HasGame reports whether the window has an event of a recording, by the clocks that the list of events shows: seconds
// are the server's, minutes:seconds the match's. Both are in milliseconds; a negative one is not known.
func (w *Window) HasGame(server, match int64) bool {
	in := func(m *Moment, before bool) bool {
		at := server
		if m.colon {
			at = match
		}
		switch {
		case !m.Given():
			return true
		case at < 0 || m.form > elapsed:
			return false
		case before:
			return at*1e6 <= m.end(0)
		}
		return at*1e6 >= m.nanos
	}
	return in(&w.From, false) && in(&w.To, true)
}
