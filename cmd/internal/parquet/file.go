package parquet

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"

	"github.com/q3dissect/q3dissect/dissect/rows"
)

const (
	// groupRows is the most rows of a row group: a multiple of the 122,880 of DuckDB's own.
	groupRows = 245760
	// pageBytes is the size of a page before it is compressed, and widePageBytes that in a file of wideColumns and more.
	pageBytes     = 64 << 10
	widePageBytes = 24 << 10
	wideColumns   = 200
	// chunkPageBytes is how much memory is taken at a time for the finished pages of a column.
	chunkPageBytes = 4 << 10
	// dictionaryBytes is the most text in a dictionary; later text is written without one.
	dictionaryBytes = 1 << 20
	// writeBytes is the size of a write to the disk.
	writeBytes = 64 << 10
	// spareRows is how many rows a file has at most whose sheet is used again, with memory for the values of a batch.
	spareRows = 4096
)

// A File is a file of a data set.
type File struct {
	Table  string `json:"table"`
	Path   string `json:"path"` // in the data set
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`

	temporary string
}

type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// write writes an output to its file.
func (d *Dataset) write(o *output) (File, error) {
	file, err := os.Create(o.temporary)
	if err != nil {
		return File{}, err
	}
	sum, size := sha256.New(), counter(0)
	buffer := bufio.NewWriterSize(io.MultiWriter(file, sum, &size), writeBytes)
	s := d.sheet(o.table)
	n, err := s.write(d.writer(buffer, s), o, d)
	if err == nil {
		err = buffer.Flush()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return File{}, err
	}
	if n <= spareRows {
		d.sheets[o.table.ID].Put(s)
	}
	return File{
		Table: o.table.Name, Path: o.final, Rows: n, Bytes: int64(size), SHA256: hex.EncodeToString(sum.Sum(nil)),
		temporary: o.temporary,
	}, nil
}

// A sheet is what is made once for many files of a table. A parquet.GenericWriter is not: one that was Reset writes no
// names of columns.
type sheet struct {
	batch
	schema *parquet.Schema
	page   int // bytes
}

// sheet returns a sheet for a file of a table.
func (d *Dataset) sheet(t *rows.Table) *sheet {
	if s, ok := d.sheets[t.ID].Get().(*sheet); ok {
		return s
	}
	schema, layout := describe(t)
	s := &sheet{batch{layout: layout}, schema, pageBytes}
	if len(layout.all) >= wideColumns {
		s.page = widePageBytes
	}
	return s
}

func (d *Dataset) writer(w io.Writer, s *sheet) *parquet.GenericWriter[any] {
	return parquet.NewGenericWriter[any](w, s.schema, &parquet.WriterConfig{
		CreatedBy:          "q3dissect",
		Compression:        d.codec,
		ColumnPageBuffers:  d.pages,
		PageBufferSize:     s.page,
		DataPageVersion:    2,
		DataPageStatistics: true,
		DictionaryMaxBytes: dictionaryBytes,
		MaxRowsPerRowGroup: groupRows,
		WriteBufferSize:    0,
		KeyValueMetadata:   d.metadata,
	})
}

// write writes a whole file with the rows of the output, and returns how many there are.
func (s *sheet) write(w *parquet.GenericWriter[any], o *output, d *Dataset) (total int64, err error) {
	columns, c := w.ColumnWriters(), d.schema.Read(nil)
	err = o.blocks(d, func(text []byte) error {
		for c.Reset(text); c.Row(); {
			s.add(c)
			if total++; s.rows < batchRows {
				continue
			}
			if err := s.flush(columns); err != nil {
				return err
			}
			if total%groupRows == 0 {
				if err := w.Flush(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	if err := s.flush(columns); err != nil {
		return 0, err
	}
	return total, w.Close()
}
