package run

import (
	"cmp"
	"slices"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
)

// previousTimes returns the capture time of the packet before a record's, for -t d. The time of a packet is
// added when it is read, set aside when the engine selects it, and taken when it is rendered; so the memory is
// bounded by the packets in progress.
type previousTimes struct {
	all   bool  // packets that are not datagrams may become records too
	last  int64 // time of the newest packet that has one
	dated bool

	recent []frameTime // of the newest packets that may become records, in order; a ring from oldest on
	oldest int

	mu      sync.Mutex
	pending map[uint64]int64 // by frame
}

type frameTime struct {
	frame uint64
	time  int64 // of the packet before
}

// maxRecent is more than the packets that the engine holds before it decides about a datagram: 8 MiB of input
// at 128 bytes and more each.
const maxRecent = 1 << 17

func newPreviousTimes(all bool) *previousTimes {
	return &previousTimes{all: all, pending: make(map[uint64]int64)}
}

// add is called for every packet, in order. The first one counts as its own predecessor.
func (t *previousTimes) add(p *dissect.Packet) {
	if !p.HasTime {
		return
	}
	before := p.Time
	if t.dated {
		before = t.last
	}
	t.last, t.dated = p.Time, true
	if !p.UDP && !t.all {
		return
	}
	if len(t.recent) < maxRecent {
		t.recent = append(t.recent, frameTime{p.Frame, before})
		return
	}
	t.recent[t.oldest] = frameTime{p.Frame, before}
	t.oldest = (t.oldest + 1) % maxRecent
}

// selected sets the time for a record aside. It is called by the goroutine that calls add.
func (t *previousTimes) selected(frame uint64) {
	for _, part := range [2][]frameTime{t.recent[t.oldest:], t.recent[:t.oldest]} {
		i, found := slices.BinarySearchFunc(part, frame, func(e frameTime, f uint64) int { return cmp.Compare(e.frame, f) })
		if found {
			t.mu.Lock()
			t.pending[frame] = part[i].time
			t.mu.Unlock()
			return
		}
	}
}

// takeTime takes the time for a record. It may be called by any goroutine.
func (t *previousTimes) takeTime(rec *dissect.Record) (at int64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at, ok = t.pending[rec.Frame]
	delete(t.pending, rec.Frame)
	return at, ok
}
