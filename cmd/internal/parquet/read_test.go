package parquet_test

import (
	"cmp"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect/rows"
)

// A row holds a file's row by column: nil or absent, bool, int64, uint64, float32, float64, string, a list as
// []any, a map or group as map[string]any.
type row = map[string]any

// A fileReader reads the rows of a file one after the other, by the file's own schema alone.
type fileReader struct {
	t      rapid.TB
	file   *os.File
	opened *parquetgo.File
	schema *parquetgo.Schema
	groups []parquetgo.RowGroup // that follow
	rows   parquetgo.Rows       // of the current one; nil: none
	buffer []parquetgo.Row
	ready  []parquetgo.Row // of the buffer
	ended  bool            // rows has no more
	read   int64
}

func openFile(t rapid.TB, name string) *fileReader {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	opened, err := parquetgo.OpenFile(f, info.Size())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return &fileReader{
		t: t, file: f, opened: opened, schema: opened.Schema(), groups: opened.RowGroups(),
		buffer: make([]parquetgo.Row, 100),
	}
}

// next returns the next row, or nil at the end of the file.
func (r *fileReader) next() row {
	for len(r.ready) == 0 {
		switch {
		case r.rows != nil && !r.ended:
			n, err := r.rows.ReadRows(r.buffer)
			if err != nil && err != io.EOF {
				r.t.Fatalf("%s: %v", r.file.Name(), err)
			}
			r.ready, r.ended = r.buffer[:n], err == io.EOF
			continue
		case r.rows != nil:
			r.rows.Close()
			r.rows = nil
		}
		if len(r.groups) == 0 {
			if r.read != r.opened.NumRows() {
				r.t.Fatalf("%s: %d rows, and the file says %d", r.file.Name(), r.read, r.opened.NumRows())
			}
			r.file.Close()
			return nil
		}
		r.rows, r.groups, r.ended = r.groups[0].Rows(), r.groups[1:], false
	}
	one := assembleRow(r.schema, r.ready[0])
	r.ready = r.ready[1:]
	r.read++
	return one
}

// A tableReader reads the rows of a table, one file after the other.
type tableReader struct {
	t       *testing.T
	name    string
	files   []string // that follow
	current *fileReader
	first   row // that follows; nil: there is none
}

func (r *tableReader) advance() {
	for r.first = nil; r.first == nil; r.current = nil {
		if r.current == nil {
			if len(r.files) == 0 {
				return
			}
			r.current, r.files = openFile(r.t, r.files[0]), r.files[1:]
		}
		if r.first = r.current.next(); r.first != nil {
			return
		}
	}
}

// openTables opens all tables of a data set.
func openTables(t *testing.T, dir string) []*tableReader {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(files, func(a, b string) int { // x.10.parquet is after x.9.parquet
		return cmp.Or(cmp.Compare(filepath.Dir(a), filepath.Dir(b)), cmp.Compare(len(a), len(b)))
	})
	var tables []*tableReader
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		if n := len(tables); n == 0 || tables[n-1].name != name {
			tables = append(tables, &tableReader{t: t, name: name})
		}
		table := tables[len(tables)-1]
		table.files = append(table.files, file)
	}
	for _, table := range tables {
		table.advance()
	}
	return tables
}

// upTo returns the rows that follow, up to those of a packet.
func (r *tableReader) upTo(packet int64) (list []row) {
	for r.first != nil && r.first[rows.PacketColumn].(int64) <= packet {
		list = append(list, r.first)
		r.advance()
	}
	return list
}

// readTables reads all files of a data set, by table.
func readTables(t *testing.T, dir string) map[string][]row {
	t.Helper()
	tables := map[string][]row{}
	for _, table := range openTables(t, dir) {
		tables[table.name] = table.upTo(math.MaxInt64)
	}
	return tables
}

// assembleRow arranges the values of a row after the schema.
func assembleRow(schema *parquetgo.Schema, r parquetgo.Row) row {
	a := assembler{}
	for _, values := range r.Range {
		a.columns = append(a.columns, values)
	}
	return a.group(schema.Fields(), 0)
}

// An assembler consumes the columns of a row one after the other.
type assembler struct{ columns [][]parquetgo.Value }

func (a *assembler) group(fields []parquetgo.Field, level int) row {
	r := row{}
	for _, f := range fields {
		if v := a.node(f, level); v != nil {
			r[f.Name()] = v
		}
	}
	return r
}

// level returns the definition level of the next column's first value.
func (a *assembler) level() int { return a.columns[0][0].DefinitionLevel() }

func (a *assembler) node(n parquetgo.Node, level int) any {
	if n.Optional() {
		level++
	}
	if n.Leaf() {
		v := a.columns[0][0]
		a.columns = a.columns[1:]
		if v.DefinitionLevel() < level {
			return nil
		}
		return leafValue(n, v)
	}
	present := a.level() >= level
	if logical := n.Type().LogicalType(); logical != nil {
		var v any
		switch logical.Value.(type) {
		case *format.ListType:
			v = a.list(n.Fields()[0].Fields()[0], level+1)
		case *format.MapType:
			v = a.pairs(n.Fields()[0].Fields(), level+1)
		}
		if !present {
			return nil
		}
		return v
	}
	r := a.group(n.Fields(), level)
	if !present {
		return nil
	}
	return r
}

// list consumes the elements of the next column; those of a list have a definition level.
func (a *assembler) list(element parquetgo.Node, level int) []any {
	list := []any{}
	for _, v := range a.columns[0] {
		if v.DefinitionLevel() >= level {
			list = append(list, leafValue(element, v))
		}
	}
	a.columns = a.columns[1:]
	return list
}

func (a *assembler) pairs(fields []parquetgo.Field, level int) row {
	keys, values := a.list(fields[0], level), a.list(fields[1], level)
	r := row{}
	for i, key := range keys {
		if n, ok := key.(int64); ok {
			key = strconv.FormatInt(n, 10)
		}
		r[key.(string)] = values[i]
	}
	return r
}

// leafValue returns the value of a leaf.
func leafValue(n parquetgo.Node, v parquetgo.Value) any {
	switch v.Kind() {
	case parquetgo.Boolean:
		return v.Boolean()
	case parquetgo.Int64:
		if logical := n.Type().LogicalType(); logical != nil {
			if i, ok := logical.Value.(*format.IntType); ok && !i.IsSigned {
				return v.Uint64()
			}
		}
		return v.Int64()
	case parquetgo.Float:
		return v.Float()
	case parquetgo.Double:
		return v.Double()
	}
	return string(v.ByteArray())
}
