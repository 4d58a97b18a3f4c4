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
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/q3dissect/q3dissect/cmd/internal/parquet"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/dissect/export"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
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
	Input    string `json:"input"`
	Size     int64  `json:"size"`               // bytes
	Modified string `json:"modified,omitempty"` // RFC 3339
	Status   Status `json:"status"`
	Reason   string `json:"reason,omitempty"`
	Packets  uint64 `json:"packets"`
	// Incomplete is what the input did not give.
	Incomplete incomplete.List `json:"incomplete,omitempty"`
	From       int64           `json:"output_from,omitempty"` // where its part of the output begins, in bytes
	Output     int64           `json:"output,omitempty"`      // and where it ends
	SHA256     string          `json:"output_sha256,omitempty"`
	Files      []parquet.File  `json:"files,omitempty"`
	With       string          `json:"files_with,omitempty"` // the input whose entry lists the files, which have rows of both
}

// Final reports whether nothing is left to be done.
func (e *Entry) Final() bool { return e.Status != Failed && e.Status != Interrupted }

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
	name    output.Name
	file    *output.File
	held    *os.File // the file of that name, which is locked until another one has its name
	run     Run
	tables  bool // the run writes files, and nothing to standard output
	entries map[string]Entry
	order   []string
	parts   []part // of the output
	Output  int64  // bytes of the output about finished inputs
}

// New returns the manifest of a run that is written under a name. tables means that the run writes files of tables.
func New(name output.Name, run Run, tables bool) *Manifest {
	return &Manifest{name: name, run: run, tables: tables, entries: map[string]Entry{}}
}

// Begin writes the manifest as it is so far. The first entry follows it.
func (m *Manifest) Begin(c *console.Console) error { return m.rewrite(c) }

func (m *Manifest) set(e Entry) {
	if _, ok := m.entries[e.Input]; !ok {
		m.order = append(m.order, e.Input)
	}
	m.entries[e.Input] = e
	m.Output = max(m.Output, e.Output)
}

// Drop removes the entry of an input that is read again, and those of the inputs in the same files.
func (m *Manifest) Drop(name string) {
	e, ok := m.entries[name]
	if !ok {
		return
	}
	first := cmp.Or(e.With, name)
	m.order = slices.DeleteFunc(m.order, func(other string) bool {
		if other != name && other != first && m.entries[other].With != first {
			return false
		}
		delete(m.entries, other)
		return true
	})
}

// Has reports whether an input is finished: it is in the manifest, it has not changed, and neither have its
// files in a folder.
func (m *Manifest) Has(name, folder string) bool {
	e, ok := m.entries[name]
	if !ok {
		return false
	}
	files := e.Files
	if e.With != "" {
		files = m.entries[e.With].Files
	}
	for _, f := range files {
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
	return wiretext.EscapeJSON(b.Bytes())
}

// rewrite writes the manifest as it is, and continues at its end. What cannot be replaced gets the further lines alone.
func (m *Manifest) rewrite(c *console.Console, more ...[]byte) error {
	if m.file != nil && m.file.Direct() {
		_, err := m.file.Write(bytes.Join(more, nil))
		return err
	}
	if err := m.hold(); err != nil {
		return err
	}
	b := line(m.run)
	for _, name := range m.order {
		b = append(b, line(m.entries[name])...)
	}
	f, err := m.name.Create(c)
	if err != nil {
		return err
	}
	if !f.Direct() {
		_ = export.Lock(f.File) // nobody else has its name
	}
	if _, err = f.Write(append(b, bytes.Join(more, nil)...)); err == nil {
		err = f.Publish()
	}
	if err != nil {
		f.Drop()
		return err
	}
	m.close()
	m.file = f
	return nil
}

// hold locks the file that has the manifest's name, if there is one: another run may be writing it.
func (m *Manifest) hold() error {
	info, err := os.Stat(string(m.name))
	if m.file != nil || m.held != nil || err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(string(m.name))
	if err != nil {
		return nil // it is replaced, or that reports the error
	}
	if export.Lock(f) != nil {
		_ = f.Close() // it was not read
		return errBusy
	}
	m.held = f
	return nil
}

var errBusy = errors.New("another run is writing this manifest")

func (m *Manifest) close() {
	if m.held != nil {
		_ = m.held.Close() // it was only read
		m.held = nil
	}
	if m.file != nil {
		_ = m.file.Commit() // its lines are on the disk, and it has its name
		m.file = nil
	}
}

// End completes the manifest: an entry for each input, in the order of inputs, and a line for each table.
func (m *Manifest) End(c *console.Console, inputs []string) error {
	place := make(map[string]int, len(inputs))
	for i, name := range inputs {
		if _, named := place[name]; !named {
			place[name] = i
		}
	}
	slices.SortStableFunc(m.order, func(a, b string) int { return cmp.Compare(place[a], place[b]) })
	var tables [][]byte
	for _, t := range m.Tables() {
		tables = append(tables, line(t))
	}
	defer m.close()
	return m.rewrite(c, tables...)
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
