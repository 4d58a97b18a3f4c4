package parquet

import (
	"slices"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/q3dissect/q3dissect/dissect/rows"
)

// InputColumn is the first column of every table: the name of the input. A field of a message that is called so, too,
// is the column InputField.
const (
	InputColumn = "input"
	InputField  = "input_field"
)

// A layout is the schema of a table's files: the elements in depth-first order, as FileMetaData has them, and the
// leaves for the columns of the table, by number.
type layout struct {
	elements             []format.SchemaElement
	path                 []string // of the group that is being described
	input                *leaf
	packet, time, stream *leaf
	at                   []*leaf
	groups               []*group
	leaves               [][]*leaf // one; for a Map the leaf of the keys and that of the values
	all                  []*leaf   // in the order of the file's columns
	columns              []*column // of all
}

// describe returns the layout of a table's files.
func describe(t *rows.Table) *layout {
	l := &layout{groups: make([]*group, len(t.All)), leaves: make([][]*leaf, len(t.All))}
	head := []string{rows.PacketColumn, rows.TimeColumn, rows.StreamColumn, InputColumn}
	l.node(t.Name, format.Required, len(head)+len(t.At)+len(t.Columns), nil)
	l.elements[0].RepetitionType.Reset() // the root has none
	l.input = l.leaf(nil, InputColumn, rows.String, true, 0)
	l.packet = l.leaf(nil, head[0], rows.Int, false, 0)
	l.time = l.leaf(nil, head[1], rows.Time, false, 1)
	l.stream = l.leaf(nil, head[2], rows.Int, true, 1)
	for _, name := range t.At {
		l.at = append(l.at, l.leaf(nil, name, rows.Int, false, 0))
	}
	for _, c := range t.Columns {
		l.column(nil, c)
	}
	return l
}

// column adds a column and the leaves of it.
func (l *layout) column(up *group, c *rows.Column) {
	depth, name := up.depth(), c.Name
	if up == nil && name == InputColumn {
		name = InputField
	}
	switch c.Form {
	case rows.Group:
		inner := &group{up: up, level: byte(depth + 1)}
		l.groups[c.ID] = inner
		l.inside(name, format.Optional, len(c.Columns), nil, func() {
			for _, child := range c.Columns {
				l.column(inner, child)
			}
		})
	case rows.List: // LogicalTypes.md: Lists
		l.inside(name, format.Optional, 1, &format.ListType{}, func() {
			l.inside("list", format.Repeated, 1, nil, func() {
				l.leaves[c.ID] = []*leaf{l.element(up, "element", c.Type, c.Narrow, depth+2)}
			})
		})
	case rows.Map: // LogicalTypes.md: Maps
		l.inside(name, format.Optional, 1, &format.MapType{}, func() {
			l.inside("key_value", format.Repeated, 2, nil, func() {
				l.leaves[c.ID] = []*leaf{
					l.element(up, "key", c.Key, true, depth+2), l.element(up, "value", c.Type, c.Narrow, depth+2),
				}
			})
		})
	default:
		l.leaves[c.ID] = []*leaf{l.leaf(up, name, c.Type, c.Narrow, depth+1)}
	}
}

// inside adds a group with the elements that f adds.
func (l *layout) inside(name string, r format.FieldRepetitionType, children int, t format.LogicalTypeValue, f func()) {
	l.node(name, r, children, t)
	l.path = append(l.path, name)
	f()
	l.path = l.path[:len(l.path)-1]
}

func (l *layout) node(name string, r format.FieldRepetitionType, children int, t format.LogicalTypeValue) {
	e := format.SchemaElement{
		Name: name, RepetitionType: thrift.New(r), NumChildren: thrift.New(int32(children)),
		LogicalType: format.LogicalType{Value: t},
	}
	switch t.(type) {
	case *format.ListType:
		e.ConvertedType = thrift.New(deprecated.List)
	case *format.MapType:
		e.ConvertedType = thrift.New(deprecated.Map)
	}
	l.elements = append(l.elements, e)
}

// leaf adds a column of one value or, if its level is that of the group around it, of no row without one.
func (l *layout) leaf(up *group, name string, t rows.Type, narrow bool, level int) *leaf {
	repetition := format.Optional
	if level == up.depth() {
		repetition = format.Required
	}
	return l.value(up, name, repetition, newColumn(t, narrow, level, false))
}

// element adds the column of a list's elements.
func (l *layout) element(up *group, name string, t rows.Type, narrow bool, level int) *leaf {
	return l.value(up, name, format.Required, newColumn(t, narrow, level, true))
}

func (l *layout) value(up *group, name string, r format.FieldRepetitionType, c *column) *leaf {
	c.path = append(slices.Clone(l.path), name)
	e := format.SchemaElement{Name: name, RepetitionType: thrift.New(r), Type: thrift.New(physical(c.typ))}
	switch c.typ {
	case rows.Int:
		e.LogicalType.Value = &format.IntType{BitWidth: 64, IsSigned: true}
		e.ConvertedType = thrift.New(deprecated.Int64)
	case rows.Uint:
		e.LogicalType.Value = &format.IntType{BitWidth: 64}
		e.ConvertedType = thrift.New(deprecated.Uint64)
	case rows.Time:
		e.LogicalType.Value = &format.TimestampType{
			IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: &format.MicroSeconds{}},
		}
		e.ConvertedType = thrift.New(deprecated.TimestampMicros)
	case rows.String:
		e.LogicalType.Value = &format.StringType{}
		e.ConvertedType = thrift.New(deprecated.UTF8)
	}
	l.elements = append(l.elements, e)
	f := &leaf{up: up, column: c}
	l.all, l.columns = append(l.all, f), append(l.columns, c)
	return f
}
