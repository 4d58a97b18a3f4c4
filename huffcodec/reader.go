// Package huffcodec reads and writes the bit streams of the Quake III engine family, and its Huffman
// codes.
//
// A [Reader] is a cursor over the bits of one message; a [Writer] makes such messages. Both know
// two codings of a field: [Static] (protocols 66 and later), where whole groups of eight bits are
// symbols of a fixed Huffman code, and [Raw] (43 and 48), where they are plain bits.
// [DecodeAdaptive] and [EncodeAdaptive] implement the adaptive Huffman coder that the engine uses
// for the connect packet.
//
//	var r huffcodec.Reader
//	r.Reset(message, huffcodec.Static)
//	ack := r.Bits(32)
//	for op := r.Byte(); op == 5; op = r.Byte() { // svc_serverCommand
//		number := r.Bits(32)
//		text = r.AppendString(text[:0])
//		handle(number, text)
//	}
//	if err := r.Err(); err != nil {
//		return err // an *Error: which bit, and ErrTruncated or ErrCode
//	}
//
// The package handles bits, not messages: the fields of a message and the cipher around it are the
// caller's business. It depends on the standard library only. Except for one unused code, any bits
// are a valid stream, so a wrong key or position rarely causes an error here; it shows in the
// values.
//
// Positions are counted in bits from the start of the stream; bit p is bit p&7 of byte p>>3, lowest first
// (code/qcommon/huffman.c). A position fits an int, which bounds a message to 256 MiB on 32-bit machines.
package huffcodec

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Coding is how a field of n bits lies in the stream.
type Coding uint8

const (
	// Static is the coding of protocols 66 and later: the low n&7 bits of the value as they are, lowest
	// first, then its n>>3 groups of eight bits, low group first, each as one symbol of the static
	// Huffman code. MSG_ReadBits, code/qcommon/msg.c.
	Static Coding = iota
	// Raw is the coding of protocols 43 and 48: n bits as they are, lowest first.
	Raw
)

// MaxBits is the width of the widest field, in bits.
const MaxBits = 32

var (
	// ErrTruncated means that the data ended inside a field or a symbol.
	ErrTruncated = errors.New("data ends too early")
	// ErrCode means that the stream contains the one code that no encoder emits: that of the leaf
	// "not yet transmitted", which the engine's tree has besides its 256 symbols. An engine reads
	// it as 256, which spills into the next byte of the field. Here it is treated as damage.
	ErrCode = errors.New("unused Huffman code")
)

// An Error locates what stopped a reader.
type Error struct {
	Bit int   // position in bits, from the start of the data, where the failed read begins
	Err error // ErrTruncated or ErrCode
}

// Error returns the reason and the position.
func (e *Error) Error() string {
	return fmt.Sprintf("huffcodec: %v, at byte %#x bit %d", e.Err, e.Bit>>3, e.Bit&7)
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error { return e.Err }

// A Reader is a cursor over the bits of one message. Bit p of the stream is bit p&7 of byte p>>3,
// lowest first.
//
// After the first failure every read returns zero, and the position stays where the failed read
// began: at the first bit of the field, or in strings and runs of bytes at the first bit of the
// byte's symbol. Callers therefore read on and check for failure once at the end, and before a
// value controls a loop.
//
// The zero Reader has no data. A Reader is a value: a copy is an independent cursor over the same
// data, at the same place. It never writes to the data, never looks outside of it and never allocates.
type Reader struct {
	// buf holds the unread bits from bit 1 upwards, the next one lowest. The lowest count of them are known to be
	// inside the data. The bits above those are zero or the data that follows. Bit 0 is spent: it is what Bit returned
	// last. Looking at the bit after the shift instead of before is what keeps Bit small enough to be inlined.
	buf   uint64
	count uint
	end   uint // position in bits of the first bit not counted in buf; a multiple of 8 until a failure
	data  []byte
	size  int // of the data, in bits
	// coding is Static unless Reset set another.
	coding Coding
	fault  fault
}

// fault is the reason for a failure, in one byte so that a Reader fits a cache line.
type fault uint8

const (
	noFault fault = iota
	faultTruncated
	faultCode
)

// NewReader returns a Reader at the start of data.
func NewReader(data []byte, coding Coding) Reader {
	return Reader{data: data, size: len(data) * 8, coding: coding}
}

// Reset puts the Reader at the start of data and forgets any failure. The data stays the caller's and
// must not change while it is read.
func (r *Reader) Reset(data []byte, coding Coding) {
	r.buf, r.count, r.end = 0, 0, 0
	r.data, r.size, r.coding, r.fault = data, len(data)*8, coding, noFault
}

// Pos is the position in bits, from the start of the data.
func (r *Reader) Pos() int { return int(r.end - r.count) }

// Coding is how the fields are coded.
func (r *Reader) Coding() Coding { return r.coding }

// Len is the length of the data in bits, used or not.
func (r *Reader) Len() int { return r.size }

// Failed reports whether a read failed.
func (r *Reader) Failed() bool { return r.fault != noFault }

// Err returns the first failure as an *Error, or nil.
func (r *Reader) Err() error {
	switch r.fault {
	case faultTruncated:
		return &Error{Bit: r.Pos(), Err: ErrTruncated}
	case faultCode:
		return &Error{Bit: r.Pos(), Err: ErrCode}
	default:
		return nil
	}
}

// Bit reads one bit. Both codings have the same single bits.
func (r *Reader) Bit() bool {
	if r.count == 0 {
		r.needBit()
	}
	r.count--
	r.buf >>= 1
	return r.buf&1 != 0
}

// needBit makes sure that the buffer holds at least one bit. After a failure it supplies a zero,
// which Bit consumes, so that the position does not move.
func (r *Reader) needBit() {
	r.refill()
	if r.count == 0 {
		r.fail(faultTruncated)
		r.count = 1
	}
}

// Byte reads a field of eight bits: one symbol, which is usually loaded already.
func (r *Reader) Byte() byte {
	if r.count >= maxCodeBits && r.coding == Static {
		if e := uint(decodeTable[r.buf>>1&codeMask]); e&unusedCode == 0 {
			r.buf >>= e & 63
			r.count -= e & lengthMask
			return byte(e >> symbolShift)
		}
	}
	return byte(r.Bits(8))
}

// Signed reads a field of n bits and extends its sign; n as for Bits.
//
// The engine takes the sign from the width without the n&7 raw bits (MSG_ReadBits). For the only
// signed widths, 8 and 16, that is the same.
func (r *Reader) Signed(n int) int32 {
	unused := uint(MaxBits - n)
	return int32(r.Bits(n)<<unused) >> unused
}

// Bits reads a field of n bits, 0 to MaxBits. It panics for any other n.
func (r *Reader) Bits(n int) uint32 {
	if uint(n) > MaxBits {
		panic("huffcodec: a field has 0 to 32 bits")
	}
	if r.coding != Static {
		return r.rawBits(uint(n))
	}
	// The widest field takes 7+4*11 = 51 bits. One load fills the buffer to at least 55. The test
	// that at is less than at+8 lets the compiler leave out its bounds checks (6 % of the time of a
	// field).
	buf, count, end := r.buf>>1, r.count, r.end
	if at, data := end>>3, r.data; at < at+8 && at+8 <= uint(len(data)) {
		buf |= binary.LittleEndian.Uint64(data[at:at+8]) << (count & 63)
		fresh := (maxCount - count) &^ 7
		count += fresh
		end += fresh
	} else if count < maxFieldBits && end < uint(r.size) {
		buf, count, end = r.load(buf, count, end)
	}
	shift := uint(n) & 7
	v := buf & (1<<shift - 1)
	buf >>= shift
	count -= shift
	var flags uint
	for ; shift < uint(n); shift += 8 {
		e := uint(decodeTable[buf&codeMask])
		buf >>= e & 63
		count -= e & lengthMask
		flags |= e
		v |= uint64(e>>symbolShift) << (shift & 63)
	}
	// One test finds both failures: a negative number of bits left has bit 7 set as well.
	if (flags|count)&unusedCode != 0 {
		return r.failField(uint(n))
	}
	r.buf, r.count, r.end = buf<<1, count, end
	return uint32(v)
}

// rawBits is Bits for the Raw coding.
func (r *Reader) rawBits(n uint) uint32 {
	if r.count < n {
		r.refill()
		if r.count < n {
			r.fail(faultTruncated)
			return 0
		}
	}
	v := r.buf >> 1 & (1<<n - 1)
	r.buf >>= n
	r.count -= n
	return uint32(v)
}

// AppendString appends the bytes up to the next NUL to dst, one 8-bit field each, and reads the NUL without appending
// it. A string may be as long as the data; the engine's own limits are left to the caller. When reading fails, the
// bytes before the failure are appended.
func (r *Reader) AppendString(dst []byte) []byte {
	for {
		if r.coding == Static {
			buf, count := r.buf, r.count
			for count >= maxCodeBits {
				e := uint(decodeTable[buf>>1&codeMask])
				if e < 1<<symbolShift {
					break // the NUL or the unused code
				}
				buf >>= e & 63
				count -= e & lengthMask
				dst = append(dst, byte(e>>symbolShift))
			}
			r.buf, r.count = buf, count
		}
		c := r.Byte() // refills the buffer
		if c == 0 {
			return dst
		}
		dst = append(dst, c)
	}
}

// AppendBytes appends n bytes to dst, one 8-bit field each. When reading fails, the bytes before the
// failure are appended, so what is allocated is bounded by the data (four bytes for each of its
// bytes), not by n.
func (r *Reader) AppendBytes(dst []byte, n int) []byte {
	for n > 0 {
		if r.coding == Static {
			buf, count := r.buf, r.count
			for ; n > 1 && count >= maxCodeBits; n-- {
				e := uint(decodeTable[buf>>1&codeMask])
				if e&unusedCode != 0 {
					break
				}
				buf >>= e & 63
				count -= e & lengthMask
				dst = append(dst, byte(e>>symbolShift))
			}
			r.buf, r.count = buf, count
		}
		c := r.Byte() // refills the buffer
		if r.Failed() {
			return dst
		}
		dst = append(dst, c)
		n--
	}
	return dst
}

// Align moves to the start of the next byte, unless the position is at one. Messages of protocols 43
// and 48 are aligned after every command.
func (r *Reader) Align() {
	partial := r.count & 7 // end is a multiple of 8
	r.buf >>= partial
	r.count -= partial
}

// maxCount is the highest count that the buffer can have: bit 0 is spent, and whole bytes are added
// while they fit.
const maxCount = 62

// maxFieldBits is the size of the widest field in the stream, in bits.
const maxFieldBits = 7 + 4*maxCodeBits

// refill fills the buffer to at least 55 bits, or with all that are left.
func (r *Reader) refill() {
	buf, count, end := r.load(r.buf>>1, r.count, r.end)
	r.buf, r.count, r.end = buf<<1, count, end
}

// load is refill for a buffer without the spent bit.
func (r *Reader) load(buf uint64, count, end uint) (uint64, uint, uint) {
	rest := r.data[min(end>>3, uint(len(r.data))):]
	var word uint64
	switch n := len(r.data); {
	case len(rest) >= 8:
		word = binary.LittleEndian.Uint64(rest)
	case n >= 8:
		word = binary.LittleEndian.Uint64(r.data[n-8:]) >> (64 - len(rest)<<3)
	default:
		for i, b := range rest {
			word |= uint64(b) << (i << 3)
		}
	}
	fresh := min((maxCount-count)&^7, uint(len(rest))<<3)
	return buf | word<<count, count + fresh, end + fresh
}

// fail stops the Reader at its position, which it keeps in end. Without data and bits, nothing more
// can be read.
func (r *Reader) fail(why fault) {
	if r.fault != noFault {
		return
	}
	r.fault = why
	r.end -= r.count
	r.buf, r.count, r.data = 0, 0, nil
}

// failField finds out why the static field of n bits at the position cannot be read: which comes
// first in the stream, the unused code or the end of the data.
func (r *Reader) failField(n uint) uint32 {
	r.refill()
	buf, count := r.buf>>1>>(n&7), int(r.count)-int(n&7)
	why := faultTruncated
	for range n >> 3 {
		e := uint(decodeTable[buf&codeMask])
		buf >>= e & 63
		count -= int(e & lengthMask)
		if count >= 0 && e&unusedCode != 0 {
			why = faultCode
			break
		}
	}
	r.fail(why)
	return 0
}
