package table

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

const (
	leastFold   = 20 // cells to which the texts of a column are folded at least
	belowIndent = 4  // blanks before values below a row, more than before the row
	leastNote   = 20 // cells of the lines of a note at least
)

// AppendText appends the table as text: the title, the names of the columns, the rows, the notes.
func (t *Table) AppendText(dst []byte, style Style) []byte {
	if t.Title != "" {
		dst = append(append(dst, style.paint(bold, wiretext.Visible(t.Title))...), '\n')
	}
	s := sheet{Table: t, Style: style, folded: -1}
	switch rows := s.measure(); {
	case rows == 0 && t.Bare:
	case rows == 0:
		dst = append(append(dst, strings.Repeat(" ", t.Indent)...), "nothing\n"...)
	default:
		dst = s.append(dst)
	}
	indent := strings.Repeat(" ", t.Indent)
	for _, note := range t.Notes {
		dst = appendWords(append(dst, indent...), t.Indent, t.Indent, note, style.Width)
	}
	return dst
}

// AppendNote appends a paragraph in lines that fit the terminal, broken between words: what must be copied, such as the
// name of a file, stays whole. Lines after the first are indented.
func AppendNote(dst []byte, text string, style Style, indent int) []byte {
	return appendWords(dst, 0, indent, text, style.Width)
}

// appendWords appends a text that begins in a column, and continues in another column of the next lines.
func appendWords(dst []byte, at, indent int, text string, width int) []byte {
	used := 0 // in the line
	for word := range strings.SplitSeq(wiretext.Visible(text), " ") {
		size := cells(word)
		switch {
		case used == 0:
		case width > 0 && used+1+size > max(width-at, leastNote):
			dst = append(append(dst, '\n'), strings.Repeat(" ", indent)...)
			used, at = 0, indent
		default:
			dst = append(dst, ' ')
			used++
		}
		dst = append(dst, word...)
		used += size
	}
	return append(dst, '\n')
}

// A sheet is a table that is being laid out.
type sheet struct {
	*Table
	Style
	widths  []int  // in cells, by column
	inLine  []bool // the columns of the rows
	heading []int  // columns above the rows
	below   []int  // columns below their row
	notes   []int  // columns of paragraphs below their row
	folded  int    // the column whose texts continue in the next lines; -1: none
}

// measure finds the widths of the columns and returns the number of rows.
func (s *sheet) measure() (rows int) {
	s.widths, s.inLine = make([]int, len(s.Columns)), make([]bool, len(s.Columns))
	for i, c := range s.Columns {
		if s.inLine[i] = c.Place != AsNotes; !s.inLine[i] {
			s.notes = append(s.notes, i)
		}
		if s.widths[i] = c.Least; !s.Bare {
			s.widths[i] = max(c.Least, cells(c.Name))
		}
	}
	for row := range s.Rows {
		rows++
		for i, in := range s.inLine {
			if in {
				s.widths[i] = max(s.widths[i], cells(s.Columns[i].visible(row[i])))
			}
		}
	}
	if s.Width > 0 && s.total() > s.Width {
		s.fit()
	}
	return rows
}

// gap returns the blanks before a column.
func (s *sheet) gap(column int) int {
	switch c := &s.Columns[column]; {
	case column == 0 || !s.inLine[0] && s.first() == column:
		return s.Indent
	case c.Gap > 0:
		return c.Gap
	}
	return 2
}

// first returns the first column in the rows.
func (s *sheet) first() int {
	for i, in := range s.inLine {
		if in {
			return i
		}
	}
	return -1
}

// total is the width of the rows, in cells.
func (s *sheet) total() (total int) {
	for i, in := range s.inLine {
		if in {
			total += s.gap(i) + s.widths[i]
		}
	}
	return total
}

// fit makes the rows fit the terminal: columns in the heading are above the rows; if one column of texts can be
// folded so that the others fit, it is, if need be with the columns of below the row there; otherwise columns without
// room are below their row too, with their names.
func (s *sheet) fit() {
	for i := range s.Columns {
		if s.Columns[i].Place == InHeading {
			s.heading, s.inLine[i] = append(s.heading, i), false
		}
	}
	if s.total() <= s.Width || s.foldWidest(false) {
		return
	}
	s.move(func(i, _ int) bool { return s.Columns[i].Place == BelowLine })
	if s.total() > s.Width && !s.foldWidest(true) && !s.foldWidest(false) {
		s.move(func(i, used int) bool { return used > 0 && used+s.gap(i)+s.widths[i] > s.Width })
	}
	slices.Sort(s.below)
}

// move takes columns out of the rows. used is how many cells the columns before take.
func (s *sheet) move(out func(column, used int) bool) {
	used := 0
	for i, in := range s.inLine {
		switch {
		case !in:
		case out(i, used):
			s.below, s.inLine[i] = append(s.below, i), false
		default:
			used += s.gap(i) + s.widths[i]
		}
	}
}

// foldWidest makes the widest column of texts, or of prose, as narrow as the terminal needs it, and reports whether
// that leaves it wide enough.
func (s *sheet) foldWidest(prose bool) bool {
	widest := -1
	for i := range s.Columns {
		if s.inLine[i] && !s.Columns[i].Right && (!prose || s.Columns[i].Words) &&
			(widest < 0 || s.widths[i] > s.widths[widest]) {
			widest = i
		}
	}
	if widest < 0 {
		return false
	}
	least := leastFold
	if !s.Bare {
		least = max(least, cells(s.Columns[widest].Name))
	}
	if s.widths[widest]-(s.total()-s.Width) < least {
		return false
	}
	s.widths[widest] -= s.total() - s.Width
	s.folded = widest
	return true
}

// append appends the rows with the lines above and below them.
func (s *sheet) append(dst []byte) []byte {
	out := lines{dst}
	w := s.newWriter(&out)
	last, begun := "", false
	row := make([]string, len(s.Columns)) // as it is shown
	for values := range s.Rows {
		for i := range row {
			row[i] = s.Columns[i].visible(values[i])
		}
		above := s.named(row, s.heading)
		if title := strings.Join(above, "  "); !begun || title != last {
			if begun {
				w.end()
				out.text = append(out.text, '\n')
			}
			last, begun = title, true
			out.text = s.appendParts(out.text, s.Indent, above)
			w.begin()
		}
		w.row(row)
		out.text = s.appendParts(out.text, s.Indent+belowIndent, s.named(row, s.below))
		for _, i := range s.notes {
			out.text = s.appendNotes(out.text, values[i])
		}
	}
	w.end()
	return out.text
}

// appendNotes appends the paragraphs of a cell.
func (s *sheet) appendNotes(dst []byte, text string) []byte {
	if text == "" {
		return dst
	}
	at := s.Indent + belowIndent
	for note := range strings.SplitSeq(text, "\n") {
		dst = appendWords(append(dst, strings.Repeat(" ", at)...), at, at+2, note, s.Width)
	}
	return dst
}

// named returns the values of some columns of a row, with their names.
func (s *sheet) named(row []string, columns []int) (parts []string) {
	for _, i := range columns {
		c := &s.Columns[i]
		part := row[i]
		if part == "" {
			continue
		}
		if c.Name != "" {
			part = c.Name + ": " + part
		}
		if c.Unit != "" && !strings.Contains("_"+c.Name+"_", "_"+c.Unit+"_") {
			part += " " + c.Unit
		}
		parts = append(parts, part)
	}
	return parts
}

// appendParts appends lines of parts from a column on, each part in one line if there is room.
func (s *sheet) appendParts(dst []byte, at int, parts []string) []byte {
	indent, used := strings.Repeat(" ", at), 0
	for _, part := range parts {
		size := cells(part)
		if used > 0 && at+used+2+size > s.Width {
			dst, used = append(dst, '\n'), 0
		}
		if used == 0 {
			dst = append(dst, indent...)
		} else {
			dst, used = append(dst, "  "...), used+2
		}
		for room := s.Width - at; size > room; size, room = cells(part), max(1, s.Width-at-2) {
			var line string
			line, part = fold(part, max(1, room), false)
			dst = append(append(append(append(dst, strings.TrimRight(line, " ")...), '\n'), indent...), "  "...)
			used = s.Width // the next part begins a line
		}
		dst, used = append(dst, part...), used+size
	}
	if used > 0 {
		dst = append(dst, '\n')
	}
	return dst
}

// lines takes whole lines, as tablewriter writes them, and keeps no blanks at their ends.
type lines struct{ text []byte }

func (l *lines) Write(line []byte) (int, error) {
	l.text = append(append(l.text, bytes.TrimRight(line, " \n")...), '\n')
	return len(line), nil
}

// must ends the program if tablewriter returns an error: it writes into memory, rows of the right length.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("tablewriter: %v", err))
	}
}
