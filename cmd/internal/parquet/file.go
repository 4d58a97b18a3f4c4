package parquet

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"os"
	"strings"
	"unsafe"

	"github.com/parquet-go/parquet-go"

	"github.com/q3dissect/q3dissect/dissect/rows"
)

const (
	// groupRows is the most rows of a row group: a multiple of the 122,880 of DuckDB's own.
	groupRows = 245760
	// inputBytes is how much memory an input's open files may take, approximately, before all are completed.
	inputBytes = 128 << 20
	// pageBytes is the size of a page before it is compressed.
	pageBytes = 64 << 10
	// dictionaryBytes is the most text in a dictionary; later text is written without one.
	dictionaryBytes = 1 << 20
	// writeBytes is the size of a write to the disk.
	writeBytes = 64 << 10
)

// An output is a file of one table, under a temporary name.
type output struct {
	batch
	file   *lazyFile
	buffer *bufio.Writer
	hash   hash.Hash
	size   counter
	writer *parquet.GenericWriter[any]
	total  int64 // rows written to the columns
	since  int64 // the part of them in the row group that is not written yet
	memory int64 // approximate
	day    string
	final  string // name in the data set
}

type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// create begins a file.
func (d *Dataset) create(name string, t *rows.Table) *output {
	schema, layout := describe(t)
	o := &output{batch: batch{layout: layout, table: t}, file: &lazyFile{name: name}, hash: sha256.New()}
	o.buffer = bufio.NewWriterSize(io.MultiWriter(o.file, o.hash, &o.size), writeBytes)
	o.writer = parquet.NewGenericWriter[any](o.buffer, schema, &parquet.WriterConfig{
		CreatedBy:          "q3dissect",
		Compression:        d.codec,
		PageBufferSize:     pageBytes,
		DataPageVersion:    2,
		DataPageStatistics: true,
		DictionaryMaxBytes: dictionaryBytes,
		MaxRowsPerRowGroup: groupRows,
		WriteBufferSize:    0,
		KeyValueMetadata:   d.metadata,
	})
	return o
}

// row adds the row at the cursor. grown means that rows were moved into the columns.
func (o *output) row(c *rows.Cursor) (grown bool, err error) {
	o.add(c)
	if o.rows < batchRows {
		return false, nil
	}
	return true, o.flushBatch()
}

func (o *output) flushBatch() error {
	n := int64(o.rows)
	if n == 0 {
		return nil
	}
	if err := o.flush(o.writer.ColumnWriters()); err != nil {
		return err
	}
	o.total, o.since = o.total+n, o.since+n
	o.memory = o.writer.Size() - int64(o.size) + o.buffers()
	if o.since+batchRows > groupRows {
		return o.flushGroup()
	}
	return nil
}

// buffers returns the approximate size of the buffers that the columns keep: the values of a batch, and a page with an
// index into the dictionary and a level for each value.
func (o *output) buffers() int64 {
	const batchBytes, valueBytes = batchRows * int64(unsafe.Sizeof(parquet.Value{})), 4 + 1
	return int64(len(o.all)) * (batchBytes + min(o.total*valueBytes, pageBytes*valueBytes/4))
}

// flushGroup writes the row group.
func (o *output) flushGroup() error {
	o.since, o.memory = 0, o.buffers()
	return o.writer.Flush()
}

// finish writes the rest, which completes the file.
func (o *output) finish() (File, error) {
	err := o.flushBatch()
	if err == nil {
		err = o.writer.Close()
	}
	if err == nil {
		err = o.buffer.Flush()
	}
	if err = errors.Join(err, o.file.close()); err != nil {
		return File{}, err
	}
	return File{
		Table: o.table.Name, Path: o.final, Rows: o.total, Bytes: int64(o.size), SHA256: hex.EncodeToString(o.hash.Sum(nil)),
		temporary: o.file.name,
	}, nil
}

// A File is a file of a data set.
type File struct {
	Table  string `json:"table"`
	Path   string `json:"path"` // in the data set
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`

	temporary string
}

// shorten cuts a long name and appends a hash of the whole name.
func shorten(name string) string {
	sum := sha256.Sum256([]byte(name))
	return strings.TrimRight(name[:longestName-17], "%0123456789ABCDEF") + "~" + hex.EncodeToString(sum[:8])
}

// A lazyFile is created at the first write: most tables have few rows, and need no file before the end.
type lazyFile struct {
	name string
	file *os.File
}

func (l *lazyFile) Write(b []byte) (n int, err error) {
	if l.file == nil {
		if l.file, err = os.Create(l.name); err != nil {
			return 0, err
		}
	}
	return l.file.Write(b)
}

func (l *lazyFile) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
