package capture

import (
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// notInGopacket are the layerings that gopacket v1.7.7 does not follow down to the datagram. A shorter list
// would be a reason to leave more to it.
var notInGopacket = []string{
	"802.11", "802.11 A-MSDU of one", "802.11 QoS", "802.11 QoS with HT control", "802.11 four addresses",
	"802.11 with acknowledgement", "802.11 without QoS, order bit", "ARCNET", "ARCNET, Linux", "ARCNET, RFC 1051",
	"ARCNET, exception", "AVS", "CAPWAP", "CAPWAP, 802.11", "CAPWAP, 802.11, frame control swapped",
	"CAPWAP, radio address", "Cisco HDLC", "Cisco HDLC as PPP", "ERSPAN III", "ERSPAN III, IP", "ERSPAN III, subheader",
	"EoIP", "IPv4 options, all 40 bytes, damaged", "IPv6 atomic fragment", "IPv6 atomic fragment, reserved bits",
	"IPv6 mobility, HIP, shim", "IPv6, all headers", "L2TP", "L2TP, length", "L2TP, sequence and offset", "L2TPv3",
	"L2TPv3 over UDP", "L2TPv3, PPP over IPv6", "L2TPv3, cookie and sublayer", "MPLS pseudowire",
	"MPLS pseudowire to an address like IPv4", "MPLS pseudowire without control word", "NFLOG", "NFLOG, IPv6",
	"NFLOG, big-endian", "PKTAP", "PKTAP, raw", "PPI", "PPI, 802.11", "PPP in HDLC", "PPP with direction",
	"PPPoE without Ethernet", "Prism", "QinQ, old number", "TZSP", "TZSP, 802.11", "TZSP, tags", "VXLAN, Linux' port",
	"VXLAN-GPE, Ethernet", "VXLAN-GPE, IPv4", "VXLAN-GPE, IPv6", "VXLAN-GPE, no protocol", "cooked, radiotap",
	"loop, IPv6, family 23", "null, IPv6, family 23", "raw 14", "raw 14, IPv6", "raw 228", "raw 229, IPv6",
}

// A second opinion on all packets that gopacket follows.
func TestAgainstGopacket(t *testing.T) {
	t.Parallel()
	var missing []string
	for _, l := range layerings() {
		p := gopacket.NewPacket(l.packet, layers.LinkType(l.linkType), gopacket.Default)
		var innermost *layers.UDP
		for _, layer := range p.Layers() {
			if u, ok := layer.(*layers.UDP); ok {
				innermost = u
			}
		}
		if innermost == nil || string(innermost.Payload) != "hello" || innermost.SrcPort != 27960 {
			missing = append(missing, l.name)
		}
	}
	slices.Sort(missing)
	if diff := gocmp.Diff(notInGopacket, missing); diff != "" {
		t.Errorf("not in gopacket (-want +got):\n%s", diff)
	}
}
