package capture

import (
	"bufio"
	"encoding/binary"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/q3dissect/q3dissect/dissect"
)

// maxComment is the longest comment that is written, in bytes. The option takes 65,535.
const maxComment = 65_000

// A Writer writes packets to a pcapng file, whose sections and interfaces pcapgo.NgWriter writes: those that were read
// with Options.Raw with their original bytes, times and interfaces.
//
// Only simple packet blocks have no time. They belong to the first interface of their section, whose snap length shows
// how much of the packet they hold, and have no comments: packets without a time are written in sections of their own.
type Writer struct {
	out    *bufio.Writer    // ng writes to it as well
	ng     *pcapgo.NgWriter // nil before the first packet of a section: it begins with its interface
	simple *simpleSection   // of the present section; nil: its packets have times
	info   pcapgo.NgSectionInfo
	ids    map[writtenInterface]int
	frames uint64

	made  dissect.RawPacket // a datagram that got new headers
	block []byte            // of a packet that is not written yet: Note can add to it; empty: there is none
	bare  int               // its length without options
	notes []string          // about packets without a time
}

// A writtenInterface is what the interface block of a packet depends on.
type writtenInterface struct {
	number   int
	linkType uint16
	name     string
}

// A simpleSection is what the packets of a section have in common if they have no time.
type simpleSection struct {
	linkType uint16
	name     string
	snapLen  uint32 // 0: no limit
}

// holds reports whether the section can have a packet.
func (s *simpleSection) holds(raw *dissect.RawPacket) bool {
	if s == nil || s.linkType != raw.LinkType || s.name != raw.InterfaceName {
		return false
	}
	if len(raw.Data) < raw.Length {
		return int(s.snapLen) == len(raw.Data)
	}
	return s.snapLen == 0 || len(raw.Data) <= int(s.snapLen)
}

// NewWriter begins a file. application is the program's name and version. Nothing is written before the first
// packet, or Close.
func NewWriter(out io.Writer, application string) *Writer {
	return &Writer{
		out: bufio.NewWriter(out), info: pcapgo.NgSectionInfo{Application: application},
		ids: make(map[writtenInterface]int),
	}
}

// Write writes a packet with the comments that are not empty. A UDP datagram without Raw gets new headers, IP and UDP,
// from its addresses; any other packet without is not written. A packet without a time gets none, and no comments.
func (w *Writer) Write(p *dissect.Packet, comments ...string) error {
	raw := p.Raw
	if raw == nil {
		if raw = w.encapsulate(p); raw == nil {
			return nil
		}
	}
	if !p.HasTime {
		return w.writeSimple(raw)
	}
	if w.simple != nil {
		w.endSection()
	}
	id, err := w.interfaceID(writtenInterface{raw.Interface, raw.LinkType, raw.InterfaceName})
	if err != nil {
		return err
	}
	w.frames++
	return w.writeEnhanced(id, p.Time, raw, comments)
}

// Note adds a comment about the file as a whole, and reports whether it could: not without a packet. It is the last
// packet's, which programs show, or that of the interface's statistics where the packets have no time.
func (w *Writer) Note(comment string) bool {
	switch {
	case w.frames == 0 || comment == "":
		return false
	case len(w.block) == 0:
		w.notes = append(w.notes, comment)
		return true
	}
	options := len(w.block) - 4 // without the length at the end
	if options > w.bare {
		options -= 4 // and without the end of the options
	}
	w.complete(appendComment(w.block[:options], comment))
	return true
}

// flush writes the block of the last packet.
func (w *Writer) flush() error {
	_, err := w.out.Write(w.block)
	w.block = w.block[:0]
	return err
}

// complete ends a block with its options and its length.
func (w *Writer) complete(b []byte) {
	if len(b) > w.bare {
		b = append(b, 0, 0, 0, 0) // the end of the options
	}
	total := uint32(len(b) + 4)
	binary.LittleEndian.PutUint32(b[4:], total)
	w.block = binary.LittleEndian.AppendUint32(b, total)
}

// writeEnhanced writes an enhanced packet block, section 4.3 of the format: the library's method makes five objects for
// each packet with a comment.
func (w *Writer) writeEnhanced(id int, nanoseconds int64, raw *dissect.RawPacket, comments []string) error {
	if err := w.flush(); err != nil {
		return err
	}
	b := w.block[:0]
	b = binary.LittleEndian.AppendUint32(b, blockEnhanced)
	b = binary.LittleEndian.AppendUint32(b, 0) // the length, when it is known
	b = binary.LittleEndian.AppendUint32(b, uint32(id))
	b = binary.LittleEndian.AppendUint32(b, uint32(nanoseconds>>32))
	b = binary.LittleEndian.AppendUint32(b, uint32(nanoseconds))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(raw.Data)))
	b = binary.LittleEndian.AppendUint32(b, uint32(max(raw.Length, len(raw.Data))))
	b = appendPadded(b, raw.Data)
	w.bare = len(b)
	b = appendComment(b, raw.Comment)
	for _, c := range comments {
		b = appendComment(b, c)
	}
	w.complete(b)
	return nil
}

// appendComment appends the option of a comment that is not empty.
func appendComment(b []byte, comment string) []byte {
	if comment == "" {
		return b
	}
	comment = shortened(comment)
	b = binary.LittleEndian.AppendUint16(b, optComment)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(comment)))
	return appendPadded(b, comment)
}

// appendPadded appends data up to a whole number of 32 bits.
func appendPadded[T []byte | string](b []byte, data T) []byte {
	b = append(b, data...)
	return append(b, make([]byte, -len(data)&3)...)
}

// writeSimple writes a simple packet block, which the library cannot: section 4.4 of the format.
func (w *Writer) writeSimple(raw *dissect.RawPacket) error {
	if err := w.flush(); err != nil {
		return err
	}
	if !w.simple.holds(raw) {
		w.endSection()
		w.simple = &simpleSection{linkType: raw.LinkType, name: raw.InterfaceName}
		if len(raw.Data) < raw.Length {
			w.simple.snapLen = uint32(len(raw.Data))
		}
		if _, err := w.interfaceID(writtenInterface{0, raw.LinkType, raw.InterfaceName}); err != nil {
			return err
		}
	}
	padding := -len(raw.Data) & 3
	total := uint32(blockFrameLen + simpleBodyLen + len(raw.Data) + padding)
	var head [blockHeadLen + simpleBodyLen]byte
	binary.LittleEndian.PutUint32(head[:], blockSimple)
	binary.LittleEndian.PutUint32(head[4:], total)
	binary.LittleEndian.PutUint32(head[8:], uint32(max(raw.Length, len(raw.Data))))
	var end [3 + 4]byte
	binary.LittleEndian.PutUint32(end[padding:], total)
	w.frames++
	for _, b := range [...][]byte{head[:], raw.Data, end[:padding+4]} {
		if _, err := w.out.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// endSection makes the next packet begin a section.
func (w *Writer) endSection() {
	w.ng, w.simple = nil, nil
	clear(w.ids)
}

// encapsulate returns a datagram in new headers, nil if it has no addresses. It is valid until the next one.
func (w *Writer) encapsulate(p *dissect.Packet) *dissect.RawPacket {
	if !p.UDP || !p.Src.IsValid() || !p.Dst.IsValid() || len(p.Payload) > maxUDPPayload {
		return nil
	}
	data := append(appendHeaders(w.made.Data[:0], p), p.Payload...)
	w.made = dissect.RawPacket{Data: data, Length: len(data), LinkType: uint16(layers.LinkTypeRaw)}
	return &w.made
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
	if err := w.flush(); err != nil {
		return err
	}
	if len(w.notes) > 0 {
		b := binary.LittleEndian.AppendUint32(w.block, blockStatistics)
		b = append(b, make([]byte, 4+4+8)...) // the length, when it is known; the first interface; no time
		w.bare = len(b)
		for _, note := range w.notes {
			b = appendComment(b, note)
		}
		w.complete(b)
		if err := w.flush(); err != nil {
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
	if err := w.flush(); err != nil {
		return 0, err
	}
	intf := pcapgo.NgInterface{Name: i.name, LinkType: layers.LinkType(i.linkType), TimestampResolution: 9}
	if w.simple != nil {
		intf.SnapLength = w.simple.snapLen
	}
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
