package capture

import (
	"bufio"
	"fmt"
	"io"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/q3dissect/q3dissect/dissect"
)

// A PcapWriter writes packets to a pcap file with nanoseconds, for programs that do not read pcapng. The format has one
// link type for all packets, and no comments. A packet without a time has that of 1970.
type PcapWriter struct {
	out      *bufio.Writer
	pcap     *pcapgo.Writer
	linkType uint16
	frames   uint64
	maker    *Writer // of headers for datagrams without a frame
}

// maxSnapLen is the snap length that files of any link type have: that of tcpdump and Wireshark.
const maxSnapLen = 262_144

// NewPcapWriter begins a file. Nothing is written before the first packet, or Close.
func NewPcapWriter(out io.Writer) *PcapWriter {
	buffered := bufio.NewWriter(out)
	return &PcapWriter{out: buffered, pcap: pcapgo.NewWriterNanos(buffered), maker: new(Writer)}
}

// Write writes a packet; comments are left out. A UDP datagram without Raw gets new headers, as from Writer. It is an
// error if the packet's link type is not that of the first one.
func (w *PcapWriter) Write(p *dissect.Packet, _ ...string) error {
	raw := p.Raw
	if raw == nil {
		if raw = w.maker.encapsulate(p); raw == nil {
			return nil
		}
	}
	if w.frames == 0 {
		if err := w.begin(raw.LinkType); err != nil {
			return err
		}
	}
	if raw.LinkType != w.linkType {
		return fmt.Errorf("packet %d has link type %d, and those before it %d: a pcap file has one, write pcapng",
			p.Frame, raw.LinkType, w.linkType)
	}
	ci := gopacket.CaptureInfo{
		Timestamp: time.Unix(0, 0), CaptureLength: len(raw.Data), Length: max(raw.Length, len(raw.Data)),
	}
	if p.HasTime {
		ci.Timestamp = time.Unix(0, p.Time)
	}
	w.frames++
	return w.pcap.WritePacket(ci, raw.Data)
}

func (w *PcapWriter) begin(linkType uint16) error {
	w.linkType = linkType
	return w.pcap.WriteFileHeader(maxSnapLen, layers.LinkType(linkType))
}

// Frames is the number of packets written.
func (w *PcapWriter) Frames() uint64 { return w.frames }

// Close writes what is still in memory; a file without packets gets its header. It does not close the file.
func (w *PcapWriter) Close() error {
	if w.frames == 0 {
		if err := w.begin(uint16(layers.LinkTypeEthernet)); err != nil {
			return err
		}
	}
	return w.out.Flush()
}
