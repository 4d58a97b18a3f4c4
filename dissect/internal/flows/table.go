package flows

import (
	"encoding/binary"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Table holds a router's state for pairs of endpoints.
type Table[T any] struct {
	Map[Pair, T]
	visited *Entry[Pair, T]    // nil: the pair has no entry
	fresh   T                  // the state in that case
	lost    *[lostPairs]uint64 // numbers of pairs that were dropped for lack of room, each at its index; nil: none
}

// lostPairs is about how many dropped pairs are remembered. It is a power of two.
const lostPairs = 1 << 16

// Shown is implemented by values of a Table whose return is to be noticed after they were dropped for lack of
// room.
type Shown interface {
	// Shown reports whether there are records of the pair.
	Shown() bool
}

// Visit returns the state of a packet's pair, for the router to change. Each Visit is followed by a Leave for
// the same packet. Most of a capture can be foreign: a pair without an entry begins with a zero value, which
// Leave drops unless there is something to remember.
func (t *Table[T]) Visit(p *dissect.Packet, now int64) *T {
	if t.visited = t.Find(p, now); t.visited != nil {
		return &t.visited.Value
	}
	var zero T
	t.fresh = zero
	return &t.fresh
}

// Leave ends a visit. With remember the pair gets an entry if it has none. With keep the entry does not expire.
// back reports that the pair is new because it was dropped for lack of room, see Shown.
func (t *Table[T]) Leave(p *dissect.Packet, now int64, remember, keep bool) (back bool) {
	e := t.visited
	if t.visited = nil; e == nil {
		if !remember {
			return false
		}
		back = t.returns(p)
		e = t.Add(p, now)
		e.Value = t.fresh
	}
	if keep {
		t.Keep(e)
	}
	return back
}

// returns records the pair that is dropped for a new one, if any, and reports whether the new one was dropped
// before.
func (t *Table[T]) returns(p *dissect.Packet) (back bool) {
	if t.count >= maxEntries {
		old := t.oldest()
		if s, ok := any(&old.Value).(Shown); ok && s.Shown() {
			if t.lost == nil {
				t.lost = new([lostPairs]uint64)
			}
			n := old.key.number()
			t.lost[n%lostPairs] = n
		}
	}
	if t.lost == nil {
		return false
	}
	n := PairOf(p).number()
	at := &t.lost[n%lostPairs]
	if back = *at == n; back {
		*at = 0
	}
	return back
}

// number returns a number of a pair that is the same in every run.
func (k Pair) number() uint64 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	n := uint64(1)
	for _, part := range [...]uint64{k.low[0], k.low[1], k.high[0], k.high[1], k.rest} {
		n = (n ^ part) * odd
		n ^= n >> 29
	}
	return n
}

// Find returns the entry of a packet's pair, or nil. It counts as used at now.
func (t *Table[T]) Find(p *dissect.Packet, now int64) *Entry[Pair, T] {
	if t.count == 0 {
		return nil
	}
	return t.Map.Find(PairOf(p), now)
}

// Add adds an entry for a packet's pair, which has none.
func (t *Table[T]) Add(p *dissect.Packet, now int64) *Entry[Pair, T] {
	return t.Map.Add(PairOf(p), now)
}

// An Endpoint is an address and port as a key. Zones are ignored: captures have none.
type Endpoint struct {
	IP   IP
	Port uint16
	Is4  bool
}

// An IP is an address as a key; an IPv4 address is in its IPv6 form.
type IP [2]uint64

// IPOf returns the key of an address.
func IPOf(a netip.Addr) IP {
	b := a.As16()
	return IP{binary.NativeEndian.Uint64(b[:]), binary.NativeEndian.Uint64(b[8:])}
}

// EndpointOf returns the key of an endpoint.
func EndpointOf(a netip.AddrPort) Endpoint {
	return Endpoint{IP: IPOf(a.Addr()), Port: a.Port(), Is4: a.Addr().Is4()}
}

// A Pair is two endpoints as a key, the same for both directions.
type Pair struct {
	low, high IP
	rest      uint64 // ports, and whether the addresses are those of IPv4
}

// PairOf returns the key of a packet's endpoints.
func PairOf(p *dissect.Packet) (k Pair) {
	a, b := p.Src, p.Dst
	if b.Compare(a) < 0 {
		a, b = b, a
	}
	k = Pair{low: IPOf(a.Addr()), high: IPOf(b.Addr()), rest: uint64(a.Port())<<16 | uint64(b.Port())}
	if a.Addr().Is4() {
		k.rest |= 1 << 32
	}
	if b.Addr().Is4() {
		k.rest |= 1 << 33
	}
	return k
}
