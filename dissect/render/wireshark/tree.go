package wireshark

import (
	"math"
	"math/bits"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
	"github.com/q3dissect/q3dissect/dissect/internal/infostring"
	"github.com/q3dissect/q3dissect/dissect/internal/pdu"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A level is a container around the present node.
type level struct {
	place *place
	node  int // its index
	end   int // index of the first node after it
	kind  dissect.Kind
	scope pdu.Kind
	raw   bool // a List with a text that does not keep all its bytes
}

// tree adds the nodes of the record, in their order. What there is no room for is counted.
func (m *message) tree() {
	t := m.rec.Tree
	m.outer = m.outer[:0]
	for i := range t.Nodes {
		for n := len(m.outer); n > 0 && i >= m.outer[n-1].end; n-- {
			m.leave()
		}
		m.node(t, i)
	}
	for len(m.outer) > 0 {
		m.leave()
	}
}

// node adds one node, and what is beneath it.
func (m *message) node(t *dissect.Tree, i int) {
	n := &t.Nodes[i]
	places, scope := m.fields.places, pdu.Kind(0)
	var up *level
	if len(m.outer) > 0 {
		up = &m.outer[len(m.outer)-1]
		places, scope = up.place.children, up.scope
	}
	p := places[n.Field]
	if p == nil {
		if p = sameKey(places, n.Field.Key); p == nil {
			m.head.LeftOut++ // of a protocol that does not list all its fields
			return
		}
	}
	switch n.Field.Scope {
	case dissect.Datagram:
		scope = pdu.InDatagram
	case dissect.Message:
		scope = pdu.InMessage
	}
	if scope == 0 {
		scope = pdu.InDatagram
	}
	id := p.id
	if up != nil && up.kind == dissect.Sparse {
		m.text = appendIndex(m.text[:0], n.Index)
		id = pdu.Letter(pdu.Extend(p.hash, string(m.text)), p.typ)
	}
	out := pdu.Node{ID: id, Depth: uint8(min(len(m.outer), math.MaxUint8)), Kind: scope, Bit: n.Bit, Bits: n.Bits}
	if n.Field.Kind.Container() {
		m.add(&out)
		m.outer = append(m.outer, level{place: p, node: i, end: int(n.End), kind: n.Field.Kind, scope: scope})
		return
	}
	exact := true
	switch n.Field.Kind {
	case dissect.Bool:
		out.Kind |= pdu.Bool
		out.Value = n.Uint()
		m.add(&out)
	case dissect.Uint, dissect.Int, dissect.Float:
		m.number(p, n, out)
	case dissect.Info:
		exact = m.info(p, t.Bytes(n), out)
	default:
		exact = m.addText(&out, m.valueOf(t, n))
	}
	if exact || n.Field.Kind == dissect.Label || n.Field.Kind == dissect.Hex {
		return
	}
	if up != nil && up.kind == dissect.List {
		up.raw = true
		return
	}
	m.beneath(p.raw, out.Depth, text.AppendHexDigits(m.text[:0], t.Bytes(n)))
}

// sameKey returns the place of another field with the same key: some objects have two descriptions, which differ in
// what positions count from.
func sameKey(places map[*dissect.Field]*place, key string) *place {
	for field, p := range places {
		if field.Key == key {
			return p
		}
	}
	return nil
}

// valueOf returns the text of a node that is no infostring: bytes as hexadecimal.
func (m *message) valueOf(t *dissect.Tree, n *dissect.Node) []byte {
	if n.Field.Kind != dissect.Hex {
		return t.Bytes(n)
	}
	m.text = text.AppendHexDigits(m.text[:0], t.Bytes(n))
	return m.text
}

// number adds a number with its name or names.
func (m *message) number(p *place, n *dissect.Node, out pdu.Node) {
	f := n.Field
	out.Value = n.Uint()
	switch p.typ {
	case typeUint32, typeUint64:
		out.Kind |= pdu.Uint
	case typeInt32, typeInt64:
		out.Kind |= pdu.Int
	default:
		out.Kind |= pdu.Float
		switch f.Kind { // the games differ
		case dissect.Int:
			out.Value = uint64(math.Float32bits(float32(n.Int())))
		case dissect.Uint:
			out.Value = uint64(math.Float32bits(float32(n.Uint())))
		}
	}
	m.add(&out)
	if !fieldunion.Named(f) || p.name == 0 {
		return
	}
	family := m.rec.Tree.Family
	if !f.Enum.Mask {
		if name := f.Enum.Name(family, n.Uint()); name != "" {
			m.beneath(p.name, out.Depth, append(m.text[:0], name...))
		}
		return
	}
	if !f.Enum.Known(family) {
		return
	}
	for mask := n.MaskBits(); mask != 0; mask &= mask - 1 {
		m.text = append(m.text[:0], f.Enum.BitName(family, bits.TrailingZeros64(mask))...)
		m.beneath(p.name, out.Depth, m.text)
	}
}

// info adds an infostring: a container with its pairs, the first of a repeated key. exact is false if they do not have
// the whole text.
func (m *message) info(p *place, s []byte, out pdu.Node) (exact bool) {
	m.add(&out)
	var pairs infostring.Reader
	pairs.Reset(s)
	for key, value, ok := pairs.Next(); ok; key, value, ok = pairs.Next() {
		m.text, _ = wiretext.Append(m.text[:0], key)
		m.text, _ = wiretext.Append(append(m.text, '\\'), value)
		pair := out
		pair.ID, pair.Depth = p.pair, out.Depth+1
		m.addText(&pair, m.text)
	}
	return pairs.Exact()
}

// leave ends the innermost container.
func (m *message) leave() {
	top := m.outer[len(m.outer)-1]
	m.outer = m.outer[:len(m.outer)-1]
	if !top.raw {
		return
	}
	t := m.rec.Tree
	for i := range t.Children(top.node) {
		m.beneath(top.place.raw, uint8(min(len(m.outer), math.MaxUint8)),
			text.AppendHexDigits(m.text[:0], t.Bytes(&t.Nodes[i])))
	}
}

// beneath adds a text that was made of the value of the node before it.
func (m *message) beneath(id uint32, depth uint8, b []byte) {
	m.text = b
	m.addText(&pdu.Node{ID: id, Depth: depth, Kind: pdu.Beneath}, b)
}

// addText adds a node with a text. exact is false if the text is not valid UTF-8.
func (m *message) addText(n *pdu.Node, b []byte) (exact bool) {
	if m.room < pdu.NodeLen+2*len(b) { // bytes that are not UTF-8 become two
		m.room = 0
		m.head.LeftOut++
		return true
	}
	s := &m.head.Sections[pdu.Texts]
	at := len(*s)
	*s, exact = wiretext.Append(*s, b)
	size := len(*s) - at
	m.room -= size
	n.Kind |= pdu.Text
	n.Value = uint64(at) | uint64(size)<<32
	m.add(n)
	return exact
}

// add adds a node.
func (m *message) add(n *pdu.Node) {
	if m.room < pdu.NodeLen {
		m.head.LeftOut++
		m.room = 0
		return
	}
	m.room -= pdu.NodeLen
	m.head.Sections[pdu.Nodes] = pdu.AppendNode(m.head.Sections[pdu.Nodes], n)
}
