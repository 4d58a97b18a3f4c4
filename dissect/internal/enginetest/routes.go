package enginetest

import (
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// beginnings are first bytes that some router looks at.
var beginnings = []byte{
	0, 1, 2, 3, 4, 0x10, 0x18, 0x21, 0x3f, 0x40, 0x7f, 0x80, 0x81, 0x82, 0x88, 0x8f, 0xc0, 'e', 'x', 0xff,
}

// SameRoutes sends the same datagrams to a router that looks at foreign ones quickly and to one that does not, and
// compares what both say: datagrams of the captures between few endpoints, as they are and damaged, noise between them,
// what is undecided again and again, and pauses after which the routers forget.
func SameRoutes(t *testing.T, quick, thorough func() dissect.Router, captures ...string) {
	t.Helper()
	var pool []*dissect.Packet
	for _, name := range captures {
		pool = append(pool, PacketsOf(t, name)...)
	}
	foreign, taken, held := 0, 0, 0
	for seed := range uint64(60) {
		r := Random(seed)
		a, b := quick(), thorough()
		if seed%10 == 9 {
			a.Claim(Server.Port(), "")
			b.Claim(Server.Port(), "")
		}
		streams := map[*dissect.Stream]*dissect.Stream{}
		var waiting []*dissect.Packet
		now, at := int64(0), r.IntN(len(pool))
		for frame := range uint64(1500) {
			now += int64(r.IntN(50e6))
			if r.IntN(300) == 0 {
				now += 150e9
			}
			if r.IntN(50) == 0 {
				a.Expire(now - 120e9)
				b.Expire(now - 120e9)
			}
			p := *pool[at%len(pool)]
			if at++; r.IntN(100) == 0 {
				at = r.IntN(len(pool))
			}
			alter(r, &p, frame)
			asked := append(waiting, &p)
			waiting = nil
			for i, p := range asked {
				last := i < len(asked)-1 && r.IntN(4) == 0
				x, y := a.Route(p, now, last), b.Route(p, now, last)
				same, known := streams[y.Stream]
				if !known {
					same, streams[y.Stream] = x.Stream, x.Stream
				}
				if x.Stream != same || (x.Reading == nil) != (y.Reading == nil) || x.Decision != y.Decision ||
					x.Direction != y.Direction || x.Carrier != y.Carrier || x.Hint != y.Hint {
					t.Fatalf("seed %d, frame %d, %x:\n%+v\n%+v", seed, p.Frame, p.Payload, x, y)
				}
				switch {
				case x.Decision == dissect.Mine:
					taken++
				case x.Decision == dissect.Foreign:
					foreign++
				case !last && len(waiting) < 20:
					waiting = append(waiting, p)
					held++
				}
			}
		}
	}
	if foreign < 1000 || taken < 1000 || held < 100 {
		t.Errorf("%d datagrams foreign, %d taken, %d undecided: too few of a kind", foreign, taken, held)
	}
}

// alter makes a packet one of the test's: between few endpoints for a while, sometimes damaged, sometimes noise.
func alter(r *rand.Rand, p *dissect.Packet, frame uint64) {
	if pair := byte(r.IntN(12)); pair < 8 {
		server := p.Src.Port() < p.Dst.Port()
		client := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(frame >> 9), pair % 3}), 5000+uint16(pair))
		if p.Src, p.Dst = client, Server; server {
			p.Src, p.Dst = p.Dst, p.Src
		}
	}
	p.Frame = frame + 1
	p.Payload = append([]byte(nil), p.Payload...)
	switch n := r.IntN(10); {
	case n == 0 && len(p.Payload) > 0:
		p.Payload[r.IntN(min(len(p.Payload), 16))] ^= 1 << r.IntN(8)
	case n == 1:
		p.Payload = p.Payload[:r.IntN(len(p.Payload)+1)]
		if p.Length = len(p.Payload); r.IntN(2) == 0 {
			p.Length += 10
		}
	case n < 5:
		p.Payload = RandomBytes(r, r.IntN(60))
		for i := range min(len(p.Payload), 16) {
			if r.IntN(2) == 0 {
				p.Payload[i] = beginnings[r.IntN(len(beginnings))]
			}
		}
		p.Length = len(p.Payload)
	}
}
