package teeworlds

import "github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"

// A window tracks the vital chunks of one direction. Anybody can send a packet with any numbers, so one that no
// readable chunk continues from does not count: the number before it is kept too.
type window struct {
	last   int // last one accepted
	before int // the one before a number in doubt
	known  bool
	doubts bool // last is in doubt
}

// arrive records a vital chunk. resent reports whether it is marked as sent again.
//
// CNetRecvUnpacker::FetchChunk and CNetBase::IsSeqInBackroom in src/engine/shared/network.cpp.
func (w *window) arrive(sequence int, resent bool) chunkState {
	if !w.known {
		w.before, w.last, w.known, w.doubts = sequence, sequence, true, false
		return chunkOK
	}
	state := stateAfter(w.last, sequence)
	if w.doubts && state == chunkDuplicate && !resent {
		if back := stateAfter(w.before, sequence); back != chunkDuplicate {
			state, w.last = back, w.before
		}
	}
	if state == chunkOK {
		w.before, w.last, w.doubts = w.last, sequence, false
	}
	return state
}

// stateAfter returns the state of a chunk that comes after one.
func stateAfter(last, sequence int) chunkState {
	switch ahead := (sequence - last) & (tables.MaxSequence - 1); {
	case ahead == 1:
		return chunkOK
	case ahead == 0, ahead >= tables.MaxSequence/2:
		return chunkDuplicate
	}
	return chunkGap
}

// doubt notes that the chunk which arrived last could not be read.
func (w *window) doubt() {
	w.doubts = true
	w.known = w.before != w.last // it was not the first
}

// acknowledge records what the receiver has acknowledged, which may include chunks that the capture lacks. It
// acknowledges all that it has in every packet, so one that acknowledges less puts an end to a number in doubt.
func (w *window) acknowledge(ack int) {
	if !w.known {
		w.before, w.last, w.known, w.doubts = ack, ack, true, false
		return
	}
	const half = tables.MaxSequence / 2
	switch ahead := (ack - w.last) & (tables.MaxSequence - 1); {
	case ahead == 0:
	case ahead < half:
		w.before, w.last, w.doubts = w.last, ack, true
	case w.doubts && (ack-w.before-1)&(tables.MaxSequence-1) < half:
		w.last = ack
	}
}
