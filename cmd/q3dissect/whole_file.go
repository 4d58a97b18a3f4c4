package main

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
)

// A wholeFile is a file that gets its name when all of it is on the disk: what stands under the name is always whole.
type wholeFile struct {
	*os.File
	name string
}

// createWhole begins a file beside the one that it replaces. The name - is standard output, where that cannot be.
func (p *program) createWhole(name string) (*wholeFile, error) {
	if name == standardInput {
		return &wholeFile{File: p.stdout}, nil
	}
	unfinished := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+"."+rand.Text()[:8]+".part")
	f, err := os.OpenFile(unfinished, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, errors.New(failure(err))
	}
	return &wholeFile{f, name}, nil
}

// commit gives the file its name.
func (w *wholeFile) commit() error {
	if w.name == "" {
		return nil
	}
	err := errors.Join(w.Sync(), w.Close())
	if err == nil {
		err = os.Rename(w.File.Name(), w.name)
	}
	if err != nil {
		os.Remove(w.File.Name()) // it has an error already
		return errors.New(failure(err))
	}
	return nil
}

// drop takes back what was written.
func (w *wholeFile) drop() {
	if w.name != "" {
		w.Close() // what it says does not matter any more
		os.Remove(w.File.Name())
	}
}
