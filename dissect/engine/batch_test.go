package engine

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
)

// A packet in an arena does not change when the reader reads more, nor when the arena grows.
func TestArenaKeepsAPacket(t *testing.T) {
	t.Parallel()
	p := dissect.Packet{
		Frame: 7, UDP: true, Length: 5, Payload: []byte("abc"), IPFragments: []uint64{5, 7},
		Link: &dissect.Link{Interface: "eth0", VLAN: []uint16{100}},
		Raw:  &dissect.RawPacket{Data: []byte("whole"), Length: 9},
	}
	want, _ := p.Clone(nil)
	var a arena
	var got dissect.Packet
	a.keep(&got, &p)
	p.Payload[0], p.IPFragments[0], p.Link.VLAN[0], p.Link.Interface, p.Raw.Data[0] = 'x', 0, 0, "", 'x'
	for i := range 100 {
		var more dissect.Packet
		q := dissect.Packet{
			Payload: make([]byte, i), IPFragments: make([]uint64, i),
			Link: &dissect.Link{VLAN: make([]uint16, i)},
		}
		a.keep(&more, &q)
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
