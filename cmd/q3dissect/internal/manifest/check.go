package manifest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/q3dissect/q3dissect/cmd/internal/parquet"
)

// A part is what an input added to the output.
type part struct {
	input    string
	from, to int64 // in bytes
	sha256   string
}

// Resume reads the manifest that has the name, if there is one, and leaves it as it is. An error names what in it
// cannot be, or that it is of a run with other options.
func (m *Manifest) Resume() error {
	if err := m.hold(); err != nil {
		return err
	}
	b, err := os.ReadFile(string(m.name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := m.read(b); err != nil {
		return fmt.Errorf("%s: %w", m.name, err)
	}
	return nil
}

// read parses the lines of a manifest. An incomplete line is the last write of a killed run.
func (m *Manifest) read(b []byte) error {
	every := &Manifest{entries: map[string]Entry{}} // inputs that are to be read again, too
	var tables []Table
	for i := 0; ; i++ {
		line, rest, whole := bytes.Cut(b, []byte{'\n'})
		if !whole {
			break
		}
		b = rest
		if i == 0 {
			if err := m.readRun(line); err != nil {
				return err
			}
			continue
		}
		var e Entry
		var t Table
		err := decode(line, &t)
		if err == nil && t.Table != "" {
			tables = append(tables, t)
			continue
		}
		if err = decode(line, &e); err == nil {
			err = m.check(&e)
		}
		if err == nil && len(tables) > 0 {
			err = errors.New("an input comes after a table")
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		if every.set(e); e.Final() {
			m.set(e)
		}
	}
	for _, e := range every.entries {
		if first := every.entries[e.With]; e.With != "" && len(first.Files) == 0 {
			return fmt.Errorf("%s: its files are those of %s, which has none", e.Input, e.With)
		}
	}
	if len(tables) > 0 && !slices.Equal(tables, every.Tables()) {
		return errors.New("its tables are not the sums of the files of its inputs")
	}
	return m.checkParts()
}

// decode parses a line that has no keys but those of v.
func decode(line []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one value")
	}
	return nil
}

// readRun compares the run of a manifest with this one.
func (m *Manifest) readRun(line []byte) error {
	var run Run
	if err := json.Unmarshal(line, &run); err != nil || run.Version == "" {
		return errors.New("is not a manifest")
	}
	if run.Version != m.run.Version || run.SchemaVersion != m.run.SchemaVersion ||
		!slices.Equal(run.Options, m.run.Options) {
		return fmt.Errorf("its run was version %s with %q, and this one is version %s with %q", run.Version, run.Options,
			m.run.Version, m.run.Options)
	}
	return nil
}

// check returns what is wrong with an entry by itself, and adds its part of the output.
func (m *Manifest) check(e *Entry) error {
	switch {
	case e.Input == "":
		return errors.New("it names neither an input nor a table")
	case !slices.Contains([]Status{Done, Broken, Failed, Interrupted, NoInput}, e.Status):
		return fmt.Errorf("%s: no status is called %q", e.Input, e.Status)
	case e.Size < 0:
		return fmt.Errorf("%s: a size of %d bytes", e.Input, e.Size)
	case e.From < 0 || e.Output < e.From:
		return fmt.Errorf("%s: its output goes from byte %d to byte %d", e.Input, e.From, e.Output)
	case e.Output > 0 && (m.tables || !e.Final()):
		return fmt.Errorf("%s: it has no output, but ends at byte %d of it", e.Input, e.Output)
	case (len(e.Files) > 0 || e.With != "") && !m.tables:
		return fmt.Errorf("%s: it has files, and this run writes none", e.Input)
	case e.SHA256 != "" && e.Output == e.From:
		return fmt.Errorf("%s: it has a checksum of no output", e.Input)
	case e.Output > e.From && !isSum(e.SHA256):
		return fmt.Errorf("%s: its output has no checksum", e.Input)
	}
	if _, err := time.Parse(time.RFC3339Nano, e.Modified); e.Modified != "" && err != nil {
		return fmt.Errorf("%s: modified at %q", e.Input, e.Modified)
	}
	for i := range e.Files {
		if err := checkFile(&e.Files[i]); err != nil {
			return fmt.Errorf("%s: %w", e.Input, err)
		}
	}
	if e.Output > e.From {
		m.parts = append(m.parts, part{e.Input, e.From, e.Output, e.SHA256})
	}
	return nil
}

func checkFile(f *parquet.File) error {
	switch {
	case f.Table == "" || !filepath.IsLocal(filepath.FromSlash(f.Path)):
		return fmt.Errorf("%q is no file of a table", f.Path)
	case f.Rows < 0 || f.Bytes < 0 || !isSum(f.SHA256):
		return fmt.Errorf("%s: %d rows, %d bytes and a sum of %q", f.Path, f.Rows, f.Bytes, f.SHA256)
	}
	return nil
}

func isSum(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size
}

// checkParts returns an error if parts of the output overlap.
func (m *Manifest) checkParts() error {
	slices.SortFunc(m.parts, func(a, b part) int { return cmp.Compare(a.from, b.from) })
	for i := 1; i < len(m.parts); i++ {
		if a, b := &m.parts[i-1], &m.parts[i]; b.from < a.to {
			return fmt.Errorf("the output of %s goes up to byte %d, and that of %s begins at byte %d",
				a.input, a.to, b.input, b.from)
		}
	}
	return nil
}

// CheckOutput compares the manifest with the output that is there, of a size in bytes. Where the output cannot be read,
// content is nil.
func (m *Manifest) CheckOutput(size int64, content io.ReaderAt) error {
	if m.Output > size {
		return fmt.Errorf("standard output has %d bytes, and the manifest says %d: is it another file, or was it cut by > "+
			"instead of >>?", size, m.Output)
	}
	if content == nil {
		return nil
	}
	for _, p := range m.parts {
		sum := sha256.New()
		if _, err := io.Copy(sum, io.NewSectionReader(content, p.from, p.to-p.from)); err != nil {
			return err
		}
		if hex.EncodeToString(sum.Sum(nil)) != p.sha256 {
			return fmt.Errorf("standard output has other bytes from %d to %d than the manifest says of %s",
				p.from, p.to, p.input)
		}
	}
	return nil
}

// CheckInput returns an error if an input has changed since its output was written: it is there already, and would be
// there twice. Files of tables are replaced.
func (m *Manifest) CheckInput(name string) error {
	e, ok := m.entries[name]
	if !ok || e.Output == e.From {
		return nil
	}
	if now := Describe(name); now.Size != e.Size || now.Modified != e.Modified {
		return fmt.Errorf("%s has %d bytes of %s, and the manifest says %d of %s: its output would be there twice", name,
			now.Size, now.Modified, e.Size, e.Modified)
	}
	return nil
}
