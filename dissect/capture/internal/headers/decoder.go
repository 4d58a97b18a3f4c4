// Package headers decodes a captured packet from its link layer to the UDP datagram: link layers,
// tags, tunnels, IP and its fragments. The documentation of package capture lists the layers.
package headers

import (
	"encoding/binary"
	"net/netip"

	"github.com/gopacket/gopacket/layers"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/reassembly"
)

// maxTunnels is how many nested tunnels are followed.
const maxTunnels = 8

// A Outcome is the result of decoding headers.
type Outcome uint8

const (
	Garbage     Outcome = iota // not what it was announced as
	ForeignLink                // an unsupported link layer
	Other                      // known, but not a UDP datagram
	Datagram                   // UDP; the packet is filled in
)

// A Decoder goes from the link layer of a packet to the UDP datagram in it, if there is one, and fills
// in what it learns. Each method takes the bytes from its header on and passes the rest to the next.
type Decoder struct {
	Packet *dissect.Packet
	Link   *dissect.Link // nil if not wanted

	headers headers
	edited  [40]byte // copy of a header that the library would refuse unedited

	src, dst netip.Addr // of the innermost IP header so far
	tunnels  int        // opened so far
	subframe Span       // subframes of an A-MSDU not decoded yet
	exported exported   // datagrams of an exported PDU
	quote    dissect.Quote

	swapped []byte // copy of a frame whose first bytes came in another order
	tapped  string // interface that a packet was last captured at, as its own header names it

	fragments reassembly.IPFragments
	whole     []byte   // the current reassembled datagram
	frames    []uint64 // its fragments

	// Wrong counts the datagrams whose UDP header has a length that cannot be.
	Wrong    uint64
	partials []partial // beginnings of datagrams that were not delivered yet
}

// headers are the library's layers, reused for each packet. They are decoded one by one, since this
// package decides which follows which: docs/gopacket.md has the reasons.
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

// A Span is a run of bytes of a packet: the captured bytes, and the length on the wire.
type Span struct {
	Data []byte
	Wire int // not less than len(data)
}

// has reports whether a header of n bytes was captured.
func (s Span) has(n int) bool { return len(s.Data) >= n }

// from returns the bytes after the first n, which must be present.
func (s Span) from(n int) Span { return Span{s.Data[n:], s.Wire - n} }

// upTo limits a span to the length n in a header, in wire bytes, which leaves out padding. If n is
// more than was captured, the bytes stay as they are.
func (s Span) upTo(n int) Span { return Span{s.Data[:min(n, len(s.Data))], n} }

func (s Span) u16(at int) uint16 { return binary.BigEndian.Uint16(s.Data[at:]) }
func (s Span) u32(at int) uint32 { return binary.BigEndian.Uint32(s.Data[at:]) }

// notUDP records what a packet is that is not a UDP datagram.
func (d *Decoder) notUDP(note string) Outcome {
	d.Packet.Note = note
	return Other
}

// bad records what a packet would be if its header were complete and valid.
func (d *Decoder) bad(note string) Outcome {
	d.Packet.Note = note
	return Garbage
}

// start clears the previous packet.
func (d *Decoder) start() {
	d.src, d.dst = netip.Addr{}, netip.Addr{}
	d.tunnels = 0
	d.subframe, d.exported.rest = Span{}, nil
}

// enter counts a tunnel and reports whether it is followed.
func (d *Decoder) enter() bool {
	d.tunnels++
	return d.tunnels <= maxTunnels
}

// More reports whether the packet has subframes, or datagrams, that were not decoded yet.
func (d *Decoder) More() bool { return len(d.subframe.Data) > 0 || len(d.exported.rest) > 0 }

// Incomplete returns the number of datagrams with missing IP fragments, including those that may
// still be completed.
func (d *Decoder) Incomplete() uint64 { return d.fragments.Dropped() + uint64(d.fragments.Pending()) }
