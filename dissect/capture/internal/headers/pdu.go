package headers

import (
	"net/netip"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect/internal/pdu"
)

// linkPDU is that of Wireshark's exported PDUs.
const linkPDU = pdu.LinkType

// exported decodes packets of -w --pdu: the datagrams that are in them.
type exported struct {
	rest     []byte // datagrams of the present packet that were not decoded yet
	src, dst netip.AddrPort
	hasTime  bool

	recent [256]uint64 // numbers of the packets whose datagrams came last, 0: none
	next   int         // place in recent of the next one
}

// exportedPDU decodes a packet of the link type.
func (d *Decoder) exportedPDU(s Span) Outcome {
	container, ok := pdu.Container(s.Data)
	if !ok {
		return d.notUDP("exported PDU")
	}
	h, ok := pdu.Parse(container)
	switch {
	case !ok:
		return d.bad("exported PDU")
	case h.Flags&pdu.Beside != 0:
		return d.notUDP("exported PDU of packet " + strconv.FormatUint(h.Frame, 10))
	case h.Flags&pdu.Recorded != 0:
		return d.notUDP("exported PDU of a recording")
	case h.Flags&pdu.UDP == 0:
		return d.notUDP("exported PDU")
	}
	e := &d.exported
	e.rest, e.hasTime = h.Sections[pdu.Datagrams], h.Flags&pdu.HasTime != 0
	e.src, e.dst = endpoint(h.Sections[pdu.Src], h.SrcPort), endpoint(h.Sections[pdu.Dst], h.DstPort)
	return d.nextExported()
}

// endpoint returns an address with its port, the zero value if there is none.
func endpoint(text []byte, port uint16) netip.AddrPort {
	a, err := netip.ParseAddr(string(text))
	if err != nil {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(a, port)
}

// nextExported decodes the next datagram of an exported PDU. Those before its own are fragments of the same message:
// they come only if they had no packet of their own, since a filter left it out.
func (d *Decoder) nextExported() Outcome {
	e := &d.exported
	for {
		one, rest, ok := pdu.NextDatagram(e.rest)
		if !ok {
			e.rest = nil
			return d.bad("exported PDU")
		}
		e.rest = rest
		if own := len(rest) == 0; !own && (len(one.Bytes) == 0 || e.seen(one.Frame)) {
			continue
		}
		e.recent[e.next] = one.Frame
		e.next = (e.next + 1) % len(e.recent)
		p := d.Packet
		p.UDP, p.Payload, p.Length = true, one.Bytes, max(len(one.Bytes), int(min(one.Length, maxDatagram)))
		p.Src, p.Dst = e.src, e.dst
		if e.hasTime && p.HasTime && len(rest) > 0 {
			p.Time = one.Time
		}
		return Datagram
	}
}

// maxDatagram is the longest UDP payload, in bytes.
const maxDatagram = 65527

// seen reports whether the datagram of a packet came lately.
func (e *exported) seen(frame uint64) bool {
	for _, f := range e.recent {
		if f == frame {
			return true
		}
	}
	return false
}
