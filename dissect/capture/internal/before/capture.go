// Package capture reads captures: bytes of a file or pipe in, packets out, with time, addresses and
// frame number. It reads pcap (both byte orders, micro- and nanoseconds, the modified one of old Linux
// systems) and pcapng, packed with gzip or zstd or not, and finds UDP datagrams below the usual link
// layers, tags, tunnels and IP fragments.
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
// Packets are handed on where they lie in the read buffer, so nothing is copied but IP fragments, and
// once warm nothing is allocated. Memory does not depend on the size of the file: 1 MiB of buffer, as much
// for each packing and the window it was packed with, at most 4 MiB of fragments.
//
// Link layers: Ethernet with 802.1Q, QinQ, MPLS, PPPoE and 802.2 SNAP; PPP, Cisco HDLC, Linux cooked v1 and
// v2, BSD null and loop, raw IP, unencrypted 802.11 with and without radiotap, A-MSDU included. Tunnels,
// up to eight in one another: IP in IP, 6in4, GRE, ERSPAN I to III, VXLAN, Geneve. What is not decoded is
// counted in Stats. Checksums are not looked at: captures on the sending host seldom have right ones.
//
// Formats and headers are read here and not by gopacket, which the tests use as second opinion: its file
// readers give no offsets, hide a cut behind a record header, refuse the modified pcap and miss the drops
// of the system; its layers do not get down to a third of the datagrams that the tests of this package
// build (TestAgainstGopacket lists them), and lose those in PPPoE that the snap length cut. Speed is not the
// reason: a plain packet takes 120 ns there and 50 ns here, file included.
package before

import (
	"io"
	"iter"

	"github.com/q3dissect/q3dissect/dissect"
)

// Options say what a Reader delivers.
type Options struct {
	All  bool // packets that are no UDP datagrams too
	Link bool // fill in Packet.Link

	// Idle, if not nil, is called before every Read of the input, which may block. Not used if NewReader
	// is given an *Input.
	Idle func()
}

// A Reader reads the packets of one capture.
type Reader struct {
	in        *Input
	file      recordReader
	opts      Options
	rec       record
	packet    dissect.Packet
	link      dissect.Link
	d         decoder
	frame     uint64 // packets of the file so far
	udp       uint64 // datagrams delivered so far
	undecoded map[uint16]uint64
	err       error // why it ended
	first     int64 // time of the first record that has one
	hasFirst  bool
}

// A recordReader is a file format. next fills r in; io.EOF is a clean end, all else an *Error.
type recordReader interface{ next(r *record) error }

// NewReader reads the header of a capture. If r is an *Input, it is used as it is: so a caller can look
// what it has before deciding on a reader.
//
// The error is an *Error; with UnknownFormat if r is no capture.
func NewReader(r io.Reader, opts Options) (*Reader, error) {
	in, ok := r.(*Input)
	if !ok {
		var err error
		if in, err = Open(r, opts.Idle); err != nil {
			return nil, err
		}
	}
	c := &Reader{in: in, opts: opts}
	c.d.p = &c.packet
	if opts.Link {
		c.d.link = &c.link
	}
	switch in.format {
	case Pcap, NanoPcap, ModifiedPcap:
		f, err := openPcap(in)
		if err != nil {
			return nil, err
		}
		c.file = f
	case PcapNG:
		c.file = &pcapngFile{in: in, keepText: opts.Link}
	default:
		return nil, unknownFormat(in)
	}
	return c, nil
}

func unknownFormat(in *Input) *Error {
	head, err := in.Peek(SniffLen)
	if err != nil && err != io.EOF {
		return in.brokenOff(err, "nothing can be read")
	}
	e := &Error{Code: UnknownFormat, Message: "no known kind of capture"}
	if len(head) == 0 {
		e.Message = "empty"
	} else if name := foreign(head); name != "" {
		e.Message = name + ", which is not read"
	}
	return e
}

// Next returns the next packet. It is valid until the next call.
//
// io.EOF says that the file ended where it may end, or that it had ended before. Any other error is an
// *Error and says that it broke off.
func (r *Reader) Next() (*dissect.Packet, error) {
	for r.err == nil {
		var v verdict
		if r.d.more() {
			r.reset()
			if v = r.d.nextSubframe(); v != datagram {
				continue // of an aggregate that was delivered or counted as one packet
			}
		} else {
			if r.err = r.file.next(&r.rec); r.err != nil {
				break
			}
			if r.frame++; !r.hasFirst && r.rec.hasTime {
				r.first, r.hasFirst = r.rec.time, true
			}
			v = r.decode()
		}
		if v == datagram {
			r.udp++
		}
		if v == datagram || r.opts.All {
			return &r.packet, nil
		}
	}
	return nil, r.err
}

// decode finds out what is in the present record.
func (r *Reader) decode() verdict {
	r.reset()
	v := r.d.linkLayer(r.rec.linkType, span{r.rec.data, r.rec.wire})
	if v == foreignLink {
		if r.undecoded == nil {
			r.undecoded = make(map[uint16]uint64)
		}
		r.undecoded[r.rec.linkType]++
		r.packet.Note = "unknown link layer"
	}
	if v != datagram {
		r.packet.Length = r.rec.wire
	}
	return v
}

// reset forgets the packet before and takes over what the record says of the present one.
func (r *Reader) reset() {
	r.packet = dissect.Packet{Frame: r.frame, Time: r.rec.time, HasTime: r.rec.hasTime}
	if r.opts.Link {
		r.link = dissect.Link{Interface: r.rec.ifaceName, Comment: r.rec.comment, VLAN: r.link.VLAN[:0]}
		r.packet.Link = &r.link
	}
}

// FirstTime is the time of the file's first packet that has one, of whatever kind, in Unix nanoseconds;
// false while none was read.
func (r *Reader) FirstTime() (nsec int64, ok bool) { return r.first, r.hasFirst }

// Packets iterates over what Next returns, up to and including an error that is not io.EOF.
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
