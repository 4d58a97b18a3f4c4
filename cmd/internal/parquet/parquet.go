// Package parquet writes the rows of records as a data set of Parquet files:
//
//	dir/quake3_oob/input=game.pcap/day=2026-11-21/part-0.parquet
//
// There is a folder for each table, below it one for each input and one for each day of its records (UTC), as
// Hive, Spark and DuckDB name partitions. The path of the input is escaped as Hive does it. Records without a
// time of capture, such as those of a recording, are in day=__HIVE_DEFAULT_PARTITION__, which those programs
// read as no value. So are rows of an input whose days change more often than dayChanges.
//
// Rows are read as a stream. They are kept packed until those of an input are inputBytes; then the largest tables are
// written, one after the other, so that there are the columns of one file in memory, and a file has very
// many rows or all of them. The files get their final names, all at once, when the input has been written completely.
// The names and the bytes depend on the input and the options alone, so an input that is written twice, even by two
// processes at the same time, exists once.
package parquet

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/q3dissect/q3dissect/dissect/rows"
)

// Writing is the folder in a data set for files without a final name.
const Writing = ".writing"

// Owns reports whether a file may be replaced or removed when a data set is written. path is that in its folder, with
// slashes.
func Owns(path string) bool {
	first, rest, _ := strings.Cut(path, "/")
	return first == Writing || strings.HasPrefix(rest, "input=")
}

// A Dataset is a folder that Parquet files are written into. Its methods are safe for concurrent use.
type Dataset struct {
	dir      string
	schema   *rows.Schema
	metadata map[string]string
	memory   int64       // see inputBytes
	changes  int         // see dayChanges
	sheets   []sync.Pool // of *sheet, by table
	spares   sync.Pool   // of *block
	encoders sync.Pool   // of *encoder: they are expensive to make
}

// Open creates the folder if needed. metadata is added to every file.
func Open(dir string, schema *rows.Schema, metadata map[string]string) (*Dataset, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	return &Dataset{
		dir: dir, schema: schema, metadata: metadata, memory: inputBytes, changes: dayChanges,
		sheets: make([]sync.Pool, len(schema.Tables)),
	}, nil
}

// Clean removes the unfinished files of an earlier program. No other may be writing.
func (d *Dataset) Clean() error { return os.RemoveAll(filepath.Join(d.dir, Writing)) }

// An Input writes the rows of one input. It must be ended by Commit or Abort. It is for one goroutine.
type Input struct {
	set       *Dataset
	partition string // "input=game.pcap"
	temporary string // folder
	files     string // name of a file, with a verb for its number
	divided   bool
	open      [][]*output    // by table
	changes   []int          // by table: how often a file ended because of a further day
	kept      int64          // bytes of their rows
	parts     map[string]int // files so far, by table and day
	done      []File
	created   int
	cursor    *rows.Cursor
	scratch   []byte // see output.pack
	day       string
	dayFrom   int64 // the bounds of the day, in nanoseconds
	dayTo     int64
}

// Input begins an input with a name.
func (d *Dataset) Input(name string) (*Input, error) { return d.InputPart(name, 0, 1) }

// InputPart begins one of the parts of an input. Each part has files of its own; a data set must not be given
// an input again divided in another way.
func (d *Dataset) InputPart(name string, part, parts int) (*Input, error) {
	temporary := filepath.Join(d.dir, Writing)
	if err := os.MkdirAll(temporary, 0o777); err != nil {
		return nil, err
	}
	temporary, err := os.MkdirTemp(temporary, "")
	if err != nil {
		return nil, err
	}
	files := "part-%d.parquet"
	if parts > 1 {
		files = fmt.Sprintf("part-%d-of-%d", part, parts) + "-%d.parquet"
	}
	return &Input{
		files: files, divided: parts > 1,
		set: d, partition: "input=" + escape(name), temporary: temporary, cursor: d.schema.Read(nil),
		open: make([][]*output, len(d.schema.Tables)), changes: make([]int, len(d.schema.Tables)), parts: map[string]int{},
	}, nil
}

// Schema returns the schema of the data set.
func (in *Input) Schema() *rows.Schema { return in.set.schema }

// Rows writes complete rows. After an error the input can only be aborted.
func (in *Input) Rows(b []byte) error {
	c := in.cursor
	for c.Reset(b); c.Row(); {
		o, err := in.output(c.Table(), in.dayOf(c.Head()))
		if err == nil {
			if grown := o.add(c, in); grown > 0 {
				in.kept += grown
				err = in.relieve()
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// noDay is the partition of rows without a time.
const noDay = "__HIVE_DEFAULT_PARTITION__"

func (in *Input) dayOf(h *rows.Head) string {
	if !h.HasTime {
		return noDay
	}
	if h.Time < in.dayFrom || h.Time >= in.dayTo {
		day := time.Unix(0, h.Time).UTC().Truncate(24 * time.Hour)
		in.day, in.dayFrom, in.dayTo = day.Format(time.DateOnly), day.UnixNano(), day.Add(24*time.Hour).UnixNano()
	}
	return in.day
}

const (
	// openDays is how many days of a table are written at the same time: around midnight times may go back and forth.
	openDays = 2
	// dayChanges bounds the files of a table whose days jump about, by mistake or because somebody wants many files. After
	// so many changes to a third day, rows of further days are in no day's folder; their columns have the time all the
	// same.
	dayChanges = 400
)

// output returns the file for a table and day.
func (in *Input) output(t *rows.Table, day string) (*output, error) {
	open := in.open[t.ID]
	for i, o := range open {
		if o.day == day {
			open[0], open[i] = o, open[0]
			return o, nil
		}
	}
	if len(open) == openDays && day != noDay {
		if in.changes[t.ID] == in.set.changes {
			return in.output(t, noDay)
		}
		in.changes[t.ID]++
	}
	if len(open) == openDays {
		if err := in.finish(open[openDays-1]); err != nil {
			return nil, err
		}
		open = open[:openDays-1]
	}
	folder := path.Join(t.Name, in.partition, "day="+day)
	o := &output{
		table: t, day: day, final: path.Join(folder, fmt.Sprintf(in.files, in.parts[folder])),
		temporary: filepath.Join(in.temporary, fmt.Sprintf("%d.parquet", in.created)),
	}
	in.parts[folder]++
	in.created++
	in.open[t.ID] = append([]*output{o}, open...)
	return o, nil
}

// relieve writes the largest tables if the input keeps more bytes than it may, until it keeps half as many. Later rows
// go to further parts. Small tables stay, so that they do not become many small files.
func (in *Input) relieve() error {
	if in.kept <= in.set.memory {
		return nil
	}
	for in.kept > in.set.memory/2 {
		table, at := 0, -1
		var most int64
		for t, open := range in.open {
			for i, o := range open {
				if o.size > most {
					table, at, most = t, i, o.size
				}
			}
		}
		if err := in.finish(in.open[table][at]); err != nil {
			return err
		}
		in.open[table] = slices.Delete(in.open[table], at, at+1)
	}
	return nil
}

func (in *Input) finishAll() error {
	for i, open := range in.open {
		for _, o := range open {
			if err := in.finish(o); err != nil {
				return err
			}
		}
		in.open[i] = open[:0]
	}
	return nil
}

func (in *Input) finish(o *output) error {
	f, err := in.set.write(o)
	in.kept -= o.size
	o.release(in.set)
	if err == nil {
		in.done = append(in.done, f)
	}
	return err
}

// Commit ends the input: its files get their names, and the files of an earlier run of the input are removed.
// The files are returned in the order of their paths. After an error no file or only some have their names:
// write the input once more.
func (in *Input) Commit() ([]File, error) {
	if err := in.finishAll(); err != nil {
		in.Abort()
		return nil, err
	}
	slices.SortFunc(in.done, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	if err := errors.Join(in.removeOthers(), in.name()); err != nil {
		in.Abort()
		return nil, err
	}
	return in.done, os.RemoveAll(in.temporary)
}

// name renames the files to their final names.
func (in *Input) name() error {
	for _, f := range in.done {
		to := filepath.Join(in.set.dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.Rename(f.temporary, to); err != nil {
			return err
		}
	}
	return nil
}

// removeOthers removes files of the input that are not among the new ones.
func (in *Input) removeOthers() error {
	if in.divided {
		return nil // they are files of other parts
	}
	keep := map[string]bool{}
	for _, f := range in.done {
		keep[filepath.Join(in.set.dir, filepath.FromSlash(f.Path))] = true
	}
	for _, t := range in.set.schema.Tables {
		root := filepath.Join(in.set.dir, t.Name, in.partition)
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || keep[file] {
				return err
			}
			return os.Remove(file)
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Abort deletes what was written.
func (in *Input) Abort() {
	for _, open := range in.open {
		for _, o := range open {
			o.release(in.set)
		}
	}
	_ = os.RemoveAll(in.temporary) // the rest is under no final name
}

// longestName is the most bytes of a folder's name: file systems allow 255.
const longestName = 200

// escape writes the name of an input as Hive writes partitions: special characters as % and two hexadecimal
// digits.
func escape(name string) string {
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-', c == '.' && b.Len() > 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	if b.Len() <= longestName {
		return b.String()
	}
	return shorten(b.String())
}

// shorten cuts a long name and appends a hash of the whole name.
func shorten(name string) string {
	sum := sha256.Sum256([]byte(name))
	return strings.TrimRight(name[:longestName-17], "%0123456789ABCDEF") + "~" + hex.EncodeToString(sum[:8])
}
