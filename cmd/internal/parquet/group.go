package parquet

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

const (
	// groupBytes is how many bytes of rows a group takes before it is Full: what a killed run has to write again.
	groupBytes = 1 << 30
	// groupInputs is how many inputs it takes: each of its files lists those that it has rows of.
	groupInputs = 1000
)

// A Group is inputs whose rows are in the same files. It must be ended by Commit or Abort. It is for one goroutine.
type Group struct {
	set       *Dataset
	names     []string
	part      string // of the only input, see Input
	tables    []pending
	memory    int64 // see inputBytes
	kept      int64 // bytes of their rows
	taken     int64 // bytes of all rows so far
	temporary string
	created   int                        // files
	lacks     map[string]incomplete.List // what its inputs did not give

	writing sync.WaitGroup
	mu      sync.Mutex
	err     error
	done    []File
}

// A pending is the rows of a table that are not written yet. They become one file.
type pending struct {
	segments []segment
	size     int64 // bytes of the rows
	files    int   // of the table, before
}

// A segment is rows of one input.
type segment struct {
	input  string
	packed [][]byte // blocks, see output
}

// Group begins a group. It keeps half as many rows as an input does: inputs that are read need memory beside it.
func (d *Dataset) Group() *Group { return d.group(d.memory / 2) }

func (d *Dataset) group(memory int64) *Group {
	return &Group{set: d, tables: make([]pending, len(d.schema.Tables)), memory: memory}
}

// Kept returns how many bytes of rows wait to be written.
func (g *Group) Kept() int64 { return g.kept }

// Full reports whether another group should take the next input.
func (g *Group) Full() bool { return g.taken >= groupBytes || len(g.names) >= groupInputs }

// Add takes the rows of an input that is not Large.
func (g *Group) Add(in *Input) error {
	if g.kept+in.kept > g.memory {
		if err := g.relieve(); err != nil {
			return err
		}
	}
	if n := len(g.names); n == 0 || g.names[n-1] != in.name {
		g.names = append(g.names, in.name)
	}
	g.part = in.part
	if len(in.lacks) > 0 {
		if g.lacks == nil {
			g.lacks = map[string]incomplete.List{}
		}
		g.lacks[in.name] = in.lacks
	}
	for id, o := range in.open {
		if o == nil {
			continue
		}
		packed, size := o.take(in)
		t := &g.tables[id]
		t.segments = append(t.segments, segment{in.name, packed})
		t.size += size
		g.kept += size
		g.taken += size
		in.open[id] = nil
	}
	in.kept = 0
	if g.kept > g.memory {
		return g.relieve()
	}
	return nil
}

// relieve writes the largest tables, until the group keeps half as many bytes as it may. Later rows go to further
// files. Small tables stay, so that they do not become many small files.
func (g *Group) relieve() error {
	for g.kept > g.memory/2 {
		largest := 0
		for id := range g.tables {
			if g.tables[id].size > g.tables[largest].size {
				largest = id
			}
		}
		if err := g.write(largest); err != nil {
			return err
		}
	}
	return nil
}

// write begins to write what is pending of a table. An error is that of this or an earlier file.
func (g *Group) write(id int) error {
	if g.temporary == "" {
		writing := filepath.Join(g.set.dir, Writing)
		err := os.MkdirAll(writing, 0o777)
		if err == nil {
			g.temporary, err = os.MkdirTemp(writing, "")
		}
		if err != nil {
			return err
		}
	}
	t, number := &g.tables[id], g.tables[id].files
	segments, file := t.segments, filepath.Join(g.temporary, strconv.Itoa(g.created)+suffix)
	var lacks incomplete.List
	for i := range segments {
		if name := segments[i].input; i == 0 || segments[i-1].input != name {
			lacks = append(lacks, g.lacks[name]...)
		}
	}
	g.kept -= t.size
	*t = pending{files: number + 1}
	g.created++
	one := func() {
		f, err := g.set.write(g.set.schema.Tables[id], segments, lacks, file)
		f.number = number
		g.mu.Lock()
		defer g.mu.Unlock()
		g.err = errors.Join(g.err, err)
		g.done = append(g.done, f)
	}
	if g.set.slots == nil {
		one()
	} else {
		g.set.slots <- struct{}{}
		g.writing.Go(func() {
			one()
			<-g.set.slots
		})
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err
}

// Commit ends the group: its files get their names, and those of an earlier group of the same inputs are replaced.
// The files are returned in the order of their paths. After an error no file or only some have their names:
// write the inputs once more.
func (g *Group) Commit() ([]File, error) {
	var err error
	for id := range g.tables {
		if len(g.tables[id].segments) > 0 && err == nil {
			err = g.write(id)
		}
	}
	g.writing.Wait()
	if err = errors.Join(err, g.err); err == nil {
		err = errors.Join(g.name(), g.removeOthers())
	}
	if err != nil {
		g.Abort()
		return nil, err
	}
	slices.SortFunc(g.done, func(a, b File) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.number, b.number))
	})
	return g.done, g.removeTemporary()
}

// base returns the name of the group's files without their numbers.
func (g *Group) base() string {
	first := escape(g.names[0]) + g.part
	if len(g.names) == 1 {
		return first
	}
	return fmt.Sprintf("%s+%d-%s", first, len(g.names)-1, hash(strings.Join(g.names, "\x00")))
}

// file returns the path of a file in the data set.
func (g *Group) file(t *rows.Table, number int) string {
	return path.Join(t.Name, g.base()+"."+strconv.Itoa(number)+suffix)
}

// name renames the files to their final names.
func (g *Group) name() error {
	for i := range g.done {
		f := &g.done[i]
		f.Path = g.file(g.set.schema.Table(f.Table), f.number)
		to := filepath.Join(g.set.dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.Rename(f.temporary, to); err != nil {
			return err
		}
	}
	return nil
}

// removeOthers removes files of the same inputs that are not among the new ones.
func (g *Group) removeOthers() error {
	if len(g.names) == 0 {
		return nil
	}
	for id, t := range g.set.schema.Tables {
		for number := g.tables[id].files; ; number++ {
			err := os.Remove(filepath.Join(g.set.dir, filepath.FromSlash(g.file(t, number))))
			if errors.Is(err, os.ErrNotExist) {
				break
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Abort deletes what was written.
func (g *Group) Abort() {
	g.writing.Wait()
	_ = g.removeTemporary() // it is under no final name
}

func (g *Group) removeTemporary() error {
	if g.temporary == "" {
		return nil
	}
	return os.RemoveAll(g.temporary)
}
