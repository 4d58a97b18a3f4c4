package export

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
)

// ManifestName is the name of the manifest beside what is written.
const ManifestName = "manifest.json"

// A folder is where files go, with what all kinds of them have in common: names that are free, the streams of the
// engine's workers, and what went wrong first. S is what is written of one stream.
type folder[S stream] struct {
	place
	workers []worker[S]
	input   string // of the manifest; empty if there is one only
	prefix  string // of the names of files
	used    map[string]bool
	failure atomic.Pointer[error]
}

// A place is what DemosConfig and FilesConfig say.
type place struct {
	Dir       string
	Overwrite bool
	Workers   int
}

// A stream is what is written of one stream of the engine.
type stream interface {
	// flush writes what waits of the file that is open, if one is.
	flush() error
}

// A worker has the streams of one of the engine's goroutines.
type worker[S stream] struct {
	streams map[int]S
	waiting int      // bytes of its files that are not written yet
	_       [64]byte // each on cache lines of its own
}

// maxWaiting is how much may wait in all files of a worker, in bytes: most of those of a long capture go on no
// more, and nobody says so.
const maxWaiting = 16 << 20

// wait counts bytes that are to be written some time, and writes everything when they are too many.
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

// open looks whether files can be written, and makes the workers. The folder is made with the first file.
func (f *folder[S]) open(at place) error {
	f.place, f.used = at, map[string]bool{}
	f.workers = make([]worker[S], max(at.Workers, 1))
	return f.vacant(ManifestName)
}

// vacant reports an error if a file may not be written.
func (f *folder[S]) vacant(name string) error {
	if f.Overwrite {
		return nil
	}
	path := filepath.Join(f.Dir, name)
	if _, err := os.Lstat(path); err == nil {
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// begin begins an input with a name, which is empty if it is the only one.
func (f *folder[S]) begin(name string) {
	f.input, f.prefix = name, ""
	if name != "" {
		f.prefix = inputPrefix(name, f.used)
	}
	for i := range f.workers {
		f.workers[i].streams = map[int]S{}
	}
}

// inputPrefix makes what the names of an input's files begin with. used are those that there are.
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

// end takes the streams of the input from the workers, in the order of their numbers.
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

// fail takes note of an error: the first of all stays.
func (f *folder[S]) fail(err error) {
	if err != nil {
		f.failure.CompareAndSwap(nil, &err)
	}
}

// first gives the first error that there was.
func (f *folder[S]) first() error {
	if err := f.failure.Load(); err != nil {
		return *err
	}
	return nil
}

// describe writes the manifest into the folder, which is made if it is not there.
func (f *folder[S]) describe(manifest any) error {
	err := os.MkdirAll(f.Dir, 0o777)
	if err == nil {
		err = writeJSON(filepath.Join(f.Dir, ManifestName), manifest)
	}
	return errors.Join(f.first(), err)
}
