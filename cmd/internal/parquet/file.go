package parquet

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

const (
	// groupRows is the most rows of a row group: a multiple of the 122,880 of DuckDB's own.
	groupRows = 245760
	// pageBytes is the size of a page before it is compressed, and widePageBytes that in a file of wideColumns and more.
	pageBytes     = 64 << 10
	widePageBytes = 24 << 10
	wideColumns   = 200
	// writeBytes is the size of a write to the disk.
	writeBytes = 64 << 10
	// spareRows is how many rows a file has at most whose sheet is used again, with the memory of its columns.
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
	number    int // among the files of its group and table
}

type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// write writes rows of a table to a file. lacks is what their inputs did not give.
func (d *Dataset) write(t *rows.Table, segments []segment, lacks incomplete.List, temporary string) (File, error) {
	file, err := os.Create(temporary)
	if err != nil {
		return File{}, err
	}
	sum, size := sha256.New(), counter(0)
	buffer := bufio.NewWriterSize(io.MultiWriter(file, sum, &size), writeBytes)
	s := d.sheet(t)
	e, _ := d.encoders.Get().(*encoder)
	if e == nil {
		e = newEncoder()
	}
	s.encoder = e
	n, err := s.write(newWriter(buffer, e), segments, lacks, d)
	if err == nil {
		err = buffer.Flush()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return File{}, err
	}
	d.encoders.Put(e)
	if s.encoder = nil; n <= spareRows {
		d.sheets[t.ID].Put(s)
	}
	return File{
		Table: t.Name, Rows: n, Bytes: int64(size), SHA256: hex.EncodeToString(sum.Sum(nil)), temporary: temporary,
	}, nil
}

// A sheet is what is made once for many files of a table.
type sheet struct {
	batch
	group int // most rows of a row group
}

// sheet returns a sheet for a file of a table.
func (d *Dataset) sheet(t *rows.Table) *sheet {
	if s, ok := d.sheets[t.ID].Get().(*sheet); ok {
		return s
	}
	s := &sheet{batch{layout: describe(t), page: pageBytes}, groupRows}
	if len(s.all) >= wideColumns {
		s.page = widePageBytes
	}
	return s
}

// write writes a whole file with the rows of segments, and returns how many there are.
func (s *sheet) write(w *writer, segments []segment, lacks incomplete.List, d *Dataset) (total int64, err error) {
	count, inputs := 0, []string{}
	for i := range segments {
		name := segments[i].input
		if n := len(inputs); n == 0 || inputs[n-1] != name {
			inputs = append(inputs, name)
		}
		s.name = []byte(strings.ToValidUTF8(name, "\uFFFD"))
		c := d.schema.Read(nil)
		err := segments[i].blocks(d, func(text []byte) error {
			for c.Reset(text); c.Row(); {
				s.add(c)
				if count++; count == s.group {
					s.complete()
					w.group(s.columns, count)
					total, count = total+int64(count), 0
				}
			}
			return w.encoder.err
		})
		if err != nil {
			return 0, err
		}
	}
	s.complete()
	w.group(s.columns, count)
	list, err := json.Marshal(inputs)
	if err != nil {
		return 0, err
	}
	metadata := maps.Clone(d.metadata)
	if metadata == nil {
		metadata = map[string]string{}
	}
	metadata[inputsKey] = string(list)
	if len(lacks) > 0 {
		list, err := json.Marshal(lacks)
		if err != nil {
			return 0, err
		}
		metadata[incompleteKey] = string(list)
	}
	return total + int64(count), w.close(s.elements, len(s.columns), metadata)
}
