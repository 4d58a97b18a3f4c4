package message

import (
	"bytes"
	"fmt"

	"github.com/q3dissect/q3dissect/dissect"
)

// maxIntBytes is the length of the longest encoding of an int.
const maxIntBytes = 5

// errNoEnd means that a string has no NUL before the end of the data.
var errNoEnd = fmt.Errorf("%w: a string without its NUL", dissect.ErrTruncated)

// An Unpacker is the cursor over the payload of one chunk, or over the data of a snapshot: whole bytes in memory, read
// as variable length ints, strings and raw bytes. After the first failure every read returns zero, and the position
// stays at the fault (the start of the int, or the end of the data), so callers read like the specification and check
// once.
//
// The value is reused with Reset and never allocates. What it returns aliases the data.
//
// CUnpacker in src/engine/shared/packer.cpp.
type Unpacker struct {
	data     []byte
	pos      int // in bytes
	startBit int
	err      error  // why reading failed
	reason   reason // detail for the error text
	overlong int    // position of the first int that is longer than necessary, plus 1
	padded   int    // position of the first int whose padding is not zero, plus 1
}

// A reason is an error text that has not been formatted yet. Heuristics read foreign datagrams by the
// million, and their error is not read.
type reason struct {
	format  string // "": no detail
	numbers [maxReasonNumbers]int64
	count   int // of numbers
}

// maxReasonNumbers is how many numbers a reason can have.
const maxReasonNumbers = 4

// Reset starts reading data, whose first byte has bit position startBit. The data belongs to the
// caller and must not change while it is read.
func (u *Unpacker) Reset(data []byte, startBit int) { *u = Unpacker{data: data, startBit: startBit} }

// Pos is the position in bytes from the start of the data.
func (u *Unpacker) Pos() int { return u.pos }

// SetPos goes back to a byte position.
func (u *Unpacker) SetPos(pos int) { u.pos = pos }

// Bit is the position in bits, counted from startBit.
func (u *Unpacker) Bit() int { return u.startBit + u.pos<<3 }

// Left is the number of bytes that were not read.
func (u *Unpacker) Left() int { return len(u.data) - u.pos }

// Rest is what was not read.
func (u *Unpacker) Rest() []byte { return u.data[u.pos:] }

// Failed reports whether a read failed.
func (u *Unpacker) Failed() bool { return u.err != nil }

// Err returns the reason of the first failure, one of the sentinels of package dissect, possibly wrapped, or nil.
func (u *Unpacker) Err() error {
	if r := &u.reason; r.format != "" {
		numbers := make([]any, r.count)
		for i := range numbers {
			numbers[i] = r.numbers[i]
		}
		u.err = fmt.Errorf("%w: %s", u.err, fmt.Sprintf(r.format, numbers...))
		r.format = ""
	}
	return u.err
}

// Fail stops reading at the current position. Only the first failure counts.
func (u *Unpacker) Fail(err error) {
	if u.err == nil {
		u.err = err
	}
}

// Malformed is Fail with ErrMalformed and a reason: a format and its numbers, each an int or an int32. It
// does not allocate; the text is made by Err.
func (u *Unpacker) Malformed(format string, numbers ...any) {
	if u.err != nil {
		return
	}
	u.err = dissect.ErrMalformed
	u.reason.format, u.reason.count = format, len(numbers)
	for i, n := range numbers {
		switch n := n.(type) {
		case int:
			u.reason.numbers[i] = int64(n)
		case int32:
			u.reason.numbers[i] = int64(n)
		default:
			panic("a reason has numbers of type int and int32 only")
		}
	}
}

// Int reads a variable length int: extend bit, sign bit and 6 bits of data in the first byte, extend bit and 7 bits in
// the others, low bits first; with the sign the number is complemented. A fifth byte has 4 bits of data. The bits above
// them are padding, which is ignored as in all current implementations; in older ones it reached the number's highest
// bit.
//
// CVariableInt::Unpack in src/engine/shared/compression.cpp.
func (u *Unpacker) Int() int32 {
	if u.err == nil && u.pos < len(u.data) {
		if b := u.data[u.pos]; b < 0x80 { // most are short
			u.pos++
			return int32(b&0x3f) ^ -int32(b>>6)
		}
	}
	return u.longInt()
}

// longInt reads an int of more than one byte, or finds that there is none.
func (u *Unpacker) longInt() int32 {
	if u.err != nil {
		return 0
	}
	rest := u.data[u.pos:]
	n := 0
	for n < len(rest) && n < maxIntBytes-1 && rest[n] >= 0x80 {
		n++
	}
	if n == len(rest) {
		u.err = dissect.ErrTruncated
		return 0
	}
	v := uint32(rest[0] & 0x3f)
	for i := 1; i <= n; i++ {
		v |= uint32(rest[i]&0x7f) << (7*i - 1)
	}
	if last := rest[n]; n == maxIntBytes-1 && last > 0x0f {
		v &= 1<<31 - 1
		keepFirst(&u.padded, u.pos)
	} else if last == 0 {
		keepFirst(&u.overlong, u.pos)
	}
	u.pos += n + 1
	return int32(v) ^ -int32(rest[0]>>6&1)
}

// keepFirst keeps the first of several positions.
func keepFirst(first *int, pos int) {
	if *first == 0 {
		*first = pos + 1
	}
}

// Overlong returns the bit position of the first int that is longer than necessary, or -1. All
// implementations read such ints, and none writes them.
func (u *Unpacker) Overlong() int { return u.bitPosition(u.overlong) }

// Padded returns the bit position of the first int with padding that is not zero, or -1.
func (u *Unpacker) Padded() int { return u.bitPosition(u.padded) }

func (u *Unpacker) bitPosition(first int) int {
	if first == 0 {
		return -1
	}
	return u.startBit + (first-1)<<3
}

// String reads the bytes up to a NUL, and the NUL. Nothing is sanitised. Without a NUL it fails and
// returns the bytes that there are.
//
// CUnpacker::GetString in src/engine/shared/packer.cpp.
func (u *Unpacker) String() []byte {
	if u.err != nil {
		return nil
	}
	rest := u.data[u.pos:]
	n := bytes.IndexByte(rest, 0)
	if n < 0 {
		u.pos = len(u.data)
		u.err = errNoEnd
		return rest
	}
	u.pos += n + 1
	return rest[:n]
}

// Raw reads n bytes. If there are fewer, it fails and returns those.
//
// CUnpacker::GetRaw in src/engine/shared/packer.cpp.
func (u *Unpacker) Raw(n int) []byte {
	switch rest := u.data[u.pos:]; {
	case u.err != nil:
		return nil
	case n < 0:
		u.Malformed("%d bytes", n)
		return nil
	case n > len(rest):
		u.pos = len(u.data)
		u.err = dissect.ErrTruncated
		return rest
	default:
		u.pos += n
		return rest[:n]
	}
}
