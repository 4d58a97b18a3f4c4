package leap

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Timed is a recording whose packets have values of one clock.
type Timed interface {
	dissect.Recording
	// Moment returns the time of the last packet in milliseconds. set means that it is a value of the file, and not
	// counted from that of the packet before. known is false for a packet without a time.
	Moment() (at int64, set, known bool)
	// Doubt marks a packet whose time leaps. near is a time after that of the packet before, and before the time of the
	// next which has one.
	Doubt(p *dissect.Packet, near int64)
}

// Of the packets that are looked at before one is returned: as many values of the file, or fewer if they take more
// packets or bytes than this.
const (
	aheadValues  = 8
	aheadPackets = 4096
	aheadBytes   = 2 << 20
)

// An Ahead is a recording that looks ahead where its clock leaps, and marks the packets whose time is not known.
type Ahead struct {
	in      Timed
	last    int64 // the newest good time
	started bool  // last is set
	near    int64 // the same of the packets since, by their steps
	before  int64 // the last time, which leapt
	leapt   bool  // the last value of the file leapt, and so do times that are counted from it
	doubts  int   // values since last
	queue   []ahead
	groups  []group
	next    int // in queue
	ended   error
}

// An ahead is a packet that was read ahead.
type ahead struct {
	packet dissect.Packet
	at     int64
	group  int // of groups; -1: it has no time
}

// A group is a value of the file with the times that are counted from it.
type group struct {
	first, last int64
	good        bool
}

// NewAhead returns a recording that looks ahead in another.
func NewAhead(in Timed) *Ahead { return &Ahead{in: in} }

// Tail returns the bytes of the file after its last message, if the recording has them.
func (a *Ahead) Tail() []byte {
	if in, ok := a.in.(interface{ Tail() []byte }); ok {
		return in.Tail()
	}
	return nil
}

// Next returns the next packet.
func (a *Ahead) Next() (*dissect.Packet, error) {
	if a.next < len(a.queue) {
		a.next++
		return &a.queue[a.next-1].packet, nil
	}
	if a.ended != nil {
		return nil, a.ended
	}
	p, err := a.in.Next()
	if err != nil {
		return nil, err
	}
	at, set, known := a.in.Moment()
	switch step := at - a.last; {
	case !known:
	case !set && a.leapt:
		a.doubt(p, at)
	case a.started && (!set || !a.leapt && step >= 0 && step <= usual):
		a.last, a.near, a.before = at, at, 0
	default:
		a.look(p)
		a.next = 1
		return &a.queue[0].packet, nil
	}
	return p, nil
}

// look reads ahead from a packet on, and marks those whose times leap.
func (a *Ahead) look(p *dissect.Packet) {
	a.queue, a.groups = a.queue[:0], a.groups[:0]
	for bytes := 0; ; {
		at, set, known := a.in.Moment()
		one := ahead{packet: *p, at: at, group: -1}
		one.packet.Payload = slices.Clone(p.Payload)
		if known && (set || len(a.groups) == 0) {
			a.groups = append(a.groups, group{first: at})
		}
		if known {
			one.group = len(a.groups) - 1
			a.groups[one.group].last = at
		}
		a.queue = append(a.queue, one)
		bytes += len(p.Payload)
		if len(a.groups) == aheadValues || len(a.queue) >= aheadPackets || bytes >= aheadBytes {
			break
		}
		if p, a.ended = a.in.Next(); a.ended != nil {
			break
		}
	}
	a.judge()
	a.mark()
}

// judge decides which groups are good: those of the longest chain in which each follows the one before, and the first
// of them the newest good time. If none does, the clock may have been set by less than Longest.
func (a *Ahead) judge() {
	best := a.chain(func(at int64) bool { return !a.started && at >= 0 || a.started && follows(a.last, at, a.doubts) })
	if len(best) == 0 {
		near := a.chain(func(at int64) bool { return at-a.last > -Longest && at < a.last })
		if len(near) >= enough {
			best = near
		}
	}
	for _, i := range best {
		a.groups[i].good = true
	}
}

// chain returns the longest chain of groups whose first one may begin it. Of two as long it is the one that takes less
// time.
func (a *Ahead) chain(begins func(at int64) bool) (chain []int) {
	length, before := make([]int, len(a.groups)), make([]int, len(a.groups))
	end := -1
	for i := range a.groups {
		at := a.groups[i].first
		if before[i] = -1; begins(at) {
			length[i] = 1
		}
		for j := range i {
			if length[j] > 0 && length[j] >= length[i] && follows(a.groups[j].last, at, i-j-1) {
				length[i], before[i] = length[j]+1, j
			}
		}
		longer := end < 0 || length[i] > length[end] || length[i] == length[end] && at < a.groups[end].first
		if length[i] > 0 && longer {
			end = i
		}
	}
	for ; end >= 0; end = before[end] {
		chain = append(chain, end)
	}
	return chain
}

// mark marks the packets of the groups that leap.
func (a *Ahead) mark() {
	for i := range a.groups {
		if g := &a.groups[i]; g.good && !a.started {
			a.last, a.started = g.first, true // those before it have this time
			a.near = a.last - tick - a.lasted(i)
		}
	}
	group := -1
	for i := range a.queue {
		one := &a.queue[i]
		if one.group < 0 {
			continue
		}
		g := &a.groups[one.group]
		if one.group != group {
			group, a.leapt = one.group, !g.good
			if a.doubts++; g.good {
				a.doubts = 0
			}
		}
		if g.good {
			a.last, a.near, a.before = g.last, g.last, 0
		} else {
			a.doubt(&one.packet, one.at)
		}
	}
}

// lasted returns how long the groups before one last, by their steps.
func (a *Ahead) lasted(before int) (sum int64) {
	for i := range a.groups[:before] {
		span := a.groups[i].last - a.groups[i].first
		if span < 0 || span > usual {
			span = tick * int64(len(a.queue))
		}
		sum += span + tick
	}
	return sum
}

// tick is the shortest step, in milliseconds.
const tick = 20

// doubt marks a packet whose time leaps.
func (a *Ahead) doubt(p *dissect.Packet, at int64) {
	step := at - a.before
	if a.before == 0 || step < 0 || step > usual {
		step = tick
	}
	a.near, a.before = a.near+step, at
	a.in.Doubt(p, a.near)
}
