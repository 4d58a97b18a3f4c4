// Package parquet writes the rows of records as a data set of Parquet files:
//
//	dir/quake3_oob/game.pcap.0.parquet
//	dir/quake3_oob/a.dm_68+51-1b2f0c9a4d3e5f60.0.parquet
//
// There is a folder for each table. Each row begins with the name of its input. The rows of small inputs are in files
// together (a Group), those of a large input in files of its own. A file's name is that of its first input, with
// special characters as % and two hexadecimal digits; if there are more inputs, their number and a hash of their
// names; and the number of the file. Its metadata lists its inputs, so that Stored finds them again.
//
// Rows are read as a stream. They are kept packed until there are inputBytes; then the largest tables are
// written, one after the other, so that there are the columns of few files in memory, and a file has very
// many rows or all of them. The files of a group get their final names, all at once, when all of its rows have been
// written. The names and the bytes depend on the inputs and the options alone.
package parquet

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

// Writing is the folder in a data set for files without a final name.
const Writing = ".writing"

// suffix is that of a file's name.
const suffix = ".parquet"

// Owns reports whether a file may be replaced or removed when a data set is written. path is that in its folder, with
// slashes.
func Owns(path string) bool {
	first, rest, _ := strings.Cut(path, "/")
	return first == Writing || strings.HasSuffix(rest, suffix) && !strings.Contains(rest, "/")
}

// A Dataset is a folder that Parquet files are written into. Its methods are safe for concurrent use.
type Dataset struct {
	dir      string
	schema   *rows.Schema
	metadata map[string]string
	memory   int64         // see inputBytes
	slots    chan struct{} // has an element for each file that is being written by a goroutine of its own; nil: none is
	sheets   []sync.Pool   // of *sheet, by table
	spares   sync.Pool     // of *block
	encoders sync.Pool     // of *encoder: they are expensive to make
}

// Open creates the folder if needed. metadata is added to every file. As many files as there are writers are written at
// the same time.
func Open(dir string, schema *rows.Schema, metadata map[string]string, writers int) (*Dataset, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	d := &Dataset{
		dir: dir, schema: schema, metadata: metadata, memory: inputBytes,
		sheets: make([]sync.Pool, len(schema.Tables)),
	}
	if writers > 1 {
		d.slots = make(chan struct{}, writers)
	}
	return d, nil
}

// Clean removes the unfinished files of an earlier program. No other may be writing.
func (d *Dataset) Clean() error { return os.RemoveAll(filepath.Join(d.dir, Writing)) }

// An Input collects the rows of one input. It must be ended by Commit or Abort, or be added to a Group. It is for one
// goroutine.
type Input struct {
	set     *Dataset
	name    string
	part    string    // "+0-of-4" for a part of an input
	open    []*output // by table; nil: no rows
	kept    int64     // bytes of their rows
	own     *Group    // of a large input
	lacks   incomplete.List
	cursor  *rows.Cursor
	scratch []byte // see output.pack
}

// Input begins an input with a name.
func (d *Dataset) Input(name string) *Input { return d.InputPart(name, 0, 1) }

// InputPart begins one of the parts of an input. Each part has files of its own; a data set must not be given
// an input again divided in another way.
func (d *Dataset) InputPart(name string, part, parts int) *Input {
	in := &Input{
		set: d, name: name, cursor: d.schema.Read(nil), open: make([]*output, len(d.schema.Tables)),
	}
	if parts > 1 {
		in.part = fmt.Sprintf("+%d-of-%d", part, parts)
	}
	return in
}

// Schema returns the schema of the data set.
func (in *Input) Schema() *rows.Schema { return in.set.schema }

// Rows takes complete rows. After an error the input can only be aborted.
func (in *Input) Rows(b []byte) error {
	c := in.cursor
	for c.Reset(b); c.Row(); {
		id := c.Table().ID
		if in.open[id] == nil {
			in.open[id] = &output{}
		}
		if in.kept += in.open[id].add(c, in); in.kept > in.most() {
			if in.own == nil {
				in.own = in.set.group(in.set.memory)
			}
			if err := in.own.Add(in); err != nil {
				return err
			}
		}
	}
	return nil
}

// most is how many bytes of rows the input may keep beside those that it has handed to its group.
func (in *Input) most() int64 {
	if in.own == nil {
		return in.set.memory
	}
	return in.set.memory - in.own.kept
}

// Lacks sets what the input did not give, before its end: the metadata of its files have it.
func (in *Input) Lacks(lacks incomplete.List) { in.lacks = lacks }

// Large reports whether the input has files of its own.
func (in *Input) Large() bool { return in.own != nil }

// Empty reports whether the input has no rows yet.
func (in *Input) Empty() bool { return in.own == nil && in.kept == 0 }

// Commit ends the input, with files of its own, as Group.Commit does.
func (in *Input) Commit() ([]File, error) {
	if in.own == nil {
		in.own = in.set.group(in.set.memory)
	}
	if err := in.own.Add(in); err != nil {
		in.own.Abort()
		return nil, err
	}
	return in.own.Commit()
}

// Abort deletes what was written.
func (in *Input) Abort() {
	for _, o := range in.open {
		if o != nil {
			o.release(in.set)
		}
	}
	if in.own != nil {
		in.own.Abort()
	}
}

// longestName is the most bytes of a file's name without what is added to that of its first input: file systems allow
// 255.
const longestName = 200

// escape writes the name of an input as that of a file: special characters as % and two hexadecimal digits.
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
	return strings.TrimRight(name[:longestName-17], "%0123456789ABCDEF") + "~" + hash(name)
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
