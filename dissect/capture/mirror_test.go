package capture

import (
	"encoding/binary"
	"testing"
)

func le16(n int) []byte { return binary.LittleEndian.AppendUint16(nil, uint16(n)) }
func le32(n int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }

// inUDP makes an IPv4 packet of a datagram to a tunnel's port.
func inUDP(port int, payload ...[]byte) []byte { return ip4(17, udp(49152, port, join(payload...))) }

// l2tpv2 makes a data message; fields follow the flags.
func l2tpv2(flags int, fields string, ppp []byte) []byte {
	return inUDP(1701, be16(flags|2), []byte(fields), ppp)
}

func gtpU(flags byte, optional string, payload []byte) []byte {
	return inUDP(2152, []byte{0x30 | flags, 255}, be16(len(optional)+len(payload)), []byte("teid"),
		[]byte(optional), payload)
}

// wifiData makes a data frame from an access point with LLC in it.
func wifiData(payload []byte) []byte {
	return join([]byte{0x08, 0x02, 0, 0}, make([]byte, 18), []byte{0x10, 0}, snap("\x00\x00\x00", 0x0800, payload))
}

func pktap(next, linkType int, payload []byte) []byte {
	return join(le32(108), le32(next), le32(linkType), []byte("en0"), make([]byte, 108-15), payload)
}

// nflogAttribute makes a TLV with the padding after it.
func nflogAttribute(order binary.AppendByteOrder, kind int, value []byte) []byte {
	b := order.AppendUint16(nil, uint16(4+len(value)))
	b = append(order.AppendUint16(b, uint16(kind)), value...)
	return append(b, make([]byte, -len(b)&3)...)
}

func nflog(order binary.AppendByteOrder, family byte, packet []byte) []byte {
	return join([]byte{family, 0, 0, 1}, nflogAttribute(order, 1, []byte{8, 0, 3, 0}),
		nflogAttribute(order, 10, []byte("fw\x00")), nflogAttribute(order, 9, packet))
}

// mirrorLayerings are tunnels of mirrors and access networks, and headers of captures.
func mirrorLayerings() []layering {
	v4, v6 := ip4(17, hello), ip6(17, hello)
	frame := eth(0x0800, v4)
	ppp4 := join([]byte{0xff, 3}, be16(0x21), v4)
	return []layering{
		{"TZSP", 101, inUDP(37008, []byte{1, 0, 0, 1, 1}, frame), ""},
		{"TZSP, tags", 101, inUDP(37008, []byte{1, 1, 0, 1, 0, 10, 1, 0xc5, 41, 2, 0, 0x40, 1}, frame), ""},
		{"TZSP, 802.11", 101, inUDP(37008, []byte{1, 0, 0, 18, 1}, wifiData(v4)), ""},
		{"L2TP", 101, l2tpv2(0, "tusn", ppp4), ""},
		{"L2TP, length", 101, l2tpv2(0x4000, "\x00\x2btusn", join(be16(0x21), v4)), ""},
		{"L2TP, sequence and offset", 101, l2tpv2(0x0a00, "tusnnsnr\x00\x02pa", join([]byte{0xff, 3}, be16(0x57), v6)), src6},
		{"L2TPv3 over UDP", 101, inUDP(1701, be16(3), be16(0), []byte("sess"), frame), ""},
		{"L2TPv3", 101, ip4(115, join([]byte("sess"), frame)), ""},
		{"L2TPv3, cookie and sublayer", 101, ip4(115, join([]byte("sesscookie12\x40\x00\x00\x01"), frame)), ""},
		{"L2TPv3, PPP over IPv6", 101, ip6(115, join([]byte("sess"), ppp4)), ""},
		{"GTP-U", 101, gtpU(0, "", v4), ""},
		{"GTP-U, sequence", 101, gtpU(2, "\x00\x01\x00\x00", v6), src6},
		{"GTP-U, extension", 101, gtpU(4, "\x00\x00\x00\x85\x01\x10\x01\x00", v4), ""},
		{"EoIP", 101, gre(0x2001, 0x6400, string(join(be16(len(frame)), le16(17))), frame), ""},
		{"CAPWAP", 101, inUDP(5247, []byte{0, 0x10, 2, 0, 0, 0, 0, 0}, frame), ""},
		{"CAPWAP, 802.11", 101, inUDP(5247, []byte{0, 0x10, 3, 0, 0, 0, 0, 0}, wifiData(v4)), ""},
		{"CAPWAP, 802.11, frame control swapped", 101, inUDP(5247, []byte{0, 0x10, 3, 0, 0, 0, 0, 0}, []byte{0x02, 0x08}, wifiData(v4)[2:]), ""},
		{"CAPWAP, radio address", 101, inUDP(5247, []byte{0, 0x20, 2, 0x10, 0, 0, 0, 0, 6, 2, 0, 0, 0, 0, 1, 0}, frame), ""},
		{"VXLAN, reserved bits", 101, inUDP(4789, []byte{0xf, 1, 2, 3, 0, 0, 99, 4}, frame), ""},
		{"VXLAN-GPE, IPv4", 101, inUDP(4790, []byte{0x0c, 0, 0, 1, 0, 0, 99, 0}, v4), ""},
		{"VXLAN-GPE, IPv6", 101, inUDP(4790, []byte{0x0c, 0, 0, 2, 0, 0, 99, 0}, v6), src6},
		{"VXLAN-GPE, Ethernet", 101, inUDP(4790, []byte{0x0c, 0, 0, 3, 0, 0, 99, 0}, frame), ""},
		{"VXLAN-GPE, no protocol", 101, inUDP(4790, []byte{8, 0, 0, 0, 0, 0, 99, 0}, frame), ""},
		{"Geneve, a cloud's gateway", 101, ip4(17, geneve(0x0800, []byte("\x01\x08\x01\x02endpoint\x01\x08\x03\x01flow"), v4)), ""},
		{"PPI", 192, join([]byte{0, 0}, le16(8), le32(1), frame), ""},
		{"PPI, 802.11", 192, join([]byte{0, 0}, le16(8+24), le32(105), le16(2), le16(20), make([]byte, 20), wifiData(v4)), ""},
		{"Prism", 119, join(le32(0x44), le32(144), make([]byte, 136), wifiData(v4)), ""},
		{"AVS", 163, join([]byte{0x80, 0x21, 0x10, 1, 0, 0, 0, 64}, make([]byte, 56), wifiData(v4)), ""},
		{"PKTAP", 258, pktap(1, 1, frame), ""},
		{"PKTAP, raw", 258, pktap(1, 12, v4), ""},
		{"NFLOG", 239, nflog(binary.LittleEndian, 2, v4), ""},
		{"NFLOG, IPv6", 239, nflog(binary.LittleEndian, 10, v6), src6},
		{"NFLOG, big-endian", 239, nflog(binary.BigEndian, 2, v4), ""},
		{"ARCNET", 7, join([]byte{1, 2, 212, 0, 0, 7}, v4), ""},
		{"ARCNET, exception", 7, join([]byte{1, 2, 212, 0xff, 0xff, 0xff, 212, 0, 0, 7}, v4), ""},
		{"ARCNET, RFC 1051", 7, join([]byte{1, 2, 240}, v4), ""},
		{"ARCNET, Linux", 129, join([]byte{1, 2, 0, 0, 212, 0, 0, 7}, v4), ""},
	}
}

// A game may use the port of a tunnel; control messages of tunnels are datagrams too.
func TestNoMirrorAfterAll(t *testing.T) {
	t.Parallel()
	frame := eth(0x0800, ip4(17, hello))
	for _, c := range []struct {
		name    string
		port    int
		payload []byte
	}{
		{"TZSP, version", 37008, join([]byte{2, 0, 0, 1, 1}, frame)},
		{"TZSP, keepalive", 37008, []byte{1, 4, 0, 1, 1}},
		{"TZSP, no end of the tags", 37008, []byte{1, 0, 0, 1, 10, 9, 1}},
		{"TZSP, unknown encapsulation", 37008, join([]byte{1, 0, 0, 9, 1}, frame)},
		{"out of band", 1701, []byte("\xff\xff\xff\xffgetstatus")},
		{"L2TP, control", 1701, []byte("\xc8\x02\x00\x0ctusn\x00\x00\x00\x00")},
		{"L2TP, no PPP", 1701, join(be16(2), []byte("tusn"), []byte("game data of a client"))},
		{"L2TP, offset beyond the end", 1701, join(be16(0x0202), []byte("tusn\xff\xff"), frame)},
		{"L2TP, length beyond the end", 1701, join(be16(0x4002), []byte("\xff\xfftusn"), frame)},
		{"L2TPv3, no frame", 1701, join(be16(3), be16(0), []byte("sess"), []byte("game data of a client"))},
		{"GTP-U, echo", 2152, join([]byte{0x32, 1}, be16(4), make([]byte, 8))},
		{"GTP-U, endless extensions", 2152, join([]byte{0x34, 255}, be16(8), []byte("teid"), []byte{0, 0, 0, 1, 0, 0, 0, 1})},
		{"GTP-U, no IP", 2152, join([]byte{0x30, 255}, be16(16), []byte("teid"), []byte("game data of one"))},
		{"CAPWAP, encrypted", 5247, join([]byte{1, 0, 0, 0}, frame)},
		{"CAPWAP, no frame", 5247, join([]byte{0, 0x10, 2, 0, 0, 0, 0, 0}, []byte("game data of a client"))},
		{"CAPWAP, keepalive", 5247, join([]byte{0, 0x10, 2, 8, 0, 0, 0, 0}, frame)},
		{"VXLAN-GPE, management", 4790, join([]byte{0x0d, 0, 0, 3, 0, 0, 99, 0}, frame)},
		{"VXLAN-GPE, no IP", 4790, join([]byte{0x0c, 0, 0, 1, 0, 0, 99, 0}, []byte("game data of a client"))},
	} {
		w := newPcap(101)
		w.packet(0, inUDP(c.port, c.payload))
		p := readOne(t, w, Options{})
		if p == nil || string(p.Payload) != string(c.payload) || int(p.Dst.Port()) != c.port || p.Note != "" {
			t.Errorf("%s: %+v", c.name, p)
		}
	}
}

// What a mirror holds besides datagrams, and what is damaged, has a name.
func TestMirrorNotes(t *testing.T) {
	t.Parallel()
	v4 := ip4(17, hello)
	for _, c := range []struct {
		note     string
		linkType uint16
		packet   []byte
	}{
		{"L2TP", 101, ip4(115, make([]byte, 12))},
		{"EoIP keepalive", 101, gre(0x2001, 0x6400, "\x00\x00\x11\x00", nil)},
		{"CAPWAP fragment", 101, inUDP(5247, []byte{0, 0x10, 2, 0x80, 0, 1, 0, 0}, []byte("part"))},
		{"802.11, encrypted", 101, inUDP(37008, []byte{1, 0, 0, 18, 1}, []byte{8, 0x42}, wifiData(v4)[2:])},
		{"ARP", 7, []byte{1, 2, 213, 0, 0, 7, 0, 1}},
		{"ARCNET fragment", 7, join([]byte{1, 2, 212, 1, 0, 7}, v4)},
		{"ARCNET", 7, []byte{1, 2, 99}},
		{"PPI", 192, []byte{0, 0, 7, 0, 1, 0, 0, 0}},
		{"FDDI", 192, join([]byte{0, 0}, le16(8), le32(10))},
		{"PKTAP", 258, pktap(0, 1, nil)},
		{"PKTAP", 258, pktap(1, 1, nil)[:100]},
		{"NFLOG, cut short", 239, nflog(binary.LittleEndian, 2, nil)[:13]},
		{"NFLOG", 239, []byte{2, 0, 0, 0, 3, 0, 9, 0}},
		{"NFLOG", 239, nflog(binary.LittleEndian, 3, v4)},
	} {
		w := newPcap(c.linkType)
		w.packet(0, c.packet)
		if p := readOne(t, w, Options{All: true}); p.Note != c.note || p.UDP {
			t.Errorf("%q, want %q", p.Note, c.note)
		}
	}
	nested := v4
	for range 20 {
		nested = join([]byte{0, 0}, le16(8), le32(192), nested)
	}
	w := newPcap(192)
	w.packet(0, nested)
	if p := readOne(t, w, Options{All: true}); p.Note != "too many tunnels" {
		t.Errorf("%q for twenty headers of a capture", p.Note)
	}
}

func TestPKTAPInterface(t *testing.T) {
	t.Parallel()
	w := newPcap(258)
	w.packet(0, pktap(1, 1, eth(0x0800, ip4(17, hello))))
	if p := readOne(t, w, Options{Link: true}); p == nil || p.Link.Interface != "en0" {
		t.Errorf("%+v", p)
	}
}

// The original length of a frame that a mirror cut is kept.
func TestTZSPLength(t *testing.T) {
	t.Parallel()
	frame := eth(0x0800, ip4(17, hello))
	w := newPcap(101)
	w.packet(0, inUDP(37008, []byte{1, 0, 0, 1, 41, 2, 0, byte(len(frame)), 1}, frame[:len(frame)-2]))
	if p := readOne(t, w, Options{}); p == nil || string(p.Payload) != "hel" || p.Length != 5 {
		t.Errorf("%+v", p)
	}
}
