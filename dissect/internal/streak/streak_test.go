package streak_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/q3dissect/q3dissect/dissect/internal/streak"
)

// TestStreaks plays kills of players 1 and 2 by the rule of three kills with at most five seconds between two.
func TestStreaks(t *testing.T) {
	kill := func(at int64, killer, victim int) streak.Kill {
		return streak.Kill{Killer: killer, Victim: victim, Time: at, Viewed: killer == 1}
	}
	shot := func(at int64, victim int, with string) streak.Kill {
		return streak.Kill{Killer: 1, Victim: victim, Time: at, Shot: with}
	}
	mate := func(at int64, victim int) streak.Kill {
		return streak.Kill{Killer: 1, Victim: victim, Time: at, TeamKill: true}
	}
	three := []streak.Kill{kill(0, 1, 5), kill(5000, 1, 5), kill(10000, 1, 6)}
	run := func(kills int, last int64) []streak.Streak {
		return []streak.Streak{{Player: 1, Kills: kills, Last: last, Viewed: true}}
	}
	for _, tt := range []struct {
		name  string
		kills []streak.Kill
		want  []streak.Streak
	}{
		{"two", three[:2], nil},
		{"three, each five seconds after the other", three, run(3, 10000)},
		{"one a millisecond later", []streak.Kill{three[0], three[1], kill(10001, 1, 5)}, nil},
		{"a death between", []streak.Kill{three[0], three[1], kill(6000, 5, 1), three[2]}, nil},
		{"a death after", append(three[:3:3], kill(10000, 5, 1)), run(3, 10000)},
		{"a suicide between", []streak.Kill{three[0], three[1], kill(6000, 1, 1), three[2]}, nil},
		{"a fall between", []streak.Kill{three[0], three[1], kill(6000, -1, 1), three[2]}, nil},
		{"a team mate between", []streak.Kill{three[0], three[1], mate(6000, 7), three[2]}, nil},
		{"kills of another between", []streak.Kill{three[0], kill(1, 2, 5), three[1], kill(5001, 2, 5), three[2]}, run(3, 10000)},
		{"the clock begins anew", []streak.Kill{three[0], three[1], kill(100, 1, 5)}, nil},
		{"nobody's", []streak.Kill{kill(0, -1, 5), kill(1, -1, 5), kill(2, -1, 5)}, nil},
		{"a number that no player has", []streak.Kill{kill(0, 999, 5), kill(1, 999, 5), kill(2, 999, 5)}, nil},
		{
			"two of one shot",
			[]streak.Kill{shot(50, 5, "railgun"), shot(50, 6, "railgun")},
			[]streak.Streak{{Player: 1, Kills: 2, OneShot: 2, First: 50, Last: 50}},
		},
		{"two weapons at once", []streak.Kill{shot(50, 5, "railgun"), shot(50, 6, "rocket")}, nil},
		{"two shots", []streak.Kill{shot(50, 5, "railgun"), shot(100, 6, "railgun")}, nil},
		{"at once, without a shot", []streak.Kill{shot(50, 5, ""), shot(50, 6, "")}, nil},
	} {
		tracker := streak.New(streak.Rules{Kills: 3, OneShot: 2, Window: 5 * time.Second})
		var got []streak.Streak
		for _, k := range tt.kills {
			got = tracker.Kill(got, k)
		}
		pending := tracker.Pending()
		before := len(got)
		if got = tracker.End(got); pending != (len(got) > before) {
			t.Errorf("%s: pending is %v, and the end adds %d", tt.name, pending, len(got)-before)
		}
		if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreUnexported(streak.Streak{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestFlood gives a tracker more kills than any match has: what it keeps does not grow with them.
func TestFlood(t *testing.T) {
	tracker := streak.New(streak.Rules{Kills: 2, OneShot: 2, Window: time.Hour})
	var ended []streak.Streak
	n := 0
	next := func() {
		for i := range 1000 {
			ended = tracker.Kill(ended[:0], streak.Kill{Killer: i % 300, Victim: 400 + i, Time: int64(n), Shot: "rocket"})
		}
		n++
	}
	next()
	if kept := testing.AllocsPerRun(5, next); kept > 0 {
		t.Errorf("1000 kills allocate %.0f times", kept)
	}
	if got := len(tracker.End(nil)); got != streak.Players {
		t.Errorf("%d streaks are kept", got)
	}
}
