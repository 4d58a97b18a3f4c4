// Package headers goes from the link layer of a captured packet to the UDP datagram in it: link layers, tags, tunnels,
// IP with its fragments. Which layers those are is in the documentation of package capture.
package headers

import (
	"encoding/binary"
	"net/netip"

	"github.com/gopacket/gopacket/layers"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/reassembly"
)

// maxTunnels is how many tunnels in one another are followed.
const maxTunnels = 8

// A Verdict is what a run of headers turned out to be.
type Verdict uint8

const (
	Garbage     Verdict = iota // not what it should have been
	ForeignLink                // a link layer that is not known here
	Other                      // known, and no UDP datagram
	Datagram                   // UDP; the packet is filled in
)

// A Decoder goes from the link layer of a packet to the UDP datagram in it, if there is one, and fills
// in what it learns. Each method takes the bytes from its header on and hands the rest to the next.
type Decoder struct {
	Packet *dissect.Packet
	Link   *dissect.Link // nil if not wanted

	headers headers
	edited  [40]byte // a header that the library would refuse as it is

	src, dst netip.Addr // of the innermost IP header so far
	tunnels  int        // opened on the way
	subframe Span       // subframes of an A-MSDU that are still to be decoded

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
func (d *Decoder) copyOf(header []byte) []byte { return d.edited[:copy(d.edited[:], header)] }

// A Span is a run of bytes of a packet: as far as it was captured, and how long it was on the wire.
type Span struct {
	Data []byte
	Wire int // not less than len(data)
}

// has reports whether a header of n bytes was captured.
func (s Span) has(n int) bool { return len(s.Data) >= n }

// from returns what follows the first n bytes, which must be there.
func (s Span) from(n int) Span { return Span{s.Data[n:], s.Wire - n} }

// upTo returns the first n bytes of the wire: the length that a header gives, which leaves out padding.
// More than was captured leaves the bytes as they are.
func (s Span) upTo(n int) Span { return Span{s.Data[:min(n, len(s.Data))], n} }

func (s Span) u16(at int) uint16 { return binary.BigEndian.Uint16(s.Data[at:]) }
func (s Span) u32(at int) uint32 { return binary.BigEndian.Uint32(s.Data[at:]) }

// is notes what a packet that is no UDP datagram is.
func (d *Decoder) is(note string) Verdict {
	d.Packet.Note = note
	return Other
}

// bad notes what a packet would be if its header were whole and possible.
func (d *Decoder) bad(note string) Verdict {
	d.Packet.Note = note
	return Garbage
}

// start forgets the packet before.
func (d *Decoder) start() {
	d.src, d.dst = netip.Addr{}, netip.Addr{}
	d.tunnels = 0
	d.subframe = Span{}
}

// enter counts a tunnel and reports whether it is followed.
func (d *Decoder) enter() bool {
	d.tunnels++
	return d.tunnels <= maxTunnels
}

// More reports whether the packet holds subframes that were not decoded yet.
func (d *Decoder) More() bool { return len(d.subframe.Data) > 0 }

// Incomplete is the number of datagrams of which IP fragments are missing, those that may yet come included.
func (d *Decoder) Incomplete() uint64 { return d.fragments.Dropped() + uint64(d.fragments.Pending()) }
