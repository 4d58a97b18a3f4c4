package render

import (
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// A FieldCell is one row of a Table: a field of a record with its position, value and meaning.
type FieldCell struct {
	Path    string         // "quake3.server_message.ops[0].snapshot.server_time", as in the positions of JSON
	Name    string         // in filters, "quake3.server_message.ops.snapshot.server_time"
	Field   *dissect.Field // of an infostring's key the infostring's
	Depth   int            // containers around it
	Label   string         // what it is called in its container
	Value   string         // control characters visible, secrets masked
	Meaning string         // names, degrees, unit and, where the field appears for the first time, what it is
	Named   string         // the beginning of Meaning: names, degrees and unit
	Bit     uint32         // as in Node
	Bits    uint32         // 0: derived, not read
	In      dissect.Scope  // what Bit counts from
	Frames  int            // of framing, after Tree.Separate: number of the row that it frames, from 1; 0: none
	Key     bool           // a key of an infostring
	Text    []byte         // of a text: its bytes, secrets masked; valid as long as the record
}

// FieldCells returns the rows of a record's table, in the same order.
func FieldCells(rec *dissect.Record) []FieldCell {
	if len(rec.Tree.Nodes) == 0 {
		return nil
	}
	type place struct {
		path, name string
		scope      dissect.Scope
	}
	places := make([]place, len(rec.Tree.Nodes))
	w := walks.Get().(*walk)
	defer walks.Put(w)
	var name []byte
	for w.start(rec.Tree); w.next(); {
		name = appendFilterName(name[:0], w.path)
		places[w.at] = place{string(w.path), string(name), w.scope}
	}
	m := rowMakers.Get().(*rowMaker)
	defer rowMakers.Put(m)
	m.appendRows(rec)
	cells := make([]FieldCell, len(m.rows))
	rowOf := make(map[int]int) // of values, from 1
	for i := range m.rows {
		if r := &m.rows[i]; rec.Tree.Framing && !r.key {
			rowOf[r.node] = i + 1
		}
	}
	for i := range m.rows {
		r := &m.rows[i]
		part := func(c int) string { return string(m.text[r.cells[c].from:r.cells[c].to]) }
		n, p := &rec.Tree.Nodes[r.node], &places[r.node]
		cells[i] = FieldCell{
			Path: p.path, Name: p.name, Field: n.Field, Depth: r.indent / 2, Label: part(colField), Value: part(colValue),
			Meaning: part(colMeaning), Named: string(m.text[r.named.from:r.named.to]),
			Bit: n.Bit, Bits: n.Bits, In: p.scope, Key: r.key, Text: r.raw,
		}
		if f := n.Field.Framing; rec.Tree.Framing && (f == dissect.Leads || f == dissect.Trails) && n.Index > 0 {
			cells[i].Frames = rowOf[int(n.Index)]
		}
		if r.key {
			cells[i].Label = strings.ReplaceAll(cells[i].Label, "\n", "") // a long one is broken there
			cells[i].Path += "." + cells[i].Label
			cells[i].Name += "." + cells[i].Label
			cells[i].Bits = 0
		}
	}
	return cells
}

// appendFilterName appends a path without the numbers of elements of arrays.
func appendFilterName(dst, path []byte) []byte {
	inside := false
	for _, c := range path {
		switch {
		case c == '[':
			inside = true
		case c == ']':
			inside = false
		case !inside:
			dst = append(dst, c)
		}
	}
	return dst
}
