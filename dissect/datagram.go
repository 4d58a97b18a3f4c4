package dissect

import (
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect/extract"
)

// A Packet is one packet of a capture as the capture reader returns it: a UDP datagram, whole or as far as it
// was captured, or any other packet if all were asked for.
//
// Payload and the slices in it belong to the reader and are valid until its next packet; Clone copies them.
type Packet struct {
	// number of the packet in its file, from 1; of the completing fragment for a fragmented datagram
	Frame    uint64
	Time     int64 // Unix time in nanoseconds
	Previous int64 // Time of the packet before it in the input, its own for the first; of Records alone
	HasTime  bool  // false if the file has no time for it
	UDP      bool  // a UDP datagram; otherwise Payload is empty and Note describes the packet
	// IP fragments of the datagram are missing: Payload is what comes before the first of them; of a capture.Reader
	// that is asked for these
	Partial      bool
	Src, Dst     netip.AddrPort // zero where they are not known: of a recording, and of a hex dump without headers
	Payload      []byte         // UDP payload, as far as it was captured
	Length       int            // payload bytes on the wire; for a packet other than a UDP datagram its length on the wire
	IPFragments  []uint64       // frames of all IP fragments when there were several, in the order of the capture
	Link         *Link          // link-level facts, when asked for
	Raw          *RawPacket     // the packet of the file that it came from, when asked for; of IP fragments the last
	Recorder     string         // of a recording: name of its protocol; no router is asked
	RecorderHint uint64         // of a recording: what its reader found out; the Hint of its records
	// of a recording: a whole file inside it, beside its messages, such as a map; it is not modified
	Attached *extract.File
	// of a recording: bytes of the file before the message that belong to none, such as marks of time
	Before string
	After  string // of the last message of a recording: the same after it
	// of a recording that was rewritten: what the file has in place of Payload, Before included; nil: Payload
	File []byte
	// of an ICMP error: the datagram that it quotes. In records: the error; they are those of the datagram, with its
	// addresses and payload, and with the number and time of the error (engine.Config.Quotes)
	Quote *Quote
	Note  string // short description of a packet other than a UDP datagram ("ARP", "TCP"), or of a fault
}

// Apart reports whether the packet is not a datagram that arrived: one that an ICMP error quotes, or one with
// missing IP fragments. Its record has no stream.
func (p *Packet) Apart() bool { return p.UDP && (p.Quote != nil || p.Partial) }

// Truncated reports whether the capture holds fewer bytes than the wire carried.
func (p *Packet) Truncated() bool { return p.UDP && len(p.Payload) < p.Length }

// Recorded reports whether the packet is a message of a recording instead of a datagram.
func (p *Packet) Recorded() bool { return p.UDP && p.Recorder != "" }

// Number returns the number under which records show the packet: its frame, or the index of a recording's message,
// from 0.
func (p *Packet) Number() uint64 {
	if p.Recorded() {
		return p.Frame - 1
	}
	return p.Frame
}

// A RawPacket is a packet of a capture as it was captured, from its link layer on.
type RawPacket struct {
	Data          []byte // captured bytes
	Length        int    // bytes on the wire
	LinkType      uint16 // of the link layer, as https://www.tcpdump.org/linktypes.html numbers them
	Interface     int    // number of the capturing interface in its file
	InterfaceName string // empty when unknown
	Comment       string // pcapng packet comments, joined by line feeds
}

// A Link holds the facts of the layers below UDP that --link shows.
type Link struct {
	Interface string   // name of the capturing interface; empty when unknown
	VLAN      []uint16 // VLAN identifiers, outermost first
	TTL       uint8    // IPv4 time to live or IPv6 hop limit of the innermost IP header
	IPID      uint32   // IPv4 identification, or of the IPv6 fragment header
	HasIPID   bool     //
	Comment   string   // pcapng packet comments, joined by line feeds
}

// Clone appends the payload to buf and returns a packet that is independent of the reader, with the grown
// buffer.
func (p *Packet) Clone(buf []byte) (Packet, []byte) {
	c := *p
	start := len(buf)
	buf = append(buf, p.Payload...)
	c.Payload = buf[start:len(buf):len(buf)]
	if p.IPFragments != nil {
		c.IPFragments = append([]uint64(nil), p.IPFragments...)
	}
	if p.Quote != nil {
		quote := *p.Quote
		start := len(buf)
		buf = append(buf, quote.Payload...)
		quote.Payload = buf[start:len(buf):len(buf)]
		c.Quote = &quote
	}
	if p.Raw != nil {
		raw := *p.Raw
		start := len(buf)
		buf = append(buf, raw.Data...)
		raw.Data = buf[start:len(buf):len(buf)]
		c.Raw = &raw
	}
	if p.Link != nil {
		link := *p.Link
		link.VLAN = append([]uint16(nil), p.Link.VLAN...)
		c.Link = &link
	}
	return c, buf
}
