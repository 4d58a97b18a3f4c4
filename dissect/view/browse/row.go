package browse

import (
	"encoding/binary"
	"errors"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// A row of the index is what the list shows of a packet, and what it takes to dissect it again: its bytes and its
// ticket. It begins with rowHead bytes of fixed layout: length of the row, file, severity, stream, frame.
const rowHead = 4 + 2 + 1 + 4 + 8

// The severities of rows: those of dissect, from 1; 0 is none.
const noSeverity = 0

// Flags of a row.
const (
	rowTimed = 1 << iota
	rowUDP
	rowRecorded
	rowForgotten
)

// A row is one packet of the index.
type row struct {
	packet   dissect.Packet
	ticket   engine.Ticket
	file     int
	stream   int // -1: none
	severity int
	protocol string
	info     string
}

var errRow = errors.New("the index of rows is damaged")

// A rowWriter makes rows of records. It serves one goroutine.
type rowWriter struct {
	readings *readings
	text     []byte
}

// append appends the row of a record.
func (w *rowWriter) append(dst []byte, rec *dissect.Record, file int) []byte {
	start := len(dst)
	severity := noSeverity
	for i := range rec.Experts {
		severity = max(severity, 1+int(rec.Experts[i].Severity))
	}
	dst = binary.LittleEndian.AppendUint32(dst, 0) // the length comes at the end
	dst = append(binary.LittleEndian.AppendUint16(dst, uint16(file)), byte(severity))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(rec.Stream+1))
	dst = binary.LittleEndian.AppendUint64(dst, rec.Frame)
	t := engine.TicketOf(rec)
	flags := flag(rec.HasTime, rowTimed) | flag(rec.UDP, rowUDP) | flag(rec.Recorded(),
		rowRecorded) | flag(t.Forgotten, rowForgotten)
	dst = append(dst, flags, byte(t.Direction), byte(t.Router+1))
	dst = binary.AppendVarint(dst, rec.Time)
	dst = binary.AppendUvarint(dst, t.Hint)
	dst = binary.AppendUvarint(dst, t.Elapsed)
	dst = binary.AppendUvarint(dst, t.Bytes)
	dst = binary.AppendUvarint(dst, uint64(w.readings.number(t.Reading)))
	dst = appendAddr(appendAddr(dst, rec.Src), rec.Dst)
	dst = binary.AppendUvarint(dst, uint64(rec.Length))
	dst = binary.AppendUvarint(dst, rec.Packet.RecorderHint)
	dst = binary.AppendUvarint(dst, uint64(len(rec.IPFragments)))
	for _, f := range rec.IPFragments {
		dst = binary.AppendUvarint(dst, f)
	}
	w.text = render.AppendProtocolCell(w.text[:0], rec)
	dst = appendText(dst, w.text)
	w.text = render.AppendInfoCell(w.text[:0], rec)
	dst = appendText(dst, w.text)
	dst = append(binary.AppendUvarint(dst, uint64(len(rec.Note))), rec.Note...)
	dst = appendText(dst, rec.Payload)

	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start))
	return dst
}

func appendText(dst, text []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// appendAddr appends what netip.Addr.UnmarshalBinary reads, with its length before it and the port after it.
func appendAddr(dst []byte, a netip.AddrPort) []byte {
	length := len(dst)
	dst, _ = a.Addr().AppendBinary(append(dst, 0)) // it never fails
	dst[length] = byte(len(dst) - length - 1)
	return binary.LittleEndian.AppendUint16(dst, a.Port())
}

func flag(set bool, bit byte) byte {
	if set {
		return bit
	}
	return 0
}

// The parts of the fixed beginning of a row.
func rowLength(b []byte) int   { return int(binary.LittleEndian.Uint32(b)) }
func rowFile(b []byte) int     { return int(binary.LittleEndian.Uint16(b[4:])) }
func rowSeverity(b []byte) int { return int(b[6]) }
func rowStream(b []byte) int   { return int(binary.LittleEndian.Uint32(b[7:])) - 1 }
func rowFrame(b []byte) uint64 { return binary.LittleEndian.Uint64(b[11:]) }

// A rowReader takes a row apart.
type rowReader struct {
	b   []byte
	bad bool
}

func (r *rowReader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return nil
	}
	part := r.b[:n:n]
	r.b = r.b[n:]
	return part
}

func (r *rowReader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *rowReader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	r.take(uint64(max(n, 0)))
	r.bad = r.bad || n <= 0
	return v
}

func (r *rowReader) int() int64 {
	v, n := binary.Varint(r.b)
	r.take(uint64(max(n, 0)))
	r.bad = r.bad || n <= 0
	return v
}

func (r *rowReader) text() []byte { return r.take(r.uint()) }

func (r *rowReader) addr() netip.AddrPort {
	var ip netip.Addr
	r.bad = ip.UnmarshalBinary(r.take(uint64(r.byte()))) != nil || r.bad
	port := r.take(2)
	if port == nil {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(ip, binary.LittleEndian.Uint16(port))
}

// decode reads a row. The payload is a part of b.
func (w *row) decode(b []byte, known *readings) error {
	if len(b) < rowHead || rowLength(b) != len(b) {
		return errRow
	}
	*w = row{file: rowFile(b), stream: rowStream(b), severity: rowSeverity(b)}
	p, t := &w.packet, &w.ticket
	p.Frame = rowFrame(b)
	r := rowReader{b: b[rowHead:]}
	flags := r.byte()
	p.HasTime, p.UDP, t.Forgotten = flags&rowTimed != 0, flags&rowUDP != 0, flags&rowForgotten != 0
	t.Direction, t.Router = dissect.Direction(r.byte()), int(r.byte())-1
	p.Time, t.Hint, t.Elapsed, t.Bytes = r.int(), r.uint(), r.uint(), r.uint()
	t.Reading = known.at(r.uint())
	p.Src, p.Dst = r.addr(), r.addr()
	p.Length, p.RecorderHint = int(r.uint()), r.uint()
	for n := r.uint(); n > 0 && !r.bad; n-- {
		p.IPFragments = append(p.IPFragments, r.uint())
	}
	w.protocol, w.info = string(r.text()), string(r.text())
	p.Note, p.Payload = string(r.text()), r.text()
	if flags&rowRecorded != 0 {
		p.Recorder = known.recorder(t.Router)
	}
	if r.bad {
		return errRow
	}
	return nil
}
