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

// A Writer writes packets that were read with Options.Raw to a pcapng file, with their original bytes, times and
// interfaces, through pcapgo.NgWriter.
type Writer struct {
	out    io.Writer
	ng     *pcapgo.NgWriter // nil before the first packet: the file begins with its interface
	info   pcapgo.NgSectionInfo
	ids    map[writtenInterface]int
	frames uint64
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

// Write writes a packet, if it has a Raw, with the comments that are not empty. A packet that the file has no time
// for gets that of 1970.
func (w *Writer) Write(p *dissect.Packet, comments ...string) error {
	if p.Raw == nil {
		return nil
	}
	raw := p.Raw
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

// interfaceID gives the number of an interface in the file written.
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
