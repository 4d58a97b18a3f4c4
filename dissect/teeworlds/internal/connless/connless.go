// Package connless reads connectionless packets, with which browsers, servers and master servers
// find each other.
package connless

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// mark begins the payload of every connless packet; a tag of four characters follows.
var mark = []byte{0xff, 0xff, 0xff, 0xff}

// TagLen is the length of a tag, after the mark.
const TagLen = 4

// TagOf returns the tag of a connless packet's payload.
func TagOf(payload []byte) (tag uint32, ok bool) {
	if len(payload) < len(mark)+TagLen || !bytes.HasPrefix(payload, mark) {
		return 0, false
	}
	return binary.BigEndian.Uint32(payload[len(mark):]), true
}

// Fields that frame others, see dissect.Framing.
var (
	markField = dissect.Field{
		Key: "mark", Kind: dissect.Hex, Bits: 32, Framing: dissect.Apart, Source: "src/mastersrv/mastersrv.h",
		Doc: "ff ff ff ff before the tag",
	}
	tagField = dissect.Field{
		Key: "message_tag", Kind: dissect.Text, Bits: 32, Framing: dissect.Apart, Source: "src/mastersrv/mastersrv.h",
		Doc: "four characters that name the message",
	}
)

// A Reader reads a connless message.
type Reader struct {
	u        message.Unpacker
	rec      *dissect.Record
	tree     *dissect.Tree
	groups   int // number of repetitions of a counted group
	bad      *dissect.Field
	ip       netip.Addr
	buf      []byte
	reported bool
}

// Dissect decodes the payload of a connectionless packet, which begins at bit position at.
func (r *Reader) Dissect(rec *dissect.Record, t *dissect.Tree, d tables.Dialect, payload []byte, at int) {
	t.Open(&Field, at)
	defer t.Close(len(rec.Payload) << 3)
	tag, ok := TagOf(payload)
	def := Lookup(d, tag)
	if ok && t.Framed() {
		t.AddBytes(&markField, payload[:len(mark)], at, len(mark)<<3)
		if def != nil {
			t.AddBytes(&tagField, payload[len(mark):len(mark)+TagLen], at+len(mark)<<3, TagLen<<3)
		}
	}
	if !ok || def == nil {
		showUnknown(rec, t, payload, ok, at)
		return
	}
	mark := len(mark) + TagLen
	r.read(rec, t, def, payload[mark:], at+mark<<3)
}

// showUnknown shows a packet that no table describes.
func showUnknown(rec *dissect.Record, t *dissect.Tree, b []byte, tagged bool, at int) {
	t.Open(&unknownField, at)
	if tagged {
		n := len(mark)
		t.AddBytes(&unknownTagField, b[n:n+TagLen], at+n<<3, TagLen<<3)
		b, at = b[n+TagLen:], at+(n+TagLen)<<3
	}
	t.AddBytes(&unknownData, b, at, len(b)<<3)
	if rec.Truncated() {
		rec.Expert(dissect.Warning, message.ExpertTruncatedByCapture, nil, at,
			"the capture has %d of the datagram's %d bytes", len(rec.Payload), rec.Length)
	} else {
		rec.Expert(dissect.Note, message.ExpertUnknownMessage, nil, at, "no connless message is known by this tag")
	}
	t.Close(at + len(b)<<3)
}

// read reads the message's body into the open object.
func (r *Reader) read(rec *dissect.Record, t *dissect.Tree, def *Message, body []byte, at int) {
	r.u.Reset(body, at)
	r.rec, r.tree, r.groups, r.reported = rec, t, 0, false
	t.Open(def.field, at)
	r.readRows(def.rows)
	r.fault()
	if rest := r.u.Rest(); !r.u.Failed() && len(rest) > 0 {
		t.AddBytes(&restField, rest, r.u.Bit(), len(rest)<<3)
	}
	t.Close(r.u.Bit())
	r.rec, r.tree = nil, nil
}

func (r *Reader) readRows(rows []cRow) {
	for i := range rows {
		row := &rows[i]
		if row.optional && r.u.Left() == 0 || r.u.Failed() {
			return
		}
		r.bad = row.field
		if row.kind == cRepeat {
			r.readGroups(row)
		} else {
			r.readRow(row)
		}
	}
}

// readGroups reads the repetitions of a group. Each takes at least one byte.
func (r *Reader) readGroups(row *cRow) {
	r.tree.Open(row.field, r.u.Bit())
	i := 0
	for ; r.u.Left() > 0 && (!row.counts || i < r.groups) && !r.u.Failed(); i++ {
		r.tree.Open(row.field.Children[0], r.u.Bit())
		r.readRows(row.rows)
		r.fault()
		r.tree.Close(r.u.Bit())
	}
	r.tree.Close(r.u.Bit())
	if row.counts && i < r.groups {
		r.bad = row.field
		r.u.Fail(dissect.ErrTruncated)
	}
}

// readRow reads one field.
func (r *Reader) readRow(row *cRow) {
	at := r.u.Bit()
	switch row.kind {
	case cNumber:
		b := r.u.Raw(row.size)
		if r.u.Failed() {
			return
		}
		var n uint32
		for _, c := range b {
			n = n<<8 | uint32(c)
		}
		r.tree.AddInt(row.field, int64(n), at, r.u.Bit()-at)
		if row.address {
			r.buf = netip.AddrPortFrom(r.ip.Unmap(), uint16(n)).AppendTo(r.buf[:0])
			r.tree.AddLabel(row.joined, string(r.buf), 0, 0)
		}
	case cVarint:
		n := r.u.Int()
		if r.u.Failed() {
			return
		}
		if row.counts {
			r.groups = int(n)
		}
		r.tree.AddInt(row.field, int64(n), at, r.u.Bit()-at)
	case cNumeral:
		r.addNumeral(row, at)
	default:
		r.addBytes(row, at)
	}
}

// addNumeral adds a number that is sent as text.
func (r *Reader) addNumeral(row *cRow, at int) {
	b := r.u.String()
	if r.u.Failed() {
		return
	}
	n, err := strconv.ParseInt(string(b), 10, 64)
	if err == nil {
		r.buf = strconv.AppendInt(r.buf[:0], n, 10)
	}
	if err == nil && string(r.buf) == string(b) {
		r.tree.AddInt(row.field, n, at, r.u.Bit()-at)
		return
	}
	r.tree.AddBytes(row.text, b, at, r.u.Bit()-at)
	r.rec.Expert(dissect.Note, message.ExpertNumberText, row.text, at, "the game writes a decimal number here")
}

// addBytes adds text or bytes.
func (r *Reader) addBytes(row *cRow, at int) {
	var b []byte
	switch row.kind {
	case cString:
		b = r.u.String()
	case cRemainder:
		b = r.u.Raw(r.u.Left())
	default:
		b = r.u.Raw(row.size)
	}
	if r.u.Failed() && len(b) == 0 {
		return
	}
	if row.kind == cPaddedStr {
		b = trimNULs(b)
	}
	if row.kind == cBytes && len(b) == 16 {
		r.ip = netip.AddrFrom16([16]byte(b))
	}
	r.tree.AddBytes(row.field, b, at, r.u.Bit()-at)
}

// trimNULs removes the zero bytes that pad a field.
func trimNULs(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	return b
}

// fault reports once why reading stopped, and adds the bytes that were not decoded.
func (r *Reader) fault() {
	if !r.u.Failed() || r.reported {
		return
	}
	r.reported = true
	if rest := r.u.Rest(); len(rest) > 0 {
		r.tree.AddBytes(&dissect.Undecoded, rest, r.u.Bit(), len(rest)<<3)
	}
	severity, code := dissect.Fault, message.FaultCode(r.u.Err())
	if r.rec.Truncated() {
		severity, code = dissect.Warning, message.ExpertTruncatedByCapture
	}
	r.rec.Expert(severity, code, r.bad, r.u.Bit(), "%v", r.u.Err())
}
