package flows

import (
	"encoding/binary"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Table is what a router remembers of pairs of endpoints.
type Table[T any] struct {
	Map[Pair, T]
	visited *Entry[Pair, T] // nil: the pair has no entry
	fresh   T               // what is known of it then
}

// Visit gives what is known of a packet's pair, for the router to change. Each Visit is followed by a Leave for the same
// packet. Most of a capture can be foreign: a pair without an entry begins with a zero value, which Leave drops unless
// there is something to remember.
func (t *Table[T]) Visit(p *dissect.Packet, now int64) *T {
	if t.visited = t.Find(p, now); t.visited != nil {
		return &t.visited.Value
	}
	var zero T
	t.fresh = zero
	return &t.fresh
}

// Leave ends a visit. remember: the pair gets an entry if it has none. keep: the entry does not expire.
func (t *Table[T]) Leave(p *dissect.Packet, now int64, remember, keep bool) {
	e := t.visited
	if t.visited = nil; e == nil {
		if !remember {
			return
		}
		e = t.Add(p, now)
		e.Value = t.fresh
	}
	if keep {
		t.Keep(e)
	}
}

// Find gives the entry of a packet's pair, or nil. It counts as used at the time.
func (t *Table[T]) Find(p *dissect.Packet, now int64) *Entry[Pair, T] {
	if t.count == 0 {
		return nil
	}
	return t.Map.Find(PairOf(p), now)
}

// Add makes an entry for a packet's pair, which has none.
func (t *Table[T]) Add(p *dissect.Packet, now int64) *Entry[Pair, T] {
	return t.Map.Add(PairOf(p), now)
}

// An Endpoint is an address and port as a key. Zones, which captures have none of, do not count.
type Endpoint struct {
	IP   IP
	Port uint16
	Is4  bool
}

// An IP is an address as a key; one of IPv4 is that of IPv6 which stands for it.
type IP [2]uint64

// IPOf gives the key of an address.
func IPOf(a netip.Addr) IP {
	b := a.As16()
	return IP{binary.NativeEndian.Uint64(b[:]), binary.NativeEndian.Uint64(b[8:])}
}

// EndpointOf gives the key of an endpoint.
func EndpointOf(a netip.AddrPort) Endpoint {
	return Endpoint{IP: IPOf(a.Addr()), Port: a.Port(), Is4: a.Addr().Is4()}
}

// A Pair is two endpoints as a key, the same for both directions.
type Pair struct {
	low, high IP
	rest      uint64 // ports, and whether the addresses are those of IPv4
}

// PairOf gives the key of a packet's endpoints.
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
