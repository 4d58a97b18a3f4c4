package listing

import (
	"cmp"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/dissect/quantity"
	"github.com/q3dissect/q3dissect/dissect/view/highlights"
)

type moment = table.ColumnOf[highlights.Highlight]

func momentCell(name string, cell func(*highlights.Highlight) string) moment {
	return moment{Column: table.Column{Name: name}, Cell: cell}
}

// AppendMomentsText appends a line for each moment: how rare it is, when, where, what happened, in which file.
func AppendMomentsText(dst []byte, list []highlights.Highlight, style table.Style) []byte {
	return table.Of(list, []moment{
		{Column: table.Column{Name: "as_rare", Right: true}, Cell: highlights.Cell("as_rare")},
		{Column: table.Column{Name: "start_time", Right: true}, Cell: func(h *highlights.Highlight) string {
			return quantity.Race(h.StartTime)
		}},
		momentCell("map", highlights.Cell("map")),
		{Column: table.Column{Name: "info", Words: true}, Cell: highlights.Cell("info")},
		momentCell("file", func(h *highlights.Highlight) string {
			if h.CopyOf != "" {
				return filepath.Base(h.File) + " [copy of " + filepath.Base(h.CopyOf) + "]"
			}
			return filepath.Base(h.File)
		}),
	}).AppendText(dst, style)
}

// AppendMomentsCSV appends all members in some form.
func AppendMomentsCSV(dst []byte, list []highlights.Highlight, form *table.CSVForm) []byte {
	var columns []moment
	for _, f := range highlights.Fields() {
		cell := highlights.Cell(f.Key)
		switch f.Key {
		case "start_time":
			cell = func(h *highlights.Highlight) string { return seconds(&h.StartTime) }
		case "end_time":
			cell = func(h *highlights.Highlight) string { return seconds(&h.EndTime) }
		}
		columns = append(columns, momentCell(f.Key, cell))
	}
	return table.Of(list, columns).AppendAs(dst, form)
}

// AppendMomentsJSON appends an object for each moment, one a line.
func AppendMomentsJSON(dst []byte, list []highlights.Highlight) []byte {
	for i := range list {
		line, err := json.Marshal(&list[i])
		if err != nil {
			panic(err) // made of texts and finite numbers
		}
		dst = append(append(dst, line...), '\n')
	}
	return dst
}

// rare is the order in which highlights.List gives the moments.
const rare = "as_rare"

// momentKeys are what --sort takes: numbers largest first, texts in order.
var momentKeys = map[string]func(a, b *highlights.Highlight) int{
	rare:       func(_, _ *highlights.Highlight) int { return 0 },
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
}

// MomentKeys returns the values of --sort, in order.
func MomentKeys() []string { return slices.Sorted(maps.Keys(momentKeys)) }

// SortMoments sorts by one of MomentKeys, and leaves the order of equal ones.
func SortMoments(list []highlights.Highlight, key string) {
	slices.SortStableFunc(list, func(a, b highlights.Highlight) int { return momentKeys[key](&a, &b) })
}
