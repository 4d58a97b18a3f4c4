package flows_test

import (
	"math/bits"
	"math/rand/v2"
	"net/netip"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
	"github.com/q3dissect/q3dissect/dissect/flows"
)

// A number is a key. All of the numbers above 100 have the same hash.
type number int

func (n number) Hash(s *flows.Seed) uint64 { return s.Hash(uint64(min(n, 100)), 0, 0, 0, 0) }

// A modelEntry is an entry in the model of a map.
type modelEntry struct {
	key  number
	last int64
	kept bool
}

// TestMap compares a map with a list that is searched from end to end. What was idle for too long is never found, and
// what is not is never lost.
func TestMap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var m flows.Map[number, int]
		model := map[number]*modelEntry{}
		now := int64(0)
		keys := rapid.SampledFrom([]int{5, 40, 400}).Draw(t, "keys")
		for range rapid.IntRange(1, 600).Draw(t, "steps") {
			now += rapid.Int64Range(0, 3).Draw(t, "step")
			key := number(rapid.IntRange(0, keys).Draw(t, "key"))
			what := rapid.IntRange(0, 9).Draw(t, "what")
			want, known := model[key]
			e := m.Peek(key)
			if (e != nil) != known || known && e.Value != int(key)+1 {
				t.Fatalf("key %d: %v, the model has %v", key, e, want)
			}
			switch {
			case what == 0:
				before := now - rapid.Int64Range(0, 40).Draw(t, "idle")
				m.Expire(before)
				for key, e := range model {
					if !e.kept && e.last < before {
						delete(model, key)
					}
				}
			case what == 1:
				m.Drop(key)
				delete(model, key)
			case !known:
				m.Add(key, now).Value = int(key) + 1
				model[key] = &modelEntry{key: key, last: now}
			case what < 8:
				if m.Find(key, now) != e {
					t.Fatalf("key %d has two entries", key)
				}
				want.last = now
			default:
				m.Keep(e)
				want.kept = true
			}
		}
		for key := range number(keys + 1) {
			if _, known := model[key]; (m.Peek(key) != nil) != known {
				t.Fatalf("key %d: the model says %v", key, known)
			}
		}
		if m.Expire(now + 1); m.Len() > len(model) {
			t.Fatalf("%d entries, the model has %d", m.Len(), len(model))
		}
	})
}

// TestRoom: a full map drops what was not used since the others came, and of the kept ones none while there are others.
func TestRoom(t *testing.T) {
	t.Parallel()
	const room, kept = 1 << 16, 100
	var m flows.Map[pairNumber, int]
	for n := range pairNumber(room) {
		e := m.Add(n, 0)
		if n < kept {
			m.Keep(e)
		}
	}
	for n := pairNumber(kept); n < room; n += 2 {
		m.Find(n, 0)
	}
	for n := range pairNumber(room / 4) {
		m.Add(room+n, 0)
	}
	for n := range pairNumber(room) {
		used := n < kept || n%2 == 0
		if gone := m.Peek(n) == nil; gone && used || !gone && !used && n < room/4 {
			t.Fatalf("entry %d: gone is %v", n, gone)
		}
	}
	if m.Len() != room {
		t.Errorf("%d entries", m.Len())
	}
}

// A pairNumber is a key with a hash of its own.
type pairNumber uint64

func (n pairNumber) Hash(s *flows.Seed) uint64 { return s.Hash(uint64(n), 0, 0, 0, 0) }

// TestHash: hashes of keys that differ in one bit share no more bits than those of others.
func TestHash(t *testing.T) {
	t.Parallel()
	seed := flows.Seed{0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9, 0x27d4eb2f165667c5}
	for _, word := range []uint64{0, 1, 0xffff0a000001, 1 << 63} {
		key := [5]uint64{0, word, 0, 0xffffc0000201, 0x6d38}
		base := seed.Hash(key[0], key[1], key[2], key[3], key[4])
		for bit := range 5 * 64 {
			other := key
			other[bit/64] ^= 1 << (bit % 64)
			changed := bits.OnesCount64(base ^ seed.Hash(other[0], other[1], other[2], other[3], other[4]))
			if changed < 12 || changed > 52 { // 32, and five times the deviation
				t.Errorf("bit %d of %x changes %d bits of the hash", bit, key, changed)
			}
		}
	}
}

// TestPairs: a pair is the same for both directions, and different from all others.
func TestPairs(t *testing.T) {
	t.Parallel()
	var ends []netip.AddrPort
	for _, a := range []string{"192.0.2.1", "192.0.2.2", "::ffff:192.0.2.1", "2001:db8::1", "::"} {
		for _, port := range []uint16{0, 1, 65535} {
			ends = append(ends, netip.AddrPortFrom(netip.MustParseAddr(a), port))
		}
	}
	seen := map[flows.Pair][2]netip.AddrPort{}
	for _, a := range ends {
		for _, b := range ends {
			p, back := &dissect.Packet{Src: a, Dst: b}, &dissect.Packet{Src: b, Dst: a}
			key := flows.PairOf(p)
			if key != flows.PairOf(back) {
				t.Errorf("%v and %v: another pair the other way", a, b)
			}
			if other, ok := seen[key]; ok && other != [2]netip.AddrPort{a, b} && other != [2]netip.AddrPort{b, a} {
				t.Errorf("%v and %v: taken for %v", a, b, other)
			}
			seen[key] = [2]netip.AddrPort{a, b}
			if from := flows.Sender(p); a != b && (from == flows.Sender(back) || from.Other() != flows.Sender(back)) {
				t.Errorf("%v and %v: both are side %d", a, b, from)
			}
		}
	}
}

// An odd number is not shown.
type shown struct{ n int }

func (s *shown) Shown() bool { return s.n%2 == 0 }

// TestReturns: a pair that was dropped for lack of room is recognised when it comes back, once, if records of
// it were shown.
func TestReturns(t *testing.T) {
	t.Parallel()
	var table flows.Table[shown]
	packet := func(n int) *dissect.Packet {
		return &dissect.Packet{
			Src: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}), 5000),
			Dst: netip.MustParseAddrPort("192.0.2.1:27960"),
		}
	}
	add := func(n int) (lost bool) {
		table.Visit(packet(n), int64(n)).n = n
		return table.Leave(int64(n), true, false)
	}
	const room = 1 << 16
	for n := range room + 100 {
		if add(n) {
			t.Fatalf("pair %d is new", n)
		}
	}
	for n := range 100 {
		if table.Find(packet(n), room+100) != nil {
			t.Fatalf("pair %d is still there", n)
		}
		if lost := add(n); lost != (n%2 == 0) {
			t.Errorf("pair %d: lost is %v", n, lost)
		}
	}
}

// TestSides: sender and server determine the direction of a datagram.
func TestSides(t *testing.T) {
	t.Parallel()
	for _, from := range []flows.Side{flows.Low, flows.High} {
		for _, d := range []dissect.Direction{dissect.Undecidable, dissect.ClientToServer, dissect.ServerToClient} {
			if got := flows.Server(from, d).Direction(from); got != d {
				t.Errorf("from %d: %v, want %v", from, got, d)
			}
		}
	}
}

// TestWindow compares a window with a set, as far as the window reaches.
func TestWindow(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{8, 16, 32} {
		rapid.Check(t, func(t *rapid.T) {
			var w flows.Window
			seen := map[int64]bool{}
			mask := uint32(1<<bits - 1)
			newest := rapid.Int64Range(1<<33, 1<<34).Draw(t, "first")
			for i := range rapid.IntRange(1, 100).Draw(t, "steps") {
				n := newest + rapid.Int64Range(-63, 63).Draw(t, "step")
				if i == 0 {
					n = newest
				}
				duplicate := w.Arrive(uint32(n)&mask, bits)
				if want := seen[n]; duplicate != want {
					t.Fatalf("%d: duplicate is %v, want %v", n, duplicate, want)
				}
				seen[n] = true
				newest = max(newest, n)
				for old := range seen {
					if old <= newest-64 {
						delete(seen, old)
					}
				}
			}
		})
	}
}

// BenchmarkTable is the cost of a datagram among so many pairs, used in random order.
func BenchmarkTable(b *testing.B) {
	for _, pairs := range []int{1e4, 1e5, 1e6} {
		b.Run(strconv.Itoa(pairs), func(b *testing.B) {
			var t flows.Table[[4]uint64]
			r := rand.New(rand.NewPCG(1, 2))
			p := dissect.Packet{Dst: netip.MustParseAddrPort("192.0.2.1:27960")}
			now := int64(0)
			b.ReportAllocs()
			for b.Loop() {
				n := r.IntN(pairs)
				p.Src = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}), 1000)
				if now++; t.Find(&p, now) == nil {
					t.Add(&p, now)
				}
			}
		})
	}
}

// TestUnknown: a pair with an entry is never unknown, in whichever direction it is asked for, and of pairs without one
// three in four are.
func TestUnknown(t *testing.T) {
	t.Parallel()
	address := func(n int) netip.Addr {
		if n%3 == 0 {
			return netip.AddrFrom16([16]byte{0x20, 1, 13: byte(n >> 16), 14: byte(n >> 8), 15: byte(n)})
		}
		return netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)})
	}
	packet := func(n int) *dissect.Packet {
		return &dissect.Packet{
			Src: netip.AddrPortFrom(address(n), uint16(n*7)), Dst: netip.AddrPortFrom(address(n/5), 27960),
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		var table flows.Table[int]
		pairs := rapid.SampledFrom([]int{3, 100, 20_000}).Draw(t, "pairs")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		now := int64(0)
		for range 4 {
			for range pairs {
				p := packet(r.IntN(pairs))
				if now++; r.IntN(2) == 0 {
					table.Visit(p, now)
					table.Leave(now, r.IntN(2) == 0, r.IntN(4) == 0)
				} else if table.Find(p, now) == nil {
					table.Add(p, now)
				}
			}
			table.Expire(now - int64(r.IntN(pairs)))
			unknown, missing := 0, 0
			for n := range pairs {
				p := packet(n)
				back := &dissect.Packet{Src: p.Dst, Dst: p.Src}
				got, known := table.Unknown(p), table.Peek(flows.PairOf(p)) != nil
				if got != table.Unknown(back) || got && known {
					t.Fatalf("pair %d: unknown is %v, and %v the other way; it has an entry: %v", n, got, table.Unknown(back), known)
				}
				if other := packet(n + pairs); !table.Unknown(other) {
					missing++
				}
				unknown++
			}
			if pairs > 1000 && missing*4 > unknown {
				t.Fatalf("of %d pairs that were never there %d are taken for known", unknown, missing)
			}
		}
	})
}
