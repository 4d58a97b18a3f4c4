package netchan

import (
	"encoding/binary"
	"slices"
)

// Packets of protocols 24 and 43 are scrambled, each by itself: its number and its length are the key.
//
// Source: ioQuake3-PS4 and Lilium Arena Classic, Netchan_ScramblePacket and
// Netchan_UnScramblePacket in code/qcommon/net_chan.c.
const (
	scrambleStart = 6 // the bytes before it are clear
	scrambleSeed  = 0x87243987
	scrambleStep  = 69069
)

// A Scrambler scrambles packets. Its zero value is ready for use.
type Scrambler struct {
	steps []uint32 // of each byte of the packet
	mask  uint32
}

// begin makes the numbers for a packet, whose first four bytes are never changed. It reports whether it has others.
func (s *Scrambler) begin(p []byte) bool {
	if len(p) <= scrambleStart {
		return false
	}
	s.steps = slices.Grow(s.steps[:0], len(p))[:len(p)]
	n := uint32(len(p))
	word := 3*binary.LittleEndian.Uint32(p) ^ 123*n ^ scrambleSeed
	for range scrambleStart {
		word = scrambleStep*word + 1
	}
	for i := scrambleStart; i < len(p); i++ {
		word = scrambleStep*word + 1
		s.steps[i] = word
	}
	s.mask = 0
	for 2*s.mask+1 < n-scrambleStart {
		s.mask = 2*s.mask + 1
	}
	return true
}

// other returns the place that a byte is exchanged with.
func (s *Scrambler) other(i int) int { return scrambleStart + int(s.steps[i]&s.mask) }

// Unscramble restores a packet in place.
func (s *Scrambler) Unscramble(p []byte) {
	if !s.begin(p) {
		return
	}
	for i := len(p) - 1; i >= scrambleStart; i-- {
		j := s.other(i)
		p[i], p[j] = p[j], p[i]
	}
	for i := scrambleStart; i < len(p); i++ {
		p[i] ^= byte(s.steps[i])
	}
}

// Scramble is the reverse of Unscramble.
func (s *Scrambler) Scramble(p []byte) {
	if !s.begin(p) {
		return
	}
	for i := scrambleStart; i < len(p); i++ {
		p[i] ^= byte(s.steps[i])
	}
	for i := scrambleStart; i < len(p); i++ {
		j := s.other(i)
		p[i], p[j] = p[j], p[i]
	}
}

// AppendPlaces appends for each byte of a packet where it is in the scrambled one.
func (s *Scrambler) AppendPlaces(dst []int, p []byte) []int {
	start := len(dst)
	for i := range p {
		dst = append(dst, i)
	}
	if !s.begin(p) {
		return dst
	}
	places := dst[start:]
	for i := len(p) - 1; i >= scrambleStart; i-- {
		j := s.other(i)
		places[i], places[j] = places[j], places[i]
	}
	return dst
}
