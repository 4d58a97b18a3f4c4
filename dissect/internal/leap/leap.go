// Package leap decides which values of a game's clock can be: ticks of a demo, the server time of snapshots. A value
// that leaps is damage, or the program that wrote it was wrong, and its time is not known. The values around it keep
// theirs, and no length of time is measured across it.
//
// A clock starts anew with a new game (a gamestate, a map, a restart of the server): it is followed by an empty Clock
// then. The rule is in docs/limits.md.
package leap

// ExpertTimeUnknown is the code of the expert entry of a value that leaps.
const ExpertTimeUnknown = "time_unknown"

// Bounds in milliseconds.
const (
	// Longest is the longest step of a clock whose game sends it all the time. Games drop a peer that is silent for a
	// few minutes: cl_timeout of Quake III is 200 s, conn_timeout of Teeworlds 100 s.
	Longest = 10 * 60_000
	// Silent is the longest step in a file that has what changes, and nothing while nothing does.
	Silent = 6 * 3600_000
	// usual is the longest step that is not looked at.
	usual = 10_000
	// loading is how old a witness may be at the first value: a player who loads a map sends nothing.
	loading = 120_000
	// perDoubt is by how much the true clock may have advanced with each value that leapt.
	perDoubt = 10_000
)

// How many values in a row show that a clock has moved by less than Longest, or that the first values leapt.
const (
	enough       = 3
	contradicted = 20 // if a witness contradicts them
)

// follows reports whether a value can come after another of the same clock, after some values that leapt.
func follows(before, at int64, doubts int) bool {
	step := at - before
	return step >= 0 && step <= Longest+int64(doubts)*perDoubt
}

// within reports whether a difference is less than a bound.
func within(difference, bound int64) bool { return difference > -bound && difference < bound }

// A Clock follows a clock whose later values cannot be seen. The zero value has seen none.
type Clock struct {
	last   int64 // the newest good value
	good   int   // values in a row that were good, up to enough; 0: last is not set
	other  int64 // the newest of the values that leapt
	others int   // of these in a row that follow each other
	doubts int   // values since last
}

// Started reports whether there was a good value.
func (c *Clock) Started() bool { return c.good > 0 }

// Last returns the newest good value, or 0.
func (c *Clock) Last() int64 { return c.last }

// Goes takes the next value if it is one that nobody wonders at, and reports whether it is. passed is how long ago the
// value before was seen by another clock, or 0.
func (c *Clock) Goes(at, passed int64) bool {
	step := at - c.last
	return c.good > 0 && step >= 0 && step <= usual+passed && c.take(at)
}

// Take takes the next value, and reports whether it can be. A witness is another value of the same moment, or of one
// before; known is false if there is none.
func (c *Clock) Take(at, passed, witness int64, known bool) bool {
	step := at - c.last
	switch {
	case c.Goes(at, passed):
		return true
	case known:
		stale := int64(usual)
		if c.good == 0 {
			stale = loading
		}
		if witness-at > -stale && witness-at < usual {
			return c.take(at) // the clock was set, and what began it is not in the input
		}
	case c.good == 0, follows(c.last, at, c.doubts) && step <= Longest/2+passed:
		return c.take(at)
	}
	if c.others > 0 && follows(c.other, at, 0) && at-c.other <= usual+passed {
		c.others++
	} else {
		c.others = 1
	}
	c.other = at
	c.doubts++
	near := within(step, Longest) || c.good < enough
	if known {
		return c.others >= contradicted && near && within(witness-at, Longest) && c.take(at)
	}
	return c.others >= enough && near && c.take(at)
}

// take makes a value the newest good one.
func (c *Clock) take(at int64) bool {
	c.last, c.others, c.doubts = at, 0, 0
	c.good = min(c.good+1, enough)
	return true
}
