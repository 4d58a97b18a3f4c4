package flows

import (
	"encoding/binary"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Table holds a router's state for pairs of endpoints.
type Table[T any] struct {
	Map[Pair, T]
	visited *Entry[Pair, T] // nil: the pair has no entry
	fresh   T               // the state in that case
	key     Pair            // of the packet
	sender  Side            // of the packet
	sieve   sieve
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

// Visit returns the state of a packet's pair, for the router to change. Each Visit is followed by a Leave. Most of a
// capture can be foreign: a pair without an entry begins with a zero value, which Leave drops unless there is something
// to remember.
func (t *Table[T]) Visit(p *dissect.Packet, now int64) *T {
	if t.visited = t.Find(p, now); t.visited != nil {
		return &t.visited.Value
	}
	var zero T
	t.fresh = zero
	return &t.fresh
}

// Sender returns the side that sent the packet of the last Visit or Find, as the function Sender does.
func (t *Table[T]) Sender() Side { return t.sender }

// Leave ends the visit of a packet's pair. With remember the pair gets an entry if it has none. With keep the entry
// does not expire. back reports that the pair is new because it was dropped for lack of room, see Shown.
func (t *Table[T]) Leave(now int64, remember, keep bool) (back bool) {
	e := t.visited
	if t.visited = nil; e == nil {
		if !remember {
			return false
		}
		back = t.returns()
		e = t.Map.Add(t.key, now)
		e.Value = t.fresh
		t.sift(&e.key)
	}
	if keep {
		t.Keep(e)
	}
	return back
}

// returns records the pair that is dropped for a new one, if any, and reports whether the new one was dropped before.
func (t *Table[T]) returns() (back bool) {
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
	n := t.key.number()
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
	for _, part := range [...]uint64{k.low.high, k.low.low, k.high.high, k.high.low, k.ports} {
		n = (n ^ part) * odd
		n ^= n >> 29
	}
	return n
}

// Find returns the entry of a packet's pair, or nil. It counts as used at now.
func (t *Table[T]) Find(p *dissect.Packet, now int64) *Entry[Pair, T] {
	t.sender = t.key.set(p)
	if t.count == 0 {
		return nil
	}
	e := t.peek(&t.key, uint32(t.key.hash(&t.seed)))
	if e != nil {
		e.use(now)
	}
	return e
}

// Add adds an entry for a packet's pair, which has none.
func (t *Table[T]) Add(p *dissect.Packet, now int64) *Entry[Pair, T] {
	e := t.Map.Add(PairOf(p), now)
	t.sift(&e.key)
	return e
}

// An Endpoint is an address and port as a key. Zones are ignored: captures have none.
type Endpoint struct {
	IP   IP
	port uint64 // and whether the address is one of IPv6
}

// Hash returns a hash of the endpoint.
func (e Endpoint) Hash(s *Seed) uint64 { return s.Hash(e.IP.high, e.IP.low, e.port, 0, 0) }

// An IP is an address as a key; an IPv4 address is in its IPv6 form.
type IP struct{ high, low uint64 }

// Parts returns both halves of the address, for hashes.
func (ip IP) Parts() (high, low uint64) { return ip.high, ip.low }

// IPOf returns the key of an address.
func IPOf(a netip.Addr) IP {
	if a.Is4() { // most are, and it costs a third
		b := a.As4()
		return IP{0, 0xffff<<32 | uint64(binary.BigEndian.Uint32(b[:]))}
	}
	b := a.As16()
	return IP{binary.BigEndian.Uint64(b[:]), binary.BigEndian.Uint64(b[8:])}
}

// isIPv6 is a bit above the port of an endpoint.
const isIPv6 = 1 << 16

// EndpointOf returns the key of an endpoint.
func EndpointOf(a netip.AddrPort) Endpoint {
	e := Endpoint{IP: IPOf(a.Addr()), port: uint64(a.Port())}
	if !a.Addr().Is4() {
		e.port |= isIPv6
	}
	return e
}

// less orders endpoints by the address, those of IPv4 first, and by the port.
func (e Endpoint) less(o Endpoint) bool {
	switch {
	case (e.port^o.port)&isIPv6 != 0:
		return e.port < o.port
	case e.IP.high != o.IP.high:
		return e.IP.high < o.IP.high
	case e.IP.low != o.IP.low:
		return e.IP.low < o.IP.low
	}
	return e.port < o.port
}

// A Pair is two endpoints as a key, the same for both directions.
type Pair struct {
	low, high IP
	ports     uint64 // and whether the addresses are those of IPv6
}

// Hash returns a hash of the pair.
func (k Pair) Hash(s *Seed) uint64 { return k.hash(s) }

func (k *Pair) hash(s *Seed) uint64 {
	return s.Hash(k.low.high, k.low.low, k.high.high, k.high.low, k.ports)
}

// PairOf returns the key of a packet's endpoints.
func PairOf(p *dissect.Packet) (k Pair) {
	k.set(p)
	return k
}

// set makes k the pair of a packet and returns the sender's side. Each word is written once, and by itself: a copy of
// what was just written waits for the writing.
func (k *Pair) set(p *dissect.Packet) (sender Side) {
	if p.Src.Addr().Is4() && p.Dst.Addr().Is4() {
		return k.set4(ipv4(p.Src), ipv4(p.Dst))
	}
	sender = Low
	a, b := EndpointOf(p.Src), EndpointOf(p.Dst)
	if b.less(a) {
		a, b, sender = b, a, High
	}
	k.low.high, k.low.low = a.IP.high, a.IP.low
	k.high.high, k.high.low = b.IP.high, b.IP.low
	k.ports = a.port<<32 | b.port
	return sender
}

// ipv4 returns an endpoint of IPv4 as one number: the address, and the port.
func ipv4(a netip.AddrPort) uint64 {
	b := a.Addr().As4()
	return uint64(binary.BigEndian.Uint32(b[:]))<<16 | uint64(a.Port())
}

// set4 is set for two endpoints of IPv4, which most are: their order is that of two numbers.
func (k *Pair) set4(a, b uint64) (sender Side) {
	sender = Low
	if b < a {
		a, b, sender = b, a, High
	}
	const mapped, port = 0xffff << 32, 0xffff
	k.low.high, k.low.low = 0, mapped|a>>16
	k.high.high, k.high.low = 0, mapped|b>>16
	k.ports = a&port<<32 | b&port
	return sender
}
