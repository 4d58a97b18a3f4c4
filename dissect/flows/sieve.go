package flows

import (
	"math/bits"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// A sieve reports, cheaply, that a table has no entry for a pair. It has a bit for each hash of a pair that was
// added: a bit that is not set means that there is no such pair, and one that is set means nothing. Bits of pairs
// that were dropped stay until the sieve is made anew. Whoever makes up addresses can set all of them: the tables are
// searched then, as without a sieve.
type sieve struct {
	bits  []uint64 // a power of two, or none
	shift uint8    // from a hash to the number of its bit
	added int      // pairs since it was made, and those that it was made of
}

// Bits of a sieve for each pair that it is made of, at least, and until it is made anew; and the size of the least one.
const (
	sieveBits  = 16
	sieveAdded = 4
	leastSieve = 1 << 12
)

// clear makes the sieve an empty one for a number of pairs.
func (s *sieve) clear(pairs int) {
	size := max(leastSieve, 1<<bits.Len(uint(pairs*sieveBits-1)))
	if len(s.bits)*64 == size {
		clear(s.bits)
	} else {
		s.bits = make([]uint64, size/64)
	}
	s.shift, s.added = uint8(64-bits.TrailingZeros(uint(size))), 0
}

// full reports whether the sieve is to be made anew before another pair is added.
func (s *sieve) full() bool { return s.added*sieveAdded >= len(s.bits)*64 }

// add adds a pair.
func (s *sieve) add(hash uint64) {
	n := hash >> s.shift
	s.bits[n/64] |= 1 << (n % 64)
	s.added++
}

// passes reports whether there can be a pair with a hash.
func (s *sieve) passes(hash uint64) bool {
	n := hash >> s.shift
	return len(s.bits) > 0 && s.bits[n/64]>>(n%64)&1 != 0
}

// quick returns a hash of a pair: that of quickOf, for packets of either direction.
func (k *Pair) quick() uint64 {
	return quickEnd(k.low.high, k.low.low, k.ports>>32) + quickEnd(k.high.high, k.high.low, k.ports)
}

// quickOf returns a hash of a packet's pair that costs less than its key.
func quickOf(p *dissect.Packet) uint64 { return quickOfEnd(p.Src) + quickOfEnd(p.Dst) }

func quickOfEnd(a netip.AddrPort) uint64 {
	ip := IPOf(a.Addr())
	return quickEnd(ip.high, ip.low, uint64(a.Port()))
}

// quickEnd mixes an endpoint. Bits above the port are ignored.
func quickEnd(high, low, port uint64) uint64 {
	const odd, other = 0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f
	return ((high*other^low)*odd ^ port<<48) * other
}

// Unknown reports, at little cost, that a packet's pair has no entry. Of few pairs without an entry it is false.
// It replaces a Visit and a Leave that remembers nothing.
func (t *Table[T]) Unknown(p *dissect.Packet) bool {
	return t.count == 0 || !t.sieve.passes(quickOf(p))
}

// sift adds a pair that was added to the table to the sieve.
func (t *Table[T]) sift(k *Pair) {
	if !t.sieve.full() {
		t.sieve.add(k.quick())
		return
	}
	t.sieve.clear(t.count)
	for _, l := range [...]list{t.idle, t.kept} {
		for n := l.oldest; n != 0; {
			e := t.at(n)
			t.sieve.add(e.key.quick())
			n = e.newer
		}
	}
}
