package flags

import (
	"errors"
	"testing"
	"time"
)

func TestMoment(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, 11, 21, 7, 11, 46, 447_123_000, time.UTC).UnixNano()
	date := func(layout, s string) int64 {
		at, err := time.Parse(layout, s)
		if err != nil {
			t.Fatal(err)
		}
		return at.UnixNano()
	}
	for s, want := range map[string]int64{
		"0":                              first,
		"20":                             first + 20e9,
		"20.5":                           first + 20.5e9,
		"0.000000001":                    first + 1,
		".5":                             first + 5e8,
		"1e3":                            first + 1000e9,
		"20s":                            first + 20e9,
		"2m30s":                          first + 150e9,
		"200ms":                          first + 2e8,
		"0:20":                           first + 20e9,
		"90:00":                          first + 5400e9,
		"0:20.25":                        first + 20.25e9,
		"1795245106.447123001":           1795245106447123001,
		"2026-11-21T07:11:46.447123000Z": first,
		"2026-11-21T08:11:46+01:00":      date(time.RFC3339, "2026-11-21T07:11:46Z"),
		"2026-11-21 07:11:46.447123":     first,
		"2026/325 07:11:46.447123":       first,
		"2026-11-22":                     date(time.DateOnly, "2026-11-22"),
		"07:11:47":                       date(time.RFC3339, "2026-11-21T07:11:47Z"),
		"07:11:46":                       date(time.RFC3339, "2026-11-21T07:11:46Z"), // the first packet is printed so
		"07:11:45":                       date(time.RFC3339, "2026-11-22T07:11:45Z"), // that of the first day is over
		"07:11:46.447123Z":               first,
		"08:11:47+01:00":                 date(time.RFC3339, "2026-11-21T07:11:47Z"),
		"2026-11-21 08:11:46+01:00":      date(time.RFC3339, "2026-11-21T07:11:46Z"),
		"2026-11-21 07:11Z":              date(time.RFC3339, "2026-11-21T07:11:00Z"), // as catalogue prints it
		"2026/325 08:11:46.447123+01:00": first,
		"06:00:00.5":                     date(time.RFC3339Nano, "2026-11-22T06:00:00.5Z"),
		"9e9":                            9e18,
	} {
		var m Moment
		if err := m.Set(s); err != nil || m.At(first) != want || !m.Given() || m.String() != s {
			t.Errorf("%q: %d, %v, want %d", s, m.At(first), err, want)
		}
	}
	for _, s := range []string{
		"", " ", "-1", "nan", "inf", "1e30", "0:60", "24:00:00", "1:2:3:4", "::", "0:", ":20", "a:b", "yesterday",
		"2026-13-01",
		"0:20.x", "-5s", "0:20Z", "07:11:46+1", "07:11:46Q", "5-",
	} {
		var m Moment
		if err := m.Set(s); err == nil {
			t.Errorf("%q is taken for %d", s, m.At(first))
		}
	}
}

// What is printed without its last digits is the same time again: as the end of a window all that is printed so.
func TestMomentsAsPrinted(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, 11, 21, 7, 11, 46, 447_123_456, time.UTC).UnixNano()
	for s, want := range map[string]int64{
		"07:11:46.447123":           first + 999 - 456,
		"2026-11-21 07:11:46.447Z":  first + 999_999 - 123_456,
		"07:11:46":                  first + 999_999_999 - 447_123_456,
		"2026-11-21 07:11Z":         first + 13_999_999_999 - 447_123_456,
		"1795245106.447123":         first + 999 - 456,
		"0.000000":                  first + 999,
		"0":                         first,
		"0:00":                      first,
		"2026-11-21T07:11:46+00:00": first + 999_999_999 - 447_123_456,
	} {
		w := Window{}
		if err := errors.Join(w.From.Set(s), w.To.Set(s)); err != nil {
			t.Fatal(err)
		}
		if !w.Has(first, first, true) || !w.Has(want, first, true) || w.Has(want+1, first, true) {
			t.Errorf("%s: ends at %d, want %d", s, w.To.end(first), want)
		}
	}
}

// Dates and times of day without a zone are of the zone of the window; others are not.
func TestMomentsHaveAZone(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, 11, 21, 23, 30, 0, 0, time.UTC)
	zone := time.FixedZone("", 3600)
	for s, want := range map[string]time.Duration{
		"00:30:00":            0,
		"00:31:00.5":          time.Minute + time.Second/2,
		"2026-11-22 00:30:01": time.Second,
		"2026-11-21T23:30:01": time.Second - time.Hour,
		"23:30:01Z":           time.Second,
		"0:20":                20 * time.Second,
		"2026-11-21 23:31Z":   time.Minute,
	} {
		var m Moment
		if err := m.Set(s); err != nil {
			t.Fatal(err)
		}
		if m = m.In(zone); m.At(first.UnixNano()) != first.Add(want).UnixNano() {
			t.Errorf("%s: %s", s, time.Unix(0, m.At(first.UnixNano())).UTC())
		}
	}
}

// Of recordings seconds are the server's clock, minutes:seconds the match's.
func TestWindowOfRecordings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		from, to      string
		server, match int64
		want          bool
	}{
		{"46.050", "46.050", 46050, -1, true},
		{"46.051", "", 46050, -1, false},
		{"2m", "", 120_000, -1, true},
		{"0:03.2", "0:04", 49_500, 3200, true},
		{"0:03.2", "0:04", 3200, 49_500, false},
		{"0:03", "", 49_500, -1, false},
		{"07:11:46", "", 49_500, 3200, false},
	} {
		w := Window{}
		if err := w.From.Set(tt.from); err != nil {
			t.Fatal(err)
		}
		if tt.to != "" {
			if err := w.To.Set(tt.to); err != nil {
				t.Fatal(err)
			}
		}
		if w.HasGame(tt.server, tt.match) != tt.want {
			t.Errorf("%s to %s: server %d, match %d: want %t", tt.from, tt.to, tt.server, tt.match, tt.want)
		}
	}
}

func TestWindow(t *testing.T) {
	t.Parallel()
	var w Window
	if !w.Has(5, 0, false) || w.Given() {
		t.Error("without flags everything is in it")
	}
	if err := w.From.Set("10"); err != nil {
		t.Fatal(err)
	}
	if err := w.To.Set("0:20"); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[int64]bool{9.9e9: false, 10e9: true, 20e9: true, 20e9 + 1: false} {
		if w.Has(at+7, 7, true) != want {
			t.Errorf("%d: want %t", at, want)
		}
	}
	if w.Has(15e9, 0, false) {
		t.Error("a packet without a time is in a window")
	}
}
