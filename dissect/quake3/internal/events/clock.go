package events

// A matchClock counts the time of a match, without pauses, in milliseconds.
//
// Games announce it in different ways. In the game and most of its mods the configstring of the level's start
// has the server time at which the match began; at the end of a pause it is moved by the length of the pause
// (OSP, Quake Live, which also has configstrings for the beginning of a pause). CPMA has the start (ts), the
// sum of the pauses (td) and, in a pause, the time since the start at which it began (te).
//
// Sources: level.startTime, code/game/g_main.c; CPMA: ProcessCpmaGameInfo and related functions of
// uberdemotools; recordings.
type matchClock struct {
	level     int32 // the configstring of the level's start
	hasLevel  bool
	start     int32 // CPMA: ts; 0: not known
	pausedFor int32 // CPMA: td
	pausedAt  int32 // server time at which the present pause began
	paused    bool

	zeroBefore int32 // zero before the configstring of the level's start moved it in this message
	moved      bool

	zero int32 // server time at which the match began, moved by the pauses
}

// maxAge is the longest that a match can have run, in milliseconds: the clock of a restarted server begins
// anew.
const maxAge = 24 * 3600 * 1000

// begin starts the clock and returns the server time at which the match began. announced means that the game has said
// so; else it is the present time.
func (c *matchClock) begin(now int32) (at int32, announced bool) {
	c.zero = now
	switch {
	case c.start != 0:
		if c.start > 0 && c.start <= now {
			c.zero, announced = c.start, true
		}
	case c.hasLevel && c.level >= 0 && c.level <= now && now-c.level < maxAge:
		c.zero, announced = c.level, true
	}
	return c.zero, announced
}

// setLevel sets the configstring of the level's start.
func (c *matchClock) setLevel(v int32) {
	if c.hasLevel && c.zero == c.level {
		if !c.moved {
			c.zeroBefore, c.moved = c.zero, true
		}
		c.zero = v // a pause is over
	}
	c.level, c.hasLevel = v, true
}

// pause stops the clock, or lets it continue.
func (c *matchClock) pause(on bool, at int32) {
	if on && !c.paused {
		c.pausedAt = at
	}
	c.paused = on
}

// elapsed returns the time of the match.
func (c *matchClock) elapsed(now int32) int32 {
	if c.paused && c.pausedAt < now {
		now = c.pausedAt
	}
	return max(now-c.zero-c.pausedFor, 0)
}
