package timeline

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect"
)

// A clock puts records on one axis of time. Captures have the time of their packets. Recordings have the game's clock,
// which begins anew with a map; the axis continues.
type clock struct {
	known    bool
	now, end float64 // seconds
	capture  bool
	start    int64 // Unix nanoseconds of 0

	server, base int64 // of the recording: the last time of the game, and what belongs to 0 of the axis; ms
	timed        bool
}

// longJump is the longest step of a game's clock within a recording, in milliseconds: a longer one is another clock.
const longJump = 10 * 60_000

func (c *clock) tick(rec *dissect.Record) {
	if rec.HasTime {
		if !c.capture {
			c.capture, c.start = true, rec.FirstTime
		}
		c.known, c.now = true, float64(rec.Time-c.start)/1e9
		c.end = max(c.end, c.now)
		return
	}
	if rec.Recorded() {
		c.known = true // a gamestate at its beginning has no time of the game, and counts as at 0
	}
	var t dissect.Transit
	if c.capture || !rec.Transit(&t) || !t.HasTime {
		return
	}
	switch passed := t.ServerTime - c.server; {
	case !c.timed:
		c.base = t.ServerTime
	case passed < 0 || passed > longJump: // another map
		c.base += passed
	}
	c.server, c.timed, c.known = t.ServerTime, true, true
	c.now = float64(t.ServerTime-c.base) / 1000
	c.end = max(c.end, c.now)
}

func (c *clock) describe() Clock {
	length := math.Ceil(c.end*1000) / 1000 // times of events are rounded, and lie before the end
	if !c.capture {
		return Clock{Kind: "game", Length: length}
	}
	start := float64(c.start) / 1e9
	return Clock{Kind: "capture", Start: &start, Length: length}
}
