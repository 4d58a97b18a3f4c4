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
	nulls                []parquet.Value // of a column without groups around it that is absent in a whole batch
}

func (l *layout) leaf(up *group, t rows.Type, level int) *leaf {
	f := &leaf{up: up, typ: t, level: byte(level), nulls: l.nulls}
	l.all = append(l.all, f)
	return f
}

// A group is an object in a row, which may be absent.
type group struct {
	up     *group
	level  int             // definition level of an absent member
	levels []byte          // definition levels of absent members, by row of the batch; later rows have none of this group
	nulls  []parquet.Value // of a member that is absent in the first rows of the batch, for all members
}

func (g *group) depth() int {
	if g == nil {
		return 0
	}
	return g.level
}

// set records that the row has the group. Groups around it come first.
func (g *group) set(row int) {
	for r := len(g.levels); r < row; r++ {
		g.levels = append(g.levels, g.up.levelAt(r))
	}
	if len(g.levels) == row {
		g.levels = append(g.levels, byte(g.level))
	}
}

// levelAt returns the definition level of an absent member of the group in a row.
func (g *group) levelAt(row int) byte {
	for ; g != nil; g = g.up {
		if row < len(g.levels) {
			return g.levels[row]
		}
	}
	return 0
}

// absent returns the values of a member that is absent in the first rows of the batch, which are complete. nulls are
// those of a column without groups around it.
func (g *group) absent(rows int, nulls []parquet.Value) []parquet.Value {
	switch {
	case g == nil:
		return nulls[:rows]
	case len(g.levels) == 0:
		return g.up.absent(rows, nulls)
	}
	for r := len(g.nulls); r < rows; r++ {
		g.nulls = append(g.nulls, null(g.levelAt(r)))
	}
	return g.nulls[:rows]
}

// null returns the absent value with a definition level.
func null(level byte) (v parquet.Value) {
	v.SetDefinitionLevel(int(level))
	return v
}

// A leaf is a column of the file, with its part of the batch.
type leaf struct {
	up     *group
	typ    rows.Type
	level  byte // definition level of a value
	rows   int  // of the batch that are filled, with values or as absent
	values []parquet.Value
	nulls  []parquet.Value // those of the layout
}

// fill marks the rows before one as absent. It returns false if the row has a value already: an object cannot
// have two under one key.
func (f *leaf) fill(row int) bool {
	if f.rows < row {
		f.values = append(f.values, f.up.absent(row, f.nulls)[f.rows:]...)
		f.rows = row
	}
	return f.rows == row
}

// add adds the only value of a row, or the first one.
func (f *leaf) add(row int, v parquet.Value) {
	if f.fill(row) {
		v.SetDefinitionLevel(int(f.level))
		f.values = append(f.values, v)
		f.rows++
	}
}

// addEmpty adds an empty list to the row.
func (f *leaf) addEmpty(row int) {
	if f.fill(row) {
		f.values = append(f.values, null(f.level-1))
		f.rows++
	}
}

// more adds another value of a list.
func (f *leaf) more(v parquet.Value) {
	v.SetRepetitionLevel(1)
	v.SetDefinitionLevel(int(f.level))
	f.values = append(f.values, v)
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
		var values []parquet.Value
		if f.rows == 0 {
			values = f.up.absent(b.rows, f.nulls)
		} else {
			f.fill(b.rows)
			values = f.values
		}
		if _, err := columns[i].WriteRowValues(values); err != nil {
			return err
		}
		if f.typ == rows.String {
			clear(f.values) // they keep blocks of text
		}
		f.values, f.rows = f.values[:0], 0
	}
	for _, g := range b.groups {
		if g != nil {
			g.levels, g.nulls = g.levels[:0], g.nulls[:0]
		}
	}
	b.rows, b.text = 0, b.text[:0]
	return nil
}
