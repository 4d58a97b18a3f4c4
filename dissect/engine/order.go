package engine

import (
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/cacheline"
)

const (
	outputBytes  = 256 << 10 // a worker passes on its output when it has this much
	outputKept   = 256       // or so many records that are kept
	maxSpareSize = 1 << 20   // larger buffers are not reused
	directBytes  = 32 << 10  // smaller pieces are collected before they are written
	ringLength   = 1024      // at first
)

// An Out takes what Config.FinishTo makes of records, one after the other.
type Out struct {
	Worker int    // that calls, numbered from 0
	Bytes  []byte // to append to; what is left of it when FinishTo returns goes to Output

	records []place
	marks   []mark
	kept    []*Kept       // those in use; up to the capacity, spare ones
	size    int           // bytes of the kept ones
	left    int           // records that are not written yet; the writer's
	settled chan struct{} // not an output: closed when all before it are written
	gaps    bool          // the places are not contiguous

	faults map[uint64]error // by place: errors of Finish; usually nil

	_ cacheline.Distance
}

// A place is the position of a record.
type place struct {
	seq uint64 // in the whole output
	end int    // of its bytes
}

// A mark ends bytes that are not for Output, or precede a record that is kept.
type mark struct {
	record int // index of the record
	end    int // of the bytes
	lane   int
	kept   *Kept // nil: none
}

// A Kept is a record on its way to Config.InOrder. It has the events and what describes the record: the packet without
// its payload, the stream, the protocol. What else is needed FinishTo copies into it. Its memory is used again.
type Kept struct {
	dissect.Record
	Tag   int    // the caller's; at first 0
	Bytes []byte // memory for copies; at first empty
}

// Lane sends what was appended to Bytes since the last call of Lane or Keep, or since the record's beginning, to one of
// Config.Lanes, numbered from 1. Lane 0 is Output.
func (o *Out) Lane(n int) {
	o.marks = append(o.marks, mark{record: len(o.records), end: len(o.Bytes), lane: n})
}

// Keep keeps a record for Config.InOrder, which gets it after what was appended to Bytes so far. It takes the events
// out of the record.
func (o *Out) Keep(rec *dissect.Record) *Kept {
	n := len(o.kept)
	if o.kept = slices.Grow(o.kept, 1)[:n+1]; o.kept[n] == nil {
		o.kept[n] = &Kept{Record: *dissect.NewRecord()}
	}
	k := o.kept[n]
	k.Reset() // and then field by field: as a whole it would be copied twice
	k.Tag, k.Bytes = 0, k.Bytes[:0]
	k.Packet, k.File, k.FirstTime = rec.Packet, rec.File, rec.FirstTime
	k.Payload, k.IPFragments, k.Link, k.Raw = nil, nil, nil, nil
	k.Protocol, k.Stream, k.Direction, k.Reading = rec.Protocol, rec.Stream, rec.Direction, rec.Reading
	k.ShowSecrets, k.Closing, k.NoTree, k.Uncollected = rec.ShowSecrets, rec.Closing, true, rec.Uncollected
	if len(rec.Events.Nodes) > 0 {
		k.Events, rec.Events = rec.Events, k.Events
	}
	o.marks = append(o.marks, mark{record: len(o.records), end: len(o.Bytes), kept: k})
	return k
}

// KeepPacket is Keep with the packet's bytes, for those who write packets: the original ones if it has them, else its
// payload. They are the beginning of Bytes.
func (o *Out) KeepPacket(rec *dissect.Record) *Kept {
	p, k := rec.Packet, o.Keep(rec)
	if p.Link, p.IPFragments = nil, nil; p.Raw != nil {
		p.Payload = nil // its bytes are part of the others
	}
	k.Packet, k.Bytes = p.Clone(k.Bytes)
	return k
}

// start returns where the bytes of a record begin.
func (o *Out) start(record int) int {
	if record == 0 {
		return 0
	}
	return o.records[record-1].end
}

// add ends the present record.
func (o *Out) add(seq uint64) {
	if n := len(o.records); n > 0 && o.records[n-1].seq+1 != seq {
		o.gaps = true
	}
	for i := len(o.marks) - 1; i >= 0 && o.marks[i].record == len(o.records); i-- {
		if k := o.marks[i].kept; k != nil {
			o.size += len(k.Bytes)
		}
	}
	o.records = append(o.records, place{seq: seq, end: len(o.Bytes)})
}

// full reports whether the output is to be passed on.
func (o *Out) full() bool { return len(o.Bytes)+o.size >= outputBytes || len(o.kept) >= outputKept }

// fail makes the present record one with an error; nothing of it is written.
func (o *Out) fail(seq uint64, err error) {
	if o.faults == nil {
		o.faults = make(map[uint64]error)
	}
	o.faults[seq] = err
	for n := len(o.marks); n > 0 && o.marks[n-1].record == len(o.records); n-- {
		o.marks = o.marks[:n-1]
	}
}

// empty makes the output ready for other records, and keeps memory of it.
func (o *Out) empty() {
	for i, k := range o.kept {
		if cap(k.Bytes) > spareBytes || cap(k.Events.Nodes) > spareNodes {
			o.kept[i] = nil
		}
	}
	*o = Out{Bytes: o.Bytes[:0], records: o.records[:0], marks: o.marks[:0], kept: o.kept[:0]}
}

// spareNodes is how many nodes of events a Kept has memory for that is used again.
const spareNodes = 256

// A writer puts records back in order: they have their place in the output, and are written when all earlier ones have
// been. Records that arrive early wait in a ring, by their place; the limits of what waits in the workers bound it. It
// always accepts the workers' output, so that no worker has to wait for another: only Output can block it.
type writer struct {
	cfg    *Config
	alone  bool // there is no goroutine for run, and put writes
	in     chan *Out
	err    error // set before failed
	failed atomic.Bool

	_ cacheline.Distance // the front looks at failed with each packet; what follows changes with each record

	next      uint64  // place of the next record
	ring      []piece // length a power of two; a place's index is its lowest bits
	waiting   int     // records in the ring
	small     []byte  // pieces to be written together
	unflushed bool    // written, but not flushed
}

// A piece is a record in the ring.
type piece struct {
	from   *Out // nil: not there yet
	record int
}

func newWriter(cfg *Config) *writer {
	return &writer{
		cfg: cfg, alone: cfg.Workers == 0, in: make(chan *Out, 2*cfg.Workers),
	}
}

// put passes an output to the writer, which then owns it. It must not be called after close.
func (w *writer) put(o *Out) {
	if w.alone {
		w.accept(o)
		return
	}
	w.in <- o
}

// settle waits until everything that was put is written, or waits for an earlier record.
func (w *writer) settle() {
	if w.alone {
		return
	}
	o := &Out{settled: make(chan struct{})}
	w.in <- o
	<-o.settled
}

// idle announces that there is nothing more for the moment. It is for a writer without run, which notices.
func (w *writer) idle() { w.flush() }

// close lets run end once everything is written.
func (w *writer) close() {
	close(w.in)
	if w.alone {
		w.flush()
	}
}

// failure returns the error that stopped the writer, or nil. It is safe for concurrent use.
func (w *writer) failure() error {
	if w.failed.Load() {
		return w.err
	}
	return nil
}

// take returns an output for a worker to fill. It never blocks: while one record is missing, any number may be needed.
func (w *writer) take(worker int) *Out {
	o := outputs.Get().(*Out)
	o.Worker = worker
	return o
}

// outputs are those that were written: their memory is used again, by other engines as well.
var outputs = sync.Pool{New: func() any { return new(Out) }}

// run writes until the channel is closed. After a failure it only discards outputs.
func (w *writer) run() {
	for {
		select {
		case o, ok := <-w.in:
			if !ok {
				w.flush()
				return
			}
			w.accept(o)
		default:
			w.flush()
			o, ok := <-w.in
			if !ok {
				return
			}
			w.accept(o)
		}
	}
}

func (w *writer) accept(o *Out) {
	if o.settled != nil {
		close(o.settled)
		return
	}
	first, count := o.records[0].seq, len(o.records)
	switch {
	case w.failed.Load():
		w.recycle(o)
	case w.waiting == 0 && !o.gaps && first == w.next && o.faults == nil:
		w.next += uint64(count)
		w.deliver(o, 0, count)
		w.recycle(o)
	default:
		w.store(o)
		w.drain()
	}
}

// store puts an output's records into the ring.
func (w *writer) store(o *Out) {
	if w.ring == nil {
		w.ring = make([]piece, ringLength)
	}
	o.left = len(o.records)
	w.waiting += o.left
	for i, r := range o.records {
		for r.seq-w.next >= uint64(len(w.ring)) {
			w.grow()
		}
		*w.at(r.seq) = piece{from: o, record: i}
	}
}

func (w *writer) at(seq uint64) *piece { return &w.ring[seq&uint64(len(w.ring)-1)] }

// grow doubles the ring. No record in it is so far from next that two records would share an index.
func (w *writer) grow() {
	old := w.ring
	w.ring = make([]piece, 2*len(old))
	for seq := w.next; seq < w.next+uint64(len(old)); seq++ {
		*w.at(seq) = old[seq&uint64(len(old)-1)]
	}
}

// drain writes the records that follow without a gap, in one piece if they are contiguous in memory. It stops
// at the first record with an error of Finish.
func (w *writer) drain() {
	for p := w.at(w.next); p.from != nil; p = w.at(w.next) {
		o, first, next := p.from, p.record, p.record
		if err := o.faults[w.next]; err != nil {
			w.flush()
			w.check(err)
			return
		}
		for ; p.from == o && p.record == next && (o.faults == nil || o.faults[w.next] == nil); p = w.at(w.next) {
			next++
			*p = piece{}
			o.left--
			w.waiting--
			w.next++
		}
		w.deliver(o, first, next)
		if o.left == 0 {
			w.recycle(o)
		}
	}
}

// deliver writes the records of an output from one up to another.
func (w *writer) deliver(o *Out, first, next int) {
	start, end := o.start(first), o.start(next)
	if len(o.marks) > 0 {
		i := sort.Search(len(o.marks), func(i int) bool { return o.marks[i].record >= first })
		for ; i < len(o.marks) && o.marks[i].record < next; i++ {
			m := &o.marks[i]
			if begin := o.start(m.record); begin > start {
				w.write(o.Bytes[start:begin])
				start = begin
			}
			w.lane(m.lane, o.Bytes[start:m.end])
			if start = m.end; m.kept != nil {
				w.inOrder(m.kept)
			}
		}
	}
	w.write(o.Bytes[start:end])
}

// lane writes a piece of a lane.
func (w *writer) lane(n int, b []byte) {
	if n == 0 {
		w.write(b)
	} else if len(b) > 0 && !w.failed.Load() {
		w.unflushed = true
		w.check(w.cfg.Lanes[n-1](b))
	}
}

// inOrder passes on a record that was kept, and writes what is made of it now.
func (w *writer) inOrder(k *Kept) {
	if w.failed.Load() {
		return
	}
	w.unflushed = true
	b, err := w.cfg.InOrder(w.small, k)
	if err != nil {
		w.flush()
		w.check(err)
		return
	}
	if w.small = b; len(b) > directBytes {
		w.emit(b)
		w.small = b[:0]
	}
}

// recycle keeps an output's memory for a worker.
func (w *writer) recycle(o *Out) {
	if cap(o.Bytes) > maxSpareSize {
		return
	}
	o.empty()
	outputs.Put(o)
}

// write writes b, or keeps a copy to write it together with later pieces.
func (w *writer) write(b []byte) {
	if len(w.small)+len(b) > directBytes {
		w.emit(w.small)
		w.small = w.small[:0]
	}
	if len(b) >= directBytes {
		w.emit(b)
		return
	}
	w.small = append(w.small, b...)
}

func (w *writer) emit(b []byte) {
	if len(b) == 0 || w.cfg.Output == nil || w.failed.Load() {
		return
	}
	w.unflushed = true
	w.check(w.cfg.Output(b))
}

// flush writes the kept pieces and calls Config.Flush: there is nothing more for the moment.
func (w *writer) flush() {
	w.emit(w.small)
	w.small = w.small[:0]
	if w.unflushed && w.cfg.Flush != nil && !w.failed.Load() {
		w.check(w.cfg.Flush())
	}
	w.unflushed = false
}

// check stops everything at the first error.
func (w *writer) check(err error) {
	if err != nil && w.err == nil {
		w.err = err
		w.failed.Store(true)
	}
}
