package capture

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// FromSource returns a Reader of the packets of src: a pcapgo.Reader or NgReader, a handle of the packages pcap
// or afpacket, a pcapgo.EthernetHandle, or a source of the caller's own. Of a source that is a
// gopacket.ZeroCopyPacketDataSource too, packets are not copied.
//
// linkType is the link layer of all packets but those whose AncillaryData holds a layers.LinkType, as that of an
// NgReader with WantMixedLinkType does. Options.Link finds the names of interfaces if src has the method
// Interface of NgReader. A packet with a zero time stamp has no time.
//
// A source does not know offsets: those of its errors are 0.
func FromSource(src gopacket.PacketDataSource, linkType layers.LinkType, opts Options) *Reader {
	s := &packetSource{
		read: src.ReadPacketData, linkType: linkType, again: opts.Again, idle: opts.Idle,
		named: opts.Link || opts.Raw,
	}
	if z, ok := src.(gopacket.ZeroCopyPacketDataSource); ok {
		s.read = z.ZeroCopyReadPacketData
	}
	if s.again == nil {
		s.again = timedOut
	}
	if _, ok := src.(*pcapgo.Reader); ok {
		s.cut = func(ci gopacket.CaptureInfo) bool { return ci.CaptureLength > 0 }
	}
	s.describer, _ = src.(describer)
	return newReader(s, opts)
}

// A describer is a source that knows its interfaces, as pcapgo.NgReader does.
type describer interface {
	Interface(i int) (pcapgo.NgInterface, error)
}

// A packetSource reads the packets of a gopacket source.
type packetSource struct {
	read      func() ([]byte, gopacket.CaptureInfo, error)
	linkType  layers.LinkType
	describer describer // nil if the source is none
	again     func(error) bool
	cut       func(gopacket.CaptureInfo) bool // reports whether io.EOF came in the middle of a packet; nil if it does not
	idle      func()
	named     bool   // records get the names of their interfaces
	frame     uint64 // packets so far
}

func (s *packetSource) next(r *record) error {
	data, ci, err := s.try()
	for err != nil {
		if err != io.EOF && s.again(err) {
			data, ci, err = s.try()
			continue
		}
		return s.end(ci, err)
	}
	s.frame++
	*r = record{
		data: data, wire: max(len(data), min(ci.Length, math.MaxInt32)), linkType: s.linkType,
		iface: ci.InterfaceIndex,
	}
	r.time, r.hasTime = unixNano(ci.Timestamp)
	for _, a := range ci.AncillaryData {
		if linkType, ok := a.(layers.LinkType); ok {
			r.linkType = linkType
		}
	}
	if s.named && s.describer != nil {
		if i, err := s.describer.Interface(ci.InterfaceIndex); err == nil {
			r.ifaceName = i.Name
		}
	}
	return nil
}

func (s *packetSource) try() ([]byte, gopacket.CaptureInfo, error) {
	if s.idle != nil {
		s.idle()
	}
	return s.read()
}

// end makes of a source's error what a file's would be.
func (s *packetSource) end(ci gopacket.CaptureInfo, err error) error {
	e := &Error{Code: ReadFailed, Message: fmt.Sprintf("after %d packets: %v", s.frame, err), Err: err}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF && s.cut != nil && s.cut(ci):
		e.Code, e.Err = TruncatedFile, io.ErrUnexpectedEOF
		e.Message = fmt.Sprintf("ends inside a packet, after %d packets", s.frame)
	case err == io.EOF:
		return io.EOF
	}
	return e
}

func (s *packetSource) describe(i int) (pcapgo.NgInterface, error) {
	if s.describer != nil {
		return s.describer.Interface(i)
	}
	return pcapgo.NgInterface{LinkType: s.linkType}, nil
}

// timedOut reports whether an error has a method Timeout that returns true, as those of package net do.
func timedOut(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// unixNano is the time in Unix nanoseconds; false for none, and outside of what 64 bits hold.
func unixNano(t time.Time) (int64, bool) {
	const second = 1_000_000_000
	if s := t.Unix(); t.IsZero() || s <= math.MinInt64/second || s >= math.MaxInt64/second {
		return 0, false
	}
	return t.UnixNano(), true
}

// Record returns the packet of the file that the last packet of Next came from, as it was captured, whatever is
// in it; of a datagram in IP fragments, the last of these. The data and the AncillaryData, which is the
// layers.LinkType, are valid until the next packet is read. A time stamp is zero where the file has none.
func (r *Reader) Record() ([]byte, gopacket.CaptureInfo) {
	rec := &r.rec
	if len(r.ancillary) == 0 || r.ancillary[0] != rec.linkType {
		r.ancillary = append(r.ancillary[:0], rec.linkType)
	}
	ci := gopacket.CaptureInfo{
		CaptureLength: len(rec.data), Length: rec.wire, InterfaceIndex: rec.iface, AncillaryData: r.ancillary,
	}
	if rec.hasTime {
		ci.Timestamp = time.Unix(0, rec.time).UTC()
	}
	return rec.data, ci
}

// ZeroCopyReadPacketData reads the next packet of the file for programs on gopacket, as Record describes it: a
// Reader is a gopacket.ZeroCopyPacketDataSource. Nothing in the packet is looked at: call either this or Next. They get
// all whole packets of a file that is cut or damaged, of the formats that gopacket does not read too, with times of any
// resolution, and of several link layers.
//
// An error other than io.EOF is an *Error, reports where the file breaks off, and comes once; then io.EOF follows,
// which programs on gopacket wait for.
func (r *Reader) ZeroCopyReadPacketData() ([]byte, gopacket.CaptureInfo, error) {
	if r.err != nil {
		return nil, gopacket.CaptureInfo{}, io.EOF
	}
	if r.err = r.nextRecord(); r.err != nil {
		return nil, gopacket.CaptureInfo{}, r.err
	}
	data, ci := r.Record()
	return data, ci, nil
}

// ReadPacketData is ZeroCopyReadPacketData for those who keep packets: a Reader is a gopacket.PacketDataSource.
func (r *Reader) ReadPacketData() ([]byte, gopacket.CaptureInfo, error) {
	data, ci, err := r.ZeroCopyReadPacketData()
	ci.AncillaryData = slices.Clone(ci.AncillaryData)
	return slices.Clone(data), ci, err
}

// Decode decodes a packet that was just read from its link layer on: a Reader is the gopacket.Decoder of its own
// packets, which may have several link layers.
//
//	packets := gopacket.NewPacketSource(r, r)
func (r *Reader) Decode(data []byte, p gopacket.PacketBuilder) error {
	return r.rec.linkType.Decode(data, p)
}

// Interface describes an interface by the number that CaptureInfo has, as pcapgo.NgReader does: name, link layer
// and snap length. Numbers of a pcapng file are those of the present section. Other files have one interface.
func (r *Reader) Interface(i int) (pcapgo.NgInterface, error) { return r.file.describe(i) }
