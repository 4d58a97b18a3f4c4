package parquet

import (
	"github.com/parquet-go/parquet-go"

	"github.com/q3dissect/q3dissect/dissect/rows"
)

// A layout maps the columns of a table, by number, to leaves of the file.
type layout struct {
	packet, time, stream *leaf
	at                   []*leaf
	groups               []*group
	leaves               [][]*leaf       // one; for a Map the leaf of the keys and that of the values
	all                  []*leaf         // in the order of the file's columns
	nulls                []parquet.Value // of a column that is absent in a whole batch, as most columns are
}

func (l *layout) leaf(up *group, t rows.Type, level int) *leaf {
	f := &leaf{up: up, typ: t, level: level, number: len(l.all)}
	f.absent = parquet.NullValue().Level(0, 0, f.number)
	l.all = append(l.all, f)
	return f
}

// A group is an object in a row, which may be absent.
type group struct {
	up      *group
	level   int    // definition level of an absent member
	present []bool // by row of the batch; later ones are absent
}

func (g *group) depth() int {
	if g == nil {
		return 0
	}
	return g.level
}

// set records that the row has the group.
func (g *group) set(row int) {
	for len(g.present) < row {
		g.present = append(g.present, false)
	}
	if len(g.present) == row {
		g.present = append(g.present, true)
	}
}

// levelAt returns the definition level of an absent member of the group in a row.
func (g *group) levelAt(row int) int {
	for ; g != nil; g = g.up {
		if row < len(g.present) && g.present[row] {
			return g.level
		}
	}
	return 0
}

// any reports whether a row of the batch has the group, or one around it.
func (g *group) any() bool { return g != nil && (len(g.present) > 0 || g.up.any()) }

// A leaf is a column of the file, with its part of the batch.
type leaf struct {
	up     *group
	typ    rows.Type
	level  int // definition level of a value
	number int
	rows   int // of the batch that are filled, with values or as absent
	values []parquet.Value
	absent parquet.Value // the last one that marked an absent row: most columns of most tables are absent in row after row
}

// fill marks the rows before one as absent. It returns false if the row has a value already: an object cannot
// have two under one key.
func (f *leaf) fill(row int) bool {
	for ; f.rows < row; f.rows++ {
		if level := f.up.levelAt(f.rows); level != f.absent.DefinitionLevel() {
			f.absent = parquet.NullValue().Level(0, level, f.number)
		}
		f.values = append(f.values, f.absent)
	}
	return f.rows == row
}

// add adds the only value of a row, or the first one.
func (f *leaf) add(row int, v parquet.Value) {
	if f.fill(row) {
		f.values = append(f.values, v.Level(0, f.level, f.number))
		f.rows++
	}
}

// addEmpty adds an empty list to the row.
func (f *leaf) addEmpty(row int) {
	if f.fill(row) {
		f.values = append(f.values, parquet.NullValue().Level(0, f.level-1, f.number))
		f.rows++
	}
}

// more adds another value of a list.
func (f *leaf) more(v parquet.Value) {
	f.values = append(f.values, v.Level(1, f.level, f.number))
}

// batchRows is how many rows are collected before they are written to the file's columns.
const batchRows = 1024

// A batch collects the rows of a table.
type batch struct {
	*layout
	rows int
	text []byte // strings of the batch
}

// add adds the row at the cursor.
func (b *batch) add(c *rows.Cursor) {
	row, head := b.rows, c.Head()
	b.packet.add(row, parquet.Int64Value(head.Packet))
	if head.HasTime {
		b.time.add(row, parquet.Int64Value(head.Micros()))
	}
	if head.Stream >= 0 {
		b.stream.add(row, parquet.Int64Value(head.Stream))
	}
	for i, n := range c.At() {
		b.at[i].add(row, parquet.Int64Value(n))
	}
	for c.Cell() {
		b.cell(row, c)
	}
	b.rows++
}

func (b *batch) cell(row int, c *rows.Cursor) {
	column := c.Column()
	switch column.Form {
	case rows.Group:
		b.groups[column.ID].set(row)
	case rows.Scalar:
		f := b.leaves[column.ID][0]
		f.add(row, b.value(f.typ, c))
	default:
		b.list(row, b.leaves[column.ID], c)
	}
}

// list adds a List, or a Map with its keys.
func (b *batch) list(row int, leaves []*leaf, c *rows.Cursor) {
	count := c.Count()
	for n := range count {
		for _, f := range leaves {
			if v := b.value(f.typ, c); n == 0 {
				f.add(row, v)
			} else {
				f.more(v)
			}
		}
	}
	if count == 0 {
		for _, f := range leaves {
			f.addEmpty(row)
		}
	}
}

func (b *batch) value(t rows.Type, c *rows.Cursor) parquet.Value {
	switch t {
	case rows.Bool:
		return parquet.BooleanValue(c.Uint() != 0)
	case rows.Uint:
		return parquet.Int64Value(int64(c.Uint()))
	case rows.Float:
		return parquet.FloatValue(c.Float())
	case rows.Double:
		return parquet.DoubleValue(c.Double())
	case rows.String:
		return parquet.ByteArrayValue(b.keep(c.Bytes()))
	}
	return parquet.Int64Value(c.Int())
}

// keep copies the bytes of a value, until the batch is written.
func (b *batch) keep(s []byte) []byte {
	if len(b.text)+len(s) > cap(b.text) {
		b.text = make([]byte, 0, max(textBlock, len(s))) // values refer to the old block
	}
	from := len(b.text)
	b.text = append(b.text, s...)
	return b.text[from:len(b.text):len(b.text)]
}

const textBlock = 64 << 10

// flush writes the rows to the columns of a file.
func (b *batch) flush(columns []*parquet.ColumnWriter) error {
	if b.rows == 0 {
		return nil
	}
	for i, f := range b.all {
		values := b.nulls[:b.rows]
		if f.rows > 0 || f.up.any() {
			f.fill(b.rows)
			values = f.values
		}
		if _, err := columns[i].WriteRowValues(values); err != nil {
			return err
		}
		clear(f.values)
		f.values, f.rows = f.values[:0], 0
	}
	for _, g := range b.groups {
		if g != nil {
			g.present = g.present[:0]
		}
	}
	b.rows, b.text = 0, b.text[:0]
	return nil
}
