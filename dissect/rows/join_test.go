package rows_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/convert"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

// A link is how a table joins the table around it: by the packet and the numbers that both have.
type link struct {
	parent *rows.Table
	count  int // number of the parent's column with how many rows there are; -1: there is none
}

// links returns the link of each table but packets.
func links(s *rows.Schema) map[*rows.Table]link {
	found := map[*rows.Table]link{}
	for _, t := range s.Tables {
		l := link{count: -1}
		for _, p := range s.Tables {
			inside := p.Path == "" || strings.HasPrefix(t.Path, p.Path+".")
			if p != t && inside && (l.parent == nil || len(p.Path) > len(l.parent.Path)) {
				l.parent = p
			}
		}
		if t.Path == "" {
			continue
		}
		list := l.parent.Columns
		for key := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(t.Path, l.parent.Path), "."), ".") {
			c := find(list, key)
			if c == nil {
				break
			}
			if list = c.Columns; c.Form == rows.Scalar {
				l.count = c.ID
			}
		}
		found[t] = l
	}
	return found
}

// joins are the rows of an input, by the keys that tables are joined by.
type joins struct {
	schema *rows.Schema
	rows   map[string]int   // by table and key
	counts map[string]int64 // what the rows say about the rows below them, by table, key and column
	below  map[string]int64 // how many there are
	links  map[*rows.Table]link
	up     map[string]string // the parent's key of a row without it so far
	joined int
	nulls  int // rows without a stream
}

func (j *joins) Schema() *rows.Schema { return j.schema }

func (j *joins) Rows(b []byte) error {
	for c := j.schema.Read(b); c.Row(); {
		t := c.Table()
		key := func(of *rows.Table) string {
			return fmt.Sprint(of.Name, " ", c.Head().Packet, c.At()[:len(of.At)])
		}
		own := key(t)
		j.rows[own]++
		if c.Head().Stream < 0 {
			j.nulls++
		}
		if l, ok := j.links[t]; ok {
			j.up[own] = key(l.parent)
			if l.count >= 0 {
				j.below[fmt.Sprint(key(l.parent), " ", l.count)]++
			}
		}
		for c.Cell() {
			if at := c.Column(); at.Form == rows.Scalar && at.Type == rows.Int {
				j.counts[fmt.Sprint(own, " ", at.ID)] = c.Int()
				continue
			}
			c.SkipCell()
		}
	}
	return nil
}

// Every row joins exactly one row of the table around it by the packet and the numbers in lists, also in recordings,
// which have no stream; and the outer rows say how many there are. A recording's key was NULL: no row joined.
func TestJoins(t *testing.T) {
	t.Parallel()
	schema, err := rows.New(all.Protocols(), rows.Options{Events: true})
	if err != nil {
		t.Fatal(err)
	}
	inputs, recordings := 0, 0
	var total struct{ rows, joined, nulls int }
	tables := map[string]int{}
	for _, name := range joinInputs(t) {
		j := &joins{
			schema: schema, links: links(schema), rows: map[string]int{}, up: map[string]string{},
			counts: map[string]int64{}, below: map[string]int64{},
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		result, err := convert.Run(f, convert.Outputs{Rows: j}, convert.Options{Protocols: all.Protocols(), Name: name})
		f.Close()
		if err != nil {
			t.Logf("%s: %v", name, err)
		}
		for key, n := range j.rows {
			table, _, _ := strings.Cut(key, " ")
			if tables[table] += n; n != 1 {
				t.Errorf("%s: %d rows of %s", name, n, key)
			}
			up, inside := j.up[key]
			if !inside {
				continue
			}
			if j.joined++; j.rows[up] != 1 {
				t.Errorf("%s: %s joins %d rows of %s", name, key, j.rows[up], up)
			}
		}
		for key, n := range j.below {
			if counted, ok := j.counts[key]; ok && counted != n {
				t.Errorf("%s: %s counts %d rows, and there are %d", name, key, counted, n)
			}
		}
		if result.Recording {
			recordings++
			if j.nulls == 0 {
				t.Errorf("%s: a recording with streams", name)
			}
		}
		inputs++
		total.rows, total.joined, total.nulls = total.rows+len(j.rows), total.joined+j.joined, total.nulls+j.nulls
	}
	if recordings < 5 {
		t.Errorf("%d recordings", recordings)
	}
	t.Logf("%d inputs, %d recordings: %d rows of %d tables, of which %d join one row above them each; %d without a stream",
		inputs, recordings, total.rows, len(tables), total.joined, total.nulls)
	for _, want := range []string{
		"events", "expert", "quake3_server_message_ops_snapshot_entities", "teeworlds_chunks_snapshot_items_character",
		"gamestudio_messages_svc_update2",
	} {
		if tables[want] == 0 {
			t.Errorf("no row of %s", want)
		}
	}
}

// joinInputs returns the samples and, in a long run, what the reference folder has.
func joinInputs(t *testing.T) (names []string) {
	t.Helper()
	for _, pattern := range []string{"pcap", "pcapng", "dm_*", "demo", "gho", "teehistorian"} {
		list, err := filepath.Glob("../../samples/*/*." + pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, list...)
	}
	if os.Getenv("Q3DISSECT_LONG") == "" {
		return names
	}
	for _, folder := range []string{"captures", "demos"} {
		for _, pattern := range []string{"*/*.pcap*", "*/*.dm_*", "*/*.teehistorian", "*/*/*.teehistorian"} {
			list, err := filepath.Glob(filepath.Join(reference.Folder(t, folder), pattern))
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, list...)
		}
	}
	return names
}
