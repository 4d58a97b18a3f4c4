package capture

import (
	"bytes"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/q3dissect/q3dissect/dissect"
)

// benchPackets is how many packets a benchmark's file has; results are per packet.
const benchPackets = 100_000

func benchFile(linkType uint16, packet []byte) []byte {
	w := newPcap(linkType)
	for i := range benchPackets {
		w.packet(int64(i)*1e6, packet)
	}
	return w.b
}

func BenchmarkReader(b *testing.B) {
	game := udp(27960, 27961, bytes.Repeat([]byte{0x55}, 40))
	tcp := ip4(6, make([]byte, 20+40))
	ng := newPcapNG(false)
	ng.iface(linkEthernet, 0)
	for i := range benchPackets {
		ng.packet(0, uint64(i)*1000, eth(etherIPv4, ip4(protoUDP, game)))
	}
	for _, c := range []struct {
		name string
		file []byte
		opts Options
		want uint64
	}{
		{"ethernet-ipv4", benchFile(linkEthernet, eth(etherIPv4, ip4(protoUDP, game))), Options{}, benchPackets},
		{"ethernet-ipv4-link", benchFile(linkEthernet, eth(etherIPv4, ip4(protoUDP, game))), Options{Link: true}, benchPackets},
		{"cooked2-ipv6", benchFile(linkSLL2, sll2(etherIPv6, ip6(protoUDP, game))), Options{}, benchPackets},
		{"pcapng", ng.b, Options{}, benchPackets},
		{"gzip", gzipped(benchFile(linkEthernet, eth(etherIPv4, ip4(protoUDP, game)))), Options{}, benchPackets},
		{"foreign-tcp", benchFile(linkEthernet, eth(etherIPv4, tcp)), Options{}, 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.file)))
			for b.Loop() {
				r, err := NewReader(bytes.NewReader(c.file), c.opts)
				if err != nil {
					b.Fatal(err)
				}
				for _, err := range r.Packets() {
					if err != nil {
						b.Fatal(err)
					}
				}
				if r.Stats().UDP != c.want {
					b.Fatal(r.Stats())
				}
			}
			perPacket(b)
		})
	}
}

func perPacket(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchPackets, "ns/packet")
}

// BenchmarkHeaders compares the way from a frame to its UDP payload with gopacket's fastest one: why the
// headers are decoded here.
func BenchmarkHeaders(b *testing.B) {
	frame := eth(etherIPv4, ip4(protoUDP, udp(27960, 27961, bytes.Repeat([]byte{0x55}, 40))))
	b.Run("here", func(b *testing.B) {
		b.ReportAllocs()
		d := decoder{p: new(dissect.Packet)}
		for b.Loop() {
			if d.linkLayer(linkEthernet, span{frame, len(frame)}) != datagram || len(d.p.Payload) != 40 {
				b.Fatal(d.p)
			}
		}
	})
	b.Run("gopacket", func(b *testing.B) {
		b.ReportAllocs()
		var ether layers.Ethernet
		var v4 layers.IPv4
		var v6 layers.IPv6
		var u layers.UDP
		var payload gopacket.Payload
		parser := gopacket.NewDecodingLayerParser(layers.LayerTypeEthernet, &ether, &v4, &v6, &u, &payload)
		parser.IgnoreUnsupported = true
		var decoded []gopacket.LayerType
		for b.Loop() {
			if err := parser.DecodeLayers(frame, &decoded); err != nil || len(payload) != 40 {
				b.Fatal(err)
			}
		}
	})
}
