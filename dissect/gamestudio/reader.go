package gamestudio

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// A reader is the cursor over the bytes of one message or datagram, with a sticky located error: after
// the first failure every read gives zero and adds nothing. It does what dissect.Decoder does, for
// protocols of whole bytes in either order, of which a part is read that begins and ends anywhere.
type reader struct {
	proto string
	b     []byte // what places count in
	at    int    // next byte
	end   int    // of the part that is read, in b
	cut   bool   // the capture lacks what stood behind end
	tree  *dissect.Tree

	bad  error // why reading stopped: one of the sentinels, possibly wrapped; nil: it has not
	path string
	bit  int
	left bool // the undecoded rest was added
}

// reset begins with b[at:end].
func (r *reader) reset(proto string, b []byte, at, end int, tree *dissect.Tree) {
	*r = reader{proto: proto, b: b, at: at, end: end, tree: tree}
}

func (r *reader) failed() bool { return r.bad != nil }

// rest is the number of bytes that are left.
func (r *reader) rest() int { return r.end - r.at }

// fail stops the reading because of what stands at byte at; only the first failure counts.
func (r *reader) fail(f *dissect.Field, at int, why error) {
	if r.bad != nil {
		return
	}
	r.bad, r.bit = why, at<<3
	if r.tree != nil {
		r.path = string(r.tree.AppendOpenPath(nil, f))
	}
}

// malformed is fail with ErrMalformed and a reason, which is only put into words when somebody looks.
func (r *reader) malformed(f *dissect.Field, at int, format string, args ...any) {
	why := dissect.ErrMalformed
	if r.tree != nil {
		why = fmt.Errorf("%w: %s", why, fmt.Sprintf(format, args...))
	}
	r.fail(f, at, why)
}

// err is the first failure, or nil.
func (r *reader) err() *dissect.Error {
	if r.bad == nil {
		return nil
	}
	return &dissect.Error{Proto: r.proto, Field: r.path, Bit: r.bit, Err: r.bad}
}

// take gives the next n bytes, which alias b, or nil when there are not so many.
func (r *reader) take(f *dissect.Field, n int) []byte {
	if r.bad != nil {
		return nil
	}
	if n > r.end-r.at {
		r.fail(f, r.at, dissect.ErrTruncated)
		return nil
	}
	b := r.b[r.at : r.at+n : r.at+n]
	r.at += n
	return b
}

// number reads a little-endian number of f.Bits bits, adds it and gives its bits.
func (r *reader) number(f *dissect.Field) uint64 {
	at := r.at
	b := r.take(f, f.Bits>>3)
	return r.put(f, little(b), at, b != nil)
}

// network reads a big-endian number of f.Bits bits, adds it and gives its bits.
func (r *reader) network(f *dissect.Field) uint64 {
	at := r.at
	var v uint64
	b := r.take(f, f.Bits>>3)
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return r.put(f, v, at, b != nil)
}

func (r *reader) put(f *dissect.Field, v uint64, at int, ok bool) uint64 {
	if !ok {
		return 0
	}
	if f.Kind == dissect.Int {
		v = uint64(signed(v, f.Bits))
	}
	r.tree.Add(f, v, at<<3, f.Bits)
	return v
}

// little is the little-endian number of so many bytes.
func little(b []byte) (v uint64) {
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v
}

// signed extends the sign of a number of so many bits.
func signed(v uint64, bits int) int64 { return int64(v<<(64-bits)) >> (64 - bits) }

// float reads a little-endian IEEE 754 single.
func (r *reader) float(f *dissect.Field) {
	at := r.at
	if b := r.take(f, 4); b != nil {
		r.tree.AddFloat(f, math.Float32frombits(uint32(little(b))), at<<3, 32)
	}
}

// text reads bytes up to a zero and adds them. The slice aliases b. What stands before a missing zero is
// not taken for a text.
func (r *reader) text(f *dissect.Field) []byte {
	if r.bad != nil {
		return nil
	}
	n := bytes.IndexByte(r.b[r.at:r.end], 0)
	if n < 0 {
		r.fail(f, r.at, dissect.ErrTruncated)
		return nil
	}
	s := r.b[r.at : r.at+n : r.at+n]
	r.tree.AddBytes(f, s, r.at<<3, (n+1)<<3)
	r.at += n + 1
	return s
}

// hex reads n bytes and adds them. The slice aliases b.
func (r *reader) hex(f *dissect.Field, n int) []byte {
	at := r.at
	b := r.take(f, n)
	if b != nil {
		r.tree.AddBytes(f, b, at<<3, n<<3)
	}
	return b
}

// enter opens a container at the current place, enterAt at an earlier one.
func (r *reader) enter(f *dissect.Field)           { r.tree.Open(f, r.at<<3) }
func (r *reader) enterAt(f *dissect.Field, at int) { r.tree.Open(f, at<<3) }

// leave closes the innermost container. The first object that is left after a failure takes the rest.
func (r *reader) leave() {
	if r.tree == nil {
		return
	}
	if r.bad != nil && !r.left && r.tree.Innermost().Kind == dissect.Object {
		r.left = true
		if from := r.bit >> 3; from < r.end {
			r.tree.AddBytes(&dissect.Undecoded, r.b[from:r.end], from<<3, (r.end-from)<<3)
		}
	}
	r.tree.Close(r.at << 3)
}

// report adds the expert entry for what stopped the reading.
func (r *reader) report(rec *dissect.Record) {
	switch {
	case r.bad == nil:
	case !errors.Is(r.bad, dissect.ErrTruncated):
		rec.ExpertError(dissect.Fault, expertMalformed, r.err())
	case r.cut:
		rec.ExpertError(dissect.Warning, expertTruncatedByCapture, r.err())
	default:
		rec.ExpertError(dissect.Fault, expertTruncated, r.err())
	}
}

// dotted writes the four bytes of an IPv4 address.
func dotted(b []byte) string { return netip.AddrFrom4([4]byte(b)).String() }
