package enet

import (
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
)

// noise is random datagrams of a size; 0: of any.
func noise(size, count int) (list [][]byte) {
	source := rand.New(rand.NewPCG(1, uint64(size)))
	for range count {
		b := make([]byte, size)
		if size == 0 {
			b = make([]byte, source.IntN(1400))
		}
		for i := range b {
			b[i] = byte(source.Uint32())
		}
		list = append(list, b)
	}
	return list
}

// TestENetIsNotBegunByChance counts random datagrams that ENet's router would hold back, or take: practically none,
// of any size, and at no cost of memory. Short ones have the least that speaks against them.
func TestENetIsNotBegunByChance(t *testing.T) { // counts allocations: not parallel
	const count = 200_000
	const few = 10 // the runtime allocates now and then
	for _, size := range []int{1, 6, 8, 10, 12, 16, 20, 24, 40, 52, 500, 0} {
		list := noise(size, count)
		var s scanner
		begun, connects := 0, 0
		if n := testing.AllocsPerRun(1, func() {
			begun, connects = 0, 0
			for _, b := range list {
				if s.begins(b) {
					begun++
				}
				if _, ok := s.connects(b); ok {
					connects++
				}
			}
		}); n > few {
			t.Errorf("%d bytes: %v allocations for %d datagrams", size, n, count)
		}
		if connects > 0 || begun*10_000 > count {
			t.Errorf("%d bytes: of %d random datagrams %d could begin, %d connect", size, count, begun, connects)
		}
		t.Logf("%d bytes: of %d random datagrams %d could begin", size, count, begun)
	}
}

// TestENetBlind: a connection with packets that cannot be read is tried for a while, and not for ever.
func TestENetBlind(t *testing.T) {
	t.Parallel()
	r := newRouter(nil)
	a, b := netip.MustParseAddrPort("192.0.2.1:1000"), netip.MustParseAddrPort("192.0.2.2:2000")
	held := 0
	for i := range 1000 {
		p := dissect.Packet{
			UDP: true, Frame: uint64(i + 1), Src: a, Dst: b,
			Payload: []byte{0xc0, 1, 0, byte(i), 0xa5, 0xa5, 0x11, byte(i)},
		}
		if i == 0 {
			p.Payload = []byte{0x80, 1, 0, 0, 0x85, 0xff, 0, 1}
		}
		p.Length = len(p.Payload)
		switch r.Route(&p, p.Time, false).Decision {
		case dissect.Undecided:
			held++
		case dissect.Mine:
			t.Fatal("taken")
		}
	}
	if held != 1+maxBlind+1 { // one that does not fit may be anybody's
		t.Errorf("held %d", held)
	}
}

// BenchmarkENetForeign is what ENet's part of the router costs for a foreign datagram.
func BenchmarkENetForeign(b *testing.B) {
	list := noise(0, 4096)
	var s scanner
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		s.connects(list[i&4095])
		s.begins(list[i&4095])
		i++
	}
}

// TestForeignIsForgotten: of pairs that are not the transport's nothing is remembered for long.
func TestForeignIsForgotten(t *testing.T) {
	t.Parallel()
	r, source := newRouter(nil), enginetest.Random(3)
	const flows = 5000
	remembered := 0
	for i := range flows {
		b := enginetest.RandomBytes(source, 24)
		copy(b, []byte{0x80, 1, 0, byte(i), 0x85, 0xff, 0, 1}) // a ping
		b = b[:8]
		p := dissect.Packet{
			UDP: true, Frame: uint64(i + 1), Payload: b, Length: len(b), Dst: enginetest.Server,
			Src: netip.AddrPortFrom(netip.AddrFrom4([4]byte{203, 0, byte(i >> 8), byte(i)}), 5000),
		}
		r.Route(&p, int64(i), false)
		remembered = max(remembered, r.pairs.Len())
	}
	if remembered == 0 {
		t.Fatal("no datagram made a candidate")
	}
	if r.Expire(flows); r.pairs.Len() != 0 {
		t.Errorf("%d of %d pairs are remembered", r.pairs.Len(), remembered)
	}
}

// TestAcknowledged: an acknowledgement proves a connection of 1.3 if it is of a reliable command's number, channel and
// time: enet_protocol_handle_acknowledge in protocol.c.
func TestAcknowledged(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		channel, sequence, time byte
		want                    bool
	}{
		"of the command": {3, 7, 5, true}, "another channel": {2, 7, 5, false},
		"another number": {3, 8, 5, false}, "another time": {3, 7, 6, false},
	} {
		var s scanner
		var g guess
		reliable := []byte{0x80, 1, 0, 5, 0x86, 3, 0, 7, 0, 1, 0xaa}
		ack := []byte{0x80, 2, 0, 9, 0x01, tt.channel, 0, 1, 0, tt.sequence, 0, tt.time}
		if !g.fits(&s, reliable, 0, v13) || !g.fits(&s, ack, 1, v13) {
			t.Fatalf("%s: the packets do not fit", name)
		}
		if g.acked != tt.want || g.proven() {
			t.Errorf("%s: acknowledged %v, proven %v", name, g.acked, g.proven())
		}
	}
	for hits, want := range map[int]bool{5: false, 6: true} {
		if g := (guess{acked: true, hits: hits}); g.proven() != want {
			t.Errorf("%d packets: %v", hits, !want)
		}
	}
	if g := (guess{hits: 60}); g.proven() {
		t.Error("without an acknowledgement")
	}
}
