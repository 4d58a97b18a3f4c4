package listing

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/dissect/quantity"
	"github.com/q3dissect/q3dissect/dissect/view/highlights"
)

type moment = table.ColumnOf[highlights.Highlight]

func momentCell(name string, cell func(*highlights.Highlight) string) moment {
	return moment{Column: table.Column{Name: name}, Cell: cell}
}

// Moments are the rows of q3dissect highlights. They come in the order of as_rare.
var Moments = Kind[highlights.Highlight]{
	Schema: highlights.Schema, Fields: highlights.Fields, Append: (*highlights.Highlight).AppendFields,
	csv: func() (columns []moment) {
		for _, f := range highlights.Fields() {
			cell := highlights.Cell(f.Key)
			switch f.Key {
			case "start_time":
				cell = func(h *highlights.Highlight) string { return seconds(&h.StartTime) }
			case "end_time":
				cell = func(h *highlights.Highlight) string { return seconds(&h.EndTime) }
			case "match_time":
				cell = func(h *highlights.Highlight) string { return seconds(h.MatchTime) }
			}
			columns = append(columns, momentCell(f.Key, cell))
		}
		return columns
	},
	text: func(dst []byte, list []highlights.Highlight, style table.Style) []byte {
		return table.Of(list, []moment{
			{Column: table.Column{Name: "as_rare", Right: true}, Cell: highlights.Cell("as_rare")},
			{Column: table.Column{Name: "time", Right: true}, Cell: momentTime},
			momentCell("map", highlights.Cell("map")),
			{Column: table.Column{Name: "info", Words: true}, Cell: highlights.Cell("info")},
			momentCell("file", momentFiles),
		}).AppendText(dst, style)
	},
	orders: map[string]func(a, b *highlights.Highlight) int{
		"as_rare":  func(_, _ *highlights.Highlight) int { return 0 },
		"angle":    func(a, b *highlights.Highlight) int { return cmp.Compare(b.Angle, a.Angle) },
		"distance": func(a, b *highlights.Highlight) int { return cmp.Compare(b.Distance, a.Distance) },
		"file": func(a, b *highlights.Highlight) int {
			return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.StartTime, b.StartTime))
		},
		"kills": func(a, b *highlights.Highlight) int { return cmp.Compare(b.Kills, a.Kills) },
		"map":   func(a, b *highlights.Highlight) int { return cmp.Compare(a.Map, b.Map) },
		"player": func(a, b *highlights.Highlight) int {
			return cmp.Compare(strings.ToLower(a.Player), strings.ToLower(b.Player))
		},
	},
}

// momentFiles names the file of a moment, and the first of the others.
func momentFiles(h *highlights.Highlight) string {
	const most = 2
	text := filepath.Base(h.File)
	for _, name := range h.AlsoIn[:min(len(h.AlsoIn), most)] {
		text += ", " + filepath.Base(name)
	}
	if more := len(h.AlsoIn) - most; more > 0 {
		text += fmt.Sprintf(", %d more", more)
	}
	return text
}

// momentTime is the time as the list of events has it, and --from takes it: minutes and seconds of the match, or else
// seconds of the server's clock.
func momentTime(h *highlights.Highlight) string {
	if h.MatchTime != nil {
		return quantity.Race(*h.MatchTime)
	}
	return seconds(&h.StartTime)
}
