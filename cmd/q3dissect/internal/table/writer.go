package table

import (
	"bytes"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// A writer passes the rows of a sheet to tablewriter, one at a time.
type writer struct {
	*sheet
	table   *tablewriter.Table
	columns []int // of the sheet, by column of tablewriter
	cells   []string
}

// asIs makes tablewriter leave cells as they are: without title case, trimming, wrapping, and characters of ambiguous
// width narrow.
func asIs() []tablewriter.Option {
	return []tablewriter.Option{
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithEastAsian(tw.Off), tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithTrimLine(tw.Off), tablewriter.WithTrimTab(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithRowAutoWrap(tw.WrapNone),
	}
}

// newWriter returns a writer of the columns in line: as wide as they were measured, with the gap before them as their
// padding.
func (s *sheet) newWriter(to io.Writer) *writer {
	w := &writer{sheet: s}
	widths := tw.NewMapper[int, int]()
	var aligns []tw.Align
	var paddings []tw.Padding
	for i, in := range s.inLine {
		if !in {
			continue
		}
		gap, n := s.gap(i), len(w.columns)
		align, padding := tw.AlignLeft, tw.Padding{Left: strings.Repeat(" ", gap), Overwrite: true}
		if s.Columns[i].Right { // tablewriter repeats the padding up to the value
			align, padding.Left = tw.AlignRight, strings.Repeat(" ", min(gap, 1))
		}
		w.columns, aligns, paddings = append(w.columns, i), append(aligns, align), append(paddings, padding)
		widths.Set(n, gap+s.widths[i])
	}
	w.cells = make([]string, len(w.columns))
	cell := tw.CellConfig{Alignment: tw.CellAlignment{PerColumn: aligns}, Padding: tw.CellPadding{PerColumn: paddings}}
	w.table = tablewriter.NewTable(to, append(
		asIs(),
		tablewriter.WithHeaderAlignmentConfig(cell.Alignment), tablewriter.WithRowAlignmentConfig(cell.Alignment),
		tablewriter.WithHeaderPaddingPerColumn(paddings), tablewriter.WithRowPaddingPerColumn(paddings),
		tablewriter.WithColumnWidths(widths), tablewriter.WithStreaming(tw.StreamConfig{Enable: true}),
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.Off, Bottom: tw.Off},
			Settings: tw.Settings{
				Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
				Lines:      tw.Lines{ShowHeaderLine: tw.Off},
			},
		})),
	)...)
	return w
}

// begin begins a block of rows with the names of the columns.
func (w *writer) begin() {
	must(w.table.Start())
	if w.Bare {
		return
	}
	for n, i := range w.columns {
		w.cells[n] = w.paint(cyan, w.Columns[i].Name)
	}
	w.table.Header(w.cells)
}

// row writes a row, with its continuation lines.
func (w *writer) row(row []string) {
	for n, i := range w.columns {
		if w.cells[n] = row[i]; i == w.folded {
			w.cells[n] = folded(row[i], w.widths[i], w.Columns[i].Words)
		}
	}
	must(w.table.Append(w.cells))
}

func (w *writer) end() { must(w.table.Close()) }

// folded returns a text with a line feed where it is folded.
func folded(text string, width int, words bool) string {
	line, rest := fold(text, width, words)
	if rest == "" {
		return line
	}
	return line + "\n" + folded(rest, width, words)
}

// markup escapes what is markup in a cell of Markdown.
var markup = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", "&", "&amp;")

// AppendMarkdown appends the table in Markdown, as GitHub reads it, with the title in bold above and the notes below.
func (t *Table) AppendMarkdown(dst []byte) []byte {
	if t.Title != "" {
		dst = append(append(append(dst, "**"...), t.Title...), "**\n\n"...)
	}
	var aligns []tw.Align
	for _, c := range t.Columns {
		align := tw.AlignLeft
		if c.Right {
			align = tw.AlignRight
		}
		aligns = append(aligns, align)
	}
	var b bytes.Buffer
	table := tablewriter.NewTable(&b, append(
		asIs(), tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: aligns}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: aligns}),
		tablewriter.WithRenderer(renderer.NewMarkdown()),
	)...)
	table.Header(t.names())
	for values := range t.Rows {
		row := make([]string, len(t.Columns)) // tablewriter keeps it
		for i := range row {
			row[i] = markup.Replace(t.Columns[i].visible(values[i]))
		}
		must(table.Append(row))
	}
	must(table.Render())
	dst = append(dst, b.Bytes()...)
	for _, note := range t.Notes {
		dst = append(append(append(dst, '\n'), note...), '\n')
	}
	return dst
}
