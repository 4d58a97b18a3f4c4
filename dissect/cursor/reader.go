// Package cursor has the cursor over whole bytes for dissectors of byte-oriented protocols, and the expert
// entries about its errors.
package cursor

import (
	"bytes"
	"fmt"
	"math"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Reader is the cursor over the bytes of one message or datagram, with a sticky located error: after the
// first failure every read returns zero and adds nothing. It reads numbers of whole bytes in either order, and
// may be limited to any part of the bytes.
type Reader struct {
	proto string
	B     []byte // what positions refer to
	At    int    // next byte
	End   int    // of the part that is read, in B
	Cut   bool   // the capture lacks the bytes after End
	Tree  *dissect.Tree

	bad  error // why reading stopped: one of the sentinels, possibly wrapped; nil: it has not
	path string
	bit  int
	left bool // the undecoded rest has been added
}

// Reset begins with b[at:end].
func (r *Reader) Reset(proto string, b []byte, at, end int, tree *dissect.Tree) {
	*r = Reader{proto: proto, B: b, At: at, End: end, Tree: tree}
}

// Failed reports whether a read failed. All reads after it return zero.
func (r *Reader) Failed() bool { return r.bad != nil }

// Rest returns the number of bytes that are left.
func (r *Reader) Rest() int { return r.End - r.At }

// Fail stops the reading because of the byte at position at; only the first failure counts.
func (r *Reader) Fail(f *dissect.Field, at int, why error) {
	if r.bad != nil {
		return
	}
	r.bad, r.bit = why, at<<3
	if r.Tree != nil {
		r.path = string(r.Tree.AppendOpenPath(nil, f))
	}
}

// Malformed is Fail with ErrMalformed and a reason, which is formatted only if it is needed.
func (r *Reader) Malformed(f *dissect.Field, at int, format string, args ...any) {
	why := dissect.ErrMalformed
	if r.Tree != nil {
		why = fmt.Errorf("%w: %s", why, fmt.Sprintf(format, args...))
	}
	r.Fail(f, at, why)
}

// Err returns the first failure, or nil.
func (r *Reader) Err() *dissect.Error {
	if r.bad == nil {
		return nil
	}
	return &dissect.Error{Proto: r.proto, Field: r.path, Bit: r.bit, Err: r.bad}
}

// Take returns the next n bytes, which alias B, or nil if there are fewer.
func (r *Reader) Take(f *dissect.Field, n int) []byte {
	if r.bad != nil {
		return nil
	}
	if n > r.End-r.At {
		r.Fail(f, r.At, dissect.ErrTruncated)
		return nil
	}
	b := r.B[r.At : r.At+n : r.At+n]
	r.At += n
	return b
}

// Number reads a little-endian number of f.Bits bits, adds it and returns its bits.
func (r *Reader) Number(f *dissect.Field) uint64 {
	at := r.At
	b := r.Take(f, f.Bits>>3)
	return r.put(f, Little(b), at, b != nil)
}

// Network reads a big-endian number of f.Bits bits, adds it and returns its bits.
func (r *Reader) Network(f *dissect.Field) uint64 {
	at := r.At
	var v uint64
	b := r.Take(f, f.Bits>>3)
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return r.put(f, v, at, b != nil)
}

func (r *Reader) put(f *dissect.Field, v uint64, at int, ok bool) uint64 {
	if !ok {
		return 0
	}
	if f.Kind == dissect.Int {
		v = uint64(Signed(v, f.Bits))
	}
	r.Tree.Add(f, v, at<<3, f.Bits)
	return v
}

// Little returns the little-endian number in some bytes.
func Little(b []byte) (v uint64) {
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v
}

// Signed extends the sign of a number with a width in bits.
func Signed(v uint64, bits int) int64 { return int64(v<<(64-bits)) >> (64 - bits) }

// Float reads a little-endian IEEE 754 single.
func (r *Reader) Float(f *dissect.Field) {
	at := r.At
	if b := r.Take(f, 4); b != nil {
		r.Tree.AddFloat(f, math.Float32frombits(uint32(Little(b))), at<<3, 32)
	}
}

// Text reads bytes up to a zero and adds them. The slice aliases B. Without the zero there is no text.
func (r *Reader) Text(f *dissect.Field) []byte {
	if r.bad != nil {
		return nil
	}
	n := bytes.IndexByte(r.B[r.At:r.End], 0)
	if n < 0 {
		r.Fail(f, r.At, dissect.ErrTruncated)
		return nil
	}
	s := r.B[r.At : r.At+n : r.At+n]
	r.Tree.AddBytes(f, s, r.At<<3, (n+1)<<3)
	r.At += n + 1
	return s
}

// Hex reads n bytes and adds them. The slice aliases B.
func (r *Reader) Hex(f *dissect.Field, n int) []byte {
	at := r.At
	b := r.Take(f, n)
	if b != nil {
		r.Tree.AddBytes(f, b, at<<3, n<<3)
	}
	return b
}

// Enter opens a container at the current position.
func (r *Reader) Enter(f *dissect.Field) { r.Tree.Open(f, r.At<<3) }

// EnterAt opens a container at an earlier position, in bytes.
func (r *Reader) EnterAt(f *dissect.Field, at int) { r.Tree.Open(f, at<<3) }

// Leave closes the innermost container. After a failure the first object to be closed gets the undecoded rest.
func (r *Reader) Leave() {
	if r.Tree == nil {
		return
	}
	if r.bad != nil && !r.left && r.Tree.Innermost().Kind == dissect.Object {
		r.left = true
		if from := r.bit >> 3; from < r.End {
			r.Tree.AddBytes(&dissect.Undecoded, r.B[from:r.End], from<<3, (r.End-from)<<3)
		}
	}
	r.Tree.Close(r.At << 3)
}

// Why returns the reason of the failure, one of the sentinels of dissect, possibly wrapped; nil: there is none.
func (r *Reader) Why() error { return r.bad }
