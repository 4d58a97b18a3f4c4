package dissect

import "time"

// A RateLimit is a leaky bucket that an engine has for each address: Burst queries at once, and another each Period.
type RateLimit struct {
	Burst  int           // 0: there is no limit, or it is not known
	Period time.Duration //
	Marker uint32        // the first four bytes of all datagrams that it is for, and of none in a session
}

// A LeakyBucket is the bucket of one address: what is let through adds one, each period takes one away. It is ready for
// use as it is.
type LeakyBucket struct {
	level int64
	since int64 // the moment up to which periods are accounted for, in nanoseconds
}

// Admits reports whether a limit lets through what comes at a time. Whole milliseconds count, as in the engines.
func (b *LeakyBucket) Admits(now int64, limit RateLimit) bool {
	now -= now % 1e6
	periods := (now - b.since) / int64(limit.Period)
	if now < b.since || periods > b.level {
		b.level, b.since = 0, now
	} else {
		b.level -= periods
		b.since += periods * int64(limit.Period)
	}
	if b.level >= int64(limit.Burst) {
		return false
	}
	b.level++
	return true
}
