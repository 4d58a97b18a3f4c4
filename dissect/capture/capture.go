// Package capture reads captures: bytes of a file or pipe in, packets out, with time, addresses and frame number. It
// reads pcap (both byte orders, micro- and nanoseconds, and the modified format of old Linux systems), pcapng, Solaris'
// snoop files and hex dumps, optionally compressed with gzip, zstd or xz, and finds UDP datagrams inside the usual link
// layers, tags, tunnels and IP fragments. A hex dump without headers is taken as the payload of a datagram whose
// addresses are not known.
//
//	r, err := capture.NewReader(os.Stdin, capture.Options{})
//	if err != nil {
//		return err // a *capture.Error
//	}
//	for p, err := range r.Packets() {
//		if err != nil {
//			return err // a *capture.Error: the file breaks off here
//		}
//		engine.Packet(p) // valid until the next one
//	}
//
// FromSource reads packets from any other source that Go programs use: a handle of libpcap,
// AF_PACKET, a pcapgo.Reader. A Reader is also such a source itself, for programs that use
// gopacket.
//
// In steady state nothing is allocated per packet. Memory does not depend on the size of the file:
// 1 MiB of buffer, the same again and the window for each layer of compression, the largest packet,
// and at most 4 MiB of fragments.
//
// Link layers: Ethernet with 802.1Q, QinQ, MPLS, PPPoE and 802.2 SNAP; PPP, Cisco HDLC, Linux cooked v1 and v2, BSD
// null and loop, raw IP, ARCNET, unencrypted 802.11 with and without radiotap, Prism, AVS or PPI, A-MSDU included;
// NFLOG, PKTAP, exported PDUs. Tunnels, nested up to eight deep: IP in IP, 6in4, GRE, EoIP, ERSPAN I to III, VXLAN,
// VXLAN-GPE, Geneve,
// TZSP, L2TPv2 and v3, GTP-U, CAPWAP. Of an ICMP error Packet.Quote has the datagram that it quotes. Packets that are
// not decoded are counted in Stats.
// Checksums are not verified: captures made on the sending host seldom have valid ones.
//
// Blocks of pcapng files are read by gopacket's pcapgo, after this package has checked each; headers
// are read by gopacket's layers, driven by a switch of our own. This package does what these lack
// or get wrong; docs/gopacket.md lists it.
package capture

import (
	"io"
	"iter"

	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture/internal/headers"
)

// Options set what a Reader delivers.
type Options struct {
	All bool // also deliver packets that are not UDP datagrams
	// Partial also delivers the beginnings of datagrams whose IP fragments are not all in the capture
	// (Packet.Partial), as soon as they are given up: 30 seconds of capture time after the first fragment (IPv6: 60),
	// or at the end.
	Partial bool
	Link    bool // fill in Packet.Link
	Raw     bool // fill in Packet.Raw
	NoText  bool // a text is no capture, even if it has hex dumps: for files that nobody named

	// Idle, if not nil, is called before every Read of the input, or before every packet of a source: either
	// may block. Ignored when NewReader is given an *Input.
	Idle func()

	// Again reports whether an error of a source means that no packet has arrived yet and the
	// source should be read again. If nil, the error's method Timeout decides;
	// pcap.NextErrorTimeoutExpired and afpacket.ErrTimeout have none. It is not used for files.
	Again func(error) bool
}

// A Reader reads the packets of one capture. It is also a source of packets for programs that use
// gopacket.
type Reader struct {
	in        *Input
	file      recordReader
	opts      Options
	rec       record
	packet    dissect.Packet
	link      dissect.Link
	raw       dissect.RawPacket
	d         headers.Decoder
	frame     uint64 // packets of the file so far
	udp       uint64 // datagrams delivered so far
	partial   uint64 // beginnings of others
	undecoded map[layers.LinkType]uint64
	ancillary []any // of the last packet's gopacket.CaptureInfo
	err       error // why reading ended
	first     int64 // time of the first record that has one
	hasFirst  bool
}

// A recordReader is a file format. next fills in r; io.EOF is a clean end, anything else an *Error. describe describes
// an interface by its number.
type recordReader interface {
	next(r *record) error
	describe(i int) (pcapgo.NgInterface, error)
}

// NewReader reads the header of a capture. If input is an *Input, it is used directly, so a caller
// can look at its format before deciding on a reader.
//
// The error is an *Error; with UnknownFormat if input is not a capture.
func NewReader(input io.Reader, opts Options) (*Reader, error) {
	in, ok := input.(*Input)
	if !ok {
		var err error
		if in, err = Open(input, opts.Idle); err != nil {
			return nil, err
		}
	}
	var file recordReader
	switch in.format {
	case Pcap, NanoPcap, ModifiedPcap:
		f, err := openPcap(in)
		if err != nil {
			return nil, err
		}
		file = f
	case Snoop:
		f, err := openSnoop(in)
		if err != nil {
			return nil, err
		}
		file = f
	case PcapNG:
		file = &pcapngFile{in: in, keepText: opts.Link || opts.Raw}
	default:
		f, ok := openHex(in)
		if !ok || opts.NoText {
			return nil, unknownFormat(in)
		}
		file = f
	}
	r := newReader(file, opts)
	r.in = in
	return r, nil
}

func newReader(file recordReader, opts Options) *Reader {
	r := &Reader{file: file, opts: opts}
	r.d.Packet = &r.packet
	if opts.Link {
		r.d.Link = &r.link
	}
	if opts.Partial {
		r.d.KeepPartials()
	}
	return r
}

func unknownFormat(in *Input) *Error {
	head, err := in.Peek(sniffArchive)
	if err != nil && err != io.EOF && len(head) < SniffLen {
		return in.brokenOff(err, "nothing can be read")
	}
	e := &Error{Code: UnknownFormat, Message: "no known kind of capture"}
	if len(head) == 0 {
		e.Message = "empty"
	} else if name := archive(head); name != "" {
		e.Message = name + ", which is not read: unpack it, and name the files in it or, with -R, its folder"
	} else if name := foreign(head); name != "" {
		e.Message = name + ", which is not read"
	}
	return e
}

// Next returns the next packet. It is valid until the next call.
//
// io.EOF means that the file ended cleanly, or had already ended. Any other error is an *Error and
// reports where the file breaks off.
func (r *Reader) Next() (*dissect.Packet, error) {
	for {
		if r.opts.Partial && r.d.NextPartial() {
			r.partial++
			return &r.packet, nil
		}
		if r.err != nil {
			return nil, r.err
		}
		var v headers.Outcome
		if r.d.More() {
			r.reset()
			if v = r.d.NextSubframe(); v != headers.Datagram {
				continue // of an aggregate that was delivered or counted as one packet
			}
		} else {
			if r.err = r.nextRecord(); r.err != nil {
				r.d.End()
				continue
			}
			v = r.decode()
		}
		if v == headers.Datagram {
			r.udp++
		}
		if v == headers.Datagram || r.opts.All {
			return &r.packet, nil
		}
	}
}

// nextRecord reads the next packet of the file.
func (r *Reader) nextRecord() error {
	if err := r.file.next(&r.rec); err != nil {
		return err
	}
	if r.frame++; !r.hasFirst && r.rec.hasTime {
		r.first, r.hasFirst = r.rec.time, true
	}
	return nil
}

// decode decodes the current record.
func (r *Reader) decode() headers.Outcome {
	r.reset()
	if r.rec.bare {
		return r.d.Payload(headers.Span{Data: r.rec.data, Wire: r.rec.wire})
	}
	v := r.d.LinkLayer(r.rec.linkType, headers.Span{Data: r.rec.data, Wire: r.rec.wire})
	if v == headers.ForeignLink {
		if r.undecoded == nil {
			r.undecoded = make(map[layers.LinkType]uint64)
		}
		r.undecoded[r.rec.linkType]++
		r.packet.Note = "unknown link layer"
	}
	if v != headers.Datagram {
		r.packet.Length = r.rec.wire
	}
	return v
}

// reset clears the previous packet and fills in the record's values of the current one.
func (r *Reader) reset() {
	r.packet = dissect.Packet{Frame: r.frame, Time: r.rec.time, HasTime: r.rec.hasTime}
	if r.opts.Link {
		r.link = dissect.Link{Interface: r.rec.ifaceName, Comment: r.rec.comment, VLAN: r.link.VLAN[:0]}
		r.packet.Link = &r.link
	}
	if r.opts.Raw && !r.rec.bare {
		r.raw = dissect.RawPacket{
			Data: r.rec.data, Length: r.rec.wire, LinkType: uint16(r.rec.linkType),
			Interface: r.rec.iface, InterfaceName: r.rec.ifaceName, Comment: r.rec.comment,
		}
		r.packet.Raw = &r.raw
	}
}

// FirstTime returns the time of the file's first packet of any kind that has one, in Unix
// nanoseconds; false if none was read yet.
func (r *Reader) FirstTime() (nsec int64, ok bool) { return r.first, r.hasFirst }

// Packets iterates over the results of Next, up to and including an error that is not io.EOF.
func (r *Reader) Packets() iter.Seq2[*dissect.Packet, error] {
	return func(yield func(*dissect.Packet, error) bool) {
		for {
			p, err := r.Next()
			if err == io.EOF || !yield(p, err) || err != nil {
				return
			}
		}
	}
}
