package flows

import (
	"math/bits"
	"math/rand/v2"
)

// A Key is a key of a Map.
type Key interface {
	comparable
	// Hash returns a hash of the whole key: s.Hash of its parts.
	Hash(s *Seed) uint64
}

// A Seed makes hashes unpredictable for whoever makes up the addresses.
type Seed [4]uint64

func newSeed() Seed { return Seed{rand.Uint64(), rand.Uint64(), rand.Uint64(), rand.Uint64()} }

// Hash returns a hash of five numbers. A part is mixed with the seed before it is multiplied, as in wyhash
// (https://github.com/wangyi-fudan/wyhash).
func (s *Seed) Hash(a, b, c, d, e uint64) uint64 {
	return fold(fold(a^s[0], b^s[1])^fold(c^s[2], d^s[3])^s[0], e^s[1])
}

// fold joins both halves of a product.
func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}
