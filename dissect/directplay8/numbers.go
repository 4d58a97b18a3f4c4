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
// signature. Of a number that the receiver had before the capture has it nothing shows which frame is the right one.
func (s *numbers) arrive(f *dataFrame, payload []byte, had bool,
	dropped func(n uint32) bool,
) (n uint32, duplicate bool) {
	n = s.extend(f.sequence)
	print := f.print(payload)
	if had && !s.arrived.Has(n, 32) {
		print = 0
	}
	seen, same := s.arrived.Arrive(n, 32, print)
	return n, seen && (same || dropped(n))
}
