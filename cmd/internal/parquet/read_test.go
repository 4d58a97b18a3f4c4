package parquet_test

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A row holds a file's row by column: nil or absent, bool, int64, uint64, float32, float64, string, a list as
// []any, a map or group as map[string]any.
type row = map[string]any

// readTables reads all files of a data set, by table.
func readTables(t *testing.T, dir string) map[string][]row {
	t.Helper()
	tables := map[string][]row{}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*", "*", "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(len(a), len(b)) }) // part-10 is after part-9
	for _, file := range files {
		relative, _ := filepath.Rel(dir, file)
		table, _, _ := strings.Cut(filepath.ToSlash(relative), "/")
		tables[table] = append(tables[table], readFile(t, file)...)
	}
	return tables
}

// readFile reads a file by its own schema alone.
func readFile(t *testing.T, name string) []row {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquetgo.OpenFile(f, info.Size())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var list []row
	buffer := make([]parquetgo.Row, 100)
	for _, group := range file.RowGroups() {
		rows := group.Rows()
		for {
			n, err := rows.ReadRows(buffer)
			for _, r := range buffer[:n] {
				list = append(list, assembleRow(file.Schema(), r))
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		rows.Close()
	}
	if int64(len(list)) != file.NumRows() {
		t.Fatalf("%s: %d rows, and the file says %d", name, len(list), file.NumRows())
	}
	return list
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
