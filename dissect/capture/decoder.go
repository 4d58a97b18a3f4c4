package capture

import (
	"encoding/binary"
	"net/netip"

	"github.com/gopacket/gopacket/layers"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/reassembly"
)

// maxTunnels is how many tunnels in one another are followed.
const maxTunnels = 8

// A verdict is what a run of headers turned out to be.
type verdict uint8

const (
	garbage     verdict = iota // not what it should have been
	foreignLink                // a link layer that is not known here
	other                      // known, and no UDP datagram
	datagram                   // UDP; the packet is filled in
)

// A decoder goes from the link layer of a packet to the UDP datagram in it, if there is one, and fills
// in what it learns. Each method takes the bytes from its header on and hands the rest to the next.
type decoder struct {
	p    *dissect.Packet
	link *dissect.Link // nil if not wanted

	headers headers
	edited  [40]byte // a header that the library would refuse as it is

	src, dst netip.Addr // of the innermost IP header so far
	tunnels  int        // opened on the way
	subframe span       // subframes of an A-MSDU that are still to be decoded

	fragments reassembly.IPFragments
	whole     []byte   // the present reassembled datagram
	frames    []uint64 // its fragments
}

// headers are what the library decodes, each used again for the next packet. They are decoded one by one,
// as what follows which is decided here: docs/gopacket.md says why.
type headers struct {
	ethernet layers.Ethernet
	dot1Q    layers.Dot1Q
	llc      layers.LLC
	snap     layers.SNAP
	cooked   layers.LinuxSLL
	cooked2  layers.LinuxSLL2
	loopback layers.Loopback
	ipv4     layers.IPv4
	ipv6     layers.IPv6
	udp      layers.UDP
	gre      layers.GRE
	vxlan    layers.VXLAN
	erspan2  layers.ERSPANII
}

// copyOf returns a copy of a header, which may be edited; valid until the next one.
func (d *decoder) copyOf(header []byte) []byte { return d.edited[:copy(d.edited[:], header)] }

// A span is a run of bytes of a packet: as far as it was captured, and how long it was on the wire.
type span struct {
	data []byte
	wire int // not less than len(data)
}

// has reports whether a header of n bytes was captured.
func (s span) has(n int) bool { return len(s.data) >= n }

// from returns what follows the first n bytes, which must be there.
func (s span) from(n int) span { return span{s.data[n:], s.wire - n} }

// upTo returns the first n bytes of the wire: the length that a header gives, which leaves out padding.
// More than was captured leaves the bytes as they are.
func (s span) upTo(n int) span { return span{s.data[:min(n, len(s.data))], n} }

func (s span) u16(at int) uint16 { return binary.BigEndian.Uint16(s.data[at:]) }
func (s span) u32(at int) uint32 { return binary.BigEndian.Uint32(s.data[at:]) }

// is notes what a packet that is no UDP datagram is.
func (d *decoder) is(note string) verdict {
	d.p.Note = note
	return other
}

// bad notes what a packet would be if its header were whole and possible.
func (d *decoder) bad(note string) verdict {
	d.p.Note = note
	return garbage
}

// start forgets the packet before.
func (d *decoder) start() {
	d.src, d.dst = netip.Addr{}, netip.Addr{}
	d.tunnels = 0
	d.subframe = span{}
}

// enter counts a tunnel and reports whether it is followed.
func (d *decoder) enter() bool {
	d.tunnels++
	return d.tunnels <= maxTunnels
}

// more reports whether the packet holds subframes that were not decoded yet.
func (d *decoder) more() bool { return len(d.subframe.data) > 0 }
