package parquet

import "github.com/q3dissect/q3dissect/dissect/rows"

// A place is a row of the batch up to which something is known, and where its group's runs are then.
type place struct{ row, run int }

// A run is rows whose absent members of a group have the same definition level.
type run struct {
	level byte
	end   int // the row after it
}

// A group is an object in a row, which may be absent.
type group struct {
	up    *group
	level byte  // definition level of an absent member
	runs  []run // from the first row of the batch to the place
	known place // in the group around it
}

func (g *group) depth() int {
	if g == nil {
		return 0
	}
	return int(g.level)
}

// set records that the row has the group. Groups around it come first.
func (g *group) set(row int) {
	g.fill(row)
	if g.known.row == row {
		g.add(g.level, 1)
		g.known.row++
	}
}

// fill adds the runs of the rows before one, which are complete.
func (g *group) fill(row int) {
	for g.known.row < row {
		g.add(g.up.absent(&g.known, row))
	}
}

func (g *group) add(level byte, n int) {
	if last := len(g.runs) - 1; last >= 0 && g.runs[last].level == level {
		g.runs[last].end += n
		return
	}
	end := n
	if last := len(g.runs) - 1; last >= 0 {
		end += g.runs[last].end
	}
	g.runs = append(g.runs, run{level, end})
}

// absent returns the definition level of an absent member of the group in the row at a place, and how many rows have
// it, all before the given one. The place advances.
func (g *group) absent(p *place, row int) (level byte, n int) {
	if g != nil {
		g.fill(row)
		for g.runs[p.run].end <= p.row {
			p.run++
		}
		level, row = g.runs[p.run].level, min(row, g.runs[p.run].end)
	}
	n = row - p.row
	p.row = row
	return level, n
}

// A leaf is a column of the file, in the batch.
type leaf struct {
	up     *group
	column *column
	known  place
}

// fill marks the rows before one as absent. It returns false if the row has a value already: an object cannot
// have two under one key.
func (f *leaf) fill(row int) bool {
	for f.known.row < row {
		f.column.absent(f.up.absent(&f.known, row))
	}
	return f.known.row == row
}

// batchRows is how many rows have places before these begin again.
const batchRows = 4096

// A batch distributes the rows of a table to its columns.
type batch struct {
	*layout
	*encoder
	page int    // bytes of a page
	name []byte // of the input
	rows int
}

// begin begins a row's value in a leaf. It returns false if it has one.
func (b *batch) begin(f *leaf) bool {
	if !f.fill(b.rows) {
		return false
	}
	if f.column.full(b.page) {
		f.column.endPage(b.encoder)
	}
	f.known.row++
	return true
}

func (b *batch) int(f *leaf, v int64) {
	if b.begin(f) {
		f.column.begin()
		f.column.int(v)
	}
}

// add adds the row at the cursor.
func (b *batch) add(c *rows.Cursor) {
	head := c.Head()
	b.begin(b.input)
	b.input.column.begin()
	b.input.column.text(b.name)
	b.int(b.packet, head.Packet)
	if head.HasTime {
		b.int(b.time, head.Micros())
	}
	if head.Stream >= 0 {
		b.int(b.stream, head.Stream)
	}
	for i, n := range c.At() {
		b.int(b.at[i], n)
	}
	for c.Cell() {
		b.cell(c)
	}
	if b.rows++; b.rows == batchRows {
		b.complete()
	}
}

func (b *batch) cell(c *rows.Cursor) {
	at := c.Column()
	switch at.Form {
	case rows.Group:
		b.groups[at.ID].set(b.rows)
	case rows.Scalar:
		f := b.leaves[at.ID][0]
		if !b.begin(f) {
			c.SkipCell()
			return
		}
		f.column.begin()
		f.column.value(c)
	default:
		b.list(b.leaves[at.ID], c)
	}
}

// list adds a List, or a Map with its keys.
func (b *batch) list(leaves []*leaf, c *rows.Cursor) {
	for _, f := range leaves {
		if !b.begin(f) {
			c.SkipCell()
			return
		}
	}
	count := c.Count()
	for n := range count {
		for _, f := range leaves {
			if n == 0 {
				f.column.begin()
			} else {
				f.column.entry(1)
			}
			f.column.value(c)
		}
	}
	if count == 0 {
		for _, f := range leaves {
			f.column.absent(f.column.level-1, 1)
		}
	}
}

// complete marks what the rows do not have as absent, and begins with row 0 again.
func (b *batch) complete() {
	for _, f := range b.all {
		f.fill(b.rows)
	}
	for _, f := range b.all {
		f.known = place{}
	}
	for _, g := range b.groups {
		if g != nil {
			g.runs, g.known = g.runs[:0], place{}
		}
	}
	b.rows = 0
}
