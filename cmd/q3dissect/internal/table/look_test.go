package table

import (
	"encoding/csv"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
)

// people is a table with names that are no ASCII.
func people() *Table {
	return &Table{
		Columns: []Column{{Name: "name"}, {Name: "n", Right: true}, {Name: "team"}},
		Rows: slices.Values([][]string{
			{"名前", "1", "red"}, {"e\u0301te\u0301", "22", "blue"}, {"\xff\x1b[31m", "333", ""}, {"a\u202eb|c", "-4", "=free"}, {"👩", "5", "x"},
		}),
	}
}

// Wide characters take two cells, combining ones none, and what a terminal obeys is written as text.
func TestNames(t *testing.T) {
	t.Parallel()
	want := strings.Join([]string{
		`name          n  team`,
		`名前          1  red`,
		"e\u0301te\u0301          22  blue",
		`ÿ\x1b[31m   333`,
		`a\u202eb|c   -4  =free`,
		"👩            5  x", "",
	}, "\n")
	if diff := cmp.Diff(want, string(people().AppendText(nil, Style{}))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Values keep their bytes in CSV, but for formulas; in Markdown nothing of them is markup.
func TestOtherForms(t *testing.T) {
	t.Parallel()
	out := string(people().AppendCSV(nil))
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 6 || rows[0][2] != "team" || rows[1][0] != "名前" || rows[4][2] != "'=free" {
		t.Errorf("%q", rows)
	}
	p := people()
	p.Title, p.Notes = "people", []string{"a note"}
	want := "**people**\n\n| name | n | team |\n|:---|---:|:---|\n| 名前 | 1 | red |\n| e\u0301te\u0301 | 22 | blue |\n" +
		`| ÿ\\x1b[31m | 333 |  |` + "\n" + `| a\\u202eb\|c | -4 | =free |` + "\n| 👩 | 5 | x |\n\na note\n"
	got := regexp.MustCompile(` +\|`).ReplaceAllString(string(p.AppendMarkdown(nil)), " |") // without the padding
	got = regexp.MustCompile(`\| +`).ReplaceAllString(got, "| ")
	got = regexp.MustCompile(`(:?)-+(:?)\|`).ReplaceAllString(got, "$1---$2|")
	if got = strings.ReplaceAll(got, "| |\n", "|  |\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A table without rows has a note below its title; a bare one is empty.
func TestEmpty(t *testing.T) {
	t.Parallel()
	empty := Table{
		Title: "x", Columns: []Column{{Name: "a"}}, Rows: slices.Values([][]string(nil)),
		Notes: []string{"why"}, Indent: 2,
	}
	if got := string(empty.AppendText(nil, Style{Width: 40})); got != "x\n  nothing\n  why\n" {
		t.Errorf("%q", got)
	}
	empty.Title, empty.Notes, empty.Bare = "", nil, true
	if got := string(empty.AppendText(nil, Style{})); got != "" {
		t.Errorf("%q", got)
	}
}

var colours = regexp.MustCompile("\x1b\\[[0-9]*m")

// Whatever the rows are, no line is wider than the terminal, no text is lost, colours change nothing else, and the rows
// are read as they are when there is no terminal.
func TestAnyTable(t *testing.T) {
	t.Parallel()
	cell := rapid.OneOf(rapid.StringMatching(`[a-z日é👩 ,._]{0,60}`), rapid.StringMatching(`[a-z]{60,200}`), rapid.Just(""), rapid.Just("\x1b[2J\xff\u202e"))
	rapid.Check(t, func(t *rapid.T) {
		made := Table{Title: "title", Indent: rapid.IntRange(0, 3).Draw(t, "indent"), Bare: rapid.Bool().Draw(t, "bare")}
		for i := range rapid.IntRange(1, 6).Draw(t, "columns") {
			made.Columns = append(made.Columns, Column{
				Name: string(rune('A' + i)), Right: rapid.Bool().Draw(t, "right"), Words: rapid.Bool().Draw(t, "words"),
				Place: rapid.SampledFrom([]Place{InLine, InLine, InLine, InHeading, BelowLine, AsNotes}).Draw(t, "place"),
			})
		}
		n := len(made.Columns)
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, n, n), 1, 5).Draw(t, "rows")
		for _, row := range rows {
			for i := range row {
				if made.Columns[i].Right { // numbers
					row[i] = row[i][:min(len(row[i]), strings.IndexFunc(row[i]+"é", func(r rune) bool { return r < ' ' || r > '~' }),
						12)]
				}
			}
		}
		made.Rows = slices.Values(rows)
		width := rapid.IntRange(40, 200).Draw(t, "width")
		text := string(made.AppendText(nil, Style{Width: width}))
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\x1b\u202e") {
			t.Fatalf("a terminal obeys %q", text)
		}
		coloured := string(made.AppendText(nil, Style{Width: width, Color: true}))
		if diff := cmp.Diff(text, colours.ReplaceAllString(coloured, "")); diff != "" {
			t.Fatalf("colours change the text (-plain +coloured)\n%s", diff)
		}
		letters := func(s string) int { return strings.Count(s, "a") + strings.Count(s, "日") + strings.Count(s, "é") }
		want := letters("title")
		for _, row := range rows {
			for i, value := range row {
				if made.Columns[i].Place == InHeading {
					continue // written once for rows that have it in common
				}
				want += letters(value)
			}
		}
		if got := letters(text); got < want {
			t.Fatalf("%d letters of %d in\n%s", got, want, text)
		}
		for line := range strings.Lines(text) {
			longWord := slices.ContainsFunc(strings.Fields(line), func(w string) bool { return cells(w) > 30 })
			if got := cells(strings.TrimSuffix(line, "\n")); got > width && !longWord {
				t.Fatalf("%d cells of %d: %q in\n%s", got, width, line, text)
			}
		}
	})
}
