package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/quantity"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// joinedColumns are those of rows that all inputs have added to.
func joinedColumns() []Column {
	doc := fmt.Sprintf("names of the inputs that the row is made of, if there are several; at most %d", mostFiles)
	return []Column{
		valuesColumn(filesKey, "string", doc).at(InData),
		integerColumn("file_count", "how many they are").at(InData),
	}
}

const filesKey = "files"

// mostFiles is how many names a row has, mostNamed how many a note has.
const (
	mostFiles = 100
	mostNamed = 5
)

// withFiles returns the columns of a kind with those that OfFiles fills in.
func withFiles(list []Column) []Column {
	if !hasColumn(list, fileColumn.Key) {
		list = append(list[:len(list):len(list)], fileColumn.at(InData))
	}
	return append(list[:len(list):len(list)], joinedColumns()...)
}

func hasColumn(list []Column, key string) bool {
	return slices.ContainsFunc(list, func(c Column) bool { return c.Key == key })
}

// OfFiles adds the names of the inputs to rows that do not have one: records of a single input do not name it, and
// other rows are made of all inputs.
func (t *Table) OfFiles(names []string) {
	if len(names) == 0 {
		return
	}
	file := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Key == fileColumn.Key })
	if file < 0 {
		file = len(t.Columns)
		t.extend(fileColumn.at(InData))
	}
	missing := func(row []any) bool { return row[file] == nil }
	if len(names) > 1 && slices.ContainsFunc(t.Rows, missing) {
		shown := strings.Join(names[:min(len(names), mostNamed)], ", ")
		note := "of " + quantity.Count(len(names), "file") + ": " + string(wiretext.MakeVisible([]byte(shown), 0))
		if more := len(names) - mostNamed; more > 0 {
			note += fmt.Sprintf(" and %d more", more)
		}
		t.Notes = append(t.Notes[:len(t.Notes):len(t.Notes)], note)
	}
	joined := joinedColumns()
	t.extend(joined...)
	listed := names[:min(len(names), mostFiles)]
	list := values(&joined[0], listed, strings.Join(listed, ", "))
	for _, row := range t.Rows {
		switch {
		case !missing(row):
		case len(names) == 1:
			row[file] = names[0]
		default:
			row[len(row)-2], row[len(row)-1] = list, uint64(len(names))
		}
	}
}

// extend adds columns without values.
func (t *Table) extend(more ...Column) {
	t.Columns = append(t.Columns[:len(t.Columns):len(t.Columns)], more...)
	for i, row := range t.Rows {
		t.Rows[i] = append(row[:len(row):len(row)], make([]any, len(more))...)
	}
}
