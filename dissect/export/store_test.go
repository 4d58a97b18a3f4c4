package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/q3dissect/q3dissect/dissect"
)

// A listed is the entry of a file in both manifests.
type listed struct {
	File     string `json:"file"`
	SHA256   string `json:"sha256"`
	Bytes    int    `json:"bytes"`
	Complete *bool  `json:"complete"`
}

type anyManifest struct {
	Demos, Files []listed
	Index        string // of messages
	SHA256       string // of the index
	Error        string
}

// whole returns what an undisturbed export writes: names and contents.
func whole(tb testing.TB, run exporting, letter string) map[string]string {
	tb.Helper()
	dir := tb.TempDir()
	if err := run(dir, false, letter, (&fault{space: -1}).open); err != nil {
		tb.Fatal(err)
	}
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			tb.Fatal(err)
		}
		files[e.Name()] = string(b)
	}
	return files
}

// placeFiles writes files into a folder.
func placeFiles(tb testing.TB, dir string, files map[string]string) {
	tb.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		tb.Fatal(err)
	}
	for name, s := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666); err != nil {
			tb.Fatal(err)
		}
	}
}

// checkFolder holds a folder against what may be in it: under its final name every file is whole, as one of the
// exports wrote it, and what the manifest states is so. finished: an export came to its end.
func checkFolder(dir string, finished bool, exports ...map[string]string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) && !finished {
		return nil
	} else if err != nil {
		return err
	}
	content, index := map[string]string{}, ""
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		switch {
		case e.Name() == ManifestName:
		case e.Name() == IndexName && !finished: // of what was written before the fault
			index = string(b)
			content[e.Name()] = index
		case strings.HasSuffix(e.Name(), ".part"):
			if finished {
				return fmt.Errorf("%s is left", e.Name())
			}
		default:
			ok := false
			for _, want := range exports {
				ok = ok || want[e.Name()] == string(b)
			}
			if !ok {
				return fmt.Errorf("%s is %q, which is not whole", e.Name(), b)
			}
			content[e.Name()] = string(b)
		}
	}
	b, err := os.ReadFile(filepath.Join(dir, ManifestName))
	if errors.Is(err, fs.ErrNotExist) && !finished {
		return nil
	} else if err != nil {
		return err
	}
	for line := range strings.Lines(index) {
		var l listed
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			return fmt.Errorf("the index has the line %q: %w", line, err)
		}
		if sum := sha256.Sum256([]byte(content[l.File])); l.SHA256 != hex.EncodeToString(sum[:]) {
			return fmt.Errorf("the index says %+v, and the file is %q", l, content[l.File])
		}
	}
	var m anyManifest
	if err := json.Unmarshal(b, &m); err != nil {
		return fmt.Errorf("the manifest is %q: %w", b, err)
	}
	for _, f := range append(m.Demos, m.Files...) {
		sum := sha256.Sum256([]byte(content[f.File]))
		if content[f.File] == "" || f.SHA256 != hex.EncodeToString(sum[:]) || f.Bytes != len(content[f.File]) {
			return fmt.Errorf("the manifest says %+v, and the file is %q", f, content[f.File])
		}
		if f.Complete != nil && *f.Complete == strings.HasSuffix(f.File, incompleteSuffix) {
			return fmt.Errorf("the manifest says that %s is complete: %t", f.File, *f.Complete)
		}
	}
	if sum := sha256.Sum256([]byte(content[m.Index])); m.Index != "" &&
		(content[m.Index] == "" || m.SHA256 != hex.EncodeToString(sum[:])) {
		return fmt.Errorf("the manifest says that the index is %s with the sum %s, and the file is %q", m.Index,
			m.SHA256, content[m.Index])
	}
	if m.Error == "" {
		for _, want := range exports {
			if want[ManifestName] == string(b) {
				return nil
			}
		}
		return fmt.Errorf("the manifest has no error, and is not that of a whole export:\n%s", b)
	}
	return nil
}

// A disk that is full after any number of bytes, an operation that fails once, and an end at any operation leave
// nothing that is not so: neither in an empty folder nor in one where an export was before.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, run := range exportings {
		old, want := whole(t, run, "o"), whole(t, run, "n")
		small, size := 0, 0 // bytes of the files, and of all that is written
		for file, s := range want {
			if file != ManifestName {
				small += 2 * len(s) // files are kept in pieces first
			}
			size = small + len(want[ManifestName])
		}
		for _, overwrite := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/overwrite=%t", name, overwrite), func(t *testing.T) {
				t.Parallel()
				test := func(f fault) {
					dir := filepath.Join(t.TempDir(), "made")
					if overwrite {
						placeFiles(t, dir, old)
					}
					err := run(dir, overwrite, "n", f.open)
					if err == nil && f.at > 0 && f.count >= f.at {
						t.Errorf("%+v: no error", f)
					}
					if err := checkFolder(dir, err == nil, want, old); err != nil {
						t.Errorf("%+v: %v", f, err)
					}
					if err == nil {
						if b, _ := os.ReadFile(filepath.Join(dir, ManifestName)); string(b) != want[ManifestName] {
							t.Errorf("%+v: no error, and the manifest is\n%s", f, b)
						}
					}
				}
				all := fault{space: -1}
				if err := run(filepath.Join(t.TempDir(), "made"), overwrite, "n", all.open); err != nil {
					t.Fatal(err)
				}
				for at := range all.count {
					test(fault{at: at + 1, space: -1})
					test(fault{at: at + 1, space: -1, forever: true})
				}
				for space := 0; space < size; space++ {
					test(fault{space: space})
					switch {
					case space > small: // the manifest: one file, in one write
						space += 150
					case name == "messages": // and most of that is the index
						space += 30
					}
				}
			})
		}
	}
}

// Two exports into one folder: the second reports that it is in use and writes nothing.
func TestBusy(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "made")
	first, err := NewDemos(Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	second, err := NewFiles(Config{Dir: dir, Overwrite: true}) // there is no folder yet
	if err != nil {
		t.Fatal(err)
	}
	first.BeginInput("")
	first.Add(0, part(0, 1, beginning(1, "x", "lab")))
	second.BeginInput("")
	rec := dissect.NewRecord()
	rec.Files = append(rec.Files, begin("a", 1), at(0, "y"))
	second.Add(0, rec)
	if err := second.EndInput(); !errors.Is(err, ErrBusy) {
		t.Skipf("this system does not lock folders: %v", err)
	}
	if _, err := second.Close(); !errors.Is(err, ErrBusy) {
		t.Errorf("it closes with %v", err)
	}
	if _, err := NewDemos(Config{Dir: dir, Overwrite: true}); !errors.Is(err, ErrBusy) {
		t.Errorf("the third opens with %v", err)
	}
	m, files := finish(t, first)
	if diff := cmp.Diff(map[string]string{"000-0-lab.dm_9": "x."}, files); diff != "" || len(m.Demos) != 1 {
		t.Errorf("(-want +got)\n%s", diff)
	}
	third, err := NewDemos(Config{Dir: dir, Overwrite: true})
	if err != nil {
		t.Fatalf("the folder is not free: %v", err)
	}
	if _, err := third.Close(); err != nil {
		t.Error(err)
	}
}

// Where folders cannot be locked, a file that another export completed meanwhile is not replaced.
func TestPublishTaken(t *testing.T) {
	t.Parallel()
	for name, run := range exportings {
		dir := t.TempDir()
		other := whole(t, run, "o")
		f := fault{space: -1}
		f.note = func() {
			if f.count == 3 { // it has begun
				placeFiles(t, dir, other)
			}
		}
		if err := run(dir, false, "n", f.open); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: got %v", name, err)
		}
		if err := checkFolder(dir, true, other); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Links in the folder are not followed: neither to files nor out of it.
func TestLinks(t *testing.T) {
	t.Parallel()
	for name, run := range exportings {
		for _, overwrite := range []bool{false, true} {
			dir := t.TempDir()
			precious := filepath.Join(t.TempDir(), "precious")
			if err := os.WriteFile(precious, []byte("mine"), 0o666); err != nil {
				t.Fatal(err)
			}
			want := whole(t, run, "n")
			for name := range want {
				if err := os.Symlink(precious, filepath.Join(dir, name)); err != nil {
					t.Skip(err)
				}
			}
			err := run(dir, overwrite, "n", openStore)
			if overwrite != (err == nil) {
				t.Errorf("%s, overwrite %t: got %v", name, overwrite, err)
			}
			if overwrite {
				if err := checkFolder(dir, true, want); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			if b, err := os.ReadFile(precious); string(b) != "mine" {
				t.Errorf("%s, overwrite %t: the link's target is %q, %v", name, overwrite, b, err)
			}
		}
	}
}

// A demo with a part that could not be written must not pass for whole when the next part can be written.
func TestPartFileLost(t *testing.T) {
	t.Parallel()
	s, err := openStore(t.TempDir(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	f := &fault{at: 2, space: -1}
	p := partFile{store: &faultyStore{s, f}, name: "a.part"}
	lost := p.write([]byte("one"))
	if !errors.Is(lost, errBroken) {
		t.Fatalf("got %v", lost)
	}
	if err := p.write([]byte("two")); !errors.Is(err, lost) {
		t.Errorf("then it writes: %v", err)
	}
	if err := p.finish(); !errors.Is(err, lost) {
		t.Errorf("it finishes with %v", err)
	}
	if err := p.discard(); err != nil {
		t.Error(err)
	}
	if err := errors.Join(p.write([]byte("three")), p.write([]byte("four"))); err != nil {
		t.Errorf("begun anew: %v", err)
	}
	var b bytes.Buffer
	r, c, err := s.read("a.part")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	buf := make([]byte, 20)
	n, _ := r.ReadAt(buf, 0)
	if b.Write(buf[:n]); b.String() != "threefour" {
		t.Errorf("the file is %q", b.String())
	}
}
