package render

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldpath"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
	"github.com/q3dissect/q3dissect/dissect/internal/infostring"
	"github.com/q3dissect/q3dissect/dissect/render/internal/member"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A scan looks for the values that columns want in one tree. It is reused.
type scan struct {
	tree *dissect.Tree
	hits [][]hit // by column, in the order of the tree
}

// members looks at the nodes from <= i < to, which are members of an object.
func (c *scan) members(b *branch, from, to int) {
	for i := from; i < to; i = int(c.tree.Nodes[i].End) {
		key := c.tree.Nodes[i].Field.Key
		for _, in := range b.inside {
			if in.key == key {
				c.node(in, i)
			}
		}
	}
}

// node looks at a node with a wanted name. The values of a list are its elements.
func (c *scan) node(b *branch, i int) {
	n := &c.tree.Nodes[i]
	raw := b.raw && !infostring.KeepsBytes(c.tree, i)
	if n.Field.Kind != dissect.List {
		c.value(b, i, raw)
		return
	}
	for e := i + 1; e < int(n.End); e = int(c.tree.Nodes[e].End) {
		c.value(b, e, raw)
	}
}

// value collects the wanted parts of a value, and descends into it. raw means that the sibling with the bytes
// exists.
func (c *scan) value(b *branch, i int, raw bool) {
	n := &c.tree.Nodes[i]
	for _, w := range b.wants {
		switch {
		case w.aspect == fieldpath.RawBytes && !raw:
		case w.aspect == fieldpath.Itself && n.Field.Kind == dissect.Choices:
			w.aspect = choice
			for e := i + 1; e < int(n.End); e = int(c.tree.Nodes[e].End) {
				c.hits[w.column] = append(c.hits[w.column], hit{int32(e), w})
			}
		default:
			c.hits[w.column] = append(c.hits[w.column], hit{int32(i), w})
		}
	}
	if len(b.inside) == 0 {
		return
	}
	switch n.Field.Kind {
	case dissect.Object, dissect.Choices:
		c.members(b, i+1, int(n.End))
	case dissect.List:
		c.node(b, i)
	case dissect.Sparse:
		for e := i + 1; e < int(n.End); e = int(c.tree.Nodes[e].End) {
			for _, in := range b.inside {
				if in.key == fieldunion.AnyKey || isIndex(in.key, c.tree.Nodes[e].Index) {
					c.node(in, e)
				}
			}
		}
	}
}

// isIndex reports whether a key is the decimal number.
func isIndex(key string, index int32) bool {
	var b [20]byte
	return key == string(text.AppendInt(b[:0], int64(index)))
}

// values writes the values of one column.
type values struct {
	columns *Columns
	dst     []byte
	count   int // values written
	from    int // start of the column
	mark    int // end of the values written
	at      int // start of the value that is being written
}

// begin prepares for another value.
func (v *values) begin() {
	v.mark = len(v.dst)
	if v.count > 0 {
		v.dst = append(v.dst, v.columns.Aggregator...)
	}
	v.at = len(v.dst)
}

// end takes what was appended since begin as a value, or drops it.
func (v *values) end(ok bool) {
	if !ok {
		v.dst = v.dst[:v.mark]
		return
	}
	if v.columns.Escape {
		v.dst = wiretext.MakeVisible(v.dst, v.at)
	}
	if v.count > 0 && v.columns.Occurrence == 'l' {
		v.dst = v.dst[:v.from+copy(v.dst[v.from:], v.dst[v.at:])]
	}
	v.count++
}

// full reports whether no more values are wanted.
func (v *values) full() bool { return v.count > 0 && v.columns.Occurrence == 'f' }

// common writes the values of the common part.
func (v *values) common(src *source, rec *dissect.Record) {
	for i := 0; !v.full(); i++ {
		switch {
		case src.expert:
			if i == len(rec.Experts) {
				return
			}
		case src.object != nil:
			if i > 0 || rec.Link == nil {
				return
			}
		case i > 0 && !src.member.List:
			return
		}
		ok := true
		v.begin()
		if src.object != nil {
			v.dst = member.AppendAll(v.dst, src.object, rec, i)
		} else {
			v.dst, ok = member.Append(v.dst, src.member, rec, i)
		}
		v.end(ok)
		if !ok && !src.expert {
			return
		}
	}
}

// hits writes the values found in the tree.
func (v *values) hits(tree *dissect.Tree, hits []hit) {
	for i := 0; i < len(hits) && !v.full(); i++ {
		if w := hits[i].want; w.aspect == fieldpath.InfoValue && w.key == fieldunion.AnyKey {
			v.infoValues(tree.Bytes(&tree.Nodes[hits[i].node]))
			continue
		}
		v.begin()
		v.end(v.value(tree, hits[i]))
	}
}

// value writes one value; it returns false if there is none.
func (v *values) value(tree *dissect.Tree, h hit) bool {
	n := &tree.Nodes[h.node]
	e := encoder{tree: tree, names: true}
	switch h.want.aspect {
	case choice:
		v.dst = text.CloseWith(e.member(append(v.dst, '{'), n, int(h.node)), '}')
		return true
	case fieldpath.RawBytes:
		v.dst = text.AppendHexDigits(v.dst, tree.Bytes(n))
		return true
	case fieldpath.Name, fieldpath.BitNames:
		v.dst = appendNames(v.dst, n, tree.Family, 0, v.columns.Aggregator)
		return len(v.dst) > v.at
	case fieldpath.InfoValue:
		return v.infoValue(tree.Bytes(n), h.want.key)
	}
	switch n.Field.Kind {
	case dissect.Text, dissect.Label:
		v.dst = append(v.dst, tree.Bytes(n)...)
	case dissect.Uint, dissect.Int:
		v.dst = appendNumber(v.dst, n)
	case dissect.Float:
		v.dst, _ = text.AppendFloat(v.dst, n.Float())
	case dissect.Hex:
		v.dst = text.AppendHexDigits(v.dst, tree.Bytes(n))
	default:
		v.dst, _ = e.value(v.dst, n, int(h.node))
	}
	return true
}

// infoValue writes the value of a key, spelt exactly so.
func (v *values) infoValue(s []byte, key string) bool {
	value, ok := infostring.Value(s, key)
	v.dst = append(v.dst, value...)
	return ok
}

// infoValues writes the values of all keys, of a repeated one the first.
func (v *values) infoValues(s []byte) {
	var pairs infostring.Reader
	pairs.Reset(s)
	for _, value, ok := pairs.Next(); ok && !v.full(); _, value, ok = pairs.Next() {
		v.begin()
		v.dst = append(v.dst, value...)
		v.end(true)
	}
}
