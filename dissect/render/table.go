package render

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/q3dissect/q3dissect/dissect"
)

const (
	fieldWidth   = 48  // cells of a key of an infostring, which the wire chooses
	valueWidth   = 64  // cells of the column Value; longer values go on in the next line
	meaningWidth = 64  // cells of the column Meaning
	wholeHex     = 256 // bytes; longer hexadecimal shows its beginning and its length
	shownHex     = 64  // bytes of that beginning
)

// A Table writes a heading and a table of every field for each record: its place and length in bits as
// they travel, its value and what that means. It may serve several goroutines.
type Table struct {
	Time TimeFormat
	// Previous is that of List.
	Previous func(*dissect.Record) (at int64, ok bool)
}

// Append appends the record's heading, table and expert entries, and an empty line.
func (t *Table) Append(dst []byte, rec *dissect.Record) []byte {
	dst = t.appendHeading(dst, rec)
	if len(rec.Tree.Nodes) > 0 {
		dst = appendTable(dst, fieldRows(rec))
	}
	for i := range rec.Experts {
		dst = appendExpertLine(dst, &rec.Experts[i])
	}
	return append(dst, '\n')
}

// appendHeading appends "Frame 26, 0.215361, 127.0.0.1:27960 → 127.0.0.1:27965, 118 bytes, quake3 68,
// stream 0, server to client: snapshot 7800 full".
func (t *Table) appendHeading(dst []byte, rec *dissect.Record) []byte {
	const comma = ", "
	if rec.Recorded() {
		dst = appendUint(append(dst, "Demo message "...), rec.Frame-1)
	} else {
		dst = appendUint(append(dst, "Frame "...), rec.Frame)
	}
	l := List{Time: t.Time, Previous: t.Previous}
	if at := len(dst) + len(comma); rec.HasTime {
		dst = l.appendTime(append(dst, comma...), rec)
		dst = append(dst[:at], bytes.TrimLeft(dst[at:], " ")...)
	}
	if rec.Src.IsValid() || rec.Dst.IsValid() {
		dst = appendEndpoint(append(dst, comma...), rec, rec.Src)
		dst = appendEndpoint(append(dst, " → "...), rec, rec.Dst)
	}
	dst = appendInt(append(dst, comma...), int64(rec.Length))
	dst = append(dst, " bytes"...)
	if rec.Truncated() {
		dst = appendInt(append(dst, " ("...), int64(len(rec.Payload)))
		dst = append(dst, " captured)"...)
	}
	if rec.Protocol != nil {
		dst = appendProtocolVersion(append(dst, comma...), rec)
	}
	if rec.Stream >= 0 && !rec.Recorded() {
		dst = appendInt(append(dst, ", stream "...), int64(rec.Stream))
	}
	if rec.Direction != dissect.Undecidable {
		dst = append(append(dst, comma...), strings.ReplaceAll(rec.Direction.String(), "_", " ")...)
	}
	dst = append(dst, ": "...)
	from := len(dst)
	dst, _ = appendInfoText(dst, rec, 0)
	dst = makeVisible(dst, from)
	if len(dst) == from {
		dst = dst[:from-len(": ")]
	}
	return append(dst, '\n')
}

// appendExpertLine appends "warning fragment_lost at byte 12 bit 3, quake3.netchan.sequence: ...".
func appendExpertLine(dst []byte, e *dissect.Expert) []byte {
	dst = append(dst, e.Severity.String()...)
	dst = append(dst, ' ')
	dst = append(dst, e.Code...)
	dst = appendInt(append(dst, " at byte "...), int64(e.BitOffset>>3))
	dst = appendInt(append(dst, " bit "...), int64(e.BitOffset&7))
	if e.Field != "" {
		dst = append(append(dst, ", "...), e.Field...)
	}
	dst = append(dst, ": "...)
	from := len(dst)
	dst = makeVisible(append(dst, e.Message...), from)
	return append(dst, '\n')
}

// appendTable lets tablewriter lay the rows out and drops the blanks at the ends of lines.
func appendTable(dst []byte, rows [][]string) []byte {
	var out bytes.Buffer
	left, right := tw.AlignLeft, tw.AlignRight
	table := tablewriter.NewTable(&out,
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithTrimLine(tw.Off),
		tablewriter.WithTrimTab(tw.Off),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAlignment(left),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: []tw.Align{right, right, left, left, left}}),
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.Off, Bottom: tw.Off},
			Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.On, BetweenRows: tw.Off}},
		})),
	)
	table.Header([]string{"At", "Bits", "Field", "Value", "Meaning"})
	// Rows are plain strings and the buffer takes everything, so neither call can fail.
	if err := table.Bulk(rows); err != nil {
		panic(err)
	}
	if err := table.Render(); err != nil {
		panic(err)
	}
	for line := range bytes.Lines(out.Bytes()) {
		dst = append(dst, bytes.TrimRight(line, " \n")...)
		dst = append(dst, '\n')
	}
	return dst
}

// fieldRows makes the rows of a tree, one for each node and for each key of an infostring.
func fieldRows(rec *dissect.Record) [][]string {
	tree, m := rec.Tree, newMasker(rec)
	w := walks.Get().(*walk)
	defer walks.Put(w)
	rows := make([][]string, 0, len(tree.Nodes))
	seen := make(map[*dissect.Field]bool)
	for w.start(tree); w.next(); {
		n := w.node
		row := []string{"", "", w.label(), tableValue(tree, w.at, &m), tableMeaning(w, seen)}
		if n.Bits > 0 {
			row[0] = strconv.Itoa(int(n.Bit>>3)) + "." + strconv.Itoa(int(n.Bit&7))
			row[1] = strconv.Itoa(int(n.Bits))
		}
		rows = append(rows, row)
		if n.Field.Kind == dissect.Info {
			rows = appendInfoRows(rows, m.text(tree, w.at), tree.Family, n.Field, len(w.outer)+1)
		}
	}
	return rows
}

// label is the cell Field: what the node is called in its container, indented by depth.
func (w *walk) label() string {
	f, indent := w.node.Field, strings.Repeat("  ", len(w.outer))
	up := w.parent()
	if up == nil {
		return indent + f.Key
	}
	switch up.Kind {
	case dissect.Choices:
		return indent + "[" + strconv.Itoa(w.index) + "] " + f.Key
	case dissect.List, dissect.Sparse:
		return indent + "[" + strconv.Itoa(w.index) + "]"
	}
	return indent + f.Key
}

// inMessage reports whether the containers around the node count their places in the message.
func (w *walk) inMessage() bool {
	return len(w.outer) > 0 && w.outer[len(w.outer)-1].scope == dissect.Message
}

// appendInfoRows makes a row for each key of the infostring s. The field's children describe known keys.
func appendInfoRows(rows [][]string, s []byte, family uint8, f *dissect.Field, depth int) [][]string {
	indent := strings.Repeat("  ", depth)
	for {
		key, value, rest, ok := dissect.NextPair(s)
		if !ok {
			return rows
		}
		s = rest
		name := wrapCells(string(appendVisible(nil, key)), fieldWidth)
		name = indent + strings.ReplaceAll(name, "\n", "\n"+indent)
		rows = append(rows, []string{"", "", name, quoted(value), infoMeaning(f, family, key, value)})
	}
}

// infoMeaning is the cell Meaning of a key of an infostring: the name of its number, and what it means.
func infoMeaning(info *dissect.Field, family uint8, key, value []byte) string {
	i := slices.IndexFunc(info.Children, func(f *dissect.Field) bool { return f.Key == string(key) })
	if i < 0 {
		return ""
	}
	f := info.Children[i]
	if number, err := strconv.ParseUint(string(value), 10, 64); err == nil && f.Enum != nil {
		if name := f.Enum.Name(family, number); name != "" {
			return name + "; " + f.Doc
		}
	}
	return f.Doc
}

// tableValue is the cell Value of a node; infostrings and objects have theirs in the rows below.
func tableValue(tree *dissect.Tree, i int, m *masker) string {
	n := &tree.Nodes[i]
	switch n.Field.Kind {
	case dissect.List, dissect.Choices:
		if count := tree.Len(i); count != 1 {
			return strconv.Itoa(count) + " elements"
		}
		return "1 element"
	case dissect.Object, dissect.Sparse, dissect.Info:
		return ""
	case dissect.Text:
		return quoted(m.text(tree, i))
	case dissect.Label:
		if m.hides(n.Field) && len(tree.Bytes(n)) > 0 {
			return dissect.SecretMask
		}
	case dissect.Hex:
		if b := tree.Bytes(n); len(b) > wholeHex {
			return wrapCells(string(appendHex(nil, b[:shownHex])), valueWidth) +
				"\n… the first " + strconv.Itoa(shownHex) + " of " + strconv.Itoa(len(b)) + " bytes"
		}
	}
	return wrapCells(string(appendPlainValue(nil, tree, n)), valueWidth)
}

// quoted shows a text of the wire between quotes, so that blanks at its ends are seen.
func quoted(b []byte) string {
	return wrapCells(string(append(appendVisible([]byte{'"'}, b), '"')), valueWidth)
}

// tableMeaning is the cell Meaning: what the value and the index are called, the unit and, where the
// field appears for the first time in this table, what it is.
func tableMeaning(w *walk, seen map[*dissect.Field]bool) string {
	n := w.node
	f := n.Field
	var parts []string
	if up := w.parent(); up != nil && up.Kind == dissect.Sparse && up.Enum != nil && w.index >= 0 {
		if name := up.Enum.Name(w.tree.Family, uint64(w.index)); name != "" {
			parts = append(parts, name)
		}
	}
	if named(f) {
		if names := appendNames(nil, n, w.tree.Family, 0, ", "); len(names) > 0 {
			parts = append(parts, string(names))
		}
	}
	if f.Unit != "" {
		parts = append(parts, f.Unit)
	}
	if f.Scope == dissect.Message && !w.inMessage() {
		parts = append(parts, "places count from the start of the message")
	}
	if f.Doc != "" && !seen[f] {
		seen[f] = true
		parts = append(parts, f.Doc)
	}
	return wrapWords(strings.Join(parts, "; "), meaningWidth)
}

// wrapCells breaks a text into lines of at most so many cells.
func wrapCells(s string, cells int) string {
	if len(s) <= cells {
		return s
	}
	var b strings.Builder
	used := 0
	for _, r := range s {
		if c := runeCells(r); used+c > cells {
			b.WriteByte('\n')
			used = c
		} else {
			used += c
		}
		b.WriteRune(r)
	}
	return b.String()
}

// wrapWords breaks a text between words into lines of at most so many cells.
func wrapWords(s string, cells int) string {
	if len(s) <= cells {
		return s
	}
	var b strings.Builder
	used := 0
	for word := range strings.FieldsSeq(s) {
		c := textCells(word)
		switch {
		case used == 0:
		case used+1+c > cells:
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += c
	}
	return b.String()
}
