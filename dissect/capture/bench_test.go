package capture

import (
	"bytes"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture/internal/headers"
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
	ng.iface(1, 0)
	for i := range benchPackets {
		ng.packet(0, uint64(i)*1000, eth(0x0800, ip4(17, game)))
	}
	for _, c := range []struct {
		name string
		file []byte
		opts Options
		want uint64
	}{
		{"ethernet-ipv4", benchFile(1, eth(0x0800, ip4(17, game))), Options{}, benchPackets},
		{"ethernet-ipv4-link", benchFile(1, eth(0x0800, ip4(17, game))), Options{Link: true}, benchPackets},
		{"cooked2-ipv6", benchFile(276, sll2(0x86dd, ip6(17, game))), Options{}, benchPackets},
		{"pcapng", ng.b, Options{}, benchPackets},
		{"gzip", gzipped(benchFile(1, eth(0x0800, ip4(17, game)))), Options{}, benchPackets},
		{"foreign-tcp", benchFile(1, eth(0x0800, tcp)), Options{}, 0},
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

// BenchmarkHeaders compares the path from a frame to its UDP payload with gopacket's fastest one: both decode the
// same layers, which one after the other is decided here by our own switch.
func BenchmarkHeaders(b *testing.B) {
	frame := eth(0x0800, ip4(17, udp(27960, 27961, bytes.Repeat([]byte{0x55}, 40))))
	b.Run("here", func(b *testing.B) {
		b.ReportAllocs()
		d := headers.Decoder{Packet: new(dissect.Packet)}
		for b.Loop() {
			if d.LinkLayer(layers.LinkTypeEthernet, headers.Span{Data: frame, Wire: len(frame)}) != headers.Datagram ||
				len(d.Packet.Payload) != 40 {
				b.Fatal(d.Packet)
			}
		}
	})
	b.Run("DecodingLayerParser", func(b *testing.B) {
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
