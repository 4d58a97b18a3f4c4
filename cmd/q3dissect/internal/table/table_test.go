package table

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// killTable is a table with columns of every place.
func killTable() *Table {
	return &Table{
		Title: "kills", Indent: 2,
		Columns: []Column{
			{Name: "map", Place: InHeading},
			{Name: "client_num", Place: BelowLine, Right: true},
			{Name: "name"},
			{Name: "kills", Right: true},
			{Name: "kills_by"},
			{Name: "way", Right: true, Unit: "units"},
			{Name: "bytes_sent", Right: true, Unit: "bytes"},
		},
		Rows: slices.Values([][]string{
			{"q3dm17", "0", "Sarge", "12", "rocket_splash 6, railgun 4, lightning 2", "1234.5", "99"},
			{"q3dm17", "1", "Gargoyle\x1b", "3", "plasma 2, gauntlet 1", "", "98"},
			{"q3dm6", "0", "Sarge", "0", "", "7.25", "97"},
		}),
		Notes: []string{"counts are those of the stream"},
	}
}

func TestTablesFitTheTerminal(t *testing.T) {
	t.Parallel()
	for width, want := range map[int]string{
		0: `
kills
  map     client_num  name          kills  kills_by                                    way  bytes_sent
  q3dm17           0  Sarge            12  rocket_splash 6, railgun 4, lightning 2  1234.5          99
  q3dm17           1  Gargoyle\x1b      3  plasma 2, gauntlet 1                                     98
  q3dm6            0  Sarge             0                                             7.25          97
  counts are those of the stream
`,
		75: `
kills
  map: q3dm17
  client_num  name          kills  kills_by                 way  bytes_sent
           0  Sarge            12  rocket_splash 6,      1234.5          99
                                   railgun 4,
                                   lightning 2
           1  Gargoyle\x1b      3  plasma 2, gauntlet 1                  98

  map: q3dm6
  client_num  name          kills  kills_by                 way  bytes_sent
           0  Sarge             0                          7.25          97
  counts are those of the stream
`,
		44: `
kills
  map: q3dm17
  name          kills     way  bytes_sent
  Sarge            12  1234.5          99
      client_num: 0
      kills_by: rocket_splash 6, railgun 4,
        lightning 2
  Gargoyle\x1b      3                  98
      client_num: 1
      kills_by: plasma 2, gauntlet 1

  map: q3dm6
  name          kills     way  bytes_sent
  Sarge             0    7.25          97
      client_num: 0
  counts are those of the stream
`,
		30: `
kills
  map: q3dm17
  name          kills     way
  Sarge            12  1234.5
      client_num: 0
      kills_by: rocket_splash
        6, railgun 4,
        lightning 2
      bytes_sent: 99
  Gargoyle\x1b      3
      client_num: 1
      kills_by: plasma 2,
        gauntlet 1
      bytes_sent: 98

  map: q3dm6
  name          kills     way
  Sarge             0    7.25
      client_num: 0
      bytes_sent: 97
  counts are those of the
  stream
`,
	} {
		if diff := cmp.Diff(strings.TrimPrefix(want, "\n"),
			string(killTable().AppendText(nil, Style{Width: width}))); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", width, diff)
		}
	}
	for width := 30; width < 120; width++ {
		text := string(killTable().AppendText(nil, Style{Width: width}))
		for line := range strings.SplitSeq(text, "\n") {
			if utf8.RuneCountInString(line) > width {
				t.Errorf("%d columns: %q", width, line)
			}
		}
		for _, value := range []string{"q3dm17", "q3dm6", "Sarge", `Gargoyle\x1b`, "rocket_splash", "lightning", "gauntlet", "1234.5", "7.25", "99", "98", "97"} {
			if !strings.Contains(text, value) {
				t.Errorf("%d columns: no %s in\n%s", width, value, text)
			}
		}
	}
}

// TestFold divides texts; the lines together are the text, but for blanks between them.
func TestFold(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 3, []string{""}},
		{"abc", 3, []string{"abc"}},
		{"abcdef", 3, []string{"abc", "def"}},
		{"quake3.server_message.ops", 10, []string{"quake3.", "server_", "message.", "ops"}},
		{"éééé, ééééé", 8, []string{"éééé,", "ééééé"}},
		{"lightning 2", 9, []string{"lightning", "2"}},
		{"rocket 1, lightning 2", 19, []string{"rocket 1,", "lightning 2"}},
		{"a bcdefgh", 8, []string{"a bcdefg", "h"}}, // a first line of one letter would be no help
	} {
		var got []string
		for text, rest := row.text, ""; ; text = rest {
			var line string
			line, rest = fold(text, row.width, false)
			if got = append(got, line); rest == "" {
				break
			}
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", row.text, diff)
		}
	}
}
