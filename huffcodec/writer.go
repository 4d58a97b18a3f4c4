package huffcodec

import "encoding/binary"

// A Writer makes messages that a Reader reads. The zero Writer is empty, writes the Static coding and
// is ready for use; after Reset it reuses its memory.
type Writer struct {
	buf     []byte // the complete bytes
	partial uint64 // the bits after them, the next ones above
	count   uint   // of partial, 0 to 7 between calls
	coding  Coding
}

// Reset empties the Writer and chooses the coding. What Data gave before is overwritten.
func (w *Writer) Reset(coding Coding) { *w = Writer{buf: w.buf[:0], coding: coding} }

// Pos is the number of bits written.
func (w *Writer) Pos() int { return len(w.buf)*8 + int(w.count) }

// Data returns the message, as long as the engine makes it: Pos/8 + 1 bytes (MSG_WriteBits,
// code/qcommon/msg.c). If the bits fill whole bytes, the engine sends one more byte that it never
// wrote; here that byte is zero, as unused bits are. The slice belongs to the Writer and is valid
// until the next write or Reset.
func (w *Writer) Data() []byte {
	n := len(w.buf)
	w.buf = append(w.buf, byte(w.partial))
	data := w.buf
	w.buf = w.buf[:n]
	return data
}

// Bit writes one bit.
func (w *Writer) Bit(v bool) {
	if v {
		w.put(1, 1)
	} else {
		w.put(0, 1)
	}
}

// Byte writes a field of eight bits.
func (w *Writer) Byte(v byte) { w.Bits(uint32(v), 8) }

// Bits writes the low n bits of v as a field of n bits, 0 to MaxBits. It panics for any other n.
// Signed values are written as their low bits.
func (w *Writer) Bits(v uint32, n int) {
	if uint(n) > MaxBits {
		panic("huffcodec: a field has 0 to 32 bits")
	}
	if w.coding != Static {
		w.put(uint64(v)&(1<<n-1), uint(n))
		return
	}
	raw := uint(n) & 7
	w.put(uint64(v)&(1<<raw-1), raw)
	v >>= raw
	for range n >> 3 {
		e := encodeTable[byte(v)]
		w.put(uint64(e&codeMask), uint(e>>encodeLengthShift))
		v >>= 8
	}
}

// String writes the bytes of s and a NUL. The engine shortens long strings and replaces some
// characters before it writes them; that is left to the caller. A NUL in s ends the string for the
// reader.
func (w *Writer) String(s string) {
	for i := range len(s) {
		w.Byte(s[i])
	}
	w.Byte(0)
}

// Bytes writes the bytes of p, one field of eight bits each.
func (w *Writer) Bytes(p []byte) {
	for _, b := range p {
		w.Byte(b)
	}
}

// Copy writes the bits from <= i < to of data as they are.
func (w *Writer) Copy(data []byte, from, to int) {
	for from < to {
		if w.count == 0 && from&7 == 0 && to-from >= 8 { // whole bytes
			w.buf = append(w.buf, data[from>>3:to>>3]...)
			from = to &^ 7
			continue
		}
		n := min(to-from, copiedBits-from&7)
		var word uint64
		for i, b := range data[from>>3 : (from+n+7)>>3] {
			word |= uint64(b) << (i << 3)
		}
		w.put(word>>(from&7)&(1<<n-1), uint(n))
		from += n
	}
}

// copiedBits is how many bits Copy takes at once.
const copiedBits = 32

// Align writes zero bits up to the start of the next byte, unless the position is at one.
func (w *Writer) Align() { w.put(0, -w.count&7) }

// put writes the low n bits of v, whose other bits must be zero. n is at most 32.
func (w *Writer) put(v uint64, n uint) {
	w.partial |= v << w.count
	w.count += n
	whole := w.count >> 3
	w.buf = binary.LittleEndian.AppendUint64(w.buf, w.partial)[:len(w.buf)+int(whole)]
	w.partial >>= whole << 3
	w.count &= 7
}
