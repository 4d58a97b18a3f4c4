package flows_test

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/flows"
)

// A modelEntry is an entry in the model of a map.
type modelEntry struct {
	key, value int
	last       int64
	kept       bool
}

// TestMap compares a map with a list that is searched from end to end.
func TestMap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var m flows.Map[int, int]
		var list []*modelEntry // oldest use first
		now := int64(0)
		keys := rapid.SampledFrom([]int{5, 40, 400}).Draw(t, "keys")
		for range rapid.IntRange(1, 600).Draw(t, "steps") {
			now += rapid.Int64Range(0, 3).Draw(t, "step")
			key := rapid.IntRange(0, keys).Draw(t, "key")
			at := slices.IndexFunc(list, func(e *modelEntry) bool { return e.key == key })
			what := rapid.IntRange(0, 9).Draw(t, "what")
			e := m.Peek(key)
			if (e != nil) != (at >= 0) || e != nil && e.Value != list[at].value {
				t.Fatalf("key %d: %v, the model has %d", key, e, at)
			}
			switch {
			case what == 0:
				before := now - rapid.Int64Range(0, 40).Draw(t, "idle")
				var gone []int
				m.Expire(before, func(v *int) { gone = append(gone, *v) })
				var want []int
				list = slices.DeleteFunc(list, func(e *modelEntry) bool {
					if e.kept || e.last >= before {
						return false
					}
					want = append(want, e.value)
					return true
				})
				if !slices.Equal(gone, want) {
					t.Fatalf("dropped %v, want %v", gone, want)
				}
			case at < 0:
				m.Add(key, now).Value = what
				list = append(list, &modelEntry{key: key, value: what, last: now})
			case what < 7:
				e, o := m.Find(key, now), list[at]
				o.last, o.value, e.Value = now, what, what
				list = append(slices.Delete(list, at, at+1), o)
			default:
				m.Keep(e)
				list[at].kept = true
			}
			if m.Len() != len(list) {
				t.Fatalf("%d entries, want %d", m.Len(), len(list))
			}
		}
	})
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
		return table.Leave(packet(n), int64(n), true, false)
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
