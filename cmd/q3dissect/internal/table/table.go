// Package table lays out the tables that the program prints once: statistics, the catalogue, keys, protocols.
//
//	t := table.Table{
//		Columns: []table.Column{{Name: "player"}, {Name: "kills", Right: true}},
//		Rows:    slices.Values([][]string{{"Sarge", "12"}, {"Gargoyle", "3"}}),
//	}
//	out = t.AppendText(out, table.Style{Width: 80})
//
// It is the one package that knows tablewriter, and it has the look of the project: columns two blanks apart without
// lines, numbers at the right, wide characters in two cells, everything escaped that a terminal obeys. On a terminal
// that is narrower than a table, rows that have something in common are below a heading, the widest text continues in
// the next line, or columns go below their row. The same rows come as CSV and as Markdown.
//
// A table takes memory for its output alone: rows are asked for twice, to measure and to write them, and tablewriter
// gets them one by one with the widths that were measured.
package table

import (
	"iter"
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A Table is rows of cells under the names of their columns.
type Table struct {
	Title   string // the line above; "": none
	Columns []Column
	// Rows returns the rows, the same whenever it is called: a cell for each column, any bytes. A row is read before the
	// next is made.
	Rows   iter.Seq[[]string]
	Notes  []string // lines below the rows
	Bare   bool     // without the names of the columns
	Indent int      // cells before the rows; names and values below a row have four more
}

// A Column describes the cells of a column.
type Column struct {
	Name  string
	Unit  string // of values that are below their row, with the name
	Right bool   // aligned at the right, as numbers are
	Words bool   // folded between words alone; else also in lists and in names with points
	Place Place
	Least int // cells that it takes at least
	Most  int // cells of a value; what is longer ends with an ellipsis. 0: any number
	Gap   int // blanks before it, instead of two; not of the first column
}

// A Place is where a column is shown; most places occur only in a table that is wider than the terminal.
type Place uint8

// The places.
const (
	InLine    Place = iota // in the row as long as there is room, else below it
	InHeading              // above the rows that follow each other with the same value
	BelowLine              // below the row
	// below the row on every output, each line of the cell a paragraph without the name of the column
	AsNotes
)

// A ColumnOf is a column with the function that returns its cell from what a row is made of.
type ColumnOf[R any] struct {
	Column
	Cell func(*R) string
}

// Of returns a table with a row for each element of a list.
func Of[R any](list []R, columns []ColumnOf[R]) *Table {
	t := &Table{}
	for _, c := range columns {
		t.Columns = append(t.Columns, c.Column)
	}
	t.Rows = func(yield func([]string) bool) {
		row := make([]string, len(columns))
		for i := range list {
			for n, c := range columns {
				row[n] = c.Cell(&list[i])
			}
			if !yield(row) {
				return
			}
		}
	}
	return t
}

// A Style is what a table is laid out for.
type Style struct {
	Width int  // cells of the terminal; 0: lines are as long as they need
	Color bool // title bold, names of columns cyan
}

// Colours are those of -V.
const (
	bold  = "\x1b[1m"
	cyan  = "\x1b[36m"
	plain = "\x1b[0m"
)

// paint returns a text in a colour, if the style has colours.
func (s Style) paint(color, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return color + text + plain
}

// AppendCSV appends a line of the names, unless the table is bare, and a line for each row. Values that a spreadsheet
// would run as formulas are guarded.
func (t *Table) AppendCSV(dst []byte) []byte {
	form := CSV()
	return t.AppendAs(dst, &form)
}

// A CSVForm is how values are separated, quoted and guarded.
type CSVForm = render.Columns

// CSV returns the form of AppendCSV.
func CSV() CSVForm {
	form := render.CSVColumns()
	form.Guard = true
	return form
}

// AppendAs is AppendCSV in another form.
func (t *Table) AppendAs(dst []byte, form *CSVForm) []byte {
	if !t.Bare && form.Header {
		dst = form.AppendRow(dst, t.names())
	}
	for row := range t.Rows {
		dst = form.AppendRow(dst, row)
	}
	return dst
}

func (t *Table) names() []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return names
}

// visible returns a cell as it is shown: safe for a terminal, and within the column's limit.
func (c *Column) visible(text string) string {
	if text = wiretext.Visible(text); c.Most > 0 && cells(text) > c.Most {
		return twwidth.Truncate(text, c.Most, "…")
	}
	return text
}

// cells returns how many cells of a terminal a text takes.
func cells(text string) int {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return twwidth.Width(text)
		}
	}
	return len(text)
}

// fold divides a text after at most a number of cells: where a part of a list ends, a word, or a part of a name, unless
// that leaves less than a third of the line; or between words alone where that is possible.
func fold(text string, width int, words bool) (line, rest string) {
	if cells(text) <= width {
		return text, ""
	}
	if line = twwidth.Truncate(text, width); line == "" { // a wide character in one cell
		_, line = text, string([]rune(text)[:1])
	}
	ends := []string{",", " ", "./_"}
	if words {
		if text[len(line)] == ' ' {
			return line, strings.TrimLeft(text[len(line):], " ")
		}
		ends = []string{" "}
	}
	for _, end := range ends {
		if at := strings.LastIndexAny(line, end); at > len(line)/3 || words && at > 0 {
			line = line[:at+1]
			break
		}
	}
	return line, strings.TrimLeft(text[len(line):], " ")
}
