// Package inorder puts the output of several workers back in order: records have their place in the output, and
// are written when all earlier ones have been.
package inorder

import (
	"sync"
	"sync/atomic"
)

const (
	outputBytes  = 256 << 10 // a worker passes on its output when it has this much
	maxSpareSize = 1 << 20   // larger buffers are not reused
	directBytes  = 32 << 10  // smaller pieces are collected before they are written
	ringLength   = 1024      // at first
)

// An Output is the output of a worker: the records' bytes, one after the other.
type Output struct {
	Bytes   []byte
	records []place
	left    int  // records that are not written yet; the writer's
	gaps    bool // the places are not contiguous

	faults map[uint64]error // by place: errors of Finish; usually nil
}

// A place is the position of a record.
type place struct {
	seq uint64 // in the whole output
	end int    // of its bytes
}

// Add marks the end of the record's bytes.
func (o *Output) Add(seq uint64) {
	if n := len(o.records); n > 0 && o.records[n-1].seq+1 != seq {
		o.gaps = true
	}
	o.records = append(o.records, place{seq: seq, end: len(o.Bytes)})
}

// Full reports whether the output is to be passed on.
func (o *Output) Full() bool { return len(o.Bytes) >= outputBytes }

// Len returns the number of records.
func (o *Output) Len() int { return len(o.records) }

// Fail records the error of a record without bytes. The record is still to be added.
func (o *Output) Fail(seq uint64, err error) {
	if o.faults == nil {
		o.faults = make(map[uint64]error)
	}
	o.faults[seq] = err
}

// A Writer puts records back in order. Records that arrive early wait in a ring, by their place; the limits of
// what waits in the workers bound it. It always accepts the workers' output, so that no worker has to wait for
// another: only Output can block it.
type Writer struct {
	output  func([]byte) error // nil: nothing is written
	flushed func() error       // called when there is nothing more for the moment; may be nil
	alone   bool
	in      chan *Output
	spare   chan *Output
	err     error       // set before failed
	failed  atomic.Bool //

	next      uint64  // place of the next record
	ring      []piece // length a power of two; a place's index is its lowest bits
	waiting   int     // records in the ring
	small     []byte  // pieces to be written together
	unflushed bool    // written, but not flushed
}

// A piece is a record in the ring.
type piece struct {
	from       *Output // nil: not there yet
	start, end int
}

// New returns a writer for a number of workers; 0: there is no goroutine for Run, and Put writes. Both functions may be nil: write writes the output, in pieces;
// flush is called when there is nothing more for the moment.
func New(workers int, write func([]byte) error, flush func() error) *Writer {
	return &Writer{
		output:  write,
		flushed: flush,
		alone:   workers == 0,
		in:      make(chan *Output, 2*workers),
		spare:   make(chan *Output, 5*workers+2),
	}
}

// Put passes an output to the writer, which then owns it. It must not be called after Close.
func (w *Writer) Put(o *Output) {
	if w.alone {
		w.accept(o)
		return
	}
	w.in <- o
}

// Return takes back an empty output.
func (w *Writer) Return(o *Output) { w.recycle(o) }

// Idle announces that there is nothing more for the moment. It is for a writer without Run, which notices.
func (w *Writer) Idle() { w.flush() }

// Close lets Run end once everything is written.
func (w *Writer) Close() {
	close(w.in)
	if w.alone {
		w.flush()
		w.release()
	}
}

// Failure returns the error that stopped the writer, or nil. It is safe for concurrent use.
func (w *Writer) Failure() error {
	if w.failed.Load() {
		return w.err
	}
	return nil
}

// Take returns an output to fill. It never blocks: while one record is missing, any number may be needed.
func (w *Writer) Take() *Output {
	select {
	case o := <-w.spare:
		return o
	default:
		return outputs.Get().(*Output)
	}
}

// outputs are those of writers that have ended: an engine for each of many small inputs would grow its own.
var outputs = sync.Pool{New: func() any { return new(Output) }}

// release leaves the memory of the outputs to other writers.
func (w *Writer) release() {
	for {
		select {
		case o := <-w.spare:
			outputs.Put(o)
		default:
			return
		}
	}
}

// Run writes until the channel is closed. After a failure it only discards outputs.
func (w *Writer) Run() {
	defer w.release()
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

func (w *Writer) accept(o *Output) {
	first, count := o.records[0].seq, len(o.records)
	switch {
	case w.failed.Load():
		w.recycle(o)
	case w.waiting == 0 && !o.gaps && first == w.next && o.faults == nil:
		w.next += uint64(count)
		w.write(o.Bytes)
		w.recycle(o)
	default:
		w.store(o)
		w.drain()
	}
}

// store puts an output's records into the ring.
func (w *Writer) store(o *Output) {
	if w.ring == nil {
		w.ring = make([]piece, ringLength)
	}
	o.left = len(o.records)
	w.waiting += o.left
	start := 0
	for _, r := range o.records {
		for r.seq-w.next >= uint64(len(w.ring)) {
			w.grow()
		}
		*w.at(r.seq) = piece{from: o, start: start, end: r.end}
		start = r.end
	}
}

func (w *Writer) at(seq uint64) *piece { return &w.ring[seq&uint64(len(w.ring)-1)] }

// grow doubles the ring. No record in it is so far from next that two records would share an index.
func (w *Writer) grow() {
	old := w.ring
	w.ring = make([]piece, 2*len(old))
	for seq := w.next; seq < w.next+uint64(len(old)); seq++ {
		*w.at(seq) = old[seq&uint64(len(old)-1)]
	}
}

// drain writes the records that follow without a gap, in one piece if they are contiguous in memory. It stops
// at the first record with an error of Finish.
func (w *Writer) drain() {
	for p := w.at(w.next); p.from != nil; p = w.at(w.next) {
		o, start, end := p.from, p.start, p.start
		if err := o.faults[w.next]; err != nil {
			w.flush()
			w.check(err)
			return
		}
		for ; p.from == o && p.start == end && (o.faults == nil || o.faults[w.next] == nil); p = w.at(w.next) {
			end = p.end
			*p = piece{}
			o.left--
			w.waiting--
			w.next++
		}
		w.write(o.Bytes[start:end])
		if o.left == 0 {
			w.recycle(o)
		}
	}
}

// recycle keeps an output's memory for a worker.
func (w *Writer) recycle(o *Output) {
	if cap(o.Bytes) > maxSpareSize {
		return
	}
	*o = Output{Bytes: o.Bytes[:0], records: o.records[:0]}
	select {
	case w.spare <- o:
	default:
	}
}

// write writes b, or keeps a copy to write it together with later pieces.
func (w *Writer) write(b []byte) {
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

func (w *Writer) emit(b []byte) {
	if len(b) == 0 || w.output == nil || w.failed.Load() {
		return
	}
	w.unflushed = true
	w.check(w.output(b))
}

// flush writes the kept pieces and calls flushed: there is nothing more for the moment.
func (w *Writer) flush() {
	w.emit(w.small)
	w.small = w.small[:0]
	if w.unflushed && w.flushed != nil && !w.failed.Load() {
		w.check(w.flushed())
	}
	w.unflushed = false
}

// check stops everything at the first error.
func (w *Writer) check(err error) {
	if err != nil && w.err == nil {
		w.err = err
		w.failed.Store(true)
	}
}
