package rows

import (
	"github.com/q3dissect/q3dissect/dissect"
)

// headColumns are the columns of packets and expert.
type headColumns struct {
	file, frame, demoMessage, time, timeNs, relative *Column
	src, srcPort, dst, dstPort                       *Column
	length, captured, fragments, protocol            *Column
	direction, info, expert                          *Column
	link, iface, vlan, ttl, ipID, comment            *Column
	severity, code, field, bit, message              *Column
}

func (b *builder) head(t *Table) headColumns {
	add := func(name string, typ Type, doc string) *Column {
		c := &Column{Name: name, Type: typ, Doc: doc}
		t.Columns = append(t.Columns, c)
		return c
	}
	h := headColumns{
		file:        add("file", String, "name of the input"),
		frame:       add("frame", Int, "number of the packet in its file, from 1; of the packet that completes the datagram"),
		demoMessage: add("demo_message", Int, "number of the message in its demo file, from 0"),
		time:        add("time", Time, "time of capture, to the microsecond"),
		timeNs:      add("time_ns", Int, "time of capture in nanoseconds since 1970-01-01 00:00 UTC"),
		relative:    add("time_relative", Double, "time since the first packet of the file (s)"),
		src:         add("src", String, "source address"),
		srcPort:     add("src_port", Int, "source port"),
		dst:         add("dst", String, "destination address"),
		dstPort:     add("dst_port", Int, "destination port"),
		length:      add("length", Int, "length of the UDP payload on the wire, of the message in a demo, of any other packet as a whole (bytes)"),
		captured:    add("captured_length", Int, "payload in the capture, where it is less than length (bytes)"),
		fragments:   add("ip_fragments", Int, "frames of the IP fragments, where there were several"),
		protocol:    add("protocol", String, "innermost protocol that is known"),
		direction:   add("direction", String, "by role; absent when undecidable"),
		info:        add("info", String, "what a person wants to know"),
		expert:      add("expert", Int, "number of the rows in the table expert"),
	}
	h.fragments.Form = List
	for _, c := range []*Column{h.file, h.src, h.srcPort, h.dst, h.dstPort, h.protocol, h.direction} {
		c.Narrow = true
	}
	if b.schema.options.Link {
		h.link = add("link", Bool, "facts of the layers below UDP")
		h.link.Form = Group
		h.iface = &Column{Name: "interface", Type: String, Narrow: true, Doc: "capturing interface"}
		h.vlan = &Column{Name: "vlan", Form: List, Type: Int, Narrow: true, Doc: "VLAN identifiers, outermost first"}
		h.ttl = &Column{Name: "ttl", Type: Int, Narrow: true, Doc: "IPv4 time to live or IPv6 hop limit"}
		h.ipID = &Column{Name: "ip_id", Type: Int, Doc: "identification of the IP packet or its fragments"}
		h.comment = &Column{Name: "comment", Type: String, Doc: "comments of the packet in the file"}
		h.link.Columns = []*Column{h.iface, h.vlan, h.ttl, h.ipID, h.comment}
	}
	return h
}

// experts adds the columns of an expert entry.
func (b *builder) experts(t *Table) {
	h := &b.schema.head
	h.severity = &Column{Name: "severity", Type: String, Narrow: true, Doc: "worth knowing, lost or odd, bytes that are wrong"}
	h.code = &Column{Name: "code", Type: String, Narrow: true, Doc: "kind of the entry, see docs/expert.md"}
	h.field = &Column{Name: "field", Type: String, Narrow: true, Doc: "path of the field concerned"}
	h.bit = &Column{Name: "bit_offset", Type: Int, Doc: "place in the message or datagram (bits)"}
	h.message = &Column{Name: "message", Type: String, Doc: "the entry in words"}
	t.Columns = []*Column{h.severity, h.code, h.field, h.bit, h.message}
}

// packet appends the row of packets.
func (s *Shredder) packet(dst []byte, rec *dissect.Record) []byte {
	h := &s.schema.head
	dst = appendUint(dst, uint64(s.schema.packets.ID)+1)
	if rec.File != "" {
		dst = stringCell(dst, h.file, rec.File)
	}
	if rec.Recorded() {
		dst = intCell(dst, h.demoMessage, int64(rec.Number()))
	} else {
		dst = intCell(dst, h.frame, int64(rec.Number()))
	}
	if rec.HasTime {
		dst = intCell(dst, h.time, micros(rec.Time))
		dst = intCell(dst, h.timeNs, rec.Time)
		dst = appendDouble(begin(dst, h.relative), float64(rec.Time-rec.FirstTime)/1e9)
	}
	dst = endpoints(dst, h, rec)
	dst = intCell(dst, h.length, int64(rec.Length))
	if rec.Truncated() {
		dst = intCell(dst, h.captured, int64(len(rec.Payload)))
	}
	if len(rec.IPFragments) > 1 {
		dst = appendUint(begin(dst, h.fragments), uint64(len(rec.IPFragments)))
		for _, frame := range rec.IPFragments {
			dst = appendInt(dst, int64(frame))
		}
	}
	if rec.Protocol != nil {
		dst = stringCell(dst, h.protocol, rec.Protocol.Name)
	}
	if rec.Direction != dissect.Undecidable {
		dst = stringCell(dst, h.direction, rec.Direction.String())
	}
	s.text = s.text[:0]
	if rec.Protocol == nil {
		s.text = append(s.text, rec.Note...)
	} else {
		s.text = rec.Protocol.AppendInfo(s.text, rec)
	}
	dst, _ = appendText(begin(dst, h.info), s.text)
	if len(rec.Experts) > 0 {
		dst = intCell(dst, h.expert, int64(len(rec.Experts)))
	}
	if h.link != nil && rec.Link != nil {
		dst = link(dst, h, rec)
	}
	return append(dst, 0)
}

func endpoints(dst []byte, h *headColumns, rec *dissect.Record) []byte {
	var text [64]byte
	if rec.Src.IsValid() {
		dst = bytesCell(dst, h.src, rec.Src.Addr().AppendTo(text[:0]))
		if rec.UDP {
			dst = intCell(dst, h.srcPort, int64(rec.Src.Port()))
		}
	}
	if rec.Dst.IsValid() {
		dst = bytesCell(dst, h.dst, rec.Dst.Addr().AppendTo(text[:0]))
		if rec.UDP {
			dst = intCell(dst, h.dstPort, int64(rec.Dst.Port()))
		}
	}
	return dst
}

func link(dst []byte, h *headColumns, rec *dissect.Record) []byte {
	dst = begin(dst, h.link)
	l := rec.Link
	if l.Interface != "" {
		dst, _ = appendText(begin(dst, h.iface), []byte(l.Interface))
	}
	if len(l.VLAN) > 0 {
		dst = appendUint(begin(dst, h.vlan), uint64(len(l.VLAN)))
		for _, id := range l.VLAN {
			dst = appendInt(dst, int64(id))
		}
	}
	if rec.Src.IsValid() {
		dst = intCell(dst, h.ttl, int64(l.TTL))
	}
	if l.HasIPID {
		dst = intCell(dst, h.ipID, int64(l.IPID))
	}
	if l.Comment != "" {
		dst, _ = appendText(begin(dst, h.comment), []byte(l.Comment))
	}
	return dst
}

// experts appends the rows of expert.
func (s *Shredder) experts(dst []byte, rec *dissect.Record) []byte {
	h := &s.schema.head
	for i := range rec.Experts {
		e := &rec.Experts[i]
		dst = appendUint(dst, uint64(s.schema.experts.ID)+1)
		dst = appendUint(dst, uint64(i))
		dst = stringCell(dst, h.severity, e.Severity.String())
		dst = stringCell(dst, h.code, e.Code)
		if e.Field != "" {
			dst = stringCell(dst, h.field, e.Field)
		}
		dst = intCell(dst, h.bit, int64(e.BitOffset))
		dst, _ = appendText(begin(dst, h.message), []byte(e.Message))
		dst = append(dst, 0)
	}
	return dst
}

// micros rounds a time down to microseconds.
func micros(nsec int64) int64 {
	us := nsec / 1000
	if nsec%1000 < 0 {
		us--
	}
	return us
}

func begin(dst []byte, c *Column) []byte { return appendUint(dst, uint64(c.ID)+1) }

func intCell(dst []byte, c *Column, v int64) []byte { return appendInt(begin(dst, c), v) }

func stringCell(dst []byte, c *Column, s string) []byte { return appendString(begin(dst, c), s) }

func bytesCell(dst []byte, c *Column, b []byte) []byte {
	return append(appendUint(begin(dst, c), uint64(len(b))), b...)
}
