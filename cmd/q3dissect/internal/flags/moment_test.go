package flags

import (
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
		"07:11:46":                       date(time.RFC3339, "2026-11-22T07:11:46Z"), // that of the first day is over
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
		"0:20.x", "-5s",
	} {
		var m Moment
		if err := m.Set(s); err == nil {
			t.Errorf("%q is taken for %d", s, m.At(first))
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
