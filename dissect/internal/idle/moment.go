// Package idle measures how long an engine keeps things: records that wait, streams that are idle. Everything is
// measured by the input alone.
package idle

import "time"

// Limits for what waits and what is kept. The limits for records are documented for users.
const (
	WaitDatagrams = 256                 // of the same stream or flow
	WaitTime      = uint64(time.Second) // of capture time
	waitBytes     = 8 << 20             // of the input, counted by DatagramCost
	IdleTime      = uint64(2 * time.Minute)
	idleBytes     = 4 << 30                  // of the input, counted by DatagramCost: where the time does not advance
	ExpireEvery   = uint64(10 * time.Second) // how often the routers are asked to forget

	// DatagramCost is what a datagram counts in the input in addition to its payload: an estimate of the memory
	// that keeps one. With it waitBytes bounds everything that waits, in the front and in the workers, by 64 MB
	// even if every datagram is empty.
	DatagramCost = 176
)

// A Moment is a place in the input, given by two measures that never run backwards. It is what waiting is
// measured with.
//
// Records that wait in a worker are looked at in two places: before each datagram of their stream, with
// that datagram's moment, and at the end of each batch, with the batch's, so that a stream that falls
// silent does not hold up the output. Where batches end depends on the number of workers. What happens
// does not:
//
//   - A batch's moment is not before those of its datagrams and not after those of any later batch. So what
//     is overdue at the end of a batch is overdue for the stream's next datagram as well, and between the
//     two there is no datagram of the stream: the conversation is in the same state.
//   - Of one stream the oldest record always goes first, and what it unblocks is tried at once. The oldest
//     is overdue first by all three measures, the number of datagrams included. So the steps are the same
//     ones in the same order, only sooner or later.
//
// The same holds for Shrink, which follows when a stream has been silent for so long that all of its
// records are overdue.
type Moment struct {
	Elapsed uint64 // newest time of any datagram so far, in nanoseconds since the input's first time
	Bytes   uint64 // bytes of all datagrams before, counted by DatagramCost
}

// Idle reports whether something that was last used at m has been idle for long at now.
func (m Moment) Idle(now Moment) bool {
	return now.Elapsed-m.Elapsed > IdleTime || now.Bytes-m.Bytes > idleBytes
}

// noted divides the limits of Idle: within that part of them another use of a stream is not noted. To move it to the
// end of a list with each datagram would cost as much as finding it.
const noted = 16

// Stale reports whether a use has to be noted at now, after one that was noted at m.
func (m Moment) Stale(now Moment) bool {
	return now.Elapsed-m.Elapsed > IdleTime/noted || now.Bytes-m.Bytes > idleBytes/noted
}

// LongIdle is Idle for a stream whose last noted use was at m: later ones may not have been noted.
func (m Moment) LongIdle(now Moment) bool {
	return now.Elapsed-m.Elapsed > IdleTime+IdleTime/noted || now.Bytes-m.Bytes > idleBytes+idleBytes/noted
}

// Overdue reports whether something that began to wait at m has waited too long at now.
func (m Moment) Overdue(now Moment) bool {
	return now.Elapsed-m.Elapsed > WaitTime || now.Bytes-m.Bytes > waitBytes
}
