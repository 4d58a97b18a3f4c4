package idle

import (
	"math"
	"slices"
)

// Limits of the memory for streams. What is forgotten depends on the input alone, and not on the number of
// workers.
const (
	// lightDatagrams is the most datagrams of a stream that counts as a handshake or a query.
	lightDatagrams = 8
	// Estimates of a stream's memory: for a handshake with everything that finds it again, and for a session
	// that was played.
	lightBytes  = 1 << 10
	playedBytes = 32 << 10
)

// A Use is what a Memory keeps in each of its streams.
type Use[T any] struct {
	Forgotten   bool // the Memory gave the stream up; it is not in the Memory any more
	Uncollected bool // nothing more is collected of the stream, for lack of memory

	list      uint8
	changed   bool   // since Measure
	awake     bool   // it is in Memory.awake
	rests     uint8  // how often it rested; at most restLevels-1
	datagrams uint32 // so far
	size      uint32 // bytes, when it was measured; at most 4 GB
	used      uint64 // Moment.Bytes of the newest datagram
	last      Moment // of the newest datagram that was noted
	age       Links[T]
}

// A Memory holds the streams of an input in the order of their last noted use, and forgets those that were unused for
// the longest time when there are too many. The cost of every operation is independent of their number.
type Memory[T any] struct {
	Forgotten uint64 // streams

	full      bool   // of what is collected: no new stream adds to it
	measured  uint64 // place of the input where that was
	limit     int    // bytes, of all
	collected int    // bytes, when it was measured
	share     int    // of the limit, for the light ones and for the idle ones each, by their estimates
	use       func(*T) *Use[T]
	light     List[T]
	live      List[T] // played within the last two minutes
	idle      List[T] // played before that
	lights    int
	idles     int
	// Those played since they were last told to rest, by Use.rests.
	awake  [restLevels][]*T
	looks  uint   // how often Resting was called
	looked uint64 // place of the input where that was
}

// The lists of a Memory.
const (
	unlisted = iota
	inLight
	inLive
	inIdle
)

// mostShare is how much of a memory handshakes and queries have, and idle streams have.
const mostShare = 64 << 20

// NewMemory returns a memory of so many bytes. use
// returns the part of a stream that belongs to the Memory.
func NewMemory[T any](limit int, use func(*T) *Use[T]) Memory[T] {
	list := NewList(func(s *T) *Links[T] { return &use(s).age })
	return Memory[T]{limit: limit, share: min(limit, mostShare), use: use, light: list, live: list, idle: list}
}

// Use records a datagram of a stream. Streams that are played rest; a handshake has little to give back.
func (m *Memory[T]) Use(s *T, at Moment) {
	u := m.use(s)
	u.changed, u.used = true, at.Bytes
	if u.datagrams < math.MaxUint32 {
		u.datagrams++
	}
	if u.datagrams > lightDatagrams && !u.awake {
		u.awake, m.awake[u.rests] = true, append(m.awake[u.rests], s)
	}
	if u.list == unlisted && m.full {
		u.Uncollected = true
	}
	list := uint8(inLive)
	if u.datagrams <= lightDatagrams {
		list = inLight
	}
	if u.list == list && !u.last.Stale(at) {
		return
	}
	if u.list != unlisted {
		m.remove(s, u)
	}
	u.list, u.last = list, at
	if list == inLight {
		m.lights++
	}
	m.list(u).Push(s)
}

// Next returns a stream that is to be forgotten, or nil.
func (m *Memory[T]) Next(at Moment) *T {
	for s := m.live.Oldest; s != nil && m.use(s).last.LongIdle(at); s = m.live.Oldest {
		u := m.use(s)
		m.remove(s, u)
		u.list, u.changed = inIdle, true
		m.idle.Push(s)
		m.idles++
	}
	var s *T
	switch {
	case m.lights*lightBytes > m.share:
		s = m.light.Oldest
	case m.idles*playedBytes > m.share:
		s = m.idle.Oldest
	default:
		return nil
	}
	m.forget(s)
	return s
}

// restAfter is how much of the input comes between a stream's last datagram and its first rest: a thousand players who
// all play at the same time do not reach it. Each rest doubles it for that stream, so that thousands who play on are
// not packed and unpacked with every datagram.
const (
	restAfter  = 1 << 20
	restLevels = 12
)

// RestDue reports whether Resting is to be called, at a place of the input.
func (m *Memory[T]) RestDue(at uint64) bool { return at-m.looked >= restAfter }

// Resting returns the streams that may rest until their next datagram: much of the input came since the last one. Those
// that wait longer are looked at more seldom.
func (m *Memory[T]) Resting(at uint64) (list []*T) {
	m.looked = at
	m.looks++
	for level := 0; level < restLevels && m.looks%(1<<level) == 0; level++ {
		m.awake[level] = slices.DeleteFunc(m.awake[level], func(s *T) bool {
			u := m.use(s)
			if at-u.used < restAfter<<level {
				return false
			}
			if u.awake = false; u.list != unlisted {
				u.changed, u.rests = true, min(u.rests+1, restLevels-1)
				list = append(list, s)
			}
			return true
		})
	}
	return list
}

func (m *Memory[T]) forget(s *T) {
	u := m.use(s)
	m.remove(s, u)
	u.Forgotten = true
	m.Forgotten++
}

func (m *Memory[T]) list(u *Use[T]) *List[T] {
	switch u.list {
	case inLight:
		return &m.light
	case inLive:
		return &m.live
	case inIdle:
		return &m.idle
	}
	return nil
}

func (m *Memory[T]) remove(s *T, u *Use[T]) {
	m.list(u).Remove(s)
	switch u.list {
	case inLight:
		m.lights--
	case inIdle:
		m.idles--
	}
	u.list = unlisted
}
