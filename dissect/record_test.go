package dissect

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A fault counts whether anybody looks or not; the entry is for who looks.
func TestExperts(t *testing.T) {
	t.Parallel()
	for _, noTree := range []bool{false, true} {
		r := new(Record)
		r.reset()
		r.NoTree = noTree
		r.Decoding().Open(treeRoot, 0)
		r.Expert(Warning, "lost", treeUint, 32, "%d messages", 3)
		if r.Damaged {
			t.Error("a warning is no damage")
		}
		r.ExpertError(Fault, "malformed", &Error{Field: "root.int", Bit: 40, Err: ErrMalformed})
		if !r.Damaged {
			t.Error("a fault is damage")
		}
		want := []Expert{
			{Severity: Warning, Code: "lost", Field: "root.uint", BitOffset: 32, Message: "3 messages"},
			{Severity: Fault, Code: "malformed", Field: "root.int", BitOffset: 40, Message: "malformed"},
		}
		if noTree {
			want = nil
		}
		if diff := cmp.Diff(want, r.Experts); diff != "" {
			t.Errorf("no tree %t: (-want +got):\n%s", noTree, diff)
		}
		r.reset()
		if len(r.Experts) != 0 || r.Damaged || r.NoTree || r.Stream != -1 || len(r.Tree.Nodes) != 0 {
			t.Errorf("after reset: %+v", r)
		}
	}
}

// A clone does not change when the reader goes on.
func TestCloneKeepsAPacket(t *testing.T) {
	t.Parallel()
	p := Packet{
		Frame: 7, UDP: true, Length: 5, Payload: []byte("abc"), IPFragments: []uint64{5, 7},
		Link: &Link{Interface: "eth0", VLAN: []uint16{100}},
	}
	want := Packet{
		Frame: 7, UDP: true, Length: 5, Payload: []byte("abc"), IPFragments: []uint64{5, 7},
		Link: &Link{Interface: "eth0", VLAN: []uint16{100}},
	}
	if !p.Truncated() || (&Packet{Length: 60}).Truncated() || (&Packet{UDP: true}).Truncated() {
		t.Error("Truncated is for datagrams with fewer bytes than the wire had")
	}
	first, buf := p.Clone([]byte("before"))
	var a arena
	var second Packet
	a.keep(&second, &p)
	p.Payload[0], p.IPFragments[0], p.Link.VLAN[0], p.Link.Interface = 'x', 0, 0, ""
	if string(buf) != "beforeabc" {
		t.Errorf("buffer %q", buf)
	}
	for i := range 100 { // lets the arena grow
		var more Packet
		q := Packet{Payload: make([]byte, i), IPFragments: make([]uint64, i), Link: &Link{VLAN: make([]uint16, i)}}
		a.keep(&more, &q)
	}
	for _, got := range []Packet{first, second} {
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
