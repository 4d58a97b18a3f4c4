package capture

import (
	"strings"

	"github.com/q3dissect/q3dissect/dissect/capture/internal/headers"
)

// Stats describes the file as far as it was read.
type Stats struct {
	Format  string // "pcapng, gzip": the capture's format, then the packings from the innermost; of a source ""
	Packets uint64 // of the file
	UDP     uint64 // datagrams delivered

	// Dropped is the number of packets that the capturing side lost, as the file states: its interface
	// statistics, or else the drop counts at its packets. Without DroppedKnown the file has no such counts.
	Dropped      uint64
	DroppedKnown bool

	Comments     []Comment // the first ones; the texts are bounded in number and size
	CommentCount uint64    // all

	// Undecoded counts, by the name of their link layer ("USB_LINUX", "LINKTYPE 300"), the packets of
	// link layers that are not known here. Nil if there are none.
	Undecoded map[string]uint64

	// OddTimes counts packets of a pcap file whose time stamp has a second or more after the seconds: 1,000,000
	// microseconds, or 10^9 nanoseconds. They are added to the seconds.
	OddTimes uint64

	// Incomplete counts datagrams that lack IP fragments. It includes those that may yet come.
	Incomplete uint64
	Partial    uint64 // of these, the beginnings that were delivered, with Options.Partial

	// WrongLength counts datagrams whose UDP header has a length that cannot be: less than the header's, or more than
	// the IP packet has. The latter are delivered with what the packet has, and a note.
	WrongLength uint64
}

// A Comment is a comment in a pcapng file.
type Comment struct {
	Frame uint64 // number of the packet, 0 where it is about the file or an interface
	Text  string
}

// Limits of the comments that are kept.
const (
	maxComments     = 1000
	maxCommentBytes = 1 << 20
)

type commentList struct {
	list  []Comment
	count uint64
	bytes int
}

func (l *commentList) add(frame uint64, value []byte) {
	l.count++
	if len(l.list) < maxComments && l.bytes+len(value) <= maxCommentBytes {
		l.list = append(l.list, Comment{Frame: frame, Text: text(value)})
		l.bytes += len(value)
	}
}

// Stats describes the file as far as it was read. The result is the caller's.
func (r *Reader) Stats() Stats {
	s := Stats{
		Format:     formatName(r.in),
		Packets:    r.frame,
		UDP:        r.udp,
		Incomplete: r.d.Incomplete(), Partial: r.partial, WrongLength: r.d.Wrong,
	}
	if f, ok := r.file.(*pcapngFile); ok {
		d := f.allDrops()
		s.Dropped, s.DroppedKnown = d.n, d.known
		s.Comments = append(s.Comments, f.comments.list...)
		s.CommentCount = f.comments.count
	}
	if f, ok := r.file.(*pcapFile); ok {
		s.OddTimes = f.odd
	}
	for linkType, n := range r.undecoded {
		if s.Undecoded == nil {
			s.Undecoded = make(map[string]uint64)
		}
		s.Undecoded[headers.LinkTypeName(linkType)] += n
	}
	return s
}

// HexDump is the Format of a text with hex dumps, as text2pcap reads them.
const HexDump = "hex dump"

func formatName(in *Input) string {
	if in == nil {
		return ""
	}
	names := []string{in.format.String()}
	if in.format == Unknown {
		names[0] = HexDump // the only kind of text that is read
	}
	for i := len(in.packings) - 1; i >= 0; i-- {
		names = append(names, in.packings[i].String())
	}
	return strings.Join(names, ", ")
}
