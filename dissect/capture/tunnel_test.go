package capture

import (
	"bytes"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

func gre(flags, protocol int, fields string, payload []byte) []byte {
	return ip4(47, join(be16(flags), be16(protocol), []byte(fields), payload))
}

func vxlan(payload []byte) []byte {
	return udp(49152, 4789, join([]byte{8, 0, 0, 0, 0, 0, 99, 0}, payload))
}

func geneve(protocol int, options, payload []byte) []byte {
	return udp(49152, 6081, join([]byte{byte(len(options) / 4), 0}, be16(protocol), []byte{0, 0, 99, 0}, options, payload))
}

// nested puts a packet into n tunnels.
func nested(n int, packet []byte) []byte {
	for range n {
		packet = ip4(4, packet)
	}
	return packet
}

func tunnelLayerings() []layering {
	v4, v6 := ip4(17, hello), ip6(17, hello)
	frame := eth(0x0800, v4)
	all := []layering{
		{"IP in IP", 101, ip4(4, v4), ""},
		{"6in4", 101, ip4(41, v6), src6},
		{"4in6", 101, ip6(4, v4), ""},
		{"6in6 behind options", 101, ip6(60, extension(41, 8, v6)), src6},
		{"eight tunnels", 101, nested(8, v4), ""},
		{"GRE", 101, gre(0, 0x0800, "", v4), ""},
		{"GRE over IPv6", 101, ip6(47, join(be16(0), be16(0x86dd), v6)), src6},
		{"GRE, checksum", 101, gre(0x8000, 0x0800, "\xab\xcd\x00\x00", v4), ""},
		{"GRE, key", 101, gre(0x2000, 0x86dd, "key.", v6), src6},
		{"GRE, checksum, key, sequence", 101, gre(0xb000, 0x0800, "sum.key.seq.", v4), ""},
		{"GRE, routing", 101, gre(0x4000, 0x0800, "\x00\x00\x00\x00\x08\x00\x00\x04\x0a\x00\x00\x09\x00\x00\x00\x00", v4), ""},
		{"GRE, Ethernet", 101, gre(0x2000, 0x6558, "key.", frame), ""},
		{"GRE, MPLS", 101, gre(0, 0x8847, "", join(label(16, true), v4)), ""},
		{"PPTP", 101, gre(0x3081, 0x880b, "\x00\x2c\x00\x01seq.ack.", join([]byte{0xff, 3}, be16(0x21), v4)), ""},
		{"PPTP without ack", 101, gre(0x3001, 0x880b, "\x00\x2c\x00\x01seq.", join([]byte{0x21}, v4)), ""},
		{"ERSPAN I", 101, gre(0, 0x88be, "", frame), ""},
		{"ERSPAN II", 101, gre(0x1000, 0x88be, "seq.\x10\x64\x08\x01\x00\x00\x00\x07", frame), ""},
		{"ERSPAN III", 101, gre(0x1000, 0x22eb, "seq.\x20\x64\x08\x01time\x00\x00\x00\x00", frame), ""},
		{"ERSPAN III, subheader", 101, gre(0x1000, 0x22eb, "seq.\x20\x64\x08\x01time\x00\x00\x00\x0134567890", frame), ""},
		{"ERSPAN III, IP", 101, gre(0x1000, 0x22eb, "seq.\x20\x64\x08\x01time\x00\x00\x08\x00", v6), src6},
		{"VXLAN", 101, ip4(17, vxlan(frame)), ""},
		{"VXLAN with policy", 101, ip4(17, udp(49152, 4789, join([]byte{0x88, 0, 0, 5, 0, 0, 99, 0}, frame))), ""},
		{"VXLAN, Linux' port", 101, ip6(17, udp(49152, 8472, vxlan(frame)[8:])), ""},
		{"VXLAN, VLAN", 101, ip4(17, vxlan(tagged(tag(0x8100, 5, 0x86dd, v6)))), src6},
		{"Geneve", 101, ip4(17, geneve(0x6558, nil, frame)), ""},
		{"Geneve, options", 101, ip4(17, geneve(0x0800, []byte{1, 2, 3, 1, 0, 0, 0, 0}, v4)), ""},
		{"VXLAN in VXLAN in Geneve in GRE", 101, gre(0, 0x0800, "", ip4(17, geneve(0x6558, nil, eth(0x0800, ip4(17, vxlan(eth(0x0800, ip4(17, vxlan(frame))))))))), ""},
	}
	return all
}

// A ninth tunnel is not followed.
func TestTunnelDepth(t *testing.T) {
	t.Parallel()
	w := newPcap(101)
	w.packet(0, nested(9, ip4(17, hello)))
	if p := readOne(t, w, Options{All: true}); p.UDP || p.Note != "too many tunnels" {
		t.Errorf("%+v", p)
	}
	// In UDP, the datagram around it is what is known.
	packet := ip4(17, hello)
	for range 9 {
		packet = ip4(17, vxlan(eth(0x0800, packet)))
	}
	w = newPcap(101)
	w.packet(0, packet)
	if p := readOne(t, w, Options{}); p == nil || p.Dst.Port() != 4789 || p.Length != 8+14+20+8+5 {
		t.Errorf("%+v", p)
	}
}

// A game may use a tunnel's port, and its datagrams may even begin like the tunnel.
func TestNoTunnelAfterAll(t *testing.T) {
	t.Parallel()
	frame := eth(0x0800, ip4(17, hello))
	for _, c := range []struct {
		name    string
		port    int
		payload []byte
	}{
		{"out of band", 4789, []byte("\xff\xff\xff\xffgetstatus")},
		{"empty", 4789, nil},
		{"VXLAN flag missing", 4789, join([]byte{0, 0, 0, 0, 0, 0, 99, 0}, frame)},
		{"VXLAN reserved byte, no IP in the frame", 4789, join([]byte{8, 0, 0, 0, 0, 0, 99, 1}, eth(0x0800, []byte("game")))},
		{"VXLAN reserved bytes, no frame", 8472, join([]byte{8, 0, 1, 0, 0, 0, 99, 0}, []byte("game data of a client"))},
		{"VXLAN, no frame in it", 4789, join([]byte{8, 0, 0, 0, 0, 0, 99, 0}, []byte("game data of a client"))},
		{"VXLAN, frame of garbage", 4789, join([]byte{8, 0, 0, 0, 0, 0, 99, 0}, eth(0x0800, []byte("game")))},
		{"Geneve version", 6081, join([]byte{0x40, 0, 0x65, 0x58, 0, 0, 0, 0}, frame)},
		{"Geneve reserved bits", 6081, join([]byte{0, 1, 0x65, 0x58, 0, 0, 0, 0}, frame)},
		{"Geneve, no protocol", 6081, join([]byte{0, 0, 0, 0x20, 0, 0, 0, 0}, frame)},
		{"Geneve, options missing", 6081, []byte{0x3f, 0, 0x65, 0x58, 0, 0, 0, 0}},
		{"the other direction", 49152, vxlan(frame)[8:]},
	} {
		w := newPcap(101)
		src := 27960
		if c.name == "the other direction" {
			src = 4789
		}
		w.packet(0, ip4(17, udp(src, c.port, c.payload)))
		p := readOne(t, w, Options{Link: true})
		if p == nil || !bytes.Equal(p.Payload, c.payload) || int(p.Dst.Port()) != c.port ||
			p.Src.Addr().String() != "10.0.0.1" ||
			p.Note != "" || p.Link.IPID != 0x1234 {
			t.Errorf("%s: %+v", c.name, p)
		}
	}
}

// What a tunnel holds counts, even if it is no datagram.
func TestTunnelOfOthers(t *testing.T) {
	t.Parallel()
	tcp := ip4(6, join(be16(80), be16(1024), make([]byte, 16)))
	for _, c := range []struct {
		note   string
		packet []byte
	}{
		{"TCP", ip4(4, tcp)},
		{"TCP", ip4(17, vxlan(eth(0x0800, tcp)))},
		{"ARP", ip4(17, vxlan(eth(0x0806, make([]byte, 28))))},
		{"IPv4 fragment", ip4(17, vxlan(eth(0x0800, ip4Fragment(17, 1, 0x2000, make([]byte, 16)))))},
		{"GRE", gre(0, 0x2000, "", []byte("cdp"))},
		{"GRE, bad header", gre(2, 0x0800, "", ip4(17, hello))},
		{"ERSPAN, bad header", gre(0x1000, 0x22eb, "seq.\x30\x64\x08\x01time\x00\x00\x00\x00", make([]byte, 60))},
	} {
		w := newPcap(101)
		w.packet(0, c.packet)
		p := readOne(t, w, Options{All: true})
		if diff := gocmp.Diff(c.note, p.Note); diff != "" || p.UDP {
			t.Errorf("%+v (-want +got):\n%s", p, diff)
		}
	}
}
