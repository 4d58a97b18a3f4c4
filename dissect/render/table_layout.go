package render

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
)

// The columns of a table of fields.
const (
	colAt = iota
	colBits
	colField
	colValue
	colMeaning
	columnCount
)

var (
	columnNames  = [columnCount]string{"At", "Bits", "Field", "Value", "Meaning"}
	columnColors = [columnCount]string{colField: cyan, colMeaning: faint}
)

const (
	fieldWidth   = 48 // cells of a key of an infostring, which the wire chooses
	valueWidth   = 64 // cells of the column Value; longer values go on in the next line
	meaningWidth = 64 // cells of the column Meaning
	leastWidth   = 16 // cells of Value and Meaning, however narrow the terminal
)

// A span is a part of a grid's text, in bytes.
type span struct{ from, to int }

// A tableRow has the texts of one field's cells. They are complete: a cell is wrapped when it is measured and
// when it is written.
type tableRow struct {
	cells  [columnCount]span // in the text of the grid
	named  span              // the beginning of the cell Meaning: names and unit
	indent int               // cells before the text of the column Field
	node   int               // index in the tree
	key    bool              // a key of the infostring there
	raw    []byte            // of a text: its value, secrets masked
}

// A grid lays out the rows of one table: columns as wide as their widest line, but within the width of the
// terminal. It is reused.
type grid struct {
	text   []byte
	rows   []tableRow
	limits [columnCount]int // most cells of a line; 0: any number
	widths [columnCount]int
	color  bool
}

func (g *grid) reset() { g.text, g.rows = g.text[:0], g.rows[:0] }

// append appends the table. width is that of the terminal in cells, 0 for none.
func (g *grid) append(dst []byte, width int) []byte {
	g.limits = [columnCount]int{colField: 0, colValue: valueWidth, colMeaning: meaningWidth}
	g.measure(0)
	if width > 0 {
		g.fit(width)
	}
	for c, name := range columnNames {
		dst = g.separate(dst, c, "│")
		dst = append(append(append(dst, ' '), name...), ' ')
		dst = appendRepeated(dst, ' ', g.widths[c]-len(name))
	}
	dst = trimBlanks(dst)
	dst = append(dst, '\n')
	if g.color {
		dst = append(dst, faint...)
	}
	for c := range columnCount {
		if c > 0 {
			dst = append(dst, "┼"...)
		}
		dst = append(dst, strings.Repeat("─", g.widths[c]+2)...)
	}
	if g.color {
		dst = append(dst, plain...)
	}
	dst = append(dst, '\n')
	for i := range g.rows {
		dst = g.row(dst, &g.rows[i])
	}
	return dst
}

// measure finds the widths of the columns from a certain one on.
func (g *grid) measure(first int) {
	for c := first; c < columnCount; c++ {
		g.widths[c] = len(columnNames[c])
	}
	for i := range g.rows {
		r := &g.rows[i]
		for c := first; c < columnCount; c++ {
			for rest := g.text[r.cells[c].from:r.cells[c].to]; len(rest) > 0; {
				var line []byte
				line, rest = g.line(c, rest)
				cells := byteCells(line)
				if c == colField {
					cells += r.indent
				}
				g.widths[c] = max(g.widths[c], cells)
			}
		}
	}
}

// fit narrows the columns Value and Meaning so that a line has at most width cells. If Field takes too much of them,
// a line is longer.
func (g *grid) fit(width int) {
	room := width - 3*columnCount + 1
	for c := range colValue {
		room -= g.widths[c]
	}
	value, meaning := g.widths[colValue], g.widths[colMeaning]
	if value+meaning <= room {
		return
	}
	g.limits[colValue] = max(min(value, max(room/2, room-meaning)), leastWidth)
	g.limits[colMeaning] = max(room-g.limits[colValue], leastWidth)
	g.measure(colValue)
	if free := room - g.widths[colValue]; free > g.limits[colMeaning] {
		g.limits[colMeaning] = free
		g.measure(colMeaning)
	}
}

// row appends the lines of one row.
func (g *grid) row(dst []byte, r *tableRow) []byte {
	var rest [columnCount][]byte
	for c := range rest {
		rest[c] = g.text[r.cells[c].from:r.cells[c].to]
	}
	for first := true; first || slices.ContainsFunc(rest[:], func(b []byte) bool { return len(b) > 0 }); first = false {
		for c := range rest {
			dst = g.separate(dst, c, "│")
			var line []byte
			line, rest[c] = g.line(c, rest[c])
			dst = g.cell(append(dst, ' '), r, c, line)
			dst = append(dst, ' ')
		}
		dst = append(trimBlanks(dst), '\n')
	}
	return dst
}

// cell appends one line of a cell, as wide as its column.
func (g *grid) cell(dst []byte, r *tableRow, c int, line []byte) []byte {
	indent := 0
	if c == colField && len(line) > 0 {
		indent = r.indent
	}
	gap := g.widths[c] - indent - byteCells(line)
	if c == colAt || c == colBits {
		return append(appendRepeated(dst, ' ', gap), line...)
	}
	dst = appendRepeated(dst, ' ', indent)
	if len(line) > 0 {
		dst = g.painted(dst, columnColors[c], func(dst []byte) []byte { return append(dst, line...) })
	}
	return appendRepeated(dst, ' ', gap)
}

// separate appends the separator of a column and the one before.
func (g *grid) separate(dst []byte, c int, line string) []byte {
	if c == 0 {
		return dst
	}
	return g.painted(dst, faint, func(dst []byte) []byte { return append(dst, line...) })
}

// painted appends a text in a colour, where colours are wanted.
func (g *grid) painted(dst []byte, color string, text func([]byte) []byte) []byte {
	if !g.color || color == "" {
		return text(dst)
	}
	return append(text(append(dst, color...)), plain...)
}

// line splits the first line from a cell's text: up to a line feed, or as much as the column's limit allows,
// broken between words in the column Meaning.
func (g *grid) line(c int, text []byte) (line, rest []byte) {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		if line, rest = g.line(c, text[:i]); len(rest) > 0 {
			return line, text[len(text)-len(text[i:])-len(rest):]
		}
		return line, text[i+1:]
	}
	limit := g.limits[c]
	switch {
	case limit == 0 || len(text) <= limit:
		return text, nil
	case c == colMeaning:
		return wordLine(text, limit)
	}
	return cellLine(text, limit)
}

// cellLine splits at most a number of cells from a text.
func cellLine(b []byte, cells int) (line, rest []byte) {
	used := 0
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if used += text.RuneCells(r); used > cells && i > 0 {
			return b[:i], b[i:]
		}
		i += size
	}
	return b, nil
}

// wordLine splits whole words of at most a number of cells from a text; a longer word stays whole.
func wordLine(text []byte, cells int) (line, rest []byte) {
	used, end := 0, 0
	for end < len(text) {
		next := end
		for next < len(text) && text[next] == ' ' {
			next++
		}
		word := next
		for next < len(text) && text[next] != ' ' {
			next++
		}
		if used += byteCells(text[end:next]); used > cells && end > 0 {
			return text[:end], text[word:]
		}
		end = next
	}
	return text, nil
}

// wrapFrom breaks dst from index from on between words into lines of at most a number of cells, all but the
// first indented.
func wrapFrom(dst []byte, from, cells, indent int) []byte {
	if byteCells(dst[from:]) <= cells {
		return dst
	}
	rest := bytes.Clone(dst[from:])
	dst = dst[:from]
	for len(rest) > 0 {
		if len(dst) > from {
			dst = appendRepeated(append(dst, '\n'), ' ', indent)
		}
		line, more := wordLine(rest, cells)
		if byteCells(line) > cells {
			line, more = cellLine(rest, cells)
		}
		dst, rest = append(dst, line...), more
		if len(dst) == from+len(line) {
			cells = max(cells-indent, leastWidth)
		}
	}
	return dst
}

// byteCells is textCells for bytes.
func byteCells(b []byte) int {
	for i, c := range b {
		if c >= utf8.RuneSelf {
			return i + text.Cells(string(b[i:]))
		}
	}
	return len(b)
}

func appendRepeated(dst []byte, c byte, n int) []byte {
	for range n {
		dst = append(dst, c)
	}
	return dst
}

func trimBlanks(dst []byte) []byte { return bytes.TrimRight(dst, " ") }
