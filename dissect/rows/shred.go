package rows

import (
	"math"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/cacheline"
)

// A Shredder appends the rows of records. It is for one goroutine.
type Shredder struct {
	schema  *Schema
	tree    *dissect.Tree
	at      []uint64  // numbers in the lists around the row
	pending []pending // what goes into rows after the one that is being written
	text    []byte

	_ cacheline.Distance // each worker has a Shredder
}

// pending is a node that becomes rows, with its plan.
type pending struct {
	plan *layout
	node int
}

// NewShredder returns a Shredder for the tables.
func (s *Schema) NewShredder() *Shredder { return &Shredder{schema: s} }

// Append appends the rows of a record and its events. After the first records it allocates nothing but what dst
// and the texts of events need.
func (s *Shredder) Append(dst []byte, rec *dissect.Record) []byte {
	if !rec.Closing { // no packet, only events
		dst = s.AppendPacket(dst, rec)
	}
	return s.AppendEvents(dst, rec)
}

// AppendEvents appends the rows of a record's events alone, as of one that an engine kept.
func (s *Shredder) AppendEvents(dst []byte, rec *dissect.Record) []byte {
	if s.schema.events == nil || len(rec.Events.Nodes) == 0 {
		return dst
	}
	return s.events(appendHead(dst, rec), rec)
}

// AppendPacket appends the rows of a record without its events.
func (s *Shredder) AppendPacket(dst []byte, rec *dissect.Record) []byte {
	dst = s.packet(appendHead(dst, rec), rec)
	dst = s.experts(dst, rec)
	s.tree, s.at, s.pending = rec.Tree, s.at[:0], s.pending[:0]
	nodes := rec.Tree.Nodes
	for i := 0; i < len(nodes); i = int(nodes[i].End) {
		if p := s.schema.roots[nodes[i].Field]; p != nil {
			dst = s.row(dst, p, i)
		}
	}
	return dst
}

func appendHead(dst []byte, rec *dissect.Record) []byte {
	h := Head{Packet: int64(rec.Number()), Stream: -1, HasTime: rec.HasTime, Time: rec.Time}
	if rec.Stream >= 0 && !rec.Recorded() {
		h.Stream = int64(rec.Stream)
	}
	return h.Append(dst)
}

// ClosingEvents is the number of the first event that the end of an input brings, such as match_end, in column
// event_at. No packet has so many events of its own.
const ClosingEvents = 1 << 16

// events appends the rows of the record's events.
func (s *Shredder) events(dst []byte, rec *dissect.Record) []byte {
	nodes := rec.Events.Nodes
	source := rec.EventSource()
	if source == nil {
		return dst
	}
	t := s.schema.events
	last := t.Columns[len(t.Columns)-3:]
	server, protocol, info := last[0], last[1], last[2]
	s.tree = &rec.Events
	n := uint64(0)
	if rec.Closing { // it names the last packet of its stream, whose own events have the first numbers
		n = ClosingEvents
	}
	for i := 0; i < len(nodes); i, n = int(nodes[i].End), n+1 {
		s.at = append(s.at[:0], n)
		p := s.schema.event[nodes[i].Field]
		if p == nil {
			continue
		}
		from := len(s.pending)
		dst = s.beginRow(dst, t)
		dst = s.members(dst, p, i)
		if at, ok := rec.Server(); ok {
			var text [64]byte
			dst = bytesCell(dst, server, at.AppendTo(text[:0]))
		}
		dst = stringCell(dst, protocol, rec.Protocol.Name)
		s.text = source.AppendEvent(s.text[:0], s.tree, i)
		dst, _ = appendText(begin(dst, info), s.text)
		dst = s.below(append(dst, 0), from)
	}
	return dst
}

// beginRow appends the beginning of a row.
func (s *Shredder) beginRow(dst []byte, t *Table) []byte {
	dst = appendUint(dst, uint64(t.ID)+1)
	for _, n := range s.at {
		dst = appendUint(dst, n)
	}
	return dst
}

// row appends an object as a row, and the rows below it.
func (s *Shredder) row(dst []byte, p *layout, node int) []byte {
	from := len(s.pending)
	dst = s.beginRow(dst, p.table)
	dst = s.members(dst, p, node)
	return s.below(append(dst, 0), from)
}

// below appends the rows that were left for later since from.
func (s *Shredder) below(dst []byte, from int) []byte {
	for i := from; i < len(s.pending); i++ {
		switch later := s.pending[i]; later.plan.do {
		case asRow:
			dst = s.row(dst, later.plan, later.node)
		default:
			dst = s.elements(dst, later.plan, later.node)
		}
	}
	s.pending = s.pending[:from]
	return dst
}

// elements appends a row for every element of a List or Choices.
func (s *Shredder) elements(dst []byte, p *layout, node int) []byte {
	s.at = append(s.at, 0)
	last := len(s.at) - 1
	nodes := s.tree.Nodes
	for i, end := node+1, int(nodes[node].End); i < end; i = int(nodes[i].End) {
		row := p
		if p.do == asChoice {
			row = p.inner[nodes[i].Field]
		}
		if row != nil {
			dst = s.row(dst, row, i)
		}
		s.at[last]++
	}
	s.at = s.at[:last]
	return dst
}

// members appends the cells of an object's members.
func (s *Shredder) members(dst []byte, p *layout, node int) []byte {
	nodes := s.tree.Nodes
	for i, end := node+1, int(nodes[node].End); i < end; i = int(nodes[i].End) {
		if inner := p.inner[nodes[i].Field]; inner != nil {
			dst = s.member(dst, inner, i)
		}
	}
	return dst
}

func (s *Shredder) member(dst []byte, p *layout, i int) []byte {
	n := &s.tree.Nodes[i]
	switch p.do {
	case asValue:
		return s.value(dst, p, n)
	case asList:
		return s.list(dst, p, i)
	case asSparse:
		dst = appendUint(begin(dst, p.column), uint64(s.tree.Len(i)))
		for c := i + 1; c < int(n.End); c = int(s.tree.Nodes[c].End) {
			dst = appendInt(dst, int64(s.tree.Nodes[c].Index))
			dst = s.number(dst, p.column.Type, &s.tree.Nodes[c])
		}
	case asInfo:
		var exact bool
		dst, exact = s.info(begin(dst, p.column), s.tree.Bytes(n))
		if !exact {
			dst = appendHex(begin(dst, p.raw), s.tree.Bytes(n))
		}
	case asGroup:
		return s.members(begin(dst, p.column), p, i)
	case asEmpty:
		dst = append(begin(dst, p.column), 1)
	case asRow:
		s.pending = append(s.pending, pending{p, i})
	case asRows, asChoice:
		dst = intCell(dst, p.column, int64(s.tree.Len(i)))
		s.pending = append(s.pending, pending{p, i})
	}
	return dst
}

// value appends a leaf and its siblings.
func (s *Shredder) value(dst []byte, p *layout, n *dissect.Node) []byte {
	dst, exact := s.scalar(begin(dst, p.column), p.column.Type, n)
	if !exact {
		dst = appendHex(begin(dst, p.raw), s.tree.Bytes(n))
	}
	e := n.Field.Enum
	switch {
	case e == nil:
	case p.name != nil && !e.Mask:
		if name := e.Name(s.tree.Family, n.Uint()); name != "" {
			dst = stringCell(dst, p.name, name)
		}
	case p.names != nil && e.Mask && e.Known(s.tree.Family):
		dst = appendNames(begin(dst, p.names), n, s.tree.Family)
	}
	return dst
}

// list appends the values of a List.
func (s *Shredder) list(dst []byte, p *layout, i int) []byte {
	nodes := s.tree.Nodes
	count, end, exact := uint64(s.tree.Len(i)), int(nodes[i].End), true
	dst = appendUint(begin(dst, p.column), count)
	for c := i + 1; c < end; c = int(nodes[c].End) {
		var whole bool
		dst, whole = s.scalar(dst, p.column.Type, &nodes[c])
		exact = exact && whole
	}
	if exact {
		return dst
	}
	dst = appendUint(begin(dst, p.raw), count)
	for c := i + 1; c < end; c = int(nodes[c].End) {
		dst = appendHex(dst, s.tree.Bytes(&nodes[c]))
	}
	return dst
}

// scalar appends a value. exact is false if a text does not keep its bytes.
func (s *Shredder) scalar(dst []byte, t Type, n *dissect.Node) (out []byte, exact bool) {
	switch n.Field.Kind {
	case dissect.Text:
		return appendText(dst, s.tree.Bytes(n))
	case dissect.Label:
		dst, _ = appendText(dst, s.tree.Bytes(n))
		return dst, true
	case dissect.Hex:
		return appendHex(dst, s.tree.Bytes(n)), true
	}
	return s.number(dst, t, n), true
}

// number appends a number, boolean or float in the type of its column.
func (s *Shredder) number(dst []byte, t Type, n *dissect.Node) []byte {
	switch t {
	case Bool, Uint:
		return appendUint(dst, n.Uint())
	case Float:
		return appendFloat(dst, n.Float())
	case Double:
		switch n.Field.Kind {
		case dissect.Float:
			return appendDouble(dst, widened(n.Float()))
		case dissect.Uint:
			return appendDouble(dst, float64(n.Uint()))
		}
		return appendDouble(dst, float64(n.Int()))
	}
	return appendInt(dst, n.Int())
}

// widened returns the double whose shortest decimal is that of a float, as the records write it: 0.1 and not
// 0.10000000149011612.
func widened(f float32) float64 {
	if whole := math.Trunc(float64(f)); whole == float64(f) {
		return float64(f)
	}
	var text [24]byte
	v, err := strconv.ParseFloat(string(strconv.AppendFloat(text[:0], float64(f), 'g', -1, 32)), 64)
	if err != nil {
		return float64(f) // not finite
	}
	return v
}
