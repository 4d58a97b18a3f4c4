package tshark

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// PDMLHead returns what precedes the packets of PDML.
func (w *Writer) PDMLHead() []byte {
	dst := append([]byte(xmlHead), `<pdml version="0" creator="`...)
	dst = append(appendXML(dst, []byte(w.Creator)), `" capture_file="`...)
	return append(appendXML(dst, []byte(wiretext.Visible(w.File))), "\">\n"...)
}

// PDMLEnd follows the packets of PDML.
const PDMLEnd = "</pdml>\n"

// A pdmlField is an element of PDML: a proto at the top, a field inside.
type pdmlField struct {
	name, label, show, value string
	pos, size                int // in bytes of the message or datagram
	read                     bool
}

// AppendPDML appends a packet with all its fields. Positions count bytes from the start of the message or datagram that
// a field was read from, as -V has them; a field that lies in parts of bytes covers the whole bytes.
func (w *Writer) AppendPDML(dst []byte, rec *dissect.Record) []byte {
	if rec.Closing {
		return dst
	}
	x := pdml{dst: append(dst, "<packet>\n"...)}
	x.general(rec)
	x.headers(rec)
	x.tree(rec)
	x.experts(rec)
	return append(x.dst, "</packet>\n\n"...)
}

type pdml struct{ dst []byte }

// general appends the proto that every packet of PDML begins with.
func (x *pdml) general(rec *dissect.Record) {
	length, captured := rec.Length, len(rec.Payload)
	if rec.Raw != nil {
		length, captured = rec.Raw.Length, len(rec.Raw.Data)
	}
	x.open("proto", 1, pdmlField{name: "geninfo", label: "General information", size: captured, read: true})
	number := func(name, label string, n uint64) {
		x.leaf(2, pdmlField{
			name: name, label: label, size: captured, read: true,
			show: strconv.FormatUint(n, 10), value: strconv.FormatUint(n, 16),
		})
	}
	number("num", "Number", rec.Number())
	number("len", "Frame Length", uint64(length))
	number("caplen", "Captured Length", uint64(captured))
	if rec.HasTime {
		x.leaf(2, pdmlField{
			name: "timestamp", label: "Captured Time", size: captured, read: true,
			show:  time.Unix(0, rec.Time).UTC().Format("Jan _2, 2006 15:04:05.000000000 UTC"),
			value: fmt.Sprintf("%d.%09d", rec.Time/1e9, rec.Time%1e9),
		})
	}
	x.close("proto", 1)
}

// headers appends addresses and ports.
func (x *pdml) headers(rec *dissect.Record) {
	if !rec.Src.IsValid() {
		return
	}
	ip, version := "ip", 4
	if rec.Src.Addr().Is6() {
		ip, version = "ipv6", 6
	}
	src, dst := rec.Src.Addr().String(), rec.Dst.Addr().String()
	x.open("proto", 1, pdmlField{
		name: ip, label: fmt.Sprintf("Internet Protocol Version %d, Src: %s, Dst: %s", version, src, dst),
	})
	x.leaf(2, pdmlField{name: ip + ".src", label: "Source Address: " + src, show: src})
	x.leaf(2, pdmlField{name: ip + ".dst", label: "Destination Address: " + dst, show: dst})
	x.close("proto", 1)
	if !rec.UDP {
		return
	}
	src, dst = strconv.Itoa(int(rec.Src.Port())), strconv.Itoa(int(rec.Dst.Port()))
	x.open("proto", 1, pdmlField{
		name: "udp", label: fmt.Sprintf("User Datagram Protocol, Src Port: %s, Dst Port: %s", src, dst),
	})
	x.leaf(2, pdmlField{name: "udp.srcport", label: "Source Port: " + src, show: src})
	x.leaf(2, pdmlField{name: "udp.dstport", label: "Destination Port: " + dst, show: dst})
	x.close("proto", 1)
}

// tree appends the fields of the protocols.
func (x *pdml) tree(rec *dissect.Record) {
	var open []string // elements, outermost first
	cells := render.FieldCells(rec)
	for i := range cells {
		c := &cells[i]
		for len(open) > c.Depth {
			x.close(open[len(open)-1], len(open))
			open = open[:len(open)-1]
		}
		f := pdmlField{name: c.Name, label: c.Label, show: c.Value}
		if c.Field.Kind == dissect.Text || c.Key {
			f.show = wiretext.Visible(string(c.Text)) // without quotes
		}
		if c.Value != "" {
			f.label += ": " + c.Value
		}
		if c.Bits > 0 {
			f.read, f.pos = true, int(c.Bit/8)
			f.size = int((uint64(c.Bit)+uint64(c.Bits)+7)/8) - f.pos
		}
		element := "field"
		if c.Depth == 0 {
			element = "proto"
		}
		if i+1 < len(cells) && cells[i+1].Depth > c.Depth || c.Depth == 0 {
			x.open(element, c.Depth+1, f)
			open = append(open, element)
		} else {
			x.leaf(c.Depth+1, f)
		}
	}
	for len(open) > 0 {
		x.close(open[len(open)-1], len(open))
		open = open[:len(open)-1]
	}
}

// experts appends the expert entries.
func (x *pdml) experts(rec *dissect.Record) {
	for i := range rec.Experts {
		e := &rec.Experts[i]
		x.open("proto", 1, pdmlField{name: "_ws.expert", label: "Expert Info (" + e.Severity.String() + "): " + e.Message})
		x.leaf(2, pdmlField{name: "_ws.expert.message", label: "Message: " + e.Message, show: e.Message})
		severity := e.Severity.String()
		x.leaf(2, pdmlField{name: "_ws.expert.severity", label: "Severity: " + severity, show: severity})
		x.leaf(2, pdmlField{name: "_ws.expert.group", label: "Code: " + e.Code, show: e.Code})
		x.close("proto", 1)
	}
}

func (x *pdml) leaf(depth int, f pdmlField) { x.element("field", depth, f, "/>\n") }

func (x *pdml) open(element string, depth int, f pdmlField) { x.element(element, depth, f, ">\n") }

func (x *pdml) close(element string, depth int) {
	x.indent(depth)
	x.dst = append(append(append(x.dst, "</"...), element...), ">\n"...)
}

func (x *pdml) indent(depth int) { x.dst = append(x.dst, bytes.Repeat([]byte("  "), depth)...) }

func (x *pdml) element(element string, depth int, f pdmlField, end string) {
	x.indent(depth)
	x.dst = append(append(x.dst, '<'), element...)
	x.attribute("name", f.name)
	x.attribute("showname", f.label)
	if f.read {
		x.attribute("size", strconv.Itoa(f.size))
		x.attribute("pos", strconv.Itoa(f.pos))
	}
	if f.show != "" {
		x.attribute("show", f.show)
	}
	if f.value != "" {
		x.attribute("value", f.value)
	}
	x.dst = append(x.dst, end...)
}

func (x *pdml) attribute(name, value string) {
	x.dst = append(append(append(x.dst, ' '), name...), `="`...)
	x.dst = append(appendXML(x.dst, []byte(value)), '"')
}
