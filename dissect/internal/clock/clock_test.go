package clock

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
)

// elapsedOf returns what has elapsed after each stamp, in milliseconds.
func elapsedOf(stamps ...int64) (elapsed []int64) {
	var c Clock
	for _, s := range stamps {
		elapsed = append(elapsed, int64(c.Stamp(s*1e6)/1e6))
	}
	return elapsed
}

// Stamps and what has elapsed are in milliseconds.
func TestClock(t *testing.T) {
	t.Parallel()
	const year = 365 * 86400 * 1000
	for _, tt := range []struct {
		name         string
		stamps, want []int64
	}{
		{"even", []int64{100, 120, 140, 190}, []int64{0, 20, 40, 90}},
		{"a pause", []int64{0, 10, 1000, 1010, 1020}, []int64{0, 10, 10, 1010, 1020}},
		{"the first a little in the past", []int64{0, 1000, 1010, 1020}, []int64{0, 0, 10, 20}},
		{"seldom packets", []int64{0, 10, 1000, 2000, 3000}, []int64{0, 10, 10, 1000, 2000}},
		{"a long pause", []int64{0, 10, 60_000, 60_001, 60_002, 60_003}, []int64{0, 10, 10, 10, 10, 60_003}},
		{"the first some time in the past", []int64{0, 60_000, 60_001, 60_002, 60_003, 60_004}, []int64{0, 0, 0, 0, 3, 4}},
		{"one in the future", []int64{0, 10, year, 20, 30}, []int64{0, 10, 10, 20, 30}},
		{"three in the future", []int64{0, 10, year, year, year, 20}, []int64{0, 10, 10, 10, 10, 20}},
		{"some in the future, one at a time", []int64{0, year, 10, year, 20, year, 30, year, 40}, []int64{0, 0, 10, 10, 20, 20, 30, 30, 40}},
		{"futures that do not agree", []int64{0, 3 * year, 2 * year, year, 10}, []int64{0, 0, 0, 0, 10}},
		{"one in the past", []int64{2 * year, 2*year + 10, 0, 2*year + 20}, []int64{0, 10, 10, 20}},
		{"the first in the future", []int64{year, 0, 10, 20, 30, 40}, []int64{0, 0, 0, 0, 0, 10}},
		{"the first in the past", []int64{0, year, year + 10, year + 20, year + 30, year + 40}, []int64{0, 0, 0, 0, 30, 40}},
		{"the capture's clock is set back", []int64{9000, 9010, 0, 1, 2, 3, 4, 10}, []int64{0, 10, 10, 10, 10, 10, 11, 17}},
		{"interfaces that are apart", []int64{0, 40, 5, 45, 10, 50}, []int64{0, 40, 40, 45, 45, 50}},
	} {
		if diff := cmp.Diff(tt.want, elapsedOf(tt.stamps...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// However a lone stamp lies, what has elapsed at the others is what would have without it, but for a lie that is too
// small to be one.
func TestClockAndALie(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		stamps := []int64{rapid.Int64Range(-1<<61, 1<<61).Draw(t, "start")}
		for range rapid.IntRange(10, 40).Draw(t, "packets") {
			stamps = append(stamps, stamps[len(stamps)-1]+rapid.Int64Range(0, smallStep/2).Draw(t, "step"))
		}
		at := rapid.IntRange(1, len(stamps)-1).Draw(t, "at")
		lie := rapid.OneOf(rapid.Int64(), rapid.Custom(func(t *rapid.T) int64 {
			return stamps[at] ^ 1<<rapid.IntRange(0, 62).Draw(t, "bit")
		})).Draw(t, "lie")
		var honest, lied Clock
		for i, s := range stamps {
			want, got := honest.Stamp(s), uint64(0)
			if i == at {
				got = lied.Stamp(lie)
			} else {
				got = lied.Stamp(s)
			}
			if off := int64(got - want); i != at && (off > smallStep || off < 0) {
				t.Fatalf("packet %d of which %d lies: %d ns off", i, at, off)
			}
			if got > want+uint64(smallStep) {
				t.Fatalf("a lone packet moves the clock by %v", time.Duration(got-want))
			}
		}
	})
}

// No stamps make the clock run backwards, or more than they are apart.
// TestClockEnds moves the clock on after it has reached the most that it counts.
func TestClockEnds(t *testing.T) {
	t.Parallel()
	var c Clock
	last := uint64(0)
	for _, s := range []int64{
		0, 1, math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64, 0, 0, 0, 0, 1,
		math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64,
	} {
		now := c.Stamp(s)
		if now < last {
			t.Fatalf("from %d to %d", last, now)
		}
		last = now
	}
	if last != mostElapsed {
		t.Errorf("%d elapsed, not %d", last, mostElapsed)
	}
}

func TestClockNeverRunsBackwards(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var c Clock
		last := uint64(0)
		for _, s := range rapid.SliceOf(rapid.OneOf(rapid.Int64(),
			rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 0}))).Draw(t, "stamps") {
			now := c.Stamp(s)
			if now < last {
				t.Fatalf("from %d to %d", last, now)
			}
			last = now
		}
	})
}

// TestAt: after a pause of the whole input the first packet's time is known when others have followed it. A stamp that
// nobody confirms has none.
func TestAt(t *testing.T) {
	t.Parallel()
	var c Clock
	if _, ok := c.At(0); ok {
		t.Error("nothing came")
	}
	for _, stamp := range []int64{0, 10, 5000} {
		c.Stamp(stamp * 1e6)
	}
	if at, ok := c.At(5000e6); ok {
		t.Errorf("one packet alone is at %d", at)
	}
	c.Stamp(5020e6)
	for stamp, want := range map[int64]uint64{0: 0, 10: 10, 5000: 5000, 5010: 5010, 5020: 5020, -9: 0} {
		if at, ok := c.At(stamp * 1e6); !ok || at != want*1e6 {
			t.Errorf("%d: %d, %v", stamp, at, ok)
		}
	}
	if at, ok := c.At(5021e6); ok {
		t.Errorf("a time that has not come is at %d", at)
	}
}
