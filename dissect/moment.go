package dissect

import "time"

// Limits for what waits and what is kept. The limits for records are documented for users.
const (
	waitDatagrams = 256                 // of the same stream or flow
	waitTime      = uint64(time.Second) // of capture time
	waitBytes     = 8 << 20             // of the input, counted by datagramCost
	idleTime      = uint64(2 * time.Minute)
	idleBytes     = 4 << 30                  // of the input, counted by datagramCost: where time stands still
	expireEvery   = uint64(10 * time.Second) // how often the routers are asked to forget

	// datagramCost is what a datagram counts in the input in addition to its payload: an estimate of the memory
	// that keeps one. With it waitBytes bounds everything that waits, in the front and in the workers, by 64 MB
	// even if every datagram is empty.
	datagramCost = 176
)

// A moment is a place in the input, given by two measures that never run backwards. It is what waiting is
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
type moment struct {
	elapsed uint64 // newest time of any datagram so far, in nanoseconds since the input's first time
	bytes   uint64 // bytes of all datagrams before, counted by datagramCost
}

// idle reports whether something that was last used at m has been idle for long at now.
func (m moment) idle(now moment) bool {
	return now.elapsed-m.elapsed > idleTime || now.bytes-m.bytes > idleBytes
}

// noted divides the limits of idle: within that part of them another use of a stream is not noted. To move it to the
// end of a list with each datagram would cost as much as finding it.
const noted = 16

// stale reports whether a use has to be noted at now, after one that was noted at m.
func (m moment) stale(now moment) bool {
	return now.elapsed-m.elapsed > idleTime/noted || now.bytes-m.bytes > idleBytes/noted
}

// longIdle is idle for a stream whose last noted use was at m: later ones may not have been noted.
func (m moment) longIdle(now moment) bool {
	return now.elapsed-m.elapsed > idleTime+idleTime/noted || now.bytes-m.bytes > idleBytes+idleBytes/noted
}

// overdue reports whether something that began to wait at m has waited too long at now.
func (m moment) overdue(now moment) bool {
	return now.elapsed-m.elapsed > waitTime || now.bytes-m.bytes > waitBytes
}
