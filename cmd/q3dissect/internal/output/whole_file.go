package output

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/q3dissect/q3dissect/cmd/internal/pathguard"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
)

// A File is a file that gets its name when all of it is on the disk: a file with that name is always complete. A
// device, a pipe and standard output have their names already, and are written to as they are.
type File struct {
	*os.File
	name   string // that it gets; empty: it has its own
	named  bool   // it got it
	shared bool   // it is a stream of the program, which stays open
}

// Create begins a temporary file next to the final one. A symbolic link stays: the file that it leads to is replaced.
func (n Name) Create(c *console.Console) (*File, error) {
	if n == input.Standard {
		return &File{File: c.Stdout, shared: true}, nil
	}
	info, err := os.Stat(string(n))
	if err == nil {
		if stream := streamOf(c, info); stream != nil {
			return &File{File: stream, shared: true}, nil
		}
		if info.IsDir() {
			return nil, errors.New("is a directory")
		}
	}
	target, fault := pathguard.Target(string(n))
	if fault != nil {
		return nil, errors.New(exit.Reason(fault))
	}
	if err == nil && !info.Mode().IsRegular() || pathguard.IsDescriptor(target) {
		f, err := os.OpenFile(string(n), os.O_WRONLY, 0)
		if err != nil {
			return nil, errors.New(exit.Reason(err))
		}
		return &File{File: f}, nil
	}
	unfinished := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+"."+rand.Text()[:8]+".part")
	f, fault := os.OpenFile(unfinished, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if fault != nil {
		return nil, errors.New(exit.Reason(fault))
	}
	if err == nil {
		_ = f.Chmod(info.Mode().Perm()) // of the file that is replaced; not all file systems have it
	}
	return &File{File: f, name: target}, nil
}

// streamOf returns the stream of the program that is a file: /dev/stdout names one, whatever it is connected to. nil:
// none is.
func streamOf(c *console.Console, info fs.FileInfo) *os.File {
	for _, stream := range []*os.File{c.Stdout, c.Stderr} {
		if own, err := stream.Stat(); err == nil && os.SameFile(own, info) {
			return stream
		}
	}
	return nil
}

// Direct reports whether the file was there before, and cannot be replaced.
func (w *File) Direct() bool { return w.name == "" }

// Replaces reports whether another file has the name.
func (w *File) Replaces() bool {
	if w.Direct() || w.named {
		return false
	}
	_, err := os.Stat(w.name)
	return err == nil
}

// Publish gives the file its name, and leaves it open.
func (w *File) Publish() error {
	if w.Direct() || w.named {
		return nil
	}
	err := w.Sync()
	if err == nil {
		err = os.Rename(w.File.Name(), w.name)
	}
	if err != nil {
		return errors.New(exit.Reason(err))
	}
	w.named = true
	return nil
}

// Commit renames the file to its final name, and closes it.
func (w *File) Commit() error {
	err := w.Publish()
	if err != nil {
		w.Drop()
		return err
	}
	if !w.shared {
		err = w.Close()
	}
	if err != nil {
		return errors.New(exit.Reason(err))
	}
	return nil
}

// Drop deletes what was written, unless it has its name.
func (w *File) Drop() {
	if !w.shared {
		w.Close() // its error does not matter any more
	}
	if !w.Direct() && !w.named {
		os.Remove(w.File.Name())
	}
}
