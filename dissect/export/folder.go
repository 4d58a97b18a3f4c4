package export

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// ManifestName is the name of the manifest in the folder.
const ManifestName = "manifest.json"

// A folder is the output folder, with what all kinds of exports share: free names, the streams of the engine's
// workers, and the first error. S is the state of one stream.
type folder[S stream] struct {
	Config
	workers []worker[S]
	input   string          // of the manifest; empty if there is one only
	prefix  string          // of the names of files
	used    map[string]bool // prefixes
	taken   map[string]bool // names of the files of earlier inputs, in lower case
	inputs  map[string]bool // names of inputs in the folder, and those without their extensions, in lower case
	failure atomic.Pointer[error]

	openStore  func(dir string, create bool) (store, error)
	partSuffix string // of incomplete files: unique to this export
	mutex      sync.Mutex
	store      store // nil until the folder exists
	replacing  bool  // the manifest that was there has been removed
	index      bool  // and an index, which lists the files too

	earlier  earlierExport
	replaced []string // names of files that were replaced
}

// A Config is where an export is written.
type Config struct {
	Dir       string   // is made if it is not there
	Overwrite bool     // files of the same names are replaced; otherwise they are an error
	Workers   int      // of the engines
	Inputs    []string // files that are read, which Overwrite does not replace

	// Join lets demos and files go beside those of an earlier export in the folder: under names with that of the input
	// (and of the player), and in its manifest. What is there already is not written again. Messages never do.
	Join bool
}

// A stream is the state of one stream of the engine.
type stream interface {
	// flush writes the collected bytes of the open file, if there is one.
	flush() error
}

// A worker has the streams of one of the engine's goroutines.
type worker[S stream] struct {
	streams map[int]S
	waiting int      // bytes of its files that are not written yet
	_       [64]byte // each on cache lines of its own
}

// maxWaiting is how many bytes of all files of a worker may be collected: most files of a long capture are
// never continued, and nothing announces that.
const maxWaiting = 16 << 20

// wait counts collected bytes, and writes everything when they are too many.
func (w *worker[S]) wait(n int) error {
	if w.waiting += n; w.waiting < maxWaiting {
		return nil
	}
	w.waiting = 0
	for _, s := range w.streams {
		if err := s.flush(); err != nil {
			return err
		}
	}
	return nil
}

// open checks whether files can be written, and creates the workers. A missing folder is created with the first
// file.
func (f *folder[S]) open(at Config, open func(dir string, create bool) (store, error)) error {
	f.Config, f.used, f.taken, f.openStore = at, map[string]bool{}, map[string]bool{}, open
	f.workers = make([]worker[S], max(at.Workers, 1))
	var token [4]byte
	_, _ = rand.Read(token[:]) // never fails
	f.partSuffix = "." + hex.EncodeToString(token[:]) + ".part"
	s, err := open(at.Dir, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	f.store = s
	f.inputs = inputsIn(at.Dir, at.Inputs)
	if f.readEarlier() {
		return nil
	}
	if err := f.vacant(ManifestName); err != nil {
		return errors.Join(err, f.release())
	}
	return nil
}

// readEarlier reads the manifest of an earlier export, if this one may go beside it, and reports whether there is one.
// Names of files in the folder are taken then, unless they may be replaced.
func (f *folder[S]) readEarlier() bool {
	entries, err := os.ReadDir(f.Dir)
	if err != nil || !f.Join && !f.Overwrite {
		return false
	}
	for _, e := range entries {
		if name := strings.ToLower(e.Name()); !f.Overwrite {
			f.taken[name], f.taken[strings.TrimSuffix(name, filepath.Ext(name))] = true, true
		}
	}
	f.earlier.manifest, err = os.ReadFile(filepath.Join(f.Dir, ManifestName))
	return err == nil
}

// inputsIn returns the names of the inputs that are in a folder, with and without their extensions.
func inputsIn(dir string, inputs []string) map[string]bool {
	folder, err := os.Stat(dir)
	if err != nil {
		return nil
	}
	names := map[string]bool{}
	for _, input := range inputs {
		path, err := filepath.EvalSymlinks(input)
		if err != nil {
			continue // there is none, or it cannot be read
		}
		if in, err := os.Stat(filepath.Dir(path)); err == nil && os.SameFile(in, folder) {
			name := strings.ToLower(filepath.Base(path))
			names[name], names[strings.TrimSuffix(name, filepath.Ext(name))] = true, true
		}
	}
	return names
}

// files returns the store. If it is not open yet it is opened, and the folder created. Safe for concurrent use.
func (f *folder[S]) files() (store, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.store == nil {
		s, err := f.openStore(f.Dir, true)
		if err != nil {
			return nil, err
		}
		f.store = s
		return s, f.vacant(ManifestName) // the folder may have been made since
	}
	return f.store, nil
}

// release closes the store.
func (f *folder[S]) release() error {
	s := f.store
	if s == nil {
		return nil
	}
	f.store = nil
	return s.close()
}

// vacant reports an error if a file may not be written. The store is open.
func (f *folder[S]) vacant(name string) error {
	if f.Overwrite {
		return nil
	}
	there, err := f.store.exists(name)
	if there {
		err = &fs.PathError{Op: "create", Path: filepath.Join(f.Dir, name), Err: fs.ErrExist}
	}
	return err
}

// publish renames a complete file to its final name. A replaced file may be in the manifest of an earlier export, so
// that is removed first. Safe for concurrent use.
func (f *folder[S]) publish(from, to string) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.Overwrite && f.inputs[strings.ToLower(to)] {
		return &fs.PathError{Op: "create", Path: filepath.Join(f.Dir, to), Err: errInput}
	}
	if f.Overwrite && !f.replacing {
		err := f.outdate(ManifestName)
		if err == nil && f.index {
			err = f.outdate(IndexName)
		}
		if err != nil {
			return err
		}
		f.replacing = true
	}
	replace := f.Overwrite || f.beside() && to == ManifestName
	if there, err := f.store.exists(to); err == nil && there && f.Overwrite && to != ManifestName && to != IndexName {
		f.replaced = append(f.replaced, to)
	}
	return f.store.publish(from, to, replace)
}

// errInput means that a file would replace one that is read.
var errInput = errors.New("is an input")

// outdate removes a list of an earlier export's files, if there is one.
func (f *folder[S]) outdate(name string) error {
	err := f.store.remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if f.earlier.manifest == nil { // its files are not in the new list
		f.replaced = append(f.replaced, name)
	}
	return f.store.sync()
}

// uniqueName completes a file's name: with number 2 and so on if used reports that an earlier file has it, or if it is
// that of an input. The name may be without its extension. Names that differ only in case are the same, as on some file
// systems.
func (f *folder[S]) uniqueName(base, extension string, used map[string]bool) string {
	name := base + extension
	for n := 2; used[strings.ToLower(name)] || f.taken[strings.ToLower(name)] || f.inputs[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s-%d%s", base, n, extension)
	}
	used[strings.ToLower(name)] = true
	return name
}

// begin begins an input with a name, which is empty if it is the only one.
func (f *folder[S]) begin(name string) {
	f.input, f.prefix = name, ""
	if name == "" && f.beside() && len(f.Inputs) > 0 {
		if name = f.Inputs[0]; name == "-" {
			name = "stdin"
		}
		f.input = name
	}
	if name != "" {
		f.prefix = inputPrefix(name, f.used)
	}
	for i := range f.workers {
		f.workers[i].streams = map[int]S{}
	}
}

// inputPrefix returns the prefix of the names of an input's files. used are the existing ones.
func inputPrefix(name string, used map[string]bool) string {
	stem, _, _ := strings.Cut(filepath.Base(name), ".")
	stem = safeName(stem)
	prefix := stem + "-"
	for n := 2; used[prefix]; n++ {
		prefix = fmt.Sprintf("%s-%d-", stem, n)
	}
	used[prefix] = true
	return prefix
}

// end returns the workers' streams of the input, in the order of their numbers.
func (f *folder[S]) end() []S {
	streams := map[int]S{}
	for i := range f.workers {
		maps.Copy(streams, f.workers[i].streams)
		f.workers[i].streams = nil
	}
	sorted := make([]S, 0, len(streams))
	for _, n := range slices.Sorted(maps.Keys(streams)) {
		sorted = append(sorted, streams[n])
	}
	return sorted
}

// fail records an error: the first one is kept.
func (f *folder[S]) fail(err error) {
	if err != nil {
		f.failure.CompareAndSwap(nil, &err)
	}
}

// first returns the first error so far.
func (f *folder[S]) first() error {
	if err := f.failure.Load(); err != nil {
		return *err
	}
	return nil
}

// abandon ends an export without a manifest.
func (f *folder[S]) abandon() error { return errors.Join(f.first(), f.release()) }

// describe writes the manifest to the folder, which is created if needed, and unlocks the folder. The files are
// on the disk before the manifest has its name.
func (f *folder[S]) describe(manifest any) error {
	err := f.writeManifest(manifest)
	return errors.Join(f.first(), err, f.release())
}

func (f *folder[S]) writeManifest(manifest any) error {
	b, err := json.MarshalIndent(manifest, "", "  ") // indented for readers
	if err != nil {
		return err
	}
	s, err := f.files()
	if err != nil {
		return err
	}
	if err := s.sync(); err != nil {
		return err
	}
	w := partFile{store: s, name: ManifestName + f.partSuffix}
	err = w.write(append(wiretext.EscapeJSON(b), '\n'))
	if err == nil {
		err = w.finish()
	}
	if err == nil {
		err = f.publish(w.name, ManifestName)
	}
	if err != nil {
		return errors.Join(err, w.discard())
	}
	return s.sync()
}
