package parquet_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/cmd/internal/parquet"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/convert"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

// TestMain makes properties check fewer draws than 100, which make long leaves.
func TestMain(m *testing.M) {
	if _, named := os.LookupEnv("RAPID_CHECKS"); !named && !long() {
		if err := flag.Set("rapid.checks", "20"); err != nil {
			panic(err)
		}
	}
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

// inputsBelow returns all captures and recordings in folders and below, small ones first.
func inputsBelow(t *testing.T, folders ...string) []string {
	t.Helper()
	paths, err := open.Files(folders)
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int64{}
	for _, p := range paths {
		in, err := open.File(p.Name, open.Options{Protocols: all.Protocols()})
		if err != nil {
			continue // of no known kind
		}
		in.Close()
		info, err := os.Stat(p.Name)
		if err != nil {
			t.Fatal(err)
		}
		sizes[p.Name] = info.Size()
	}
	return slices.SortedFunc(maps.Keys(sizes),
		func(a, b string) int { return cmp.Or(cmp.Compare(sizes[a], sizes[b]), cmp.Compare(a, b)) })
}

// run converts a file. What is wrong with the file is only logged: the output up to there is compared.
func run(t *testing.T, name string, outputs convert.Outputs, o convert.Options) {
	f, err := os.Open(name)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	o.Protocols, o.Name, o.File = all.Protocols(), name, name
	if _, err := convert.Run(f, outputs, o); err != nil {
		t.Logf("%s: %v", name, err)
	}
}

// write writes an input to a data set, and returns its events as lines of JSON.
func write(t *testing.T, set *parquet.Dataset, name string, o convert.Options) (events []byte, files []parquet.File) {
	t.Helper()
	in := set.Input(name)
	var e bytes.Buffer
	run(t, name, convert.Outputs{Events: &e, Rows: in}, o)
	files, err := in.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return e.Bytes(), files
}

// records returns the records of a file, as they are converted: those of some take gigabytes.
func records(t *testing.T, name string, o convert.Options) iter.Seq[row] {
	return func(yield func(row) bool) {
		r, w := io.Pipe()
		var converting sync.WaitGroup
		converting.Go(func() {
			run(t, name, convert.Outputs{Records: w}, o)
			w.Close()
		})
		defer converting.Wait()
		defer r.Close()
		lines(t, r)(yield)
	}
}

// stateBytes is the largest sample that is compared with states, and plainBytes without them, which has no table of its
// own. Every game and both kinds of files have samples below.
const (
	stateBytes = 25_000
	plainBytes = 12_000
)

// Every value of every record and event is in the tables, and nothing else, as read with parquet-go.
func TestSamples(t *testing.T) {
	t.Parallel()
	names := inputs(t, "../../../samples/*/*.pcap*", "../../../samples/*/*.dm_*", "../../../samples/*/*.demo")
	if len(names) < 20 {
		t.Fatalf("%d samples", len(names))
	}
	compareAll(t, upTo(t, stateBytes, names), convert.Options{State: true, Secrets: true})
	compareAll(t, upTo(t, plainBytes, names), convert.Options{Secrets: true})
}

// referenceBytes is the largest reference input that is compared.
const referenceBytes = 50_000

// Reference captures and recordings of every kind. go test has the samples.
func TestReference(t *testing.T) {
	t.Parallel()
	if !long() {
		t.Skip("make long")
	}
	root := os.Getenv("Q3DISSECT_REFERENCE")
	if root == "" {
		root = "../../../../shared"
	}
	if _, err := os.Stat(root + "/captures"); err != nil {
		t.Skip("no reference captures")
	}
	names := inputsBelow(t, root+"/captures", root+"/demos")
	if !whole() {
		names = noLarger(t, referenceBytes, names)
	}
	compareAll(t, names, convert.Options{Secrets: true})
	if whole() {
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
		set, err := parquet.Open(dir, schema, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		if memory > 0 {
			set.SetMemory(memory)
		}
		_, list := write(t, set, name, o)
		return readTables(t, dir), len(list)
	}
	whole, files := read(0)
	divided, more := read(256 << 10)
	if more < 3*files/2 {
		t.Errorf("%d files, %d with little memory", files, more)
	}
	if diff := gocmp.Diff(whole, divided); diff != "" {
		t.Error(diff[:min(len(diff), 2000)])
	}
}

// long reports whether all samples are compared, whole whether all reference files are, which takes hours.
func long() bool  { return os.Getenv("Q3DISSECT_LONG") != "" }
func whole() bool { return os.Getenv("Q3DISSECT_LONG") == "whole" }

// upTo returns the files that are not larger, or all with Q3DISSECT_LONG: large ones take minutes, mostly to decode
// JSON.
func upTo(t *testing.T, most int64, names []string) []string {
	t.Helper()
	if long() {
		return names
	}
	return noLarger(t, most, names)
}

func noLarger(t *testing.T, most int64, names []string) []string {
	t.Helper()
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
	var inputs, records, events atomic.Int64
	t.Cleanup(func() {
		t.Logf("state=%v: %d inputs with %d records and %d events are equal", o.State, inputs.Load(),
			records.Load(), events.Load())
	})
	for _, name := range names {
		t.Run(fmt.Sprintf("%s state=%v", filepath.Base(name), o.State), func(t *testing.T) {
			if !long() {
				t.Parallel() // which starts them in any order: a long run that is ended has compared the small ones
			}
			r, e := compare(t, schema, name, o)
			inputs.Add(1)
			records.Add(int64(r))
			events.Add(int64(e))
		})
	}
}

// compare compares an input in a data set of its own.
func compare(t *testing.T, schema *rows.Schema, name string, o convert.Options) (n, m int) {
	t.Helper()
	dir := t.TempDir()
	set, err := parquet.Open(dir, schema, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	events, files := write(t, set, name, o)
	for _, f := range files {
		if f.Rows == 0 {
			t.Errorf("%s has no rows", f.Path)
		}
	}
	ofEvents, ofRecords := map[string][]row{}, []*tableReader{}
	for _, table := range openTables(t, dir) {
		if table.name == "events" || strings.HasPrefix(table.name, "events_") {
			ofEvents[table.name] = table.upTo(math.MaxInt64)
		} else {
			ofRecords = append(ofRecords, table)
		}
	}
	builder := newRebuilder(t, schema)
	n = compareRecords(t, builder, records(t, name, o), ofRecords)
	m = compareEvents(t, lines(t, bytes.NewReader(events)), builder.rebuild(ofEvents))
	t.Logf("%d records, %d events", n, m)
	return n, m
}

// compareRecords compares lines with the rows of tables, packet by packet.
func compareRecords(t *testing.T, b *rebuilder, list iter.Seq[row], tables []*tableReader) (n int) {
	for line := range list {
		if line["file_error"] != nil || line["incomplete"] != nil {
			continue
		}
		p := packetOf(line)
		found := map[string][]row{}
		for _, table := range tables {
			if list := table.upTo(p); len(list) > 0 {
				if first := list[0][rows.PacketColumn]; first != p {
					t.Fatalf("packet %d: a row of %s is of packet %v", p, table.name, first)
				}
				found[table.name] = list
			}
		}
		if d := compareRecord(b.schema, line, b.rebuild(found)); d != "" {
			t.Fatalf("packet %d: %s", p, d)
		}
		n++
	}
	for _, table := range tables {
		if list := table.upTo(math.MaxInt64); len(list) > 0 {
			t.Errorf("%d rows of %s are in no line of JSON", len(list), table.name)
		}
	}
	return n
}

// compareRecord compares a line with the objects of its packet. It returns the first difference.
func compareRecord(schema *rows.Schema, line row, tables map[string][]row) string {
	if len(tables["packets"]) != 1 {
		return fmt.Sprintf("%d rows of packets", len(tables["packets"]))
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
			return d
		}
		line["expert"] = number(int64(len(experts)))
	}
	for key, v := range line {
		if table := schema.Table(key); table != nil && isObject(v) && len(tables[key]) == 1 {
			if d := same(v, stripped(table, tables[key][0]), key); d != "" {
				return d
			}
			delete(tables, key)
			delete(line, key)
		}
	}
	for table, left := range tables {
		return fmt.Sprintf("%d rows of %s are not in the line", len(left), table)
	}
	return headOf(line, packet)
}

// compareEvents compares lines with the rows of the events' tables.
func compareEvents(t *testing.T, list iter.Seq[row], tables map[string][]row) (n int) {
	byPacket := map[int64][]row{}
	for table, rest := range tables {
		if table != "events" {
			t.Errorf("%d rows of %s are in nothing", len(rest), table)
		}
		for _, r := range rest {
			p := r[rows.PacketColumn].(int64)
			byPacket[p] = append(byPacket[p], r)
		}
	}
	for line := range list {
		if line["file_error"] != nil || line["incomplete"] != nil {
			continue
		}
		p := packetOf(line)
		got := byPacket[p]
		if len(got) == 0 {
			t.Fatalf("packet %d: an event is not there", p)
		}
		byPacket[p] = got[1:]
		event := stripped(&rows.Table{At: []string{"event_at"}}, got[0])
		if event["\x00event_at"] != int64(0) && n == 0 {
			t.Fatalf("packet %d: the first event has number %v", p, event["\x00event_at"])
		}
		for _, head := range []string{
			"file", "frame", "demo_message", "time", "time_epoch", "time_relative", "src",
			"src_port", "dst", "dst_port", "stream", "direction",
		} {
			delete(line, head)
		}
		if d := same(line, event, "event"); d != "" {
			t.Fatalf("packet %d: %s", p, d)
		}
		n++
	}
	for p, left := range byPacket {
		if len(left) > 0 {
			t.Errorf("packet %d: %d events are in no line of JSON", p, len(left))
		}
	}
	return n
}
