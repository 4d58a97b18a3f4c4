package flows

import "encoding/binary"

// Numbers are what was seen of the numbers of one direction. Anybody can send any number, so one that is far ahead of
// the others counts when a second one is near it, and what comes with a number is new if what had the number before was
// another. The zero value has seen none.
type Numbers struct {
	window Window
	prints [WindowSize][2]uint32 // of what had the last numbers; 0: none
	far    uint32                // a number that does not count yet
	waits  bool                  // there is one
}

// near is how far ahead a number may be to count by itself.
const near = 16

// Newest returns the highest number that counts.
func (s *Numbers) Newest() uint32 { return s.window.Newest() }

// Seen reports whether anything has arrived.
func (s *Numbers) Seen() bool { return s.window.Seen() }

// Arrive records a number of 1 to 32 bits, of a sequence that wraps there, with the fingerprint of what has it. seen
// reports whether the number was seen before, and same that it was with the same fingerprint.
func (s *Numbers) Arrive(n uint32, bits int, print uint32) (seen, same bool) {
	shift := 32 - bits
	if s.window.Seen() && int32((n-s.window.Newest())<<shift)>>shift > near {
		switch apart := int32((n-s.far)<<shift) >> shift; {
		case s.waits && apart == 0:
			return true, true
		case !s.waits, apart > near, apart < -near:
			s.far, s.waits = n, true
			return false, false
		}
		s.window.Arrive(s.far, bits)
		s.waits = false
	}
	slot := &s.prints[n%WindowSize]
	seen = s.window.Arrive(n, bits)
	switch {
	case !seen:
		*slot = [2]uint32{print}
	case slot[0] != print && slot[1] != print:
		slot[1] = print
	default:
		same = true
	}
	return seen, same
}

// Has reports whether something came with a number.
func (s *Numbers) Has(n uint32, bits int) bool { return s.window.Has(n, bits) }

// Other reports whether something else than what has a fingerprint came with a number, without recording anything. What
// came with the fingerprint 0 may be anything.
func (s *Numbers) Other(n uint32, bits int, print uint32) bool {
	slot := &s.prints[n%WindowSize]
	return s.window.Has(n, bits) && slot[0] != 0 && slot[0] != print && slot[1] != print
}

// Fingerprint returns a number that differs between other kinds and bytes, from the length and both ends. It is not 0.
func Fingerprint(kind uint16, b []byte) uint32 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	var begin, end [16]byte
	copy(begin[:], b)
	copy(end[:], b[max(len(b)-len(end), 0):])
	n := uint64(len(b))<<16 | uint64(kind)
	for _, part := range [...]*[16]byte{&begin, &end} {
		n = (n ^ binary.LittleEndian.Uint64(part[:8])) * odd
		n = (n ^ n>>32 ^ binary.LittleEndian.Uint64(part[8:])) * odd
	}
	return uint32(n>>32) | 1
}
