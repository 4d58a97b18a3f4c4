package render

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
)

// newTablewriter returns a table of the same look by another program's code.
func newTablewriter(out io.Writer, options ...tablewriter.Option) *tablewriter.Table {
	left, right := tw.AlignLeft, tw.AlignRight
	return tablewriter.NewTable(out, append([]tablewriter.Option{
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithTrimSpace(tw.Off), tablewriter.WithTrimLine(tw.Off), tablewriter.WithTrimTab(tw.Off),
		tablewriter.WithRowAutoWrap(tw.WrapNone), tablewriter.WithHeaderAlignment(left),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: []tw.Align{right, right, left, left, left}}),
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.Off, Bottom: tw.Off},
			Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.On, BetweenRows: tw.Off}},
		})),
	}, options...)...)
}

// fill gives a table its rows.
func fill(table *tablewriter.Table, rows [][columnCount]string) error {
	table.Header(columnNames[:])
	for _, row := range rows {
		if err := table.Append(row[:]); err != nil {
			return err
		}
	}
	return nil
}

// byTablewriter lays a table out with another program's code.
func byTablewriter(t *rapid.T, rows [][columnCount]string) string {
	var out bytes.Buffer
	table := newTablewriter(&out)
	if err := fill(table, rows); err != nil {
		t.Fatal(err)
	}
	if err := table.Render(); err != nil {
		t.Fatal(err)
	}
	var trimmed strings.Builder
	for line := range strings.Lines(out.String()) {
		trimmed.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return trimmed.String()
}

// BenchmarkLayout compares the layout of a table of -V with tablewriter's: of a table for each record, of one that is
// reused, and of one that streams its rows at widths that were measured. docs/decisions.md has the figures.
func BenchmarkLayout(b *testing.B) {
	rows := make([][columnCount]string, 50) // of a small snapshot
	for i := range rows {
		rows[i] = [columnCount]string{
			fmt.Sprint(i, ".3"), "8", "  pos.tr_base", fmt.Sprint(1000 * i),
			"eighths; where the entity is",
		}
	}
	g := makeGrid(rows)
	b.Run("ours", func(b *testing.B) {
		var dst []byte
		for b.Loop() {
			dst = g.append(dst[:0], 0)
		}
	})
	run := func(name string, table *tablewriter.Table, begin, end func(*tablewriter.Table) error) {
		b.Run("tablewriter/"+name, func(b *testing.B) {
			for b.Loop() {
				if table == nil {
					table := newTablewriter(io.Discard)
					if err := errors.Join(fill(table, rows), end(table)); err != nil {
						b.Fatal(err)
					}
				} else if err := errors.Join(begin(table), fill(table, rows), end(table)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	render := (*tablewriter.Table).Render
	run("new", nil, nil, render)
	run("reused", newTablewriter(io.Discard), func(t *tablewriter.Table) error { t.Reset(); return nil }, render)
	widths := tw.NewMapper[int, int]()
	for c, n := range g.widths {
		widths.Set(c, n+2)
	}
	run("streaming", newTablewriter(io.Discard, tablewriter.WithColumnWidths(widths),
		tablewriter.WithStreaming(tw.StreamConfig{Enable: true})),
		(*tablewriter.Table).Start, (*tablewriter.Table).Close)
}

// makeGrid makes a grid of rows.
func makeGrid(rows [][columnCount]string) *grid {
	g := new(grid)
	for _, row := range rows {
		var r tableRow
		for c, text := range row {
			from := len(g.text)
			g.text = append(g.text, text...)
			r.cells[c] = span{from, len(g.text)}
		}
		g.rows = append(g.rows, r)
	}
	return g
}

// Without a terminal's width a table looks as tablewriter makes it.
func TestGridAgainstTablewriter(t *testing.T) {
	t.Parallel()
	cell := rapid.StringMatching("[a-zé日.]{0,9}(\n[a-z]{1,7})?")
	rapid.Check(t, func(t *rapid.T) {
		rows := make([][columnCount]string, rapid.IntRange(1, 6).Draw(t, "rows"))
		for i := range rows {
			for c := range rows[i] {
				rows[i][c] = cell.Draw(t, "cell")
			}
		}
		if diff := cmp.Diff(byTablewriter(t, rows), string(makeGrid(rows).append(nil, 0))); diff != "" {
			t.Fatalf("(-tablewriter +grid)\n%s", diff)
		}
	})
}

// On a terminal no line is wider than it, and no text is lost.
func TestGridFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.StringMatching("([a-z日]{1,9} ){0,12}[a-z]{1,9}")
		rows := make([][columnCount]string, rapid.IntRange(1, 6).Draw(t, "rows"))
		var want, got strings.Builder
		for i := range rows {
			rows[i] = [columnCount]string{
				"1.2", "3", "field", rapid.StringMatching("[A-Z0-9]{0,90}").Draw(t, "value"),
				words.Draw(t, "meaning"),
			}
			want.WriteString(strings.ReplaceAll(strings.Join(rows[i][colValue:], ""), " ", ""))
		}
		width := rapid.IntRange(70, 200).Draw(t, "width")
		table := string(makeGrid(rows).append(nil, width))
		var parts [columnCount]string
		for i, line := range strings.Split(strings.TrimSuffix(table, "\n"), "\n") {
			if n := text.Cells(line); n > width {
				t.Fatalf("%d cells of %d: %s", n, width, line)
			}
			if i < 2 {
				continue
			}
			cells := append(strings.Split(line, "│"), make([]string, columnCount)...)
			if strings.TrimSpace(cells[0]) != "" {
				got.WriteString(parts[colValue] + parts[colMeaning])
				parts = [columnCount]string{}
			}
			for c := range parts {
				parts[c] += strings.ReplaceAll(cells[c], " ", "")
			}
		}
		got.WriteString(parts[colValue] + parts[colMeaning])
		if got.String() != want.String() {
			t.Fatalf("got %s, want %s in\n%s", &got, &want, table)
		}
	})
}

var colorSequence = regexp.MustCompile("\x1b\\[[0-9]*m")

// Colours change nothing else, and are switched off where they end.
func TestTableColors(t *testing.T) {
	t.Parallel()
	rec := fullRecord()
	for _, width := range []int{0, 80} {
		painted := string((&Table{Color: true, Width: width}).Append(nil, rec))
		if diff := cmp.Diff(string((&Table{Width: width}).Append(nil, rec)),
			colorSequence.ReplaceAllString(painted, "")); diff != "" {
			t.Errorf("width %d (-plain +painted)\n%s", width, diff)
		}
		for _, want := range []string{
			"\x1b[1mFrame 26", "\x1b[36mserver_time\x1b[0m", "\x1b[33mwarning fragment_lost",
			"\x1b[31merror odd",
		} {
			if !strings.Contains(painted, want) {
				t.Errorf("width %d: no %q", width, want)
			}
		}
		on := 0
		for _, sequence := range colorSequence.FindAllString(painted, -1) {
			if on++; sequence == plain {
				on = 0
			}
			if on > 1 {
				t.Fatalf("width %d: colours inside each other", width)
			}
		}
	}
}

// Rows follow one another as the fields do on the wire. What is scattered there has its whole key; what was not
// read stays after what is before it; places that count from somewhere else are left alone.
func TestWireOrder(t *testing.T) {
	t.Parallel()
	number := func(key string) *dissect.Field { return &dissect.Field{Key: key, Kind: dissect.Uint} }
	object := func(key string) *dissect.Field { return &dissect.Field{Key: key, Kind: dissect.Object} }
	x, y, z, kind, derived := number("x"), number("y"), number("z"), number("kind"), number("derived")
	base, pos, size := object("base"), object("pos"), object("size")
	message := &dissect.Field{Key: "message", Kind: dissect.Object, Scope: dissect.Message}
	top := &dissect.Field{Key: "top", Kind: dissect.Object, Scope: dissect.Datagram}

	rec := newRecord("")
	tree := rec.Tree
	tree.Open(top, 0)
	tree.Add(number("late"), 1, 90, 4)
	tree.Add(derived, 1, 0, 0)
	tree.Open(pos, 0) // x 10, y 30, kind 60: the sizes are between
	tree.Add(kind, 1, 60, 4)
	tree.Open(base, 0)
	tree.Add(x, 1, 10, 4)
	tree.Add(y, 1, 30, 4)
	tree.Close(0)
	tree.Close(0)
	tree.Open(size, 0) // 20 to 28, in one piece
	tree.Add(z, 1, 24, 4)
	tree.Add(x, 1, 20, 4)
	tree.Close(0)
	tree.Open(message, 0)
	tree.Add(y, 1, 8, 4)
	tree.Add(x, 1, 0, 4)
	tree.Close(0)
	tree.Close(0)

	var got []string
	for line := range strings.Lines(string((&Table{}).Append(nil, rec))) {
		if cells := strings.Split(line, "│"); len(cells) == columnCount {
			got = append(got, strings.TrimRight(cells[colAt]+cells[colField], " "))
		}
	}
	want := []string{
		" At    Field", "       top", "  1.2    pos.base.x", "         size", "  2.4      x", "  3.0      z",
		"  3.6    pos.base.y", "  7.4    pos.kind", " 11.2    late", "         derived", "         message",
		"  0.0      x", "  1.0      y",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestDegrees(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v    int64
		want string
	}{
		{0, "0.00°"},
		{16384, "90.00°"},
		{65535, "359.99°"},
		{-16384, "270.00°"},
		{1, "0.01°"},
		{2644, "14.52°"},
		{65536 + 16384, "90.00°"},
	} {
		if got := string(appendDegrees(nil, c.v)); got != c.want {
			t.Errorf("%d: %s, want %s", c.v, got, c.want)
		}
	}
	turn := dissect.Field{Key: "yaw", Kind: dissect.Uint, Unit: dissect.UnitTurn16}
	rec := newRecord("")
	rec.Tree.Add(&turn, 32768, 0, 0)
	if got := string((&Table{}).Append(nil, rec)); !strings.Contains(got,
		fmt.Sprintf("│ 180.00°; %s\n", dissect.UnitTurn16)) {
		t.Error(got)
	}
}
