package directplay8

import (
	"net/netip"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
)

// TestForeignIsForgotten: of pairs that are not the transport's nothing is remembered for long.
func TestForeignIsForgotten(t *testing.T) {
	t.Parallel()
	r, source := newRouter(nil), enginetest.Random(3)
	const flows = 5000
	remembered := 0
	for i := range flows {
		b := enginetest.RandomBytes(source, 24)
		copy(b, []byte{0x7f, 0, byte(i), 0, 0xd1, 0, 0, 0}) // a core message
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
