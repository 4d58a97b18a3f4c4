// Package manifest records what a run over many inputs has done, so that a later one can continue.
//
// A manifest is lines of JSON: one about the run, one for each input when all its output is written, and, after
// a complete run, one for each table.
package manifest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/q3dissect/q3dissect/cmd/internal/parquet"
)

// A Run is how the results are made. Results of different runs cannot be combined.
type Run struct {
	Version       string   `json:"q3dissect"`
	SchemaVersion int      `json:"schema_version"`
	Options       []string `json:"options"`
}

// A Status is the state of an input.
type Status string

// The states.
const (
	Done        Status = "done"
	Broken      Status = "broken"      // it ends early; the part before is written
	Failed      Status = "failed"      // it cannot be read
	Interrupted Status = "interrupted" // a signal ended the run; the part before is written
	NoInput     Status = "no input"    // a file of another kind, in a folder
)

// An Entry is the result of an input.
type Entry struct {
	Input    string         `json:"input"`
	Size     int64          `json:"size"`               // bytes
	Modified string         `json:"modified,omitempty"` // RFC 3339
	Status   Status         `json:"status"`
	Reason   string         `json:"reason,omitempty"`
	Packets  uint64         `json:"packets"`
	Output   int64          `json:"output,omitempty"` // bytes of the output up to the end of this input
	Files    []parquet.File `json:"files,omitempty"`
}

// final reports whether nothing is left to be done.
func (e *Entry) final() bool { return e.Status != Failed && e.Status != Interrupted }

// A Table is the sum of a table's files.
type Table struct {
	Table  string `json:"table"`
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	Files  int    `json:"file_count"`
	SHA256 string `json:"sha256"` // of the files' hashes, as text, in the order of their paths
}

// A Manifest is a manifest that is being written. Its methods are for one goroutine.
type Manifest struct {
	name    string
	file    *os.File
	run     Run
	entries map[string]Entry
	order   []string
	Output  int64 // bytes of the output about finished inputs
}

// Create begins a manifest. The first entry overwrites a file of that name.
func Create(name string, run Run) (*Manifest, error) {
	m := &Manifest{name: name, run: run, entries: map[string]Entry{}}
	return m, m.rewrite()
}

// Resume continues a manifest. It returns an error if the manifest is of a run with other options; if there is
// none, it begins one.
func Resume(name string, run Run) (*Manifest, error) {
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Create(name, run)
	}
	if err != nil {
		return nil, err
	}
	m := &Manifest{name: name, run: run, entries: map[string]Entry{}}
	if err := m.read(b); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, m.rewrite()
}

// read parses the lines of a manifest. An incomplete line is the last write of a killed run.
func (m *Manifest) read(b []byte) error {
	for i := 0; ; i++ {
		line, rest, whole := bytes.Cut(b, []byte{'\n'})
		if !whole {
			return nil
		}
		b = rest
		if i == 0 {
			var run Run
			if err := json.Unmarshal(line, &run); err != nil || run.Version == "" {
				return errors.New("is not a manifest")
			}
			if run.Version != m.run.Version || run.SchemaVersion != m.run.SchemaVersion || !slices.Equal(run.Options, m.run.Options) {
				return fmt.Errorf("its run was version %s with %q, and this one is version %s with %q", run.Version, run.Options, m.run.Version, m.run.Options)
			}
			continue
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		if e.Input != "" && e.final() {
			m.set(e)
		}
	}
}

func (m *Manifest) set(e Entry) {
	if _, ok := m.entries[e.Input]; !ok {
		m.order = append(m.order, e.Input)
	}
	m.entries[e.Input] = e
	m.Output = max(m.Output, e.Output)
}

// Has reports whether an input is finished: it is in the manifest, it has not changed, and neither have its
// files in a folder.
func (m *Manifest) Has(name, folder string) bool {
	e, ok := m.entries[name]
	if !ok {
		return false
	}
	for _, f := range e.Files {
		if info, err := os.Stat(filepath.Join(folder, filepath.FromSlash(f.Path))); err != nil || info.Size() != f.Bytes {
			return false
		}
	}
	now := Describe(name)
	return now.Size == e.Size && now.Modified == e.Modified
}

// Describe begins the entry of an input.
func Describe(name string) Entry {
	e := Entry{Input: name}
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		e.Size, e.Modified = info.Size(), info.ModTime().UTC().Format(time.RFC3339Nano)
	}
	return e
}

// Add records the result of an input. The entry survives the end of the program; only a failure of the whole
// machine may lose it.
func (m *Manifest) Add(e Entry) error {
	m.set(e)
	_, err := m.file.Write(line(e))
	return err
}

// line returns a value as a line.
func line(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // strings and numbers always can be written
	}
	return b.Bytes()
}

// rewrite writes the manifest as it is, and continues at its end.
func (m *Manifest) rewrite(more ...[]byte) error {
	b := line(m.run)
	for _, name := range m.order {
		b = append(b, line(m.entries[name])...)
	}
	b = append(b, bytes.Join(more, nil)...)
	f, err := os.CreateTemp(filepath.Dir(m.name), ".manifest")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Sync()); err == nil {
		err = os.Rename(f.Name(), m.name)
	}
	if err != nil {
		_ = f.Close() // it has no final name
		_ = os.Remove(f.Name())
		return err
	}
	m.close()
	m.file = f
	return nil
}

func (m *Manifest) close() {
	if m.file != nil {
		_ = m.file.Close() // its lines are on the disk
		m.file = nil
	}
}

// End completes the manifest: an entry for each input, in the order of inputs, and a line for each table.
func (m *Manifest) End(inputs []string) error {
	place := make(map[string]int, len(inputs))
	for i, name := range inputs {
		place[name] = i
	}
	slices.SortStableFunc(m.order, func(a, b string) int { return cmp.Compare(place[a], place[b]) })
	var tables [][]byte
	for _, t := range m.Tables() {
		tables = append(tables, line(t))
	}
	defer m.close()
	return m.rewrite(tables...)
}

// Close leaves the manifest as it is, for a run that is to be continued.
func (m *Manifest) Close() { m.close() }

// Tables adds up the files of all inputs.
func (m *Manifest) Tables() []Table {
	files := map[string][]parquet.File{}
	for _, e := range m.entries {
		for _, f := range e.Files {
			files[f.Table] = append(files[f.Table], f)
		}
	}
	var list []Table
	for _, name := range slices.Sorted(maps.Keys(files)) {
		t, sums := Table{Table: name}, sha256.New()
		slices.SortFunc(files[name], func(a, b parquet.File) int { return cmp.Compare(a.Path, b.Path) })
		for _, f := range files[name] {
			t.Rows, t.Bytes, t.Files = t.Rows+f.Rows, t.Bytes+f.Bytes, t.Files+1
			sums.Write([]byte(f.SHA256))
		}
		t.SHA256 = hex.EncodeToString(sums.Sum(nil))
		list = append(list, t)
	}
	return list
}
