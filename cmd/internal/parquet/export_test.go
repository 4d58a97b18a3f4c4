package parquet

import (
	"io"

	"github.com/klauspost/compress/s2"

	"github.com/q3dissect/q3dissect/dissect/rows"
)

// WriteTable writes the rows of a table to a file with small pages and row groups.
func WriteTable(w io.Writer, t *rows.Table, text []byte, page, group int) error {
	d := &Dataset{schema: &rows.Schema{Tables: []*rows.Table{t}}, metadata: map[string]string{"a": "b"}}
	s := &sheet{batch{layout: describe(t), page: page, encoder: newEncoder()}, group}
	_, err := s.write(newWriter(w, s.encoder), []segment{{"x", [][]byte{s2.Encode(nil, text)}}}, nil, d)
	return err
}

// SetMemory changes how many bytes of rows an input may keep.
func (d *Dataset) SetMemory(n int64) { d.memory = n }
