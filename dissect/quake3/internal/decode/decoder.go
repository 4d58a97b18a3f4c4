// Package decode has the cursor over the bits of one message.
package decode

import (
	"errors"
	"fmt"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A Decoder is the cursor over one message: the position, the first error, and the tree that the values are
// added to (nil: none is wanted). After the first failure every read returns zero and nothing more is added, so
// callers read like the specification and check once, before a value controls a loop and at the end.
//
// A Decoder is reused with Reset; it allocates only if a message is faulty.
type Decoder struct {
	r     huffcodec.Reader
	tree  *dissect.Tree
	size  int    // of the data, in bits
	whole []byte // the source of the undecoded rest: the data, or more
	part  bool   // the data are only the readable part of whole
	proto string
	err   *dissect.Error
	left  bool // the undecoded rest has been added
	brief bool // the tree is an outline
	op    byte // the operation that was read last
	frame frame
}

// Reset starts a message. data is the caller's and must stay unchanged while the decoder reads it.
func (d *Decoder) Reset(proto string, data []byte, coding huffcodec.Coding, tree *dissect.Tree) {
	d.r.Reset(data, coding)
	d.tree, d.size, d.whole, d.part, d.proto, d.err, d.left = tree, len(data)<<3, data, false, proto, nil, false
	d.brief = false
	d.frame.reset()
}

// Outline declares that of the tree only an outline is wanted: see Details.
func (d *Decoder) Outline() { d.brief = true }

// Details begins a part of the message that an outline does not have, see dissect.Record.Outline, and End ends it with
// what Details returned. In between such a part is read as if no tree were wanted.
func (d *Decoder) Details() *dissect.Tree {
	tree := d.tree
	if d.brief {
		d.tree = nil
	}
	return tree
}

// End ends what Details began.
func (d *Decoder) End(details *dissect.Tree) { d.tree = details }

// Within declares that the data are only the readable beginning of whole. The undecoded rest is then taken from
// whole, and a text that extends beyond the data is left undecoded.
func (d *Decoder) Within(whole []byte) { d.whole, d.part = whole, true }

// Tree returns the tree that values are added to, or nil.
func (d *Decoder) Tree() *dissect.Tree { return d.tree }

// Reader returns the underlying bit reader, for long loops: it adds nothing to the tree, and its failure
// becomes the decoder's at the next Check. After a failure it returns zeros, as the decoder does.
func (d *Decoder) Reader() *huffcodec.Reader { return &d.r }

// Pos returns the position in bits; after a failure that of the fault.
func (d *Decoder) Pos() int {
	if d.err != nil {
		return d.err.Bit
	}
	return d.r.Pos()
}

// Len returns the length of the data in bits.
func (d *Decoder) Len() int { return d.size }

// Failed reports whether an error happened.
func (d *Decoder) Failed() bool { return d.err != nil || d.r.Failed() }

// Err returns the first error, or nil.
func (d *Decoder) Err() *dissect.Error {
	if d.err == nil && d.r.Failed() {
		d.readError(nil)
	}
	return d.err
}

// Fail stops the decoding because of the value at position bit. err is one of the sentinels, possibly wrapped;
// only the first failure counts.
func (d *Decoder) Fail(f *dissect.Field, bit int, err error) {
	if d.Failed() {
		d.readError(f)
		return
	}
	d.fault(f, bit, err)
}

// fault records the first failure and removes the data, so that every later read returns zero.
func (d *Decoder) fault(f *dissect.Field, bit int, err error) {
	d.err = &dissect.Error{Proto: d.proto, Field: string(d.tree.AppendOpenPath(nil, f)), Bit: bit, Err: err}
	d.r = huffcodec.Reader{}
}

// Malformed is Fail with ErrMalformed and a reason.
func (d *Decoder) Malformed(f *dissect.Field, bit int, format string, args ...any) {
	d.Fail(f, bit, fmt.Errorf("%w: %s", dissect.ErrMalformed, fmt.Sprintf(format, args...)))
}

// readError converts a failure of the bit reader into a located error.
func (d *Decoder) readError(f *dissect.Field) {
	if d.err != nil || !d.r.Failed() {
		return
	}
	reason := dissect.ErrTruncated
	if cause := d.r.Err(); !errors.Is(cause, huffcodec.ErrTruncated) {
		reason = fmt.Errorf("%w: %w", dissect.ErrMalformed, cause)
	}
	d.fault(f, d.r.Pos(), reason)
}

// Enter opens a container at the current position.
func (d *Decoder) Enter(f *dissect.Field) { d.tree.Open(f, d.Pos()) }

// EnterAt opens a container whose first bits have been read already.
func (d *Decoder) EnterAt(f *dissect.Field, bit int) { d.tree.Open(f, bit) }

// LeaveAt closes the innermost container at a bit before which its last bits were read. Nothing has failed.
func (d *Decoder) LeaveAt(bit int) { d.tree.Close(bit) }

// Leave closes the innermost container. After a failure the first object to be closed gets the undecoded rest.
func (d *Decoder) Leave() {
	if d.tree == nil {
		return
	}
	if d.Failed() {
		d.readError(nil)
		d.AddIndicators()
		if !d.left && d.tree.Innermost().Kind == dissect.Object {
			d.left = true
			d.AddRest()
		}
	}
	d.tree.Close(d.Pos())
}

// AddRest adds the undecoded bytes, from the one with the fault on, to the innermost container.
func (d *Decoder) AddRest() {
	from := 0
	if d.err != nil {
		from = min(d.err.Bit>>3, len(d.whole))
	}
	if from < len(d.whole) {
		d.tree.AddBytes(&dissect.Undecoded, d.whole[from:], from<<3, (len(d.whole)-from)<<3)
	}
}

// Bits reads an unsigned number of n bits and adds nothing.
func (d *Decoder) Bits(n int) uint32 { return d.r.Bits(n) }

// Bit reads one bit and adds nothing.
func (d *Decoder) Bit() bool { return d.r.Bit() }

// Check attributes a read error to f if one has just occurred; it reports whether there is none.
func (d *Decoder) Check(f *dissect.Field) bool {
	if d.Failed() {
		d.readError(f)
		return false
	}
	return true
}

// Uint reads an unsigned number of f.Bits bits.
func (d *Decoder) Uint(f *dissect.Field) uint32 {
	at := d.r.Pos()
	v := d.Bits(f.Bits)
	if d.Check(f) {
		d.tree.Add(f, uint64(v), at, d.r.Pos()-at)
	}
	return v
}

// Int reads a signed number of f.Bits bits.
func (d *Decoder) Int(f *dissect.Field) int32 {
	at := d.r.Pos()
	shift := 32 - f.Bits
	v := int32(d.Bits(f.Bits)<<shift) >> shift
	if d.Check(f) {
		d.tree.AddInt(f, int64(v), at, d.r.Pos()-at)
	}
	return v
}

// Bool reads one bit.
func (d *Decoder) Bool(f *dissect.Field) bool {
	at := d.r.Pos()
	v := d.Bit()
	if d.Check(f) {
		d.tree.AddBool(f, v, at, 1)
	}
	return v
}

// Text reads bytes up to NUL and adds them. They are appended to buf[:0] and returned. After a failure the
// bytes before it are added.
func (d *Decoder) Text(f *dissect.Field, buf []byte) []byte {
	at := d.r.Pos()
	buf = d.r.AppendString(buf[:0])
	d.addBytes(f, buf, at)
	if d.tree.Framed() {
		d.addTerminator(0)
	}
	return buf
}

// Scrambled is Text for bytes that went through a permutation with the inverse reverse; nil: as they are.
func (d *Decoder) Scrambled(f *dissect.Field, reverse *[256]byte, buf []byte) []byte {
	if reverse == nil {
		return d.Text(f, buf)
	}
	at := d.r.Pos()
	var sent byte
	for buf = buf[:0]; !d.Failed(); {
		sent = d.r.Byte()
		c := reverse[sent]
		if c == 0 || d.Failed() {
			break
		}
		buf = append(buf, c)
	}
	d.addBytes(f, buf, at)
	if d.tree.Framed() {
		d.addTerminator(sent)
	}
	return buf
}

// Hex reads n bytes and adds them. They are appended to buf[:0] and returned. After a failure the bytes before
// it are added.
func (d *Decoder) Hex(f *dissect.Field, n int, buf []byte) []byte {
	at := d.r.Pos()
	buf = d.r.AppendBytes(buf[:0], n)
	d.addBytes(f, buf, at)
	return buf
}

// addBytes adds a text or bytes; after a failure, their beginning.
func (d *Decoder) addBytes(f *dissect.Field, b []byte, at int) {
	switch {
	case d.Check(f) || len(b) > 0 && !d.left && !d.part:
		d.tree.AddBytes(f, b, at, d.Pos()-at)
	case d.part:
		d.err.Bit = min(d.err.Bit, at)
	}
}

// Align moves to the next whole byte.
func (d *Decoder) Align() {
	if d.tree.Framed() && !d.Failed() {
		d.frame.aligned = d.r.Pos()
	}
	d.r.Align()
}
