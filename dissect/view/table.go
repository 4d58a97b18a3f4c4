package view

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect/members"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A Table is the result of a statistic.
type Table struct {
	Name    string // of the statistic
	Columns []Column
	Rows    [][]any  // by column: string, int64, uint64, float64, bool, *List, or nil for no value
	Notes   []string // what a reader must know, such as that counts are estimates
	// Unknown is what is wrong with a name that was asked for and is not in the input; "": nothing is
	Unknown string
}

// ForPeople returns the table as people see it: without the columns of JSON and CSV alone, with headings for keys. It
// shares the other values.
func (t *Table) ForPeople() *Table {
	if !slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Place == InData || c.Heading != "" }) {
		return t
	}
	shown := &Table{Name: t.Name, Rows: make([][]any, len(t.Rows)), Notes: t.Notes, Unknown: t.Unknown}
	for i, c := range t.Columns {
		if c.Place == InData {
			continue
		}
		c.Key = cmp.Or(c.Heading, c.Key)
		shown.Columns = append(shown.Columns, c)
		for n, row := range t.Rows {
			shown.Rows[n] = append(shown.Rows[n], row[i])
		}
	}
	return shown
}

// AppendJSON appends one line for each row: an object with the statistic's name, then the columns that have a
// value.
func (t *Table) AppendJSON(dst []byte) []byte {
	for _, row := range t.Rows {
		dst = appendJSONStart(dst, t.Name)
		for i, v := range row {
			dst = appendJSONMember(dst, t.Columns[i].Key, v)
		}
		dst = append(dst, "}\n"...)
	}
	return dst
}

// appendJSON appends the line of one value.
func (cs columns[R]) appendJSON(dst []byte, name string, value R) []byte {
	dst = appendJSONStart(dst, name)
	for i := range cs {
		dst = appendJSONMember(dst, cs[i].Key, cs[i].value(value))
	}
	return append(dst, "}\n"...)
}

func appendJSONStart(dst []byte, name string) []byte {
	return appendJSONValue(append(dst, `{"statistic":`...), name)
}

func appendJSONMember(dst []byte, key string, v any) []byte {
	if v == nil {
		return dst
	}
	dst = append(appendJSONValue(append(dst, ','), key), ':')
	if key == fileColumn.Key || key == filesKey {
		return append(dst, wiretext.EscapeJSON(appendJSONValue(nil, v))...)
	}
	return appendJSONValue(dst, v)
}

func appendJSONValue(dst []byte, v any) []byte {
	if f, ok := v.(float64); ok {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // strings, numbers and booleans
	}
	for _, r := range strings.TrimSuffix(b.String(), "\n") {
		if r >= 0x7f && r < 0xa0 { // DEL and C1: JSON allows them, terminals obey
			dst = append(dst, `\u00`...)
			dst = append(dst, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
			continue
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// Schema returns the JSON Schema of the rows of a kind of statistic, draft 2020-12, indented.
func (k *Kind) Schema() []byte {
	properties := propertiesOf(k.Columns)
	properties["statistic"] = map[string]any{"const": k.Name}
	return members.Schema("q3dissect -z "+k.Name, k.Doc, properties, []string{"statistic"})
}

// propertiesOf returns the schemas of columns by key.
func propertiesOf(list []Column) map[string]any {
	properties := map[string]any{}
	for _, c := range list {
		p := members.Property(c.Type, c.Doc, c.Unit)
		switch {
		case plain(c.Items):
			p["items"] = members.Property(c.Items[0].Type, "", "")
		case c.Items != nil:
			p["items"] = members.Object(propertiesOf(c.Items), nil)
		}
		properties[c.Key] = p
	}
	return properties
}

// round rounds to decimals.
func round(f float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(f*scale) / scale
}

// ratio returns a/b with decimals, nil if b is zero.
func ratio(a, b float64, decimals int) any {
	if b == 0 {
		return nil
	}
	return round(a/b, decimals)
}
