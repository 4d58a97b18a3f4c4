package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A List is a value of a column of the type "array": objects with the members that the column's Items describe, or
// values alone if there is one Item without a Key.
type List struct {
	Items []Column
	Rows  [][]any // by item; nil for no value
	text  string
}

// String returns the list as a cell of a table shows it.
func (l *List) String() string { return l.text }

// plain reports whether a list has values instead of objects.
func plain(items []Column) bool { return len(items) == 1 && items[0].Key == "" }

// MarshalJSON returns an array of objects, with the members that have a value, or of values.
func (l *List) MarshalJSON() ([]byte, error) {
	dst := []byte{'['}
	for n, row := range l.Rows {
		if n > 0 {
			dst = append(dst, ',')
		}
		if plain(l.Items) {
			dst = appendJSONValue(dst, row[0])
			continue
		}
		dst = append(dst, '{')
		first := true
		for i, v := range row {
			if v == nil {
				continue
			}
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = appendJSONValue(append(appendJSONValue(dst, l.Items[i].Key), ':'), v)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']'), nil
}

// A PageList is a List as pages get it: the text of its cell beside the objects.
type PageList struct {
	Text string `json:"text"`
	List *List  `json:"list"`
}

// ForPages replaces the lists in rows by those for pages: lists of values by their text.
func ForPages(rows [][]any) {
	for _, row := range rows {
		for i, v := range row {
			switch l, ok := v.(*List); {
			case ok && plain(l.Items):
				row[i] = l.text
			case ok:
				row[i] = &PageList{l.text, l}
			}
		}
	}
}

// listColumn describes a column of objects.
func listColumn(key, doc string, items ...Column) Column {
	return Column{Key: key, Type: "array", Doc: doc, Items: items}
}

// valuesColumn describes a column of lists of values of a type.
func valuesColumn(key, kind, doc string) Column { return listColumn(key, doc, Column{Type: kind}) }

// values returns the value of such a column, nil if there are none, with the text of its cell.
func values[T any](c *Column, list []T, text string) any {
	rows := make([][]any, len(list))
	for i, v := range list {
		rows[i] = []any{v}
	}
	return c.list(rows, text)
}

// list returns the value of a column of objects; nil: there is none.
func (c *Column) list(rows [][]any, text string) any {
	if len(rows) == 0 {
		return nil
	}
	return &List{Items: c.Items, Rows: rows, text: text}
}

// tally returns counts as a value of a column of objects with a name and a count, the largest first. In tables it is
// "rocket 8, railgun 3", and "#36 2" for a number without a name.
func (c *Column) tally(counts map[string]int64) any {
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	rows := make([][]any, len(names))
	text := make([]string, len(names))
	for i, name := range names {
		rows[i] = []any{name, counts[name]}
		text[i] = name + " " + strconv.FormatInt(counts[name], 10)
		if strings.Trim(name, "0123456789") == "" {
			text[i] = "#" + text[i]
		}
	}
	return c.list(rows, strings.Join(text, ", "))
}
