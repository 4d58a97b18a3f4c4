package dissect

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/internal/lifetime"
)

// batchesPerWorker is how many batches there are for each worker: the one it works on, those that lie in
// its channel, and the one that is being filled.
const (
	batchesPerWorker = 2 + queuedBatches
	queuedBatches    = 2
)

// unseen is the sequence number of a record that is not shown.
const unseen uint64 = math.MaxUint64

// An arena owns copies of packets. A copy stays valid when the arena grows, until reset.
type arena struct {
	payload []byte
	frames  []uint64
	links   []Link
	vlans   []uint16
	raws    []RawPacket
}

// keep makes dst a copy of p that is independent of the reader.
func (a *arena) keep(dst, p *Packet) {
	*dst = *p
	n := len(a.payload)
	a.payload = append(a.payload, p.Payload...)
	dst.Payload = a.payload[n:len(a.payload):len(a.payload)]
	if p.IPFragments != nil {
		n = len(a.frames)
		a.frames = append(a.frames, p.IPFragments...)
		dst.IPFragments = a.frames[n:len(a.frames):len(a.frames)]
	}
	if p.Link != nil {
		n = len(a.vlans)
		a.vlans = append(a.vlans, p.Link.VLAN...)
		a.links = append(a.links, *p.Link)
		dst.Link = &a.links[len(a.links)-1]
		dst.Link.VLAN = a.vlans[n:len(a.vlans):len(a.vlans)]
	}
	if p.Raw != nil {
		n = len(a.payload)
		a.payload = append(a.payload, p.Raw.Data...)
		a.raws = append(a.raws, *p.Raw)
		dst.Raw = &a.raws[len(a.raws)-1]
		dst.Raw.Data = a.payload[n:len(a.payload):len(a.payload)]
	}
}

// reset forgets the packets and keeps the memory.
func (a *arena) reset() {
	a.payload, a.frames, a.links, a.vlans, a.raws = a.payload[:0], a.frames[:0], a.links[:0], a.vlans[:0], a.raws[:0]
}

// An item is a packet on its way to a worker.
type item struct {
	Packet
	at        lifetime.Moment
	seq       uint64 // place in the output, contiguous over all selected packets; or unseen
	stream    int    // -1: none
	protocol  int    // index; -1: none
	route     Route
	forget    bool // not a packet: the stream is to be dropped
	fresh     bool // the stream comes back after it was forgotten
	firstTime int64
}

// A batch is one worker's share of a window of the input.
type batch struct {
	arena
	items []item
	file  string
	at    lifetime.Moment // no later datagram has an earlier one
	end   bool            // the input ends here

	closing uint64 // end: place in the output of the final record of stream 0; the others follow
	streams int    // end: streams that are asked for a final record; 0: none
}

// add appends an item with a copy of the packet.
func (b *batch) add(p *Packet) *item {
	if len(b.items) < cap(b.items) {
		b.items = b.items[:len(b.items)+1]
	} else {
		b.items = append(b.items, item{})
	}
	it := &b.items[len(b.items)-1]
	b.keep(&it.Packet, p)
	return it
}

func (b *batch) reset() {
	b.arena.reset()
	b.items = b.items[:0]
}

// leave gives the memory of an empty batch to other engines, without what its items point to.
func (b *batch) leave() {
	b.file = ""
	clear(b.items[:cap(b.items)])
	clear(b.links[:cap(b.links)])
	clear(b.raws[:cap(b.raws)])
	batches.Put(b)
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
	Packet
	answer
	at    lifetime.Moment
	flow  int    // index of its flow, while it is undecided
	count uint32 // datagrams of the flow up to this one
}

func (w *waiter) set(at lifetime.Moment, a answer) { w.at, w.answer = at, a }

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
func (q *queue) push(p *Packet) *waiter {
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
