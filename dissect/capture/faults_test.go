package capture

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// linkPPPWithDir is LINKTYPE_PPP_WITH_DIR: https://www.tcpdump.org/linktypes.html.
const linkPPPWithDir = 204

// A fault is something that gopacket v1.7.7 lacks or gets wrong and that is done here instead. On the day when a
// row fails, the library can do it, and what is done here can go: docs/gopacket.md lists where it is.
type fault struct {
	name  string
	input string // that shows it, in hex
	plain string // the same without what the library stumbles over; "" where there is no such thing
	wrong func(input []byte) bool
}

// refused makes a check of a layer: it does not take the input.
func refused(layer gopacket.DecodingLayer) func([]byte) bool {
	return func(b []byte) bool { return layer.DecodeFromBytes(b, gopacket.NilDecodeFeedback) != nil }
}

func taken(layer gopacket.DecodingLayer) func([]byte) bool {
	return func(b []byte) bool { return layer.DecodeFromBytes(b, gopacket.NilDecodeFeedback) == nil }
}

// without makes a check of a whole packet: no layer of that type is found in it, or something fails in between.
func without(linkType layers.LinkType, layer gopacket.LayerType) func([]byte) bool {
	return func(b []byte) bool {
		p := gopacket.NewPacket(b, linkType, gopacket.Default)
		return p.Layer(layer) == nil || p.ErrorLayer() != nil
	}
}

// noDecodingLayer makes a check of a type: it cannot decode into memory that the caller owns.
func noDecodingLayer(layer any) func([]byte) bool {
	return func([]byte) bool { _, ok := layer.(gopacket.DecodingLayer); return !ok }
}

const (
	ipv4Hex = "4500001c00000000ff1100000a0000010a000002" // 10.0.0.1 > 10.0.0.2, UDP, in all 28 bytes
	udpHex  = "0001000200080000"
	snapHex = "aaaa03000000" + "0800"
)

// ip6Hex makes an IPv6 header between unspecified addresses.
func ip6Hex(length, next string) string { return "60000000" + length + next + "01" + zeros(32) }

var headerFaults = []fault{
	{"IPv4: a header of another version is taken", "65" + ipv4Hex[2:] + udpHex, "", taken(&layers.IPv4{})},
	{"IPv4: a damaged option costs the packet", "46000020" + ipv4Hex[8:] + "07ff0000" + udpHex, "46000020" + ipv4Hex[8:] + "07040000" + udpHex, refused(&layers.IPv4{})},
	{"IPv6: a header of another version is taken", "40" + ip6Hex("0008", "11")[2:] + udpHex, "", taken(&layers.IPv6{})},
	{"IPv6: a length that is not filled in costs the packet", ip6Hex("0000", "11") + udpHex, ip6Hex("0008", "11") + udpHex, refused(&layers.IPv6{})},
	{"IPv6: a damaged hop-by-hop option costs the packet", ip6Hex("0010", "00") + "110005ff00000000" + udpHex, ip6Hex("0010", "00") + "1100050400000000" + udpHex, refused(&layers.IPv6{})},
	{"IPv6: the routing header is no DecodingLayer", "", "", noDecodingLayer(&layers.IPv6Routing{})},
	{"IPv6: a mobility header is not passed", ip6Hex("0010", "87") + "1100000000000000" + udpHex, ip6Hex("0010", "3c") + "1100010400000000" + udpHex, without(layers.LinkTypeRaw, layers.LayerTypeUDP)},
	{"IPv6: a HIP header is not passed", ip6Hex("0010", "8b") + "1100000000000000" + udpHex, "", without(layers.LinkTypeRaw, layers.LayerTypeUDP)},
	{"IPv6: a shim6 header is not passed", ip6Hex("0010", "8c") + "1100000000000000" + udpHex, "", without(layers.LinkTypeRaw, layers.LayerTypeUDP)},
	{"IPv6: a fragment that is the whole is not passed", ip6Hex("0010", "2c") + "1100000000000001" + udpHex, "", without(layers.LinkTypeRaw, layers.LayerTypeUDP)},
	{"Linux cooked: an address of more than 8 bytes costs the packet", "000000200014" + zeros(8) + "0800", "000000200008" + zeros(8) + "0800", refused(&layers.LinuxSLL{})},
	{"Linux cooked 2: an address of more than 8 bytes costs the packet", "0800" + zeros(6) + "00200014" + zeros(8), "0800" + zeros(6) + "00200008" + zeros(8), refused(&layers.LinuxSLL2{})},
	{"loopback: the IPv6 of Windows is not known", "17000000" + ip6Hex("0008", "11") + udpHex, "18000000" + ip6Hex("0008", "11") + udpHex, without(layers.LinkTypeNull, layers.LayerTypeUDP)},
	{"MPLS is no DecodingLayer", "", "", noDecodingLayer(&layers.MPLS{})},
	{"MPLS: an Ethernet frame is not found below the labels", zeros(12) + "8847" + "00010140" + zeros(12) + "0800" + ipv4Hex + udpHex, zeros(12) + "8847" + "00010140" + ipv4Hex + udpHex, without(layers.LinkTypeEthernet, layers.LayerTypeUDP)},
	{"PPP is no DecodingLayer", "", "", noDecodingLayer(&layers.PPP{})},
	{"PPP: Cisco HDLC is not decoded", "0f000800" + ipv4Hex + udpHex, "", without(layers.LinkTypeC_HDLC, layers.LayerTypeUDP)},
	{"PPP: the link type with a direction is not decoded", "000021" + ipv4Hex + udpHex, "", without(linkPPPWithDir, layers.LayerTypeUDP)},
	{"PPPoE is no DecodingLayer", "", "", noDecodingLayer(&layers.PPPoE{})},
	{"PPPoE: a cut costs the packet", zeros(12) + "8864" + "11000001001e0021" + ipv4Hex + udpHex[:14], zeros(12) + "8864" + "11000001001e0021" + ipv4Hex + udpHex, without(layers.LinkTypeEthernet, layers.LayerTypeIPv4)},
	{"802.11: a frame without checksum loses four bytes", "0801" + zeros(22) + snapHex + ipv4Hex + udpHex, "0801" + zeros(22) + snapHex + ipv4Hex + udpHex + zeros(4), without(layers.LinkTypeIEEE802_11, layers.LayerTypeUDP)},
	{"802.11: an A-MSDU is not opened", "8801" + zeros(22) + "8000" + zeros(12) + "0024" + snapHex + ipv4Hex + udpHex + zeros(4), "8801" + zeros(22) + "0000" + snapHex + ipv4Hex + udpHex + zeros(4), without(layers.LinkTypeIEEE802_11, layers.LayerTypeUDP)},
	{"VXLAN: reserved bits are not looked at", "0f00000000000001", "", taken(&layers.VXLAN{})},
	{"Geneve: 248 bytes of options wrap an offset", "3e006558" + zeros(4) + "0000001f" + zeros(124) + "0000001d" + zeros(116) + "ff", "3d006558" + zeros(4) + "0000001f" + zeros(124) + "0000001c" + zeros(112) + "ff", wrongGeneve},
	{"GRE: every source route is allocated", "4000080000000000" + "00010004" + "00000000" + "00000000", "0000080000000000", allocates(&layers.GRE{})},
	{"GTP-U: a cut costs the packet", "30ff001c" + zeros(4) + ipv4Hex, "30ff0014" + zeros(4) + ipv4Hex, refused(&layers.GTPv1U{})},
	{"ERSPAN: type III is refused", "20" + zeros(11), "10" + zeros(11), refused(&layers.ERSPANII{})},
}

func zeros(n int) string { return strings.Repeat("00", n) }

func wrongGeneve(b []byte) bool {
	var g layers.Geneve
	return g.DecodeFromBytes(b, gopacket.NilDecodeFeedback) != nil || !bytes.Equal(g.Payload, []byte{0xff})
}

func allocates(layer gopacket.DecodingLayer) func([]byte) bool {
	return func(b []byte) bool {
		return testing.AllocsPerRun(10, func() {
			if err := layer.DecodeFromBytes(b, gopacket.NilDecodeFeedback); err != nil {
				panic(err)
			}
		}) > 0
	}
}

func faults() []fault { return slices.Concat(headerFaults, fileFaults) }

// What is done here although gopacket should do it, it cannot do yet.
func TestFaults(t *testing.T) {
	for _, f := range faults() {
		wrong := func(digits string) bool {
			input, err := hex.DecodeString(digits)
			if err != nil {
				t.Fatalf("%s: %v", f.name, err)
			}
			return f.wrong(input)
		}
		if !wrong(f.input) {
			t.Errorf("gopacket can do it now: %s", f.name)
		}
		if f.plain != "" && wrong(f.plain) {
			t.Errorf("the row does not show what it says: %s", f.name)
		}
	}
}

// docs/gopacket.md lists all of them, with their inputs. A run of n zero bytes, from eight on, is written as (n).
func TestFaultsDocument(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile(filepath.Join("..", "..", "docs", "gopacket.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults() {
		row := "| " + f.name + " | "
		if f.input != "" {
			row += "`" + shorten(f.input) + "` "
		}
		if row += "|"; !bytes.Contains(document, []byte(row)) {
			t.Errorf("missing: %s", row)
		}
	}
}

// shorten writes runs of zero bytes as their number.
func shorten(digits string) string {
	var b strings.Builder
	for len(digits) > 0 {
		n := 0
		for strings.HasPrefix(digits[2*n:], "00") {
			n++
		}
		switch {
		case n >= 8:
			fmt.Fprintf(&b, "(%d)", n)
			digits = digits[2*n:]
		default:
			b.WriteString(digits[:2])
			digits = digits[2:]
		}
	}
	return b.String()
}
