package teeworlds

import (
	"bufio"
	"encoding/binary"
	"io"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/demos"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// Bytes of a demo that cannot be chunks are a hole: part of the disk that was never written, say. Chunks have no mark
// by which to find the next one, so reading goes on at the next keyframe: its marker has a form of its own, and its
// snapshot can be checked.
const (
	holeBytes = 64 << 10 // of a record about a hole, at most
	// keyframeBytes is the most that a keyframe takes: a marker with its tick, the head of a chunk, its data.
	keyframeBytes = markerBytes + 3 + 1<<16 - 1
	markerBytes   = 5
	// mostMarks is how many bytes of markers follow each other at most: a keyframe comes every 250 ticks.
	mostMarks = 1024
	// mostKeySteps is how many of them may have a bit too much.
	mostKeySteps = 1
	// largeChunk is the size from which on a chunk is checked before it is taken: what is no chunk can claim 64 KB.
	largeChunk = 2048
	// Work of a search: so many bytes, and so many for each byte that is skipped.
	searchBytes  = 1 << 20
	searchFactor = 8
)

// ahead returns up to n of the next bytes, fewer at the end of the file.
func (r *recording) ahead(n int) (b []byte, end bool) {
	if n > r.in.Size() {
		r.in = bufio.NewReaderSize(r.in, 2*holeBytes)
	}
	b, err := r.in.Peek(n)
	return b, err != nil
}

// lost reports whether a chunk of this kind and size cannot be where the file has it.
func (r *recording) lost(kind demoChunk, size int) bool {
	if kind == demoHeaderChunk {
		return true
	}
	b, end := r.ahead(size)
	switch {
	case end && len(b) < size:
		_, found := r.findKeyframe(b, true)
		return found
	case size < largeChunk:
		return false
	}
	r.work += size
	if kind == demoSnapshot {
		return !wholeSnapshot(b)
	}
	data, _, err := huffcodec.DecodeTeeworlds(nil, b, maxDemoChunk)
	return err != nil || !wholeInts(data)
}

// hole gives the bytes up to the next keyframe, or a part of them. Those read already are in r.buf. Markers before it
// may belong to it: no tick is taken from them.
func (r *recording) hole() (*dissect.Packet, error) {
	r.buf = append(r.marks, r.buf...)
	r.marks, r.odd, r.inside = nil, false, true
	r.tick, r.timed = r.given, r.givenTime
	for r.inside && len(r.buf) < holeBytes {
		b, end := r.ahead(keyframeBytes)
		if len(b) == 0 {
			break
		}
		at, found := r.findKeyframe(b, end)
		r.inside = !found
		if err := r.read(min(at, holeBytes)); err != nil {
			return nil, r.broken("it ends inside a hole", err)
		}
	}
	if len(r.buf) == 0 {
		return nil, io.EOF
	}
	r.keyframe = false // its chunk is in the hole
	p := r.give(demoHeaderChunk)
	p.RecorderHint |= hintHole
	return p, nil
}

// findKeyframe returns where the next keyframe begins, or up to where there is none.
func (r *recording) findKeyframe(b []byte, end bool) (at int, found bool) {
	for i := range b {
		switch {
		case !r.fullKey(b[i]):
		case len(b)-i < keyframeBytes && !end:
			return i, false // what follows is needed to know
		case r.work < searchBytes+searchFactor*int(r.offset) && r.isKeyframe(b[i:]):
			return i, true
		}
	}
	return len(b), false
}

// fullKey reports whether a byte begins the marker of a keyframe, with a full tick.
func (r *recording) fullKey(first byte) bool {
	_, full := demos.Split(first, r.version)
	return full && first&(demos.TickMarker|demos.Keyframe) == demos.TickMarker|demos.Keyframe
}

// isKeyframe reports whether the marker of a keyframe and a whole snapshot begin here.
func (r *recording) isKeyframe(b []byte) bool {
	if len(b) <= markerBytes+3 || !demos.IsTick(int64(int32(binary.BigEndian.Uint32(b[1:])))) {
		return false
	}
	b = b[markerBytes:]
	header, size := demoSize(b)
	if b[0]&demos.TickMarker != 0 || demoChunk(b[0]>>5) != demoSnapshot || size == 0 || len(b) < header+size {
		return false
	}
	r.work += size
	return wholeSnapshot(b[header : header+size])
}

// wholeInts reports whether data are ints of variable length.
func wholeInts(data []byte) bool {
	var u message.Unpacker
	u.Reset(data, 0)
	for u.Left() > 0 && !u.Failed() {
		u.Int()
	}
	return !u.Failed()
}

// wholeSnapshot reports whether the data of a chunk are a snapshot: its sizes agree.
//
// CSnapshot::IsValid, src/engine/shared/snapshot.cpp of DDNet.
func wholeSnapshot(coded []byte) bool {
	data, _, err := huffcodec.DecodeTeeworlds(nil, coded, maxDemoChunk)
	if err != nil {
		return false
	}
	var u message.Unpacker
	u.Reset(data, 0)
	size, count := u.Int(), u.Int()
	if u.Failed() || size < 0 || count < 0 || int(count) > u.Left() || size%4 != 0 {
		return false
	}
	before := int32(-1)
	for i := range count {
		at := u.Int()
		if at <= before || i == 0 && at != 0 || at >= size {
			return false
		}
		before = at
	}
	for range size / 4 {
		u.Int()
	}
	return !u.Failed() && u.Left() == 0
}
