package rows

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/recordhead"
)

// A headColumn is a column of packets or expert, and where its value comes from.
type headColumn struct {
	*Column
	field *recordhead.Field
}

// headColumns are the columns of packets and expert.
type headColumns struct {
	common, links, members []headColumn // members of expert
	expert, link           *Column
}

// headDocs are the descriptions of columns that have more, or less, than the keys of the same name.
var headDocs = map[string]string{
	"file": "name of the input", "time": "time of capture, to the microsecond",
	"time_epoch": "time of capture in nanoseconds since 1970-01-01 00:00 UTC",
	"protocol":   "innermost protocol that is known", "info": "what a person wants to know",
}

// narrowHeads are the columns with few different values, beside labels and addresses.
var narrowHeads = []string{"file", "src_port", "dst_port", "interface", "vlan", "ttl"}

// headType returns the type of a field's column.
func headType(k recordhead.Kind) Type {
	switch k {
	case recordhead.Integer:
		return Int
	case recordhead.Time:
		return Time
	case recordhead.Seconds, recordhead.Elapsed:
		return Double
	}
	return String
}

// addHead appends the columns of fields to a list. stream is in the head of every row.
func addHead(to *[]*Column, fields []recordhead.Field) (list []headColumn) {
	for i := range fields {
		f := &fields[i]
		if f.Key == "stream" {
			continue
		}
		c := &Column{Name: f.Key, Type: headType(f.Kind), Doc: f.Doc, Narrow: slices.Contains(narrowHeads, f.Key)}
		switch f.Kind {
		case recordhead.Label, recordhead.Address, recordhead.Severity:
			c.Narrow = true
		}
		if f.Unit != "" {
			c.Doc += " (" + f.Unit + ")"
		}
		if doc, ok := headDocs[f.Key]; ok {
			c.Doc = doc
		}
		if f.List {
			c.Form = List
		}
		if f.Key == "time_epoch" {
			c.Name, c.Type = "time_ns", Int
		}
		*to = append(*to, c)
		list = append(list, headColumn{c, f})
	}
	return list
}

func (b *builder) head(t *Table) headColumns {
	h := headColumns{common: addHead(&t.Columns, recordhead.Common)}
	if b.schema.options.CommunityID {
		h.common = append(h.common, addHead(&t.Columns, recordhead.Asked)...)
	}
	h.expert = &Column{Name: "expert", Type: Int, Doc: "number of the rows in the table expert"}
	t.Columns = append(t.Columns, h.expert)
	if b.schema.options.Link {
		h.link = &Column{Name: "link", Type: Bool, Form: Group, Doc: "facts of the layers below UDP"}
		t.Columns = append(t.Columns, h.link)
		h.links = addHead(&h.link.Columns, recordhead.Link)
	}
	return h
}

// experts adds the columns of an expert entry.
func (b *builder) experts(t *Table) { b.schema.head.members = addHead(&t.Columns, recordhead.Expert) }

// packet appends the row of packets.
func (s *Shredder) packet(dst []byte, rec *dissect.Record) []byte {
	h := &s.schema.head
	dst = appendUint(dst, uint64(s.schema.packets.ID)+1)
	dst = s.headCells(dst, h.common, rec, 0)
	if len(rec.Experts) > 0 {
		dst = intCell(dst, h.expert, int64(len(rec.Experts)))
	}
	if h.link != nil && rec.Link != nil {
		dst = s.headCells(begin(dst, h.link), h.links, rec, 0)
	}
	return append(dst, 0)
}

// experts appends the rows of expert.
func (s *Shredder) experts(dst []byte, rec *dissect.Record) []byte {
	for i := range rec.Experts {
		dst = appendUint(dst, uint64(s.schema.experts.ID)+1)
		dst = appendUint(dst, uint64(i))
		dst = append(s.headCells(dst, s.schema.head.members, rec, i), 0)
	}
	return dst
}

// headCells appends the cells of a row that have values.
func (s *Shredder) headCells(dst []byte, columns []headColumn, rec *dissect.Record, i int) []byte {
	for k := range columns {
		c, f := columns[k].Column, columns[k].field
		switch f.Kind {
		case recordhead.Info:
			s.text = rec.AppendInfo(s.text[:0])
			dst, _ = appendText(begin(dst, c), s.text)
			continue
		case recordhead.Address:
			if at, ok := f.Addr(rec); ok {
				s.text = at.Addr().AppendTo(s.text[:0])
				dst = bytesCell(dst, c, s.text)
			}
			continue
		}
		v, ok := f.Get(rec, i)
		if !ok {
			continue
		}
		dst = begin(dst, c)
		switch {
		case f.List:
			dst = appendHeadList(dst, f, rec)
		case f.Kind == recordhead.Label:
			dst = appendString(dst, v.Text)
		case f.Kind == recordhead.Text:
			s.text = append(s.text[:0], v.Text...)
			dst, _ = appendText(dst, s.text)
		case f.Kind == recordhead.Severity:
			dst = appendString(dst, dissect.Severity(v.Int).String())
		case c.Type == Time:
			dst = appendInt(dst, micros(v.Int))
		case c.Type == Double:
			dst = appendDouble(dst, float64(v.Int-rec.FirstTime)/1e9)
		default:
			dst = appendInt(dst, v.Int)
		}
	}
	return dst
}

// appendHeadList appends the numbers of an array, after their count.
func appendHeadList(dst []byte, f *recordhead.Field, rec *dissect.Record) []byte {
	n := 0
	for ok := true; ok; n++ {
		_, ok = f.Get(rec, n+1)
	}
	dst = appendUint(dst, uint64(n))
	for i := range n {
		v, _ := f.Get(rec, i)
		dst = appendInt(dst, v.Int)
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
