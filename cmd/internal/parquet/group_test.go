package parquet_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/q3dissect/q3dissect/cmd/internal/parquet"
	"github.com/q3dissect/q3dissect/dissect/convert"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

// groupSamples are inputs of several kinds. One ends early.
func groupSamples(t *testing.T) []string {
	t.Helper()
	half := filepath.Join(t.TempDir(), "half.pcap")
	whole, err := os.ReadFile("../../../samples/quake3/68-loss.pcap")
	if err == nil {
		err = os.WriteFile(half, whole[:len(whole)/2], 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return append(upTo(t, plainBytes, inputs(t, "../../../samples/quake3/68-*.pcap", "../../../samples/quake3/*.dm_*",
		"../../../samples/teeworlds/*.demo")), half)
}

// readInput takes the rows of an input.
func readInput(t *testing.T, set *parquet.Dataset, name string) *parquet.Input {
	t.Helper()
	in := set.Input(name)
	run(t, name, convert.Outputs{Rows: in}, convert.Options{})
	return in
}

// TestGroup writes inputs together, with much memory and with little: the tables have the rows of each input as if it
// had been written alone, in the order of the inputs, in few files, whose bytes do not depend on the number of writers.
func TestGroup(t *testing.T) {
	t.Parallel()
	schema, names := newSchema(t, rows.Options{Events: true}), groupSamples(t)
	alone := map[string][]row{}
	for _, name := range names {
		dir := t.TempDir()
		set, err := parquet.Open(dir, schema, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readInput(t, set, name).Commit(); err != nil {
			t.Fatal(err)
		}
		for table, list := range readTables(t, dir) {
			alone[table] = append(alone[table], list...)
		}
	}
	for _, memory := range []int64{1 << 30, 100 << 10} {
		var first []parquet.File
		for writers := 1; writers <= 3; writers += 2 {
			dir := t.TempDir()
			set, err := parquet.Open(dir, schema, nil, writers)
			if err != nil {
				t.Fatal(err)
			}
			group := set.Group()
			for _, name := range names {
				in := set.Input(name)
				set.SetMemory(1 << 30) // no input has files of its own
				run(t, name, convert.Outputs{Rows: in}, convert.Options{})
				set.SetMemory(memory)
				if err := group.Add(in); err != nil {
					t.Fatal(err)
				}
			}
			files, err := group.Commit()
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(alone, readTables(t, dir)); diff != "" {
				t.Fatalf("memory %d (-alone +together):\n%s", memory, diff[:min(len(diff), 2000)])
			}
			if memory > 1<<20 && len(files) != len(alone) {
				t.Errorf("%d files of %d tables", len(files), len(alone))
			}
			if first == nil {
				first = files
			} else if diff := gocmp.Diff(first, files, gocmp.AllowUnexported(parquet.File{}), ignoreTemporary); diff != "" {
				t.Errorf("with %d writers:\n%s", writers, diff)
			}
		}
	}
}

var ignoreTemporary = gocmp.FilterPath(func(p gocmp.Path) bool {
	return p.Last().String() == ".temporary"
}, gocmp.Ignore())

// TestStored finds groups by their files alone, writes one again with fewer files, and removes one.
func TestStored(t *testing.T) {
	t.Parallel()
	dir, names := t.TempDir(), groupSamples(t)
	set, err := parquet.Open(dir, newSchema(t, rows.Options{}), nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	write := func(memory int64, names ...string) (files int) {
		group := set.Group()
		set.SetMemory(memory)
		for _, name := range names {
			in := readInput(t, set, name)
			if in.Large() {
				list, err := in.Commit()
				if err != nil {
					t.Fatal(err)
				}
				files += len(list)
			} else if err := group.Add(in); err != nil {
				t.Fatal(err)
			}
		}
		list, err := group.Commit()
		if err != nil {
			t.Fatal(err)
		}
		return files + len(list)
	}
	stored := func(want ...[]string) []parquet.Stored {
		t.Helper()
		list, err := set.Stored()
		if err != nil {
			t.Fatal(err)
		}
		var got [][]string
		for _, g := range list {
			got = append(got, slices.Sorted(slices.Values(g.Inputs)))
		}
		slices.SortFunc(got, slices.Compare)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		return list
	}
	two, one := []string{names[0], names[1]}, []string{names[2]}
	slices.Sort(two)
	write(1<<30, two...)
	more := write(20<<10, one...)
	if err := os.WriteFile(filepath.Join(dir, "packets", "mine.0.parquet"), []byte("PAR1 is not all"), 0o666); err != nil {
		t.Fatal(err)
	}
	stored(two, one)
	if fewer := write(1<<30, one...); fewer >= more {
		t.Fatalf("%d files with much memory, %d with little", fewer, more)
	}
	for _, g := range stored(two, one) {
		if len(g.Inputs) == 2 {
			if err := g.Remove(); err != nil {
				t.Fatal(err)
			}
		}
	}
	stored(one)
	if _, err := os.Stat(filepath.Join(dir, "packets", "mine.0.parquet")); err != nil {
		t.Error(err)
	}
}

// The column of the input is the only one of its name, also where a message has a field of that name.
func TestInputColumn(t *testing.T) {
	t.Parallel()
	others := 0
	for _, table := range newSchema(t, rows.Options{Events: true, State: true, Link: true}).Tables {
		var file bytes.Buffer
		if err := parquet.WriteTable(&file, table, nil, 1, 1); err != nil {
			t.Fatal(err)
		}
		opened, err := parquetgo.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for i, f := range opened.Schema().Fields() {
			if found[f.Name()] || (f.Name() == parquet.InputColumn) != (i == 0) {
				t.Errorf("%s: column %d is called %s", table.Name, i, f.Name())
			}
			found[f.Name()] = true
		}
		if found[parquet.InputField] {
			others++
		}
	}
	if others == 0 {
		t.Error("no table has a field of that name")
	}
}
