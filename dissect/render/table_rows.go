package render

import (
	"bytes"
	"slices"
	"strconv"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/cacheline"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

const (
	wholeHex = 256 // bytes; longer hexadecimal shows its beginning and its length
	shownHex = 64  // bytes of that beginning
)

// A rowMaker makes the rows of a record's tree, one for each node and for each key of an infostring, in the
// order of the wire. It is reused.
type rowMaker struct {
	grid
	tree   *dissect.Tree
	masker masker
	seen   map[*dissect.Field]bool
	order  []child // children of the containers that are open, innermost last

	_ cacheline.Distance // workers make rows at the same time
}

var rowMakers = sync.Pool{New: func() any { return &rowMaker{seen: make(map[*dissect.Field]bool)} }}

// A place is the position of a node in the tree.
type place struct {
	up     *dissect.Field // the container around it, or nil
	scope  dissect.Scope  // of that container
	index  int            // in a List or Choices, or its key in a Sparse
	depth  int
	prefix []byte         // of its key: the containers that have no row of their own
	outer  *dissect.Field // the innermost of these, or nil
}

// appendRows appends the rows of a record.
func (m *rowMaker) appendRows(rec *dissect.Record) {
	m.grid.reset()
	m.tree, m.masker = rec.Tree, newMasker(rec)
	clear(m.seen)
	m.order = m.order[:0]
	m.children(-1, place{})
}

// children appends the rows of a container's children; container -1 is the top level.
func (m *rowMaker) children(container int, at place) {
	nodes := m.tree.Nodes
	if at.up == nil || at.up.Kind == dissect.Object {
		first := len(m.order)
		m.inWireOrder(container, at.scope)
		for i := first; i < len(m.order); i++ {
			at.prefix, at.outer = m.order[i].prefix, m.order[i].outer
			m.node(m.order[i].node, at)
		}
		m.order = m.order[:first]
		return
	}
	for i, n := container+1, 0; i < int(nodes[container].End); i, n = int(nodes[i].End), n+1 {
		at.index = n
		if at.up.Kind == dissect.Sparse {
			at.index = int(nodes[i].Index)
		}
		m.node(i, at)
	}
}

// node appends the row of a node and those inside it.
func (m *rowMaker) node(i int, at place) {
	n := &m.tree.Nodes[i]
	f := n.Field
	r := tableRow{indent: 2 * at.depth, node: i}
	from := len(m.text)
	cell := func(c int) {
		r.cells[c] = span{from, len(m.text)}
		from = len(m.text)
	}
	if n.Bits > 0 {
		m.text = append(text.AppendUint(m.text, uint64(n.Bit>>3)), '.', '0'+byte(n.Bit&7))
		cell(colAt)
		m.text = text.AppendUint(m.text, uint64(n.Bits))
		cell(colBits)
	}
	m.label(f, at)
	cell(colField)
	if n.Field.Kind == dissect.Text {
		r.raw = m.masker.text(m.tree, i)
	}
	m.value(i, n)
	cell(colValue)
	r.named = span{from, m.meaning(n, at)}
	cell(colMeaning)
	m.rows = append(m.rows, r)

	inside := place{up: f, scope: f.Scope, depth: at.depth + 1}
	if inside.scope == dissect.Inherit {
		inside.scope = at.scope
	}
	switch {
	case f.Kind == dissect.Info:
		m.infoRows(i, inside.depth)
	case f.Kind.Container():
		m.children(i, inside)
	}
}

// label appends the name of a node in its container.
func (m *rowMaker) label(f *dissect.Field, at place) {
	m.text = append(m.text, at.prefix...)
	if at.up != nil && (at.up.Kind == dissect.Choices || at.up.Kind == dissect.List || at.up.Kind == dissect.Sparse) {
		m.text = append(text.AppendInt(append(m.text, '['), int64(at.index)), ']')
		if at.up.Kind != dissect.Choices {
			return
		}
		m.text = append(m.text, ' ')
	}
	m.text = append(m.text, f.Key...)
}

// infoRows makes a row for each key of an infostring. The children of its field describe known keys.
func (m *rowMaker) infoRows(node, depth int) {
	n := &m.tree.Nodes[node]
	s := m.masker.text(m.tree, node)
	for {
		key, value, rest, ok := dissect.NextPair(s)
		if !ok {
			return
		}
		s = rest
		r := tableRow{indent: 2 * depth, node: node, key: true, raw: value}
		from := len(m.text)
		m.text = appendBroken(m.text, wiretext.AppendVisible(nil, key), fieldWidth)
		r.cells[colField] = span{from, len(m.text)}
		from = len(m.text)
		m.text = append(wiretext.AppendVisible(append(m.text, '"'), value), '"')
		r.cells[colValue] = span{from, len(m.text)}
		from = len(m.text)
		name, doc := infoMeaning(n.Field, m.tree.Family, key, value)
		if m.text = append(m.text, name...); name != "" {
			r.named = span{from, len(m.text)}
			m.text = append(m.text, "; "...)
		}
		m.text = append(m.text, doc...)
		r.cells[colMeaning] = span{from, len(m.text)}
		m.rows = append(m.rows, r)
	}
}

// appendBroken appends a text with a line feed after every so many cells.
func appendBroken(dst, text []byte, cells int) []byte {
	for {
		line, rest := cellLine(text, cells)
		dst = append(dst, line...)
		if len(rest) == 0 {
			return dst
		}
		dst = append(dst, '\n')
		text = rest
	}
}

// infoMeaning returns the parts of the cell Meaning of a key of an infostring: the name of its number, and what it
// means.
func infoMeaning(info *dissect.Field, family uint8, key, value []byte) (name, doc string) {
	i := slices.IndexFunc(info.Children, func(f *dissect.Field) bool { return f.Key == string(key) })
	if i < 0 {
		return "", ""
	}
	f := info.Children[i]
	if number, err := strconv.ParseUint(string(value), 10, 64); err == nil && f.Enum != nil {
		name = f.Enum.Name(family, number)
	}
	return name, f.Doc
}

// value appends the cell Value; infostrings and objects have theirs in the rows below.
func (m *rowMaker) value(i int, n *dissect.Node) {
	switch n.Field.Kind {
	case dissect.List, dissect.Choices:
		count := m.tree.Len(i)
		m.text = append(text.AppendInt(m.text, int64(count)), " element"...)
		if count != 1 {
			m.text = append(m.text, 's')
		}
	case dissect.Object, dissect.Sparse, dissect.Info:
	case dissect.Text:
		m.text = append(wiretext.AppendVisible(append(m.text, '"'), m.masker.text(m.tree, i)), '"')
	case dissect.Hex:
		b := m.tree.Bytes(n)
		if len(b) <= wholeHex {
			m.text = text.AppendHexDigits(m.text, b)
			return
		}
		m.text = append(text.AppendHexDigits(m.text, b[:shownHex]), "\n… the first "...)
		m.text = append(text.AppendInt(m.text, shownHex), " of "...)
		m.text = append(text.AppendInt(m.text, int64(len(b))), " bytes"...)
	default:
		if m.masker.hides(n.Field) && n.Field.Kind == dissect.Label && len(m.tree.Bytes(n)) > 0 {
			m.text = append(m.text, dissect.SecretMask...)
			return
		}
		m.text = appendPlainValue(m.text, m.tree, n)
	}
}

// meaning appends the cell Meaning: the names of the value and the index, degrees of an angle, the unit and,
// where the field appears for the first time in this table, its documentation. It returns where the names and the
// unit end.
func (m *rowMaker) meaning(n *dissect.Node, at place) (named int) {
	f, start := n.Field, len(m.text)
	part := func(s string) {
		if len(m.text) > start {
			m.text = append(m.text, "; "...)
		}
		m.text = append(m.text, s...)
	}
	if up := at.up; up != nil && up.Kind == dissect.Sparse && up.Enum != nil && at.index >= 0 {
		m.text = append(m.text, up.Enum.Name(m.tree.Family, uint64(at.index))...)
	}
	if fieldunion.Named(f) {
		from := len(m.text)
		if from > start {
			m.text = append(m.text, "; "...)
		}
		names := len(m.text)
		if m.text = appendNames(m.text, n, m.tree.Family, 0, ", "); len(m.text) == names {
			m.text = m.text[:from]
		}
	}
	if f.Unit == dissect.UnitTurn16 {
		part(string(appendDegrees(nil, n.Int())))
	}
	if f.Unit != "" {
		part(f.Unit)
	}
	named = len(m.text)
	if f.Scope == dissect.Message && at.scope != dissect.Message {
		part("places count from the start of the message")
	}
	if at.outer != nil && f.Doc == "" {
		f = at.outer
	}
	if f.Doc != "" && !m.seen[f] {
		m.seen[f] = true
		part(f.Doc)
	}
	if bytes.IndexByte(m.text[start:], '\n') >= 0 {
		m.text = append(m.text[:start], bytes.ReplaceAll(m.text[start:], []byte{'\n'}, []byte{' '})...)
	}
	return named
}

// appendDegrees appends an angle of 65536ths of a circle in degrees, with two decimals.
func appendDegrees(dst []byte, v int64) []byte {
	hundredths := (v&0xffff*36000 + 1<<15) >> 16
	dst = append(text.AppendInt(dst, hundredths/100), '.')
	return append(text.AppendPadded(dst, int(hundredths%100), 2), "°"...)
}
