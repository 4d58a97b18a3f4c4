package view

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

const (
	// leastCell is the least width to which the texts of a column are folded, in characters.
	leastCell = 20
	// belowIndent is where the values below a row begin, in characters.
	belowIndent = 6
)

// AppendText appends the table in readable form: the name, aligned columns under their keys, the notes. Lines are as long as
// they need if width is 0, else they fit a terminal of that many characters.
func (t *Table) AppendText(dst []byte, width int) []byte {
	dst = append(append(dst, t.Name...), '\n')
	s := t.sheet()
	switch {
	case len(t.Rows) == 0:
		dst = append(dst, "  nothing\n"...)
	case width > 0 && s.width() > width:
		dst = s.appendBlocks(dst, width)
	default:
		dst = s.appendRow(dst, s.keys)
		for _, row := range s.cells {
			dst = s.appendRow(dst, row)
		}
	}
	for _, note := range t.Notes {
		if width > 0 {
			dst = appendWrapped(append(dst, "  "...), 2, note, width)
			continue
		}
		dst = append(append(append(dst, "  "...), note...), '\n')
	}
	return dst
}

// A sheet is a table as text.
type sheet struct {
	columns []Column
	keys    []string
	cells   [][]string
	widths  []int  // in characters, by column
	inLine  []bool // the columns of the rows
	folded  int    // the column whose texts go on in the next lines; -1: none
}

func (t *Table) sheet() *sheet {
	n := len(t.Columns)
	s := &sheet{columns: t.Columns, keys: make([]string, n), cells: make([][]string, len(t.Rows)), widths: make([]int, n), inLine: make([]bool, n), folded: -1}
	for i, c := range t.Columns {
		s.keys[i], s.widths[i] = c.Key, utf8.RuneCountInString(c.Key)
	}
	for r, row := range t.Rows {
		s.cells[r] = make([]string, n)
		for i, v := range row {
			s.cells[r][i] = cell(v)
			s.widths[i] = max(s.widths[i], utf8.RuneCountInString(s.cells[r][i]))
			s.inLine[i] = s.inLine[i] || v != nil
		}
	}
	return s
}

// width is that of the rows, in characters.
func (s *sheet) width() (total int) {
	for i, in := range s.inLine {
		if in {
			total += 2 + s.widths[i]
		}
	}
	return total
}

// appendRow appends the cells of a row, and what of them goes on in the next lines.
func (s *sheet) appendRow(dst []byte, row []string) []byte {
	rest := ""
	for i, text := range row {
		if !s.inLine[i] {
			continue
		}
		if i == s.folded {
			text, rest = fold(text, s.widths[i])
		}
		if dst = append(dst, "  "...); s.columns[i].Type == "string" {
			dst = append(dst, padded(text, s.widths[i])...)
		} else {
			dst = append(dst, leftPadded(text, s.widths[i])...)
		}
	}
	dst = append(bytes.TrimRight(dst, " "), '\n')
	if rest == "" {
		return dst
	}
	next := make([]string, len(row))
	next[s.folded] = rest
	return s.appendRow(dst, next)
}

// fold divides a text after at most width characters: where a part of a list ends, a word, or a part of a name, unless that
// leaves less than a third of the line.
func fold(text string, width int) (line, rest string) {
	r := []rune(text)
	if len(r) <= width {
		return text, ""
	}
	line = string(r[:width])
	for _, ends := range []string{",", " ", "./_"} {
		if end := strings.LastIndexAny(line, ends); end > len(line)/3 {
			line = line[:end+1]
			break
		}
	}
	return line, strings.TrimLeft(text[len(line):], " ")
}

// appendBlocks appends the rows for a terminal. Columns in the heading stand above the rows; if one column of texts can be folded
// so that the others fit, it is; otherwise columns without room stand below their row, with their keys.
func (s *sheet) appendBlocks(dst []byte, width int) []byte {
	var heading, below []int
	for i, c := range s.columns {
		if s.inLine[i] && c.Place == InHeading {
			heading, s.inLine[i] = append(heading, i), false
		}
	}
	if s.width() > width && !s.foldOne(width) {
		below = s.move(width)
	}
	var last string
	for r, row := range s.cells {
		above := s.named(row, heading)
		if title := strings.Join(above, "  "); r == 0 || title != last {
			if last = title; r > 0 {
				dst = append(dst, '\n')
			}
			dst = appendParts(dst, 2, above, width)
			dst = s.appendRow(dst, s.keys)
		}
		dst = s.appendRow(dst, row)
		dst = appendParts(dst, belowIndent, s.named(row, below), width)
	}
	return dst
}

// foldOne makes the widest column of texts as narrow as the terminal needs it, and reports whether that leaves it wide enough.
func (s *sheet) foldOne(width int) bool {
	widest := -1
	for i, c := range s.columns {
		if s.inLine[i] && c.Type == "string" && (widest < 0 || s.widths[i] > s.widths[widest]) {
			widest = i
		}
	}
	if widest < 0 || s.widths[widest]-(s.width()-width) < max(leastCell, len(s.keys[widest])) {
		return false
	}
	s.widths[widest] -= s.width() - width
	s.folded = widest
	return true
}

// move takes columns out of the rows until these fit, and returns them.
func (s *sheet) move(width int) (below []int) {
	used := 0
	for i, c := range s.columns {
		if !s.inLine[i] {
			continue
		}
		if c.Place == BelowLine || used > 0 && used+2+s.widths[i] > width {
			below, s.inLine[i] = append(below, i), false
			continue
		}
		used += 2 + s.widths[i]
	}
	return below
}

// named returns the values of some columns of a row, with their keys.
func (s *sheet) named(row []string, columns []int) (parts []string) {
	for _, i := range columns {
		if row[i] == "" {
			continue
		}
		part := s.keys[i] + ": " + row[i]
		if unit := s.columns[i].Unit; unit != "" && !strings.HasPrefix(s.keys[i]+"_", unit+"_") {
			part += " " + unit
		}
		parts = append(parts, part)
	}
	return parts
}

// appendParts appends lines of parts from a column on, each part in one line if it fits.
func appendParts(dst []byte, at int, parts []string, width int) []byte {
	indent, used := strings.Repeat(" ", at), 0
	for _, part := range parts {
		size := utf8.RuneCountInString(part)
		if used > 0 && at+used+2+size > width {
			dst, used = append(dst, '\n'), 0
		}
		if used == 0 {
			dst = append(dst, indent...)
		} else {
			dst, used = append(dst, "  "...), used+2
		}
		for room := width - at; size > room; size, room = utf8.RuneCountInString(part), max(1, width-at-2) {
			var line string
			line, part = fold(part, max(1, room))
			dst = append(append(append(append(dst, strings.TrimRight(line, " ")...), '\n'), indent...), "  "...)
			used = width // the next part begins a line
		}
		dst, used = append(dst, part...), used+size
	}
	if used > 0 {
		dst = append(dst, '\n')
	}
	return dst
}

// cell returns a value as text, safe for a terminal.
func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return wiretext.Visible(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return "?"
}
