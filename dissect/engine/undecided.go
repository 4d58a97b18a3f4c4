package engine

import (
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// A flow is a pair of endpoints, the same for both directions.
type flow struct{ a, b netip.AddrPort }

func flowOf(p *dissect.Packet) flow {
	if p.Dst.Compare(p.Src) < 0 {
		return flow{p.Dst, p.Src}
	}
	return flow{p.Src, p.Dst}
}

// wait puts a datagram into the queue, unless it is foreign and foreign ones are not shown. A decided datagram
// may help to decide earlier ones: any that belongs to a protocol, and any of a flow with undecided datagrams.
func (f *front) wait(p *dissect.Packet, at idle.Moment, a answer) {
	key := flowOf(p)
	index, inQuestion := f.flows[key]
	if inQuestion {
		f.counts[index]++
	}
	switch {
	case a.again != 0:
		if !inQuestion {
			index = len(f.counts)
			f.flows[key] = index
			f.counts = append(f.counts, 0)
		}
		w := f.push(p)
		w.set(at, a)
		w.flow, w.count = index, f.counts[index]
		return
	case a.router >= 0 || f.cfg.All:
		f.push(p).set(at, a)
	default:
		f.stats.Unknown++
	}
	if a.router >= 0 || inQuestion {
		f.settle()
	}
}

// push puts a copy of the present packet into the queue.
func (f *front) push(p *dissect.Packet) *waiter {
	w := f.queue.push(p)
	w.Previous = f.previous
	return w
}

// settle passes on the head of the queue, as far as it can be decided by now.
func (f *front) settle() {
	for w := f.queue.head(); w != nil; w = f.queue.head() {
		if w.again != 0 {
			f.ask(&w.answer, &w.Packet, w.at, w.again, false)
		}
		if w.again != 0 {
			return
		}
		f.pass(&w.Packet, w.Previous, w.at, &w.answer)
		f.queue.pop()
	}
	if len(f.flows) > 1024 {
		f.flows = make(map[flow]int) // clearing a map costs as much as it ever held
	}
	clear(f.flows)
	f.counts = f.counts[:0]
}

// decide forces a decision on the head of the queue as long as due is true. Only the head has a deadline: later
// datagrams cannot be passed on before it.
func (f *front) decide(due func(*waiter) bool) {
	for w := f.queue.head(); w != nil && due(w); w = f.queue.head() {
		f.ask(&w.answer, &w.Packet, w.at, w.again, true)
		f.settle()
	}
}

// A queue holds packets in order while an earlier one is undecided.
//
// It is made of blocks, so that the memory of a burst is freed: a few blocks are kept for the next one.
type queue struct {
	blocks []*block // oldest first
	spare  []*block
}

// A block is a part of a queue.
type block struct {
	arena
	waiters []waiter
	taken   int // waiters that have left
}

// A waiter is a packet in the queue.
type waiter struct {
	dissect.Packet
	answer
	at    idle.Moment
	flow  int    // index of its flow, while it is undecided
	count uint32 // datagrams of the flow up to this one
}

func (w *waiter) set(at idle.Moment, a answer) { w.at, w.answer = at, a }

const (
	blockPackets = 128
	blockBytes   = 64 << 10
	spareBlocks  = 4
)

func (q *queue) empty() bool { return len(q.blocks) == 0 }

// head returns the oldest packet, or nil. It is valid until the next push or pop.
func (q *queue) head() *waiter {
	if len(q.blocks) == 0 {
		return nil
	}
	b := q.blocks[0]
	return &b.waiters[b.taken]
}

// push appends a copy of a packet.
func (q *queue) push(p *dissect.Packet) *waiter {
	var b *block
	if n := len(q.blocks); n > 0 && len(q.blocks[n-1].waiters) < blockPackets && len(q.blocks[n-1].payload) < blockBytes {
		b = q.blocks[n-1]
	} else {
		b = q.newBlock()
		q.blocks = append(q.blocks, b)
	}
	b.waiters = append(b.waiters, waiter{})
	w := &b.waiters[len(b.waiters)-1]
	b.keep(&w.Packet, p)
	return w
}

// pop removes the oldest packet.
func (q *queue) pop() {
	b := q.blocks[0]
	if b.taken++; b.taken < len(b.waiters) {
		return
	}
	q.blocks = append(q.blocks[:0], q.blocks[1:]...)
	if len(q.spare) < spareBlocks {
		b.arena.reset()
		b.waiters, b.taken = b.waiters[:0], 0
		q.spare = append(q.spare, b)
	}
}

func (q *queue) newBlock() *block {
	if n := len(q.spare); n > 0 {
		b := q.spare[n-1]
		q.spare = q.spare[:n-1]
		return b
	}
	return new(block)
}
