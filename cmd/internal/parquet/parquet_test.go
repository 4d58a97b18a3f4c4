package parquet_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/cmd/internal/parquet"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/convert"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

// TestMain collects garbage less often: the tests make much of it and keep little.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

func newSchema(t *testing.T, o rows.Options) *rows.Schema {
	t.Helper()
	s, err := rows.New(all.Protocols(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// inputs returns captures and recordings below a folder.
func inputs(t *testing.T, patterns ...string) []string {
	t.Helper()
	var list []string
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.FromSlash(pattern))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, names...)
	}
	return list
}

// write writes an input to a data set, and returns its lines of JSON.
func write(t *testing.T, set *parquet.Dataset, name string, o convert.Options) (records, events []byte, files []parquet.File) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	in, err := set.Input(name)
	if err != nil {
		t.Fatal(err)
	}
	o.Protocols, o.Name, o.File = all.Protocols(), name, name
	var r, e bytes.Buffer
	if _, err := convert.Run(bytes.NewReader(b), convert.Outputs{Records: &r, Events: &e, Rows: in}, o); err != nil {
		t.Logf("%s: %v", name, err) // the rows up to the error are compared
	}
	if files, err = in.Commit(); err != nil {
		t.Fatal(err)
	}
	return r.Bytes(), e.Bytes(), files
}

// plainBytes is the largest sample that is also compared without states, which has no table of its own.
const plainBytes = 28_000

// Every value of every record and event is in the tables, and nothing else, as read with parquet-go.
func TestSamples(t *testing.T) {
	t.Parallel()
	names := inputs(t, "../../../samples/*/*.pcap*", "../../../samples/*/*.dm_*", "../../../samples/*/*.demo")
	if len(names) < 20 {
		t.Fatalf("%d samples", len(names))
	}
	compareAll(t, names, convert.Options{State: true, Secrets: true})
	compareAll(t, upTo(t, plainBytes, names), convert.Options{})
}

// referenceBytes is the largest reference input that is compared.
const referenceBytes = 100_000

// Reference captures and recordings of every kind.
func TestReference(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	root := os.Getenv("Q3DISSECT_REFERENCE")
	if root == "" {
		root = "../../../../shared"
	}
	names := inputs(t, root+"/captures/*/*.pcap*", root+"/demos/*/*.dm_*", root+"/demos/*/*.demo")
	if len(names) == 0 {
		t.Skip("no reference captures")
	}
	compareAll(t, upTo(t, referenceBytes, names), convert.Options{})
	if os.Getenv("Q3DISSECT_LONG") != "" {
		compareAll(t, names, convert.Options{State: true, Secrets: true})
	}
}

// TestParts writes a capture with little memory, which divides its tables into several files: the rows stay the same.
func TestParts(t *testing.T) {
	t.Parallel()
	const name = "../../../samples/quake3/68-connect-play.pcap"
	o := convert.Options{State: true}
	schema := newSchema(t, rows.Options{State: true})
	read := func(memory int64) (tables map[string][]row, files int) {
		dir := t.TempDir()
		set, err := parquet.Open(dir, schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		if memory > 0 {
			set.SetMemory(memory)
		}
		_, _, list := write(t, set, name, o)
		return readTables(t, dir), len(list)
	}
	whole, files := read(0)
	divided, more := read(256 << 10)
	if more < 3*files/2 {
		t.Errorf("%d files, %d with little memory", files, more)
	}
	if diff := cmp.Diff(whole, divided); diff != "" {
		t.Error(diff[:min(len(diff), 2000)])
	}
}

// upTo returns the files that are not larger, or all with Q3DISSECT_LONG: large ones take minutes, mostly to decode JSON.
func upTo(t *testing.T, most int64, names []string) []string {
	t.Helper()
	if os.Getenv("Q3DISSECT_LONG") != "" {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size() > most
	})
}

func compareAll(t *testing.T, names []string, o convert.Options) {
	t.Helper()
	schema := newSchema(t, rows.Options{Events: true, State: o.State})
	for _, name := range names {
		t.Run(fmt.Sprintf("%s state=%v", filepath.Base(name), o.State), func(t *testing.T) {
			t.Parallel()
			compare(t, schema, name, o)
		})
	}
}

func compare(t *testing.T, schema *rows.Schema, name string, o convert.Options) {
	dir := t.TempDir()
	set, err := parquet.Open(dir, schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	records, events, files := write(t, set, name, o)
	tables := readTables(t, dir)
	for _, f := range files {
		if f.Rows == 0 {
			t.Errorf("%s has no rows", f.Path)
		}
	}
	tops := rebuild(t, schema, tables)
	byPacket := map[string]map[string][]row{}
	for table, list := range tops {
		for _, r := range list {
			p := fmt.Sprint(r[rows.PacketColumn])
			if byPacket[p] == nil {
				byPacket[p] = map[string][]row{}
			}
			byPacket[p][table] = append(byPacket[p][table], r)
		}
	}
	n := compareRecords(t, schema, lines(t, records), byPacket)
	n += compareEvents(t, lines(t, events), byPacket)
	for p, tables := range byPacket {
		for table, left := range tables {
			if len(left) > 0 {
				t.Errorf("packet %s: %d rows of %s are in no line of JSON", p, len(left), table)
			}
		}
	}
	if n == 0 {
		t.Log("no record")
	}
}

func compareRecords(t *testing.T, schema *rows.Schema, list []row, byPacket map[string]map[string][]row) (n int) {
	for _, line := range list {
		if line["file_error"] != nil {
			continue
		}
		p := packetOf(line)
		tables := byPacket[p]
		if len(tables["packets"]) != 1 {
			t.Fatalf("packet %s: %d rows of packets", p, len(tables["packets"]))
		}
		packet := tables["packets"][0]
		delete(tables, "packets")
		if experts, ok := line["expert"].([]any); ok {
			var got []any
			for _, e := range tables["expert"] {
				got = append(got, stripped(schema.Table("expert"), e))
			}
			delete(tables, "expert")
			if d := same(experts, got, "expert"); d != "" {
				t.Fatalf("packet %s: %s", p, d)
			}
			line["expert"] = number(int64(len(experts)))
		}
		for key, v := range line {
			if table := schema.Table(key); table != nil && isObject(v) && len(tables[key]) == 1 {
				if d := same(v, stripped(table, tables[key][0]), key); d != "" {
					t.Fatalf("packet %s: %s", p, d)
				}
				delete(tables, key)
				delete(line, key)
			}
		}
		if d := headOf(line, packet); d != "" {
			t.Fatalf("packet %s: %s", p, d)
		}
		n++
	}
	return n
}

func compareEvents(t *testing.T, list []row, byPacket map[string]map[string][]row) (n int) {
	for _, line := range list {
		if line["file_error"] != nil {
			continue
		}
		p := packetOf(line)
		got := byPacket[p]["events"]
		if len(got) == 0 {
			t.Fatalf("packet %s: an event is not there", p)
		}
		byPacket[p]["events"] = got[1:]
		event := stripped(&rows.Table{At: []string{"event_at"}}, got[0])
		if event["\x00event_at"] != int64(0) && n == 0 {
			t.Fatalf("packet %s: the first event has number %v", p, event["\x00event_at"])
		}
		for _, head := range []string{"file", "frame", "demo_message", "time", "time_epoch", "time_relative", "src", "src_port", "dst", "dst_port", "stream", "direction"} {
			delete(line, head)
		}
		if d := same(line, event, "event"); d != "" {
			t.Fatalf("packet %s: %s", p, d)
		}
		n++
	}
	return n
}
