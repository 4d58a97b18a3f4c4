package snapshot

import "slices"

// A snapshot is the state of the game at one tick: items by key, and the values of all of them.
type snapshot struct {
	Items []item
	ints  []int32
	refs  int // number of ticks in the history with this snapshot
}

// An item of a snapshot has its values in the snapshot's ints.
type item struct {
	Key         Key
	start, size int32
}

func (s *snapshot) Values(it *item) []int32 { return s.ints[it.start : it.start+it.size] }

// find returns the index of an item, or -1.
func (s *snapshot) find(key Key) int {
	i, ok := slices.BinarySearchFunc(s.Items, key, func(it item, key Key) int {
		switch {
		case it.Key < key:
			return -1
		case it.Key > key:
			return 1
		}
		return 0
	})
	if !ok {
		return -1
	}
	return i
}

// bytes returns the approximate memory of the snapshot.
func (s *snapshot) bytes() int { return 12*len(s.Items) + 4*len(s.ints) }

// A history keeps the snapshots that can be the base of later ones. A server keeps those of 150
// ticks.
//
// CServer::DoSnapshot in src/engine/server/server.cpp.
type history struct {
	ticks [historyTicks + 1]int32 // by tick modulo historyTicks; the last: aside
	snaps [historyTicks + 1]*snapshot
	spare []*snapshot
	size  int // bytes of those in use
}

const (
	historyTicks = 256
	historyBytes = 1 << 20 // a session takes at most 2 MB
	historySpare = 8

	aside = historyTicks // index of a snapshot that must not replace another one yet
)

func (h *history) find(tick int32) (*snapshot, bool) {
	i := uint32(tick) % historyTicks
	if s := h.snaps[i]; s != nil && h.ticks[i] == tick {
		return s, true
	}
	if s := h.snaps[aside]; s != nil && h.ticks[aside] == tick {
		return s, true
	}
	return nil, false
}

// covers reports whether a snapshot of the tick would replace one that is as new, or newer.
func (h *history) covers(tick int32) bool {
	i := uint32(tick) % historyTicks
	return h.snaps[i] != nil && h.ticks[i] >= tick
}

// settle gives the snapshot that is aside its place among the others.
func (h *history) settle() {
	if s := h.snaps[aside]; s != nil {
		h.put(h.ticks[aside], s)
		h.drop(aside)
	}
}

// put stores a snapshot for a tick; the same snapshot may be stored for several ticks.
func (h *history) put(tick int32, s *snapshot) { h.set(uint32(tick)%historyTicks, tick, s) }

// set stores a snapshot at an index.
func (h *history) set(i uint32, tick int32, s *snapshot) {
	if s.refs++; s.refs == 1 {
		h.size += s.bytes()
	}
	h.drop(i)
	h.ticks[i], h.snaps[i] = tick, s
	for h.size > historyBytes {
		oldest := -1
		for j, s := range h.snaps {
			if s != nil && uint32(j) != i && (oldest < 0 || h.ticks[j] < h.ticks[oldest]) {
				oldest = j
			}
		}
		if oldest < 0 {
			return
		}
		h.drop(uint32(oldest))
	}
}

func (h *history) drop(i uint32) {
	s := h.snaps[i]
	if s == nil {
		return
	}
	h.snaps[i] = nil
	if s.refs--; s.refs == 0 {
		h.size -= s.bytes()
		if len(h.spare) < historySpare {
			h.spare = append(h.spare, s)
		}
	}
}

func (h *history) reset() {
	for i := range h.snaps {
		h.drop(uint32(i))
	}
}

// empty returns an empty snapshot to fill.
func (h *history) empty() *snapshot {
	if n := len(h.spare); n > 0 {
		s := h.spare[n-1]
		h.spare = h.spare[:n-1]
		s.Items, s.ints = s.Items[:0], s.ints[:0]
		return s
	}
	return new(snapshot)
}
