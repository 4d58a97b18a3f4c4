package parquet

import (
	"cmp"
	"encoding/binary"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go/format"

	"github.com/q3dissect/q3dissect/dissect/rows"
)

const (
	magic = "PAR1"
	// formatVersion is FileMetaData.version: 2 allows the encodings and pages that are used.
	formatVersion = 2
	creator       = "q3dissect"
)

// A writer writes a Parquet file: the magic, the column chunks of each row group, the footer, its length, the magic.
type writer struct {
	out     io.Writer
	encoder *encoder
	offset  int64
	rows    int64
	groups  []format.RowGroup
}

func (w *writer) write(b []byte) {
	n, err := w.out.Write(b)
	w.offset += int64(n)
	w.encoder.fail(err)
}

func newWriter(out io.Writer, e *encoder) *writer {
	w := &writer{out: out, encoder: e}
	w.write([]byte(magic))
	return w
}

// group writes the rows in columns as a row group, and resets the columns.
func (w *writer) group(columns []*column, count int) {
	if count == 0 {
		return
	}
	g := format.RowGroup{NumRows: int64(count), FileOffset: w.offset, Ordinal: int16(len(w.groups))}
	for _, c := range columns {
		chunk := w.chunk(c)
		g.TotalByteSize += chunk.MetaData.TotalUncompressedSize
		g.TotalCompressedSize += chunk.MetaData.TotalCompressedSize
		g.Columns = append(g.Columns, chunk)
	}
	w.groups = append(w.groups, g)
	w.rows += int64(count)
}

// chunk writes the pages of a column, the one of its dictionary first, and resets the column.
func (w *writer) chunk(c *column) format.ColumnChunk {
	c.endPage(w.encoder)
	from := w.offset
	meta := format.ColumnMetaData{
		Type:         physical(c.typ),
		Encoding:     append(slices.Clone(c.encodings), format.RLE),
		PathInSchema: c.path,
		Codec:        format.Zstd,
		NumValues:    int64(c.total),
		Statistics:   format.Statistics{NullCount: int64(c.nulls)},
	}
	page, size := c.dictionaryPage(w.encoder)
	if page != nil {
		meta.DictionaryPageOffset = from
		w.write(page)
	}
	meta.DataPageOffset = w.offset
	w.write(c.pages)
	meta.TotalUncompressedSize = int64(size + c.size)
	meta.TotalCompressedSize = w.offset - from
	c.bounds.put(&meta.Statistics, c.typ)
	c.reset()
	return format.ColumnChunk{MetaData: meta}
}

// close writes the footer.
func (w *writer) close(schema []format.SchemaElement, columns int, metadata map[string]string) error {
	from := w.offset
	footer := format.FileMetaData{
		Version: formatVersion, Schema: schema, NumRows: w.rows, RowGroups: w.groups, CreatedBy: creator,
		ColumnOrders: slices.Repeat([]format.ColumnOrder{{Value: &format.TypeDefinedOrder{}}}, columns),
	}
	for k, v := range metadata {
		footer.KeyValueMetadata = append(footer.KeyValueMetadata, format.KeyValue{Key: k, Value: v})
	}
	slices.SortFunc(footer.KeyValueMetadata, func(a, b format.KeyValue) int { return cmp.Compare(a.Key, b.Key) })
	w.write(w.encoder.marshal(&footer))
	w.write(append(binary.LittleEndian.AppendUint32(nil, uint32(w.offset-from)), magic...))
	return w.encoder.err
}

// physical returns the type of a file's values.
func physical(t rows.Type) format.Type {
	switch t {
	case rows.Bool:
		return format.Boolean
	case rows.Float:
		return format.Float
	case rows.Double:
		return format.Double
	case rows.String:
		return format.ByteArray
	}
	return format.Int64
}
