package anonymize

import (
	"encoding/binary"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
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
const leftOut = "left out by --anonymize"

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
	stream      uint64
	direction   uint64
	message     uint64
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
	emit    func([]delivery) error
}

// take is the engine's Output: packets as appendPacket wrote them, in the order of the source.
func (q *assembly) take(b []byte) error {
	for len(b) > 0 {
		d, body, datagrams, rest := q.parse(b)
		b = rest
		if d.fate == waiting && (len(body) > 0 || len(datagrams) > 0) {
			q.complete(&d, body, datagrams)
		}
		q.pending = append(q.pending, d)
	}
	return q.flush(maxPending)
}

// complete fills the fragments of a message. d is the one that completed it.
func (q *assembly) complete(d *delivery, body []byte, datagrams [][]byte) {
	for i := range q.pending {
		if p := &q.pending[i]; p.fate == waiting && p.part.sameMessage(&d.part) {
			p.fill(body, datagrams)
		}
	}
	d.fill(body, datagrams)
}

// fill appends a fragment's part of the message to its header, or takes its datagram.
func (d *delivery) fill(body []byte, datagrams [][]byte) {
	end := d.part.start + d.part.size
	switch {
	case d.part.start < len(datagrams):
		d.Payload = append(d.Payload, datagrams[d.part.start]...)
	case end <= len(body) && datagrams == nil:
		d.Payload = append(d.Payload, body[d.part.start:end]...)
	default:
		return
	}
	d.Length, d.fate = len(d.Payload), rewritten
}

// flush passes on the oldest packets: up to the first one that waits, and further as long as more than most are left.
func (q *assembly) flush(most int) error {
	n := 0
	for n < len(q.pending) && (q.pending[n].fate != waiting || len(q.pending)-n > most) {
		d := &q.pending[n]
		if d.fate == waiting {
			d.fate = dropped
		}
		if d.fate != rewritten {
			d.Packet = dissect.Packet{Frame: d.Frame, Time: d.Time, HasTime: d.HasTime, Length: d.Length, Note: leftOut}
		}
		n++
	}
	if n == 0 {
		return nil
	}
	err := q.emit(append([]delivery(nil), q.pending[:n]...))
	q.pending = append(q.pending[:0], q.pending[n:]...)
	return err
}

// appendPacket encodes what an assembly needs of a record.
func appendPacket(dst []byte, rec *dissect.Record) []byte {
	w := &rec.Rewritten
	f := foreign
	if rec.Protocol != nil {
		f = [...]fate{dissect.RewriteLost: dropped, dissect.RewriteDone: rewritten, dissect.RewritePart: waiting}[w.State]
	}
	for _, v := range [...]uint64{
		uint64(f), rec.Frame, bit(rec.HasTime), uint64(rec.Time), uint64(rec.Length), rec.Packet.RecorderHint,
		uint64(rec.Stream + 1), uint64(rec.Direction), uint64(w.Message), uint64(w.Start), uint64(w.Size),
		uint64(w.Replaced), uint64(w.LeftOut), uint64(len(rec.IPFragments)),
	} {
		dst = binary.AppendUvarint(dst, v)
	}
	for _, frame := range rec.IPFragments {
		dst = binary.AppendUvarint(dst, frame)
	}
	dst = appendBytes(dst, []byte(rec.Recorder))
	dst = appendAddress(appendAddress(dst, rec.Src), rec.Dst)
	switch f {
	case rewritten:
		dst = appendBytes(dst, w.Payload)
	case waiting:
		dst = appendBytes(appendBytes(dst, rec.Payload[:w.Header]), w.Body)
		dst = binary.AppendUvarint(dst, uint64(len(w.Datagrams)))
		for _, b := range w.Datagrams {
			dst = appendBytes(dst, b)
		}
	}
	return dst
}

// parse reads what appendPacket wrote. body is the message that a fragment completes, or datagrams are all fragments of
// it.
func (q *assembly) parse(b []byte) (d delivery, body []byte, datagrams [][]byte, rest []byte) {
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return v
	}
	text := func() []byte {
		n := next()
		t := b[:n:n]
		b = b[n:]
		return t
	}
	d.fate, d.Frame, d.HasTime = fate(next()), next(), next() != 0
	d.Time, d.Length, d.RecorderHint = int64(next()), int(next()), next()
	d.part = part{stream: next(), direction: next(), message: next(), start: int(next()), size: int(next())}
	d.replaced, d.leftOut = next(), next()
	for range next() {
		d.IPFragments = append(d.IPFragments, next())
	}
	d.Recorder = string(text())
	d.Src, d.Dst = q.address(text()), q.address(text())
	if d.fate == rewritten || d.fate == waiting {
		d.UDP = true
		d.Payload = append([]byte(nil), text()...)
		if d.fate == waiting {
			body = text()
			for range next() {
				datagrams = append(datagrams, text())
			}
		} else {
			d.Length = len(d.Payload)
		}
	}
	return d, body, datagrams, b
}

// address returns the replacement of an address that appendAddress wrote.
func (q *assembly) address(b []byte) netip.AddrPort {
	var a netip.AddrPort
	_ = a.UnmarshalBinary(b) // it was an address
	if !a.IsValid() {
		return a
	}
	return q.with.AddrPort(a)
}

func bit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

func appendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

func appendAddress(dst []byte, a netip.AddrPort) []byte {
	b, _ := a.MarshalBinary() // it has no error
	return appendBytes(dst, b)
}
