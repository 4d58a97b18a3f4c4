package directplay8

import "github.com/q3dissect/q3dissect/dissect/flows"

// Numbers are what was seen of the frame numbers of one direction, extended beyond their eight bits.
type numbers struct{ arrived flows.Numbers }

// firstNumber is where extended frame numbers start.
const firstNumber = 1 << 16

// extend turns a frame's eight-bit number into one that does not wrap.
func (s *numbers) extend(sequence uint8) uint32 {
	if !s.arrived.Seen() {
		return firstNumber | uint32(sequence)
	}
	newest := s.arrived.Newest()
	return newest + uint32(int32(int8(sequence-uint8(newest))))
}

// arrive is extend for a frame that was seen, and records it. dropped reports whether a receiver drops it for its
// signature. What a frame has besides its kind and payload changes when it is sent again.
func (s *numbers) arrive(f *dataFrame, payload []byte, dropped func(n uint32) bool) (n uint32, duplicate bool) {
	n = s.extend(f.sequence)
	kind := uint16(f.control&(controlKeepAlive|controlCoalesced|controlEnd))<<8 | uint16(f.command&^commandPoll)
	seen, same := s.arrived.Arrive(n, 32, flows.Fingerprint(kind, payload))
	return n, seen && (same || dropped(n))
}
