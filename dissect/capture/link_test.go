package capture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
)

// A layering is a packet with hello in it, below some stack of headers.
type layering struct {
	name     string
	linkType uint16
	packet   []byte
	src      string // "" means that of hello over IPv4
}

const (
	src4 = "10.0.0.1:27960"
	src6 = "[2001:db8::1]:27960"
)

func tag(number, vlan, next int, payload []byte) []byte {
	return join(be16(number), be16(0xe000|vlan), be16(next), payload) // priority bits set
}

// tagged makes an Ethernet frame of what begins with a protocol number.
func tagged(payload []byte) []byte {
	frame := eth(0, payload)
	return append(frame[:12], frame[14:]...)
}

func label(n int, bottom bool) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(n)<<12|64)
	if bottom {
		b[2] |= 1
	}
	return b
}

func pppoe(ppp []byte) []byte {
	return join([]byte{0x11, 0, 0, 9}, be16(len(ppp)), ppp)
}

func snap(vendor string, number int, payload []byte) []byte {
	return join([]byte{0xaa, 0xaa, 3}, []byte(vendor), be16(number), payload)
}

func dot3(payload []byte) []byte { return eth(len(payload), payload) }

// layerings are all ways down to a datagram that are known here.
func layerings() []layering {
	v4, v6 := ip4(17, hello), ip6(17, hello)
	all := []layering{
		{"Ethernet", 1, eth(0x0800, v4), ""},
		{"Ethernet, IPv6", 1, eth(0x86dd, v6), src6},
		{"Ethernet, padded", 1, append(eth(0x0800, v4), make([]byte, 13)...), ""},
		{"802.1Q", 1, tagged(tag(0x8100, 100, 0x0800, v4)), ""},
		{"802.1ad", 1, tagged(tag(0x88a8, 7, 0x8100, tag(0, 8, 0x86dd, v6)[2:])), src6},
		{"QinQ, old number", 1, tagged(tag(0x9100, 7, 0x0800, v4)), ""},
		{"802.3 SNAP", 1, append(dot3(snap("\x00\x00\x00", 0x0800, v4)), "padding"...), ""},
		{"802.3 SNAP, bridge", 1, dot3(snap("\x00\x00\xf8", 0x86dd, v6)), src6},
		{"MPLS", 1, eth(0x8847, join(label(16, true), v4)), ""},
		{"MPLS, stacked, IPv6", 1, eth(0x8848, join(label(16, false), label(2, true), v6)), src6},
		{"MPLS pseudowire", 1, eth(0x8847, join(label(16, true), make([]byte, 4), eth(0x0800, v4))), ""},
		{"MPLS pseudowire without control word", 1, eth(0x8847, join(label(16, true), eth(0x0800, v4))), ""},
		{"MPLS pseudowire to an address like IPv4", 1, eth(0x8847, join(label(16, true), []byte{0x45, 0, 0, 0, 0, 1}, eth(0x0800, v4)[6:])), ""},
		{"PPPoE", 1, eth(0x8864, append(pppoe(join(be16(0x21), v4)), "padding"...)), ""},
		{"PPPoE, IPv6", 1, eth(0x8864, pppoe(join(be16(0x57), v6))), src6},
		{"PPPoE, MPLS", 1, eth(0x8864, pppoe(join(be16(0x281), label(16, true), v6))), src6},
		{"PPP", 9, join(be16(0x21), v4), ""},
		{"PPP, framed", 9, join([]byte{0xff, 3}, be16(0x57), v6), src6},
		{"PPP, short protocol", 9, join([]byte{0x21}, v4), ""},
		{"PPP in HDLC", 50, join([]byte{0xff, 3}, be16(0x21), v4), ""},
		{"Cisco HDLC as PPP", 50, join([]byte{0x0f, 0}, be16(0x0800), v4), ""},
		{"PPPoE without Ethernet", 51, pppoe(join(be16(0x21), v4)), ""},
		{"Cisco HDLC", 104, join([]byte{0x8f, 0}, be16(0x86dd), v6), src6},
		{"PPP with direction", 204, join([]byte{1, 0xff, 3}, be16(0x21), v4), ""},
		{"cooked", 113, sll(1, 0x0800, v4), ""},
		{"cooked, IPv6", 113, sll(772, 0x86dd, v6), src6},
		{"cooked, VLAN", 113, sll(1, 0x8100, tag(0, 5, 0x0800, v4)[2:]), ""},
		{"cooked, 802.2", 113, sll(1, 4, snap("\x00\x00\x00", 0x0800, v4)), ""},
		{"cooked, GRE device", 113, sll(778, 0x6558, eth(0x0800, v4)), ""},
		{"cooked 2", 276, sll2(0x0800, v4), ""},
		{"cooked 2, IPv6", 276, sll2(0x86dd, v6), src6},
		{"null", 0, join([]byte{2, 0, 0, 0}, v4), ""},
		{"null, big-endian", 0, join([]byte{0, 0, 0, 2}, v4), ""},
		{"loop", 108, join([]byte{0, 0, 0, 2}, v4), ""},
	}
	for _, family := range []byte{10, 23, 24, 28, 30} {
		all = append(all, layering{fmt.Sprintf("null, IPv6, family %d", family), 0, join([]byte{family, 0, 0, 0}, v6), src6},
			layering{fmt.Sprintf("loop, IPv6, family %d", family), 108, join([]byte{0, 0, 0, family}, v6), src6})
	}
	for _, linkType := range []uint16{12, 14, 101, 228} {
		all = append(all, layering{fmt.Sprintf("raw %d", linkType), linkType, v4, ""})
	}
	for _, linkType := range []uint16{12, 14, 101, 229} {
		all = append(all, layering{fmt.Sprintf("raw %d, IPv6", linkType), linkType, v6, src6})
	}
	all = append(all, ipLayerings()...)
	all = append(all, tunnelLayerings()...)
	all = append(all, mirrorLayerings()...)
	return append(all, wifiLayerings()...)
}

// readOne reads a capture of one packet; nil if it is none with UDP in it.
func readOne(t testing.TB, w *pcapWriter, opts Options) *dissect.Packet {
	t.Helper()
	r, err := NewReader(bytes.NewReader(w.b), opts)
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range r.Packets() {
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	return nil
}

func TestLayerings(t *testing.T) {
	t.Parallel()
	for _, l := range layerings() {
		w := newPcap(l.linkType)
		w.packet(0, l.packet)
		p := readOne(t, w, Options{})
		if p == nil {
			t.Errorf("%s: nothing", l.name)
			continue
		}
		src, dst := src4, "10.0.0.2:27961"
		if l.src != "" {
			src, dst = l.src, "[2001:db8::2]:27961"
		}
		want := dissect.Packet{
			Frame: 1, HasTime: true, Src: p.Src, Dst: p.Dst, UDP: true,
			Payload: []byte("hello"), Length: 5,
		}
		if diff := gocmp.Diff(want, *p, cmpAddr); diff != "" || p.Src.String() != src || p.Dst.String() != dst {
			t.Errorf("%s: %s -> %s (-want +got):\n%s", l.name, p.Src, p.Dst, diff)
		}
	}
}

// Whatever the snap length, what is left is the beginning of the whole, and its length is known.
func TestLayeringsCut(t *testing.T) {
	t.Parallel()
	for _, l := range layerings() {
		w := newPcap(l.linkType)
		for n := range l.packet {
			w.cut(0, n, l.packet)
		}
		r, err := NewReader(bytes.NewReader(w.b), Options{All: true, Link: true})
		if err != nil {
			t.Fatal(err)
		}
		delivered := 0
		for p, err := range r.Packets() {
			if err != nil {
				t.Fatal(err)
			}
			switch cut := p.Frame - 1; {
			case !p.UDP && (p.Length != len(l.packet) || p.Note == "" || p.Payload != nil):
				t.Errorf("%s cut at %d: %+v", l.name, cut, p)
			case p.UDP && p.Dst.Port() == 27961: // and not that of a tunnel
				delivered++
				if !strings.HasPrefix("hello", string(p.Payload)) || p.Length != 5 || p.Truncated() != (len(p.Payload) < 5) {
					t.Errorf("%s cut at %d: %q of %d bytes", l.name, cut, p.Payload, p.Length)
				}
			}
		}
		if delivered < 5 { // with 0 to 4 bytes of hello
			t.Errorf("%s: delivered at %d cuts", l.name, delivered)
		}
	}
}

func TestLink(t *testing.T) {
	t.Parallel()
	v4 := ip4(17, hello)
	for _, c := range []struct {
		name   string
		packet []byte
		want   dissect.Link
	}{
		{"IPv4", eth(0x0800, v4), dissect.Link{TTL: 64, IPID: 0x1234, HasIPID: true}},
		{"IPv6", eth(0x86dd, ip6(17, hello)), dissect.Link{TTL: 63}},
		{"IPv6 fragment header", eth(0x86dd, ip6(44, ip6Fragment(17, 0xabcdef01, 0, hello))), dissect.Link{TTL: 63, IPID: 0xabcdef01, HasIPID: true}},
		{"VLANs", tagged(tag(0x88a8, 7, 0x8100, tag(0, 4095, 0x0800, v4)[2:])), dissect.Link{VLAN: []uint16{7, 4095}, TTL: 64, IPID: 0x1234, HasIPID: true}},
		{"innermost header", eth(0x0800, ip4(41, ip6(17, hello))), dissect.Link{TTL: 63}},
		{"no tunnel after all", eth(0x0800, ip4(17, udp(1, 4789, append([]byte{8, 0, 0, 0, 0, 0, 0, 0}, tagged(tag(0x8100, 9, 0x0800, ip6(17, hello)))...)))), dissect.Link{TTL: 64, IPID: 0x1234, HasIPID: true}},
	} {
		w := newPcap(1)
		w.packet(0, eth(0x0806, nil)) // reset in between
		w.packet(0, c.packet)
		p := readOne(t, w, Options{Link: true})
		if p == nil {
			t.Errorf("%s: nothing", c.name)
			continue
		}
		if diff := gocmp.Diff(&c.want, p.Link, cmpEmpty); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	w := newPcap(1)
	w.packet(0, eth(0x0800, v4))
	if p := readOne(t, w, Options{}); p.Link != nil {
		t.Errorf("not asked for: %+v", p.Link)
	}
}

// With All every packet comes out, with what it is.
func TestNotes(t *testing.T) {
	t.Parallel()
	tcp := join(be16(80), be16(1024), make([]byte, 16))
	for _, c := range []struct {
		note     string
		linkType uint16
		packet   []byte
		src      string
	}{
		{"ARP", 1, eth(0x0806, make([]byte, 46)), "invalid AddrPort"},
		{"LLDP", 1, eth(0x88cc, make([]byte, 46)), "invalid AddrPort"},
		{"Ethernet", 1, eth(0xffff, nil), "invalid AddrPort"},
		{"Ethernet", 1, make([]byte, 13), "invalid AddrPort"},
		{"Ethernet", 1, nil, "invalid AddrPort"},
		{"STP", 1, dot3(append([]byte{0x42, 0x42, 3}, make([]byte, 35)...)), "invalid AddrPort"},
		{"LLC", 1, dot3([]byte{0xf0, 0xf0, 3, 0}), "invalid AddrPort"},
		{"LLC", 1, dot3(snap("\x00\x00\x0c", 0x2000, make([]byte, 20))), "invalid AddrPort"},
		{"PPPoE discovery", 1, eth(0x8863, make([]byte, 20)), "invalid AddrPort"},
		{"PPP", 1, eth(0x8864, pppoe([]byte{0xc0, 0x21, 1, 1, 0, 4})), "invalid AddrPort"},
		{"MPLS", 1, eth(0x8847, join(label(16, true), []byte{0x10, 0, 0, 0})), "invalid AddrPort"},
		{"Linux cooked", 113, sll(824, 0, make([]byte, 20)), "invalid AddrPort"},
		{"Linux cooked", 113, sll(778, 3, make([]byte, 20)), "invalid AddrPort"},
		{"Linux cooked", 276, sll2(0x000c, make([]byte, 20)), "invalid AddrPort"},
		{"loopback", 0, join([]byte{99, 0, 0, 0}, ip4(17, hello)), "invalid AddrPort"},
		{"unknown link layer", 189, make([]byte, 64), "invalid AddrPort"},
		{"TCP", 1, eth(0x0800, ip4(6, tcp)), "10.0.0.1:80"},
		{"TCP", 1, eth(0x86dd, ip6(6, tcp)), "[2001:db8::1]:80"},
		{"ICMP", 1, eth(0x0800, ip4(1, make([]byte, 8))), "10.0.0.1:0"},
		{"ICMPv6", 1, eth(0x86dd, ip6(58, make([]byte, 8))), "[2001:db8::1]:0"},
		{"IPv4", 1, eth(0x0800, ip4(200, make([]byte, 8))), "10.0.0.1:0"},
		{"IPv6", 1, eth(0x86dd, ip6(59, nil)), "[2001:db8::1]:0"},
		{"ESP", 1, eth(0x86dd, ip6(50, make([]byte, 40))), "[2001:db8::1]:0"},
		{"IPv4 fragment", 1, eth(0x0800, ip4Fragment(17, 1, 0x2000, hello[:8])), "10.0.0.1:0"},
		{"IPv4 fragment", 1, eth(0x0800, ip4Fragment(6, 1, 0x2000, tcp)), "10.0.0.1:0"},
		{"IPv6 fragment", 1, eth(0x86dd, ip6(44, ip6Fragment(17, 1, 1, hello[:8]))), "[2001:db8::1]:0"},
		{"IPv4, bad header", 1, eth(0x0800, ip6(17, hello)), "invalid AddrPort"},
		{"IPv6, bad header", 1, eth(0x86dd, ip4(17, hello)), "invalid AddrPort"},
		{"UDP, bad length", 1, eth(0x0800, ip4(17, []byte{0, 1, 0, 2, 0, 7, 0, 0})), "10.0.0.1:0"},
		{"UDP, cut short", 1, eth(0x0800, ip4(17, hello[:7])), "10.0.0.1:0"},
	} {
		w := newPcap(c.linkType)
		w.packet(0, c.packet)
		p := readOne(t, w, Options{All: true})
		if p.UDP || p.Note != c.note || p.Length != len(c.packet) || p.Payload != nil || p.Src.String() != c.src {
			t.Errorf("want %q from %s: %+v", c.note, c.src, p)
		}
		if p := readOne(t, w, Options{}); p != nil {
			t.Errorf("%s delivered without being asked for", c.note)
		}
	}
}

func TestUndecodedLinkLayers(t *testing.T) {
	t.Parallel()
	w := newPcapNG(false)
	for _, linkType := range []uint16{189, 300, 1} {
		w.iface(linkType, 0)
	}
	for _, iface := range []uint32{0, 1, 0, 2} {
		w.packet(iface, 0, helloFrame)
	}
	r, err := NewReader(bytes.NewReader(w.b), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := r.Next(); err != nil || p.Frame != 4 {
		t.Error(p, err)
	}
	want := map[string]uint64{"USB_LINUX": 2, "LINKTYPE 300": 1}
	if diff := gocmp.Diff(want, r.Stats().Undecoded); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Once warm, nothing is allocated for a packet, whatever is in it; but for a list of source routes, which
// layers.GRE makes of every one. GRE has none since 2000 (RFC 2784).
func TestNoAllocations(t *testing.T) {
	var files [][]byte
	for _, l := range layerings() {
		if l.name == "GRE, routing" {
			continue
		}
		w := newPcap(l.linkType)
		for range 200 {
			w.packet(0, l.packet)
		}
		files = append(files, w.b)
	}
	fragments := newPcap(1)
	ng := newPcapNG(false)
	ng.iface(1, 0, ng.option(2, "eth0"))
	for i := range 100 {
		fragments.packet(int64(i), eth(0x0800, ip4Fragment(17, i, 0x2000, hello[:8])))
		fragments.packet(int64(i), eth(0x0800, ip4Fragment(17, i, 1, hello[8:])))
		ng.packet(0, uint64(i), helloFrame, ng.option(4, uint64(0)))
		ng.obsolete(0, 0, uint64(i), eth(0x0806, nil))
	}
	files = append(files, fragments.b, ng.b)
	for i, file := range files {
		r, err := NewReader(bytes.NewReader(file), Options{All: true, Link: true})
		if err != nil {
			t.Fatal(err)
		}
		next := func() {
			if _, err := r.Next(); err != nil {
				t.Fatal(err)
			}
		}
		for range 50 {
			next()
		}
		if n := testing.AllocsPerRun(100, next); n != 0 {
			t.Errorf("file %d: %v allocations per packet", i, n)
		}
	}
}
