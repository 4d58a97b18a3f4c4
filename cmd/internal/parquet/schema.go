package parquet

import (
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"

	"github.com/q3dissect/q3dissect/dissect/rows"
)

// An orderedGroup is a group whose fields are in the order of the columns; those of a parquet.Group are sorted.
type orderedGroup struct {
	parquet.Group
	fields []parquet.Field
}

type field struct {
	parquet.Node
	name string
}

func (f *field) Name() string { return f.name }

func (f *field) Value(base reflect.Value) reflect.Value {
	return base.MapIndex(reflect.ValueOf(f.name))
}

// Fields returns the fields in order.
func (g *orderedGroup) Fields() []parquet.Field { return g.fields }

func (g *orderedGroup) add(name string, node parquet.Node) {
	g.Group[name] = node
	g.fields = append(g.fields, &field{node, name})
}

func newGroup() *orderedGroup { return &orderedGroup{Group: parquet.Group{}} }

// describe returns the schema of a table's files and the leaves of its columns, in order.
func describe(t *rows.Table) (*parquet.Schema, *layout) {
	g, l := newGroup(), &layout{
		groups: make([]*group, len(t.All)), leaves: make([][]*leaf, len(t.All)),
		nulls: make([]parquet.Value, batchRows),
	}
	l.packet = l.leaf(nil, rows.Int, 0)
	g.add(rows.PacketColumn, parquet.Required(encoded(rows.Int, false)))
	l.time = l.leaf(nil, rows.Time, 1)
	g.add(rows.TimeColumn, parquet.Optional(encoded(rows.Time, false)))
	l.stream = l.leaf(nil, rows.Int, 1)
	g.add(rows.StreamColumn, parquet.Optional(encoded(rows.Int, true)))
	for _, name := range t.At {
		l.at = append(l.at, l.leaf(nil, rows.Int, 0))
		g.add(name, parquet.Required(encoded(rows.Int, false)))
	}
	for _, c := range t.Columns {
		g.add(c.Name, l.column(nil, c))
	}
	return parquet.NewSchema(t.Name, g), l
}

// column adds the leaves of a column, and returns its node.
func (l *layout) column(up *group, c *rows.Column) parquet.Node {
	depth := up.depth()
	switch c.Form {
	case rows.Group:
		inner := &group{up: up, level: depth + 1}
		l.groups[c.ID] = inner
		g := newGroup()
		for _, child := range c.Columns {
			g.add(child.Name, l.column(inner, child))
		}
		return parquet.Optional(g)
	case rows.List:
		l.leaves[c.ID] = []*leaf{l.leaf(up, c.Type, depth+2)}
		return parquet.Optional(parquet.List(parquet.Required(encoded(c.Type, c.Narrow))))
	case rows.Map:
		l.leaves[c.ID] = []*leaf{l.leaf(up, c.Key, depth+2), l.leaf(up, c.Type, depth+2)}
		return parquet.Optional(parquet.Map(encoded(c.Key, true), parquet.Required(encoded(c.Type, c.Narrow))))
	}
	l.leaves[c.ID] = []*leaf{l.leaf(up, c.Type, depth+1)}
	return parquet.Optional(encoded(c.Type, c.Narrow))
}

// encoded returns the node of a leaf: values of which there are few different ones use a dictionary, other
// numbers are written as differences.
func encoded(t rows.Type, narrow bool) parquet.Node {
	var node parquet.Node
	var enc encoding.Encoding
	switch t {
	case rows.Bool:
		return parquet.Leaf(parquet.BooleanType)
	case rows.Int:
		node, enc = parquet.Int(64), &parquet.DeltaBinaryPacked
	case rows.Uint:
		node, enc = parquet.Uint(64), &parquet.DeltaBinaryPacked
	case rows.Time:
		node, enc = parquet.Timestamp(parquet.Microsecond), &parquet.DeltaBinaryPacked
	case rows.Float:
		return parquet.Leaf(parquet.FloatType)
	case rows.Double:
		return parquet.Leaf(parquet.DoubleType)
	case rows.String:
		node, enc = parquet.String(), &parquet.RLEDictionary // plain after dictionaryBytes
	}
	if narrow {
		enc = &parquet.RLEDictionary
	}
	return parquet.Encoded(node, enc)
}
