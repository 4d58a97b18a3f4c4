package capture

import (
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/q3dissect/q3dissect/dissect"
)

// maxComment is the longest comment that is written, in bytes. The option takes 65,535.
const maxComment = 65_000

// A Writer writes packets to a pcapng file through pcapgo.NgWriter: those that were read with Options.Raw with their
// original bytes, times and interfaces.
type Writer struct {
	out    io.Writer
	ng     *pcapgo.NgWriter // nil before the first packet: the file begins with its interface
	info   pcapgo.NgSectionInfo
	ids    map[writtenInterface]int
	frames uint64

	headers gopacket.SerializeBuffer // of datagrams that get new ones
}

// A writtenInterface is what the interface block of a packet depends on.
type writtenInterface struct {
	number   int
	linkType uint16
	name     string
}

// NewWriter begins a file. application is the program's name and version. Nothing is written before the first
// packet, or Close.
func NewWriter(out io.Writer, application string) *Writer {
	return &Writer{out: out, info: pcapgo.NgSectionInfo{Application: application}, ids: make(map[writtenInterface]int)}
}

// Write writes a packet with the comments that are not empty. A UDP datagram without Raw gets new headers, IP and UDP,
// from its addresses; any other packet without is not written. A packet that the file has no time for gets that
// of 1970.
func (w *Writer) Write(p *dissect.Packet, comments ...string) error {
	raw := p.Raw
	if raw == nil {
		var err error
		if raw, err = w.encapsulate(p); raw == nil {
			return err
		}
	}
	id, err := w.interfaceID(writtenInterface{raw.Interface, raw.LinkType, raw.InterfaceName})
	if err != nil {
		return err
	}
	ci := gopacket.CaptureInfo{
		Timestamp: time.Unix(0, 0), CaptureLength: len(raw.Data), Length: max(raw.Length, len(raw.Data)), InterfaceIndex: id,
	}
	if p.HasTime {
		ci.Timestamp = time.Unix(0, p.Time)
	}
	var opts pcapgo.NgPacketOptions
	for _, c := range append([]string{raw.Comment}, comments...) {
		if c != "" {
			opts.Comments = append(opts.Comments, shortened(c))
		}
	}
	w.frames++
	return w.ng.WritePacketWithOptions(ci, raw.Data, opts)
}

// encapsulate returns a datagram in new headers, nil if it has no addresses. It is valid until the next one.
func (w *Writer) encapsulate(p *dissect.Packet) (*dissect.RawPacket, error) {
	if !p.UDP || !p.Src.IsValid() || !p.Dst.IsValid() || len(p.Payload) > maxUDPPayload {
		return nil, nil
	}
	udp := &layers.UDP{SrcPort: layers.UDPPort(p.Src.Port()), DstPort: layers.UDPPort(p.Dst.Port())}
	src, dst := p.Src.Addr().Unmap(), p.Dst.Addr().Unmap()
	var ip interface {
		gopacket.SerializableLayer
		gopacket.NetworkLayer
	}
	if src.Is4() && dst.Is4() {
		ip = &layers.IPv4{Version: 4, TTL: newTTL, Protocol: layers.IPProtocolUDP, SrcIP: src.AsSlice(), DstIP: dst.AsSlice()}
	} else {
		src, dst := src.As16(), dst.As16()
		ip = &layers.IPv6{Version: 6, HopLimit: newTTL, NextHeader: layers.IPProtocolUDP, SrcIP: src[:], DstIP: dst[:]}
	}
	if err := udp.SetNetworkLayerForChecksum(ip); err != nil {
		return nil, err
	}
	if w.headers == nil {
		w.headers = gopacket.NewSerializeBuffer()
	}
	opts := gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}
	if err := gopacket.SerializeLayers(w.headers, opts, ip, udp, gopacket.Payload(p.Payload)); err != nil {
		return nil, err
	}
	data := w.headers.Bytes()
	return &dissect.RawPacket{Data: data, Length: len(data), LinkType: uint16(layers.LinkTypeRaw)}, nil
}

// Of the headers that encapsulate makes.
const (
	newTTL        = 64
	maxUDPPayload = 65535 - 20 - 8 // what an IPv4 packet holds
)

// Frames is the number of packets written.
func (w *Writer) Frames() uint64 { return w.frames }

// Close writes what is still in memory; a file without packets gets its header. It does not close the file.
func (w *Writer) Close() error {
	if w.ng == nil {
		if _, err := w.interfaceID(writtenInterface{linkType: uint16(layers.LinkTypeEthernet)}); err != nil {
			return err
		}
	}
	return w.ng.Flush()
}

// interfaceID returns the number of an interface in the file written.
func (w *Writer) interfaceID(i writtenInterface) (int, error) {
	if id, ok := w.ids[i]; ok {
		return id, nil
	}
	intf := pcapgo.NgInterface{Name: i.name, LinkType: layers.LinkType(i.linkType), TimestampResolution: 9}
	id := 0
	var err error
	if w.ng == nil {
		w.ng, err = pcapgo.NewNgWriterInterface(w.out, intf, pcapgo.NgWriterOptions{SectionInfo: w.info})
	} else {
		id, err = w.ng.AddInterface(intf)
	}
	if err != nil {
		return 0, err
	}
	w.ids[i] = id
	return id, nil
}

// shortened cuts a comment to what an option can hold, between characters.
func shortened(comment string) string {
	if len(comment) <= maxComment {
		return comment
	}
	cut := maxComment
	for !utf8.RuneStart(comment[cut]) {
		cut--
	}
	return strings.ToValidUTF8(comment[:cut], "") + "…"
}
