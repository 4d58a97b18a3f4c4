package capture

import (
	"bytes"
	"math/rand/v2"
	"net"
	"net/netip"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/q3dissect/q3dissect/dissect"
)

// New headers are those that gopacket makes: lengths, checksums, and the larger version of addresses that differ in it.
func TestNewHeaders(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	addresses := []string{"1.2.3.4", "255.255.255.255", "0.0.0.0", "2001:db8::1", "::1", "::ffff:9.8.7.6"}
	for range 3000 {
		pick := func() netip.AddrPort {
			a := netip.MustParseAddr(addresses[random.IntN(len(addresses))])
			return netip.AddrPortFrom(a, uint16(random.Uint32()))
		}
		p := dissect.Packet{UDP: true, Src: pick(), Dst: pick(), Payload: make([]byte, random.IntN(40))}
		for i := range p.Payload {
			p.Payload[i] = byte(random.Uint32()) | byte(random.IntN(2)*255)
		}
		src, dst := p.Src.Addr().Unmap(), p.Dst.Addr().Unmap()
		var ip interface {
			gopacket.SerializableLayer
			gopacket.NetworkLayer
		} = &layers.IPv6{
			Version: 6, HopLimit: newTTL, NextHeader: layers.IPProtocolUDP,
			SrcIP: net.IP(p.Src.Addr().AsSlice()).To16(), DstIP: net.IP(p.Dst.Addr().AsSlice()).To16(),
		}
		if src.Is4() && dst.Is4() {
			ip = &layers.IPv4{
				Version: 4, TTL: newTTL, Protocol: layers.IPProtocolUDP, SrcIP: src.AsSlice(), DstIP: dst.AsSlice(),
			}
		}
		udp := &layers.UDP{SrcPort: layers.UDPPort(p.Src.Port()), DstPort: layers.UDPPort(p.Dst.Port())}
		if err := udp.SetNetworkLayerForChecksum(ip); err != nil {
			t.Fatal(err)
		}
		want := gopacket.NewSerializeBuffer()
		err := gopacket.SerializeLayers(want, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, ip, udp,
			gopacket.Payload(p.Payload))
		if err != nil {
			t.Fatal(err)
		}
		if got := append(appendHeaders(nil, &p), p.Payload...); !bytes.Equal(got, want.Bytes()) {
			t.Fatalf("%v to %v, %x:\n%x, want\n%x", p.Src, p.Dst, p.Payload, got, want.Bytes())
		}
	}
}
