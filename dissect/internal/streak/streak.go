// Package streak finds several kills of one player in a short time.
//
//	t := streak.New(rules)
//	ended = t.Kill(ended[:0], streak.Kill{Killer: 3, Victim: 5, Time: 1000})
//	ended = t.Advance(ended[:0], 7000) // the one kill is none
//
// It keeps two small values for each player, however many kills there are.
package streak

import (
	"slices"
	"time"
)

// Players is how many players are followed: the numbers below it.
const Players = 256

// Rules are how many kills are told, at most how far apart; and how many by one shot.
type Rules struct {
	Kills, OneShot int
	Window         time.Duration
}

// A Kill is a kill as the game shows it.
type Kill struct {
	Killer, Victim int   // numbers of players; another number: the world, or nobody who is known
	Time           int64 // of the game's clock, in milliseconds
	// Shot is what can kill several at once: kills at the same time with the same words are of one shot. "": it cannot.
	Shot     string
	TeamKill bool
	Viewed   bool // the recording's view is that of the killer
}

// A Streak is kills of one player that belong together.
type Streak struct {
	Player      int
	Kills       int
	OneShot     int   // of one shot, at most
	First, Last int64 // time of the first and the last kill
	Viewed      bool  // all kills were

	shot  string
	count int // kills of the last shot
}

// A Tracker follows the kills of one stream.
type Tracker struct {
	kills, oneShot int
	window         int64
	open           []Streak // by the time of the first kill
}

// New returns a Tracker.
func New(r Rules) *Tracker {
	return &Tracker{kills: r.Kills, oneShot: r.OneShot, window: r.Window.Milliseconds()}
}

// Kill takes the next kill, and appends the streaks that it ends.
func (t *Tracker) Kill(dst []Streak, k Kill) []Streak {
	dst = t.Advance(dst, k.Time)
	dst = t.end(dst, k.Victim)
	if k.TeamKill {
		return t.end(dst, k.Killer)
	}
	if k.Killer == k.Victim || k.Killer < 0 || k.Killer >= Players {
		return dst
	}
	i := t.find(k.Killer)
	if i < 0 {
		i = len(t.open)
		t.open = append(t.open, Streak{Player: k.Killer, First: k.Time, Viewed: true})
	}
	s := &t.open[i]
	if s.Kills == 0 || k.Shot == "" || s.shot != k.Shot || s.Last != k.Time {
		s.shot, s.count = k.Shot, 0
	}
	s.Kills++
	s.count++
	s.Last, s.Viewed = k.Time, s.Viewed && k.Viewed
	if k.Shot != "" {
		s.OneShot = max(s.OneShot, s.count)
	}
	return dst
}

// Advance appends the streaks that are over at a time. If the clock goes back all are.
func (t *Tracker) Advance(dst []Streak, now int64) []Streak {
	return t.close(dst, func(s *Streak) bool { return now-s.Last > t.window || now < s.Last })
}

// Leave ends what a player began who has left.
func (t *Tracker) Leave(dst []Streak, player int) []Streak { return t.end(dst, player) }

// End ends all.
func (t *Tracker) End(dst []Streak) []Streak { return t.close(dst, func(*Streak) bool { return true }) }

// Pending reports whether End would append something.
func (t *Tracker) Pending() bool {
	return slices.ContainsFunc(t.open, func(s Streak) bool { return t.counts(&s) })
}

func (t *Tracker) counts(s *Streak) bool { return s.Kills >= t.kills || s.OneShot >= t.oneShot }

func (t *Tracker) end(dst []Streak, player int) []Streak {
	return t.close(dst, func(s *Streak) bool { return s.Player == player })
}

func (t *Tracker) find(player int) int {
	return slices.IndexFunc(t.open, func(s Streak) bool { return s.Player == player })
}

func (t *Tracker) close(dst []Streak, over func(*Streak) bool) []Streak {
	first := 0
	for first < len(t.open) && !over(&t.open[first]) {
		first++
	}
	kept := t.open[:first]
	for i := first; i < len(t.open); i++ {
		s := &t.open[i]
		switch {
		case !over(s):
			kept = append(kept, *s)
		case t.counts(s):
			dst = append(dst, *s)
		}
	}
	t.open = kept
	return dst
}
