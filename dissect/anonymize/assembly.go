package anonymize

import (
	"bytes"
	"net/netip"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// A fate is what becomes of a packet.
type fate uint8

const (
	foreign   fate = iota // of no known protocol
	rewritten             //
	dropped               //
	waiting               // a fragment of a message that is not complete yet
)

// leftOut is the comment of packets without content.
func (r *Replacer) leftOut() string {
	if r.only != nil {
		return "left out by --remove"
	}
	return "left out by --anonymize"
}

// A delivery is a packet on its way from the engine that reads the source to the caller of the Reader.
type delivery struct {
	dissect.Packet
	fate     fate
	part     part
	replaced uint64 // texts and data
	leftOut  uint64 // bytes
}

// A part is a fragment's place in its message.
type part struct {
	stream      int
	direction   dissect.Direction
	message     uint32
	start, size int
}

func (p *part) sameMessage(o *part) bool {
	return p.stream == o.stream && p.direction == o.direction && p.message == o.message
}

// maxPending is how many packets wait until the message of the first is complete: as many as the engine itself
// holds, and those that other streams send meanwhile.
const maxPending = 4096

// An assembly reassembles fragments: they arrive before the message is known that they belong to.
type assembly struct {
	with    *Replacer
	pending []delivery
	due     int // of pending: when they are passed on
	emit    func([]delivery) error
	spare   chan []delivery // memory that emit passed on
}

// flushEvery is after how many packets those that are ready are passed on.
const flushEvery = 256

// take is the engine's InOrder: it gets the records that keep kept.
func (q *assembly) take(dst []byte, k *engine.Kept) ([]byte, error) {
	w := k.Rewritten
	if w == nil {
		w = &dissect.Rewritten{}
	}
	n := len(q.pending)
	q.pending = slices.Grow(q.pending, 1)[:n+1]
	d := &q.pending[n] // filled in its place: it is large
	d.Packet = dissect.Packet{}
	d.Frame, d.Time, d.HasTime, d.Length, d.IPFragments = k.Frame, k.Time, k.HasTime, k.Length, k.IPFragments
	d.Recorder, d.RecorderHint, d.File = k.Recorder, k.RecorderHint, w.File
	if d.Before, d.After = k.Before, k.After; q.with.keep.Files {
		d.Attached = k.Attached
	}
	d.Src, d.Dst = q.address(k.Src), q.address(k.Dst)
	d.UDP, d.Payload = k.Payload != nil, k.Payload
	d.fate, d.part = fate(k.Tag), part{k.Stream, k.Direction, w.Message, w.Start, w.Size}
	d.replaced, d.leftOut = uint64(w.Replaced), uint64(w.LeftOut)
	switch {
	case d.fate == rewritten && !d.Recorded():
		d.Length = len(d.Payload)
	case d.fate == waiting && (len(w.Body) > 0 || len(w.Datagrams) > 0):
		q.complete(d, w.Body, w.Datagrams)
	}
	if len(q.pending) < q.due {
		return dst, nil
	}
	err := q.flush(maxPending)
	q.due = len(q.pending) + flushEvery
	return dst, err
}

// complete fills the fragments of a message. d is the one that completed it, the last of those that wait.
func (q *assembly) complete(d *delivery, body []byte, datagrams [][]byte) {
	for i := range q.pending {
		if p := &q.pending[i]; p.fate == waiting && p.part.sameMessage(&d.part) {
			p.fill(body, datagrams)
		}
	}
}

// fill appends a fragment's part of the message to its header, or takes its datagram.
func (d *delivery) fill(body []byte, datagrams [][]byte) {
	end := d.part.start + d.part.size
	switch {
	case d.part.start < len(datagrams):
		d.Payload = append(d.Payload[:0:0], datagrams[d.part.start]...)
	case end <= len(body) && datagrams == nil:
		d.Payload = append(d.Payload, body[d.part.start:end]...)
	default:
		return
	}
	d.Length, d.fate = len(d.Payload), rewritten
}

// blank makes zeros of a fragment's part of a message that was never complete: nobody can read it. One without a header
// is dropped.
func (d *delivery) blank() {
	if d.fate = dropped; len(d.Payload) > 0 {
		d.Payload = append(d.Payload, make([]byte, d.part.size)...)
		d.Length, d.fate, d.leftOut = len(d.Payload), rewritten, uint64(d.part.size)
	}
}

// flush passes on the oldest packets: up to the first one that waits, and further as long as more than most are left.
func (q *assembly) flush(most int) error {
	n := 0
	for n < len(q.pending) && (q.pending[n].fate != waiting || len(q.pending)-n > most) {
		d := &q.pending[n]
		if d.fate == waiting {
			d.blank()
		}
		if d.fate != rewritten {
			d.Packet = dissect.Packet{Frame: d.Frame, Time: d.Time, HasTime: d.HasTime, Length: d.Length, Note: q.with.leftOut()}
		}
		n++
	}
	if n == 0 {
		return nil
	}
	var next []delivery
	select {
	case next = <-q.spare:
	default:
	}
	ready, rest := q.pending[:n], q.pending[n:]
	q.pending = append(next[:0], rest...)
	return q.emit(ready)
}

// A keeper keeps payloads of a worker in memory for many of them.
type keeper struct{ memory []byte }

// keeperBytes is how much memory a keeper takes at once.
const keeperBytes = 32 << 10

// bytes returns a copy, which nothing can be appended to in its memory. It is never nil.
func (m *keeper) bytes(b []byte) []byte {
	if len(b) > cap(m.memory)-len(m.memory) {
		m.memory = make([]byte, 0, max(keeperBytes, len(b)))
	}
	n := len(m.memory)
	m.memory = append(m.memory, b...)
	return m.memory[n:len(m.memory):len(m.memory)]
}

// keep keeps what an assembly needs of a record: the payload, of a fragment its header, and in a fragment that
// completes a message the message or all fragments of it.
func (m *keeper) keep(out *engine.Out, rec *dissect.Record) {
	k := out.Keep(rec)
	k.IPFragments = slices.Clone(rec.IPFragments)
	if rec.Protocol == nil {
		return // foreign
	}
	if rec.RewriteState() == dissect.RewriteLost {
		k.Tag = int(dropped)
		return
	}
	w, kept := rec.Rewritten, *rec.Rewritten
	k.Rewritten = &kept
	switch w.State {
	case dissect.RewriteDone:
		k.Tag, k.Payload = int(rewritten), m.bytes(w.Payload)
		if w.File != nil {
			kept.File = m.bytes(w.File)
		}
		k.Length += len(w.Payload) - len(rec.Payload) // the payload of a recording has a header of the file
	case dissect.RewritePart:
		k.Tag, k.Payload = int(waiting), m.bytes(rec.Payload[:w.Header])
		k.Bytes = append(k.Bytes, w.Body...)
		kept.Body, kept.Datagrams = k.Bytes, nil
		for _, b := range w.Datagrams {
			kept.Datagrams = append(kept.Datagrams, bytes.Clone(b))
		}
	}
}

// address returns the replacement of an address.
func (q *assembly) address(a netip.AddrPort) netip.AddrPort {
	if !a.IsValid() {
		return a
	}
	return q.with.AddrPort(a)
}
