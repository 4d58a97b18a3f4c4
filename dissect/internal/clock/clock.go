// Package clock computes the time of an input from the time stamps of its packets; some may be wrong.
package clock

import "time"

// A Clock is the time of an input, made of the time stamps of its packets. It never runs backwards, and it moves
// with the bulk of the packets: a stamp far from the others counts only when others follow it, so a packet with a
// wrong one changes nothing for the rest.
//
//   - A stamp up to smallStep ahead moves the clock at once.
//   - One further ahead is a suspect. The clock moves to the earliest of the suspects when enough of them came with
//     no packet at the old time between them: two, or four beyond largeStep.
//   - After such a step from the stamp of a single packet, the first, nothing has elapsed: that stamp may be wrong, and
//     if there was a pause, it does no harm that it does not count.
//   - Stamps more than largeBack in the past, four in a row, mean that the capture's own clock was set back: the
//     clock continues from there without losing what has elapsed.
type Clock struct {
	started bool
	at      int64  // stamp of the clock's time
	elapsed uint64 // nanoseconds since the input's first time, without steps back
	alone   bool   // only one packet has shown the clock's time

	ahead, behind         int   // suspects in a row
	aheadFrom, behindFrom int64 // earliest time of the stamps ahead; latest of those that lag
}

// Steps of the clock.
const (
	smallStep = int64(50 * time.Millisecond)
	largeStep = int64(10 * time.Second)
	largeBack = int64(time.Second)
	believed  = 2 // suspects that a step up to largeStep needs
	certain   = 4 // and a larger one
	// mostElapsed keeps sums of wrong stamps in range.
	mostElapsed = uint64(1) << 62
)

// Stamp processes the time stamp of the next packet and returns the elapsed time.
func (c *Clock) Stamp(t int64) uint64 {
	switch step, further := difference(t, c.at); {
	case !c.started:
		c.started, c.at, c.alone = true, t, true
	case further && step > smallStep:
		c.suspectAhead(t)
	case further:
		c.advance(step)
		c.at, c.alone = t, false
		c.ahead, c.behind = 0, 0
	case step > largeBack:
		c.suspectBehind(t)
	default:
		c.ahead, c.behind, c.alone = 0, 0, false
	}
	return c.elapsed
}

// advance adds a step to the elapsed time.
func (c *Clock) advance(step int64) { c.elapsed = min(c.elapsed+uint64(step), mostElapsed) }

// At returns the elapsed time at a stamp that the clock has passed; false: it has not, or nobody knows yet.
func (c *Clock) At(t int64) (elapsed uint64, ok bool) {
	back, further := difference(t, c.at)
	if further || !c.started {
		return 0, false
	}
	return c.elapsed - min(uint64(back), c.elapsed), true
}

// suspectAhead handles a stamp that is far ahead.
func (c *Clock) suspectAhead(t int64) {
	if c.behind = 0; c.ahead == 0 || t < c.aheadFrom {
		if step, _ := difference(c.aheadFrom, t); c.ahead > 0 && step > smallStep {
			c.ahead = 0 // those before were further away: they do not support this one, nor it them
		}
		c.aheadFrom = t
	}
	c.ahead++
	step, _ := difference(c.aheadFrom, c.at)
	if c.ahead < believed || step > largeStep && c.ahead < certain {
		return
	}
	if !c.alone { // else the first stamp was the wrong one, or there was a pause, which does no harm
		c.advance(step)
	}
	c.at, c.ahead, c.alone = c.aheadFrom, 0, false
	if t > c.at { // the newest of them is a suspect in turn, or moves the clock on
		c.Stamp(t)
	}
}

// suspectBehind handles a stamp far in the past.
func (c *Clock) suspectBehind(t int64) {
	if c.ahead = 0; c.behind == 0 || t > c.behindFrom {
		c.behindFrom = t
	}
	if c.behind++; c.behind == certain {
		c.at, c.behind, c.alone = c.behindFrom, 0, false
	}
}

// difference returns how far a stamp is from another, and whether it is further on. Stamps so far apart that the
// difference does not fit are as far apart as can be.
func difference(t, from int64) (step int64, further bool) {
	step = t - from
	if further = t > from; !further {
		step = -step
	}
	if step < 0 {
		step = 1<<63 - 1
	}
	return step, further
}
