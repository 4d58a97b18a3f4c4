package parquet_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	parquetgo "github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/cmd/internal/parquet"
	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

// TestColumns writes tables of any columns, with long and short runs of absent values, and reads them with parquet-go:
// the rows are the same, and the statistics of each column chunk are those of its values.
func TestColumns(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "x.parquet")
	rapid.Check(t, func(t *rapid.T) {
		g := generator{t: t, table: &rows.Table{Name: "t", At: []string{"a_at"}}}
		g.table.Columns = g.columns(3)
		text, want := g.rows()
		var file bytes.Buffer
		page, group := rapid.IntRange(1, 2000).Draw(t, "page"), rapid.IntRange(1, 9000).Draw(t, "group")
		if err := parquet.WriteTable(&file, g.table, text, page, group); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, file.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		r := openFile(t, name)
		for i, w := range want {
			got := r.next()
			if diff := gocmp.Diff(w, got, cmpopts.EquateNaNs()); diff != "" {
				t.Fatalf("row %d of %d (-want +got):\n%s", i, len(want), diff)
			}
		}
		if more := r.next(); more != nil {
			t.Fatalf("after %d rows: %v", len(want), more)
		}
		checkStatistics(t, file.Bytes())
	})
}

// A generator draws a table and rows of it.
type generator struct {
	t     *rapid.T
	table *rows.Table
}

// columns draws columns of a group, and of groups in it to a depth.
func (g *generator) columns(depth int) (list []*rows.Column) {
	for i := range rapid.IntRange(1, 4).Draw(g.t, "columns") {
		c := &rows.Column{
			Name: "c" + strconv.Itoa(i), ID: len(g.table.All),
			Form:   rapid.SampledFrom([]rows.Form{rows.Scalar, rows.Scalar, rows.List, rows.Map, rows.Group}).Draw(g.t, "form"),
			Type:   rows.Type(rapid.IntRange(0, int(rows.Time)).Draw(g.t, "type")),
			Key:    rapid.SampledFrom([]rows.Type{rows.Int, rows.String}).Draw(g.t, "key"),
			Narrow: rapid.Bool().Draw(g.t, "narrow"),
		}
		g.table.All = append(g.table.All, c)
		if c.Form == rows.Group && depth == 0 {
			c.Form = rows.Scalar
		}
		if c.Form == rows.Group {
			c.Columns = g.columns(depth - 1)
		}
		list = append(list, c)
	}
	return list
}

// rows draws stretches of rows. In each of them a column is absent, in some rows or in all.
func (g *generator) rows() (text []byte, want []row) {
	chance := make([]int, len(g.table.All)) // of 10, that a row has the column
	different := 1
	for range rapid.IntRange(0, 4).Draw(g.t, "stretches") {
		for i := range chance {
			chance[i] = rapid.SampledFrom([]int{0, 0, 1, 5, 9, 10}).Draw(g.t, "chance")
		}
		different = rapid.SampledFrom([]int{1, 3, 20, 1 << 40}).Draw(g.t, "different")
		seed := rapid.Uint64().Draw(g.t, "seed")
		r := &source{seed, uint64(different)}
		for range rapid.SampledFrom([]int{1, 7, 8, 9, 60, 60, 200, 200, 600, 4200}).Draw(g.t, "length") {
			head := rows.Head{
				Packet: int64(len(want)), HasTime: r.below(10) < 9, Time: int64(r.next()) >> 2, Stream: int64(r.below(3)) - 1,
			}
			one := row{parquet.InputColumn: "x", rows.PacketColumn: head.Packet, "a_at": int64(r.below(5))}
			if head.HasTime {
				one[rows.TimeColumn] = head.Micros()
			}
			if head.Stream >= 0 {
				one[rows.StreamColumn] = head.Stream
			}
			text = append(head.Append(text), 1)
			text = append(text, byte(one["a_at"].(int64)))
			cells := g.cells(&text, g.table.Columns, chance, r)
			text = append(text, 0)
			maps.Copy(one, cells)
			want = append(want, one)
		}
	}
	return text, want
}

// A source makes numbers that look like chance: drawing each from rapid takes too long.
type source struct{ state, different uint64 }

func (s *source) next() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := (s.state ^ s.state>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (s *source) below(n uint64) uint64 { return s.next() % n }

// cells appends the cells of a row's group, and returns them as a reader does.
func (g *generator) cells(text *[]byte, columns []*rows.Column, chance []int, r *source) row {
	one := row{}
	for _, c := range columns {
		if int(r.below(10)) >= chance[c.ID] {
			continue
		}
		*text = binary.AppendUvarint(*text, uint64(c.ID)+1)
		switch c.Form {
		case rows.Group:
			one[c.Name] = g.cells(text, c.Columns, chance, r)
		case rows.Scalar:
			one[c.Name] = value(text, c.Type, r)
		case rows.List:
			list := []any{}
			for range count(text, r) {
				list = append(list, value(text, c.Type, r))
			}
			one[c.Name] = list
		case rows.Map:
			pairs := row{}
			for range count(text, r) {
				key := fmt.Sprint(value(text, c.Key, r))
				pairs[key] = value(text, c.Type, r)
			}
			one[c.Name] = pairs
		}
	}
	return one
}

func count(text *[]byte, r *source) uint64 {
	n := r.below(4)
	*text = binary.AppendUvarint(*text, n)
	return n
}

// value appends a value and returns it. There are about as many different ones as the source is to give.
func value(text *[]byte, t rows.Type, r *source) any {
	n := r.below(r.different)
	wide := n * 0x9e3779b97f4a7c15
	switch t {
	case rows.Bool:
		*text = append(*text, byte(n%2))
		return n%2 == 1
	case rows.Uint:
		*text = binary.AppendUvarint(*text, wide)
		return wide
	case rows.Float:
		v := float32(n) - 3
		if n == 5 {
			v = float32(math.NaN())
		}
		*text = binary.LittleEndian.AppendUint32(*text, math.Float32bits(v))
		return v
	case rows.Double:
		v := math.Float64frombits(wide)
		*text = binary.LittleEndian.AppendUint64(*text, wide)
		return v
	case rows.String:
		v := strconv.FormatUint(wide, 36)[int(n%2):]
		*text = append(binary.AppendUvarint(*text, uint64(len(v))), v...)
		return v
	}
	*text = binary.AppendVarint(*text, int64(wide))
	return int64(wide)
}

// checkStatistics compares the statistics of each column chunk with its values.
func checkStatistics(t *rapid.T, file []byte) {
	opened, err := parquetgo.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for g, group := range opened.RowGroups() {
		for i, chunk := range group.ColumnChunks() {
			meta := opened.Metadata().RowGroups[g].Columns[i].MetaData
			values, nulls := chunkValues(t, chunk), int64(0)
			var least, greatest parquetgo.Value
			for _, v := range values {
				if v.IsNull() {
					nulls++
				} else if f := v.Kind(); f == parquetgo.Float && v.Float() != v.Float() ||
					f == parquetgo.Double && v.Double() != v.Double() {
					continue
				} else {
					if least.IsNull() || chunk.Type().Compare(v, least) < 0 {
						least = v.Clone()
					}
					if greatest.IsNull() || chunk.Type().Compare(v, greatest) > 0 {
						greatest = v.Clone()
					}
				}
			}
			s := meta.Statistics
			if s.NullCount != nulls || meta.NumValues != int64(len(values)) {
				t.Fatalf("%v: %d of %d absent, and the file has %d of %d", meta.PathInSchema, nulls, len(values),
					s.NullCount, meta.NumValues)
			}
			if bound(chunk, s.MinValue, least) != 0 || bound(chunk, s.MaxValue, greatest) != 0 {
				t.Fatalf("%v: from %v to %v, and the file has %x to %x", meta.PathInSchema, least, greatest, s.MinValue, s.MaxValue)
			}
		}
	}
}

// bound compares a value of statistics with the expected one.
func bound(chunk parquetgo.ColumnChunk, b []byte, want parquetgo.Value) int {
	if want.IsNull() {
		return len(b)
	}
	return chunk.Type().Compare(chunk.Type().Kind().Value(b), want)
}

func chunkValues(t *rapid.T, chunk parquetgo.ColumnChunk) (list []parquetgo.Value) {
	pages := chunk.Pages()
	defer pages.Close()
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		values := make([]parquetgo.Value, page.NumValues())
		n, err := page.Values().ReadValues(values)
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		for _, v := range values[:n] {
			list = append(list, v.Clone())
		}
	}
}
