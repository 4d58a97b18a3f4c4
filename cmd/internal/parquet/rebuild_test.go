package parquet_test

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/q3dissect/q3dissect/cmd/internal/parquet"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

// The records are rebuilt from the rows of the tables alone, and compared with the lines of JSON.

// A child describes where the rows of a table belong: in the list or under the key of an object in the rows of
// another.
type child struct {
	table  *rows.Table
	parent *rows.Table
	path   []string // from the parent's row to the list, or to the object itself
	choice string   // with a list: the key that the element has in it
	listed bool
}

func childOf(s *rows.Schema, t *rows.Table) child {
	c := child{table: t}
	for _, p := range s.Tables {
		if p != t && p.Path != "" && strings.HasPrefix(t.Path, p.Path+".") &&
			(c.parent == nil || len(p.Path) > len(c.parent.Path)) {
			c.parent = p
		}
	}
	if c.parent == nil {
		return c
	}
	c.path = strings.Split(strings.TrimPrefix(t.Path, c.parent.Path+"."), ".")
	if c.listed = len(t.At) > len(c.parent.At); c.listed {
		list := strings.TrimSuffix(t.At[len(t.At)-1], "_at")
		if i := slices.Index(c.path, list); i == len(c.path)-2 {
			c.path, c.choice = c.path[:i+1], c.path[i+1]
		}
	}
	return c
}

// A rebuilder builds objects from rows.
type rebuilder struct {
	t        *testing.T
	schema   *rows.Schema
	children []child          // by table
	lists    [][]child        // by table: the lists in its rows whose elements are rows
	objects  map[string]row   // by table, packet and the numbers in the lists
	tops     map[string][]row // by table
}

func newRebuilder(t *testing.T, s *rows.Schema) *rebuilder {
	b := &rebuilder{t: t, schema: s, children: make([]child, len(s.Tables)), lists: make([][]child, len(s.Tables))}
	for i, table := range s.Tables {
		c := childOf(s, table)
		b.children[i] = c
		if c.listed {
			b.lists[c.parent.ID] = append(b.lists[c.parent.ID], c)
		}
	}
	return b
}

func key(table *rows.Table, packet any, r row, n int) string {
	var b strings.Builder
	fmt.Fprint(&b, table.Name, " ", packet)
	for _, at := range table.At[:n] {
		fmt.Fprint(&b, " ", r[at])
	}
	return b.String()
}

// rebuild returns the objects at the top of records: those of packets, expert, events and every protocol. The tables
// hold all rows of some packets.
func (b *rebuilder) rebuild(tables map[string][]row) map[string][]row {
	b.objects, b.tops = map[string]row{}, map[string][]row{}
	for i, table := range b.schema.Tables { // outer ones come before inner ones
		for _, r := range tables[table.Name] {
			b.place(&b.children[i], r)
		}
		delete(tables, table.Name)
	}
	for name := range tables {
		b.t.Errorf("there is no table %s", name)
	}
	return b.tops
}

func (b *rebuilder) place(c *child, r row) {
	packet := r[rows.PacketColumn]
	k := key(c.table, packet, r, len(c.table.At))
	if b.objects[k] != nil {
		b.t.Errorf("%s is there twice", k)
	}
	b.objects[k] = r
	for _, d := range b.lists[c.table.ID] {
		openList(r, d.path)
	}
	if c.parent == nil {
		b.tops[c.table.Name] = append(b.tops[c.table.Name], r)
		return
	}
	outer := b.objects[key(c.parent, packet, r, len(c.parent.At))]
	for _, key := range c.path[:len(c.path)-1] {
		outer, _ = outer[key].(row)
	}
	if outer == nil {
		b.t.Errorf("%s is in nothing", k)
		return
	}
	last := c.path[len(c.path)-1]
	if !c.listed {
		outer[last] = stripped(c.table, r)
		return
	}
	list, at := outer[last].([]any), r[c.table.At[len(c.table.At)-1]].(int64)
	if c.choice != "" {
		list[at] = row{c.choice: stripped(c.table, r)}
	} else {
		list[at] = stripped(c.table, r)
	}
}

// openList replaces the length of a list by the list.
func openList(r row, path []string) {
	for _, key := range path[:len(path)-1] {
		if r, _ = r[key].(row); r == nil {
			return
		}
	}
	last := path[len(path)-1]
	if n, ok := r[last].(int64); ok {
		r[last] = make([]any, n)
	}
}

// stripped removes the key of the record from a row. Rows below it still go into it.
func stripped(table *rows.Table, r row) row {
	r["\x00"] = row{"packet": r[rows.PacketColumn], "time": r[rows.TimeColumn], "stream": r[rows.StreamColumn]}
	delete(r, rows.PacketColumn)
	delete(r, parquet.InputColumn)
	if v, ok := r[parquet.InputField]; ok {
		r[parquet.InputColumn] = v
		delete(r, parquet.InputField)
	}
	delete(r, rows.TimeColumn)
	delete(r, rows.StreamColumn)
	for _, at := range table.At {
		r["\x00"+at] = r[at]
		delete(r, at)
	}
	return r
}

// same compares a value of a line of JSON with the rebuilt one. It returns the first difference, with its path.
func same(want, got any, path string) string {
	if d := differs(want, got); d != "" {
		return path + d
	}
	return ""
}

// differs returns the first difference of two values with its path below them, or nothing.
func differs(want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		if got == true && len(want) == 0 {
			return "" // an object that is always empty
		}
		got, ok := got.(row)
		if !ok {
			break
		}
		for key, v := range want {
			if d := differs(v, got[key]); d != "" {
				return "." + key + d
			}
		}
		for key := range got {
			if _, ok := want[key]; !ok && !strings.HasPrefix(key, "\x00") {
				return fmt.Sprintf(".%s: only in the tables: %v", key, got[key])
			}
		}
		return ""
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			break
		}
		for i := range want {
			if d := differs(want[i], got[i]); d != "" {
				return fmt.Sprintf("[%d]%s", i, d)
			}
		}
		return ""
	case json.Number:
		if sameNumber(want.String(), got) {
			return ""
		}
	case string:
		if got == want || sameNumber(want, got) {
			return ""
		}
	default:
		if got == want {
			return ""
		}
	}
	return fmt.Sprintf(": %v in JSON, %v (%T) in the tables", want, got, got)
}

// sameNumber compares a number as JSON has it.
func sameNumber(want string, got any) bool {
	switch got := got.(type) {
	case int64:
		return want == strconv.FormatInt(got, 10)
	case uint64:
		return want == strconv.FormatUint(got, 10)
	case float32:
		v, err := strconv.ParseFloat(want, 32)
		return err == nil && (math.Float32bits(float32(v)) == math.Float32bits(got) || v != v && got != got)
	case float64:
		v, err := strconv.ParseFloat(want, 64)
		return err == nil && v == got
	}
	return false
}

// headOf takes the members that all records have from a line of JSON, and compares them with a row of packets.
func headOf(line, packet row) string {
	want, got := row{}, row{}
	for key, v := range line {
		switch key {
		case "time":
			at, err := time.Parse(time.RFC3339Nano, v.(string))
			if err != nil {
				return err.Error()
			}
			want["time_ns"], want["time"] = number(at.UnixNano()), number(at.UnixMicro())
		case "time_epoch":
			want["epoch"] = v
		case "time_relative":
			want["relative"] = v
		default:
			if c := packet[key]; c != nil || !isObject(v) {
				want[key] = v
			}
		}
	}
	for key, v := range packet {
		switch key {
		case "time_relative":
			got["relative"] = fmt.Sprintf("%.9f", v)
		case parquet.InputColumn, rows.PacketColumn, rows.TimeColumn:
		default:
			got[key] = v
		}
	}
	if ns, ok := packet["time_ns"].(int64); ok {
		got["epoch"] = fmt.Sprintf("%d.%09d", ns/1e9, ns%1e9)
		if packet[rows.TimeColumn] != packet["time"] {
			return "packet_time differs from time"
		}
	}
	for _, k := range []string{"relative", "epoch"} { // digits
		if n, ok := want[k].(json.Number); ok {
			want[k] = n.String()
		}
	}
	if line["protocol"] == nil {
		delete(want, "protocol")
	}
	return same(want, got, "")
}

func isObject(v any) bool {
	_, ok := v.(map[string]any)
	return ok
}

func number(v int64) json.Number { return json.Number(strconv.FormatInt(v, 10)) }

// lines decodes NDJSON.
func lines(t *testing.T, r io.Reader) iter.Seq[row] {
	return func(yield func(row) bool) {
		d := json.NewDecoder(r)
		d.UseNumber()
		for d.More() {
			var r row
			if err := d.Decode(&r); err != nil {
				t.Fatal(err)
			}
			if !yield(r) {
				return
			}
		}
	}
}

func packetOf(line row) int64 {
	n, ok := line["frame"].(json.Number)
	if !ok {
		n = line["demo_message"].(json.Number)
	}
	packet, _ := n.Int64()
	return packet
}
