package directplay8

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect/internal/flows"
)

// Numbers are what was seen of the frame numbers of one direction, extended beyond their eight bits. Anybody can send a
// frame with any number, so one that is far from the others counts when a second frame is near it, and a frame is new if
// the one of the same number before it was another.
type numbers struct {
	arrived flows.Window
	prints  [flows.WindowSize]uint32 // of the last frames, by number; 0: none
	far     uint32                   // a number that does not count yet; 0: none
}

// firstNumber is where extended frame numbers start.
const firstNumber = 1 << 16

// near is how far ahead a number may be to count by itself.
const near = 16

// extend turns a frame's eight-bit number into one that does not wrap.
func (s *numbers) extend(sequence uint8) uint32 {
	if !s.arrived.Seen() {
		return firstNumber | uint32(sequence)
	}
	newest := s.arrived.Newest()
	return newest + uint32(int32(int8(sequence-uint8(newest))))
}

// arrive is extend for a frame that was seen, and records it. dropped reports whether a receiver drops it for its signature.
func (s *numbers) arrive(f *dataFrame, payload []byte, dropped func(n uint32) bool) (n uint32, duplicate bool) {
	n = s.extend(f.sequence)
	if s.arrived.Seen() && int32(n-s.arrived.Newest()) > near {
		switch apart := int32(n - s.far); {
		case s.far == 0, apart > near, apart < -near:
			s.far = n
			return n, false
		case apart == 0:
			return n, true
		}
		s.arrived.Arrive(s.far, 32)
		s.far = 0
	}
	slot := &s.prints[n%flows.WindowSize]
	mark := f.fingerprint(payload)
	if s.arrived.Arrive(n, 32) && (*slot == mark || dropped(n)) {
		return n, true
	}
	*slot = mark
	return n, false
}

// fingerprint returns a number that differs between frames of other kinds and payloads, from the length and both ends. The
// rest of a header changes when a frame is sent again. It is not 0.
func (f *dataFrame) fingerprint(payload []byte) uint32 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	var begin, end [16]byte
	copy(begin[:], payload)
	copy(end[:], payload[max(len(payload)-len(end), 0):])
	n := uint64(len(payload))<<16 | uint64(f.control&(controlKeepAlive|controlCoalesced|controlEnd))<<8 | uint64(f.command&^commandPoll)
	for _, b := range [...]*[16]byte{&begin, &end} {
		n = (n ^ binary.LittleEndian.Uint64(b[:8])) * odd
		n = (n ^ n>>32 ^ binary.LittleEndian.Uint64(b[8:])) * odd
	}
	return uint32(n>>32) | 1
}
