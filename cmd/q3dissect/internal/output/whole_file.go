package output

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
)

// A File is a file that gets its name when all of it is on the disk: a file with that name is always complete.
type File struct {
	*os.File
	name string
}

// Create begins a temporary file next to the final one. The name - is standard output, which has no temporary
// file.
func Create(stdout *os.File, name string) (*File, error) {
	if name == input.Standard {
		return &File{File: stdout}, nil
	}
	unfinished := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+"."+rand.Text()[:8]+".part")
	f, err := os.OpenFile(unfinished, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, errors.New(exit.Reason(err))
	}
	return &File{f, name}, nil
}

// Commit renames the file to its final name.
func (w *File) Commit() error {
	if w.name == "" {
		return nil
	}
	err := errors.Join(w.Sync(), w.Close())
	if err == nil {
		err = os.Rename(w.File.Name(), w.name)
	}
	if err != nil {
		os.Remove(w.File.Name()) // it has an error already
		return errors.New(exit.Reason(err))
	}
	return nil
}

// Drop deletes what was written.
func (w *File) Drop() {
	if w.name != "" {
		w.Close() // its error does not matter any more
		os.Remove(w.File.Name())
	}
}
