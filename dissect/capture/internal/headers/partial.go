package headers

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"slices"

	"github.com/gopacket/gopacket/layers"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/reassembly"
)

// noteMissing is the note of a datagram with missing IP fragments.
const noteMissing = "UDP, IP fragments missing"

// A partial is the beginning of a UDP datagram whose IP fragments are not all there.
type partial struct {
	src, dst netip.AddrPort
	payload  []byte
	length   int
	frames   []uint64
	time     int64
	hasTime  bool
}

// KeepPartials makes the decoder keep the beginnings of datagrams whose fragments do not all come, for NextPartial.
func (d *Decoder) KeepPartials() { d.fragments.Forgotten = d.keepPartial }

// End ends the capture: no fragment comes any more.
func (d *Decoder) End() { d.fragments.Forget() }

// keepPartial keeps the beginning of a datagram, if its ports are in it.
func (d *Decoder) keepPartial(b reassembly.IPBeginning) {
	if layers.IPProtocol(b.Proto) != layers.IPProtocolUDP || len(b.Data) < 8 {
		return
	}
	length := int(binary.BigEndian.Uint16(b.Data[4:]))
	if length < 8 {
		return
	}
	p := partial{
		src:     netip.AddrPortFrom(b.Src, binary.BigEndian.Uint16(b.Data)),
		dst:     netip.AddrPortFrom(b.Dst, binary.BigEndian.Uint16(b.Data[2:])),
		payload: bytes.Clone(b.Data[8:min(len(b.Data), length)]), length: length - 8, frames: slices.Clone(b.Frames),
	}
	if p.hasTime = !b.First.IsZero(); p.hasTime {
		p.time = b.First.UnixNano()
	}
	d.partials = append(d.partials, p)
}

// NextPartial fills in the packet with the next datagram that is kept, the one that was given up first. It returns
// false if there is none.
func (d *Decoder) NextPartial() bool {
	if len(d.partials) == 0 {
		return false
	}
	p := d.partials[0]
	d.partials = d.partials[1:]
	if len(d.partials) == 0 {
		d.partials = nil
	}
	*d.Packet = dissect.Packet{
		Frame: p.frames[0], Time: p.time, HasTime: p.hasTime, UDP: true, Partial: true, Src: p.src, Dst: p.dst,
		Payload: p.payload, Length: p.length, Note: noteMissing,
	}
	if len(p.frames) > 1 {
		d.Packet.IPFragments = p.frames
	}
	return true
}
