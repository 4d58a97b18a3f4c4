package engine

import (
	"math"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/cacheline"
	"github.com/q3dissect/q3dissect/dissect/internal/idle"
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
	links   []dissect.Link
	vlans   []uint16
	raws    []dissect.RawPacket
	quotes  []dissect.Quote
}

// keep makes dst a copy of p that is independent of the reader.
func (a *arena) keep(dst, p *dissect.Packet) {
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
	if !p.UDP {
		dst.Quote = nil // no protocol knows it
	} else if p.Quote != nil {
		a.quotes = append(a.quotes, *p.Quote)
		dst.Quote = &a.quotes[len(a.quotes)-1]
		dst.Quote.Payload = nil // of a record it is the record's own
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
	a.quotes = a.quotes[:0]
}

// An order is what a worker does with an item.
type order uint8

const (
	aPacket      order = iota // it dissects it
	forgetStream              // the stream is to be dropped
	restStream                // the stream is to take less memory until its next packet
)

// An item is a packet on its way to a worker.
type item struct {
	dissect.Packet
	at          idle.Moment
	seq         uint64 // place in the output, contiguous over all selected packets; or unseen
	stream      int    // -1: none
	protocol    int    // index; -1: none
	route       dissect.Route
	order       order
	fresh       bool // the stream comes back after it was forgotten
	uncollected bool // see Record.Uncollected
	firstTime   int64
}

// A batch is one worker's share of a window of the input.
type batch struct {
	arena
	items []item
	file  string
	at    idle.Moment // no later datagram has an earlier one
	end   bool        // the input ends here

	closing uint64 // end: place in the output of the final record of stream 0; the others follow
	streams int    // end: streams that are asked for a final record; 0: none

	_ cacheline.Distance
}

// add appends an item with a copy of the packet.
func (b *batch) add(p *dissect.Packet) *item {
	if len(b.items) < cap(b.items) {
		b.items = b.items[:len(b.items)+1]
	} else {
		b.items = append(b.items, item{})
	}
	it := &b.items[len(b.items)-1]
	it.order, it.fresh, it.uncollected = aPacket, false, false // it was used before
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

// newBatch returns an empty batch. If enough are in use it waits for a worker to return one.
func (f *front) newBatch() *batch {
	select {
	case b := <-f.free:
		return b
	default:
	}
	if f.made < cap(f.free) {
		f.made++
		return batches.Get().(*batch)
	}
	return <-f.free
}

// batches are those of engines that were closed.
var batches = sync.Pool{New: func() any { return new(batch) }}

// leave gives the memory of an engine that is being closed to others.
func (f *front) leave() {
	for _, b := range f.window {
		b.leave()
	}
	f.window = nil
	for {
		select {
		case b := <-f.free:
			b.leave()
		default:
			return
		}
	}
}
