package export

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A store is the folder that an export writes to. Names are those of its files.
type store interface {
	// create makes a file; it is an error if the name is taken.
	create(name string) (storeFile, error)
	// extend opens a file that create made, to write at its end.
	extend(name string) (storeFile, error)
	// revise opens a file that create made, to write over its beginning.
	revise(name string) (storeFile, error)
	// read opens a file that create made, to read it.
	read(name string) (io.ReaderAt, io.Closer, error)
	// publish renames a file. Unless replace is set it is an error if the new name is taken.
	publish(from, to string, replace bool) error
	// exists reports whether a name is taken, by a file, a folder or a link.
	exists(name string) (bool, error)
	remove(name string) error
	// sync returns when the names of all files are on the disk.
	sync() error
	// close unlocks the folder.
	close() error
}

// A storeFile is a file that is open for writing.
type storeFile interface {
	io.WriteSeeker
	// Sync returns when the written data are on the disk.
	Sync() error
	Close() error
}

// ErrBusy means that another program has locked the folder.
var ErrBusy = errors.New("another export is writing to this folder")

// A rootStore is a folder of the file system. No name and no link leads out of it. It is locked while it is
// open, so that two exports cannot replace each other's files.
type rootStore struct {
	root *os.Root
	dir  string
	lock *os.File // the folder itself; nil where the system does not lock folders
}

// openStore opens a folder. A missing one is created if create is set; otherwise the error is fs.ErrNotExist.
func openStore(dir string, create bool) (store, error) {
	if create {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	lock, err := root.Open(".")
	if err == nil {
		err = Lock(lock)
	}
	if err != nil {
		_ = lock.Close() // nil is an error here, and harmless
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, err), root.Close())
	}
	return &rootStore{root, dir, lock}, nil
}

func (s *rootStore) create(name string) (storeFile, error) {
	return s.open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
}

func (s *rootStore) extend(name string) (storeFile, error) {
	return s.open(name, os.O_WRONLY|os.O_APPEND)
}

func (s *rootStore) revise(name string) (storeFile, error) { return s.open(name, os.O_WRONLY) }

func (s *rootStore) open(name string, flags int) (storeFile, error) {
	file, err := s.root.OpenFile(name, flags, 0o666)
	if err != nil {
		return nil, s.located(name, err)
	}
	return file, nil
}

func (s *rootStore) read(name string) (io.ReaderAt, io.Closer, error) {
	file, err := s.root.Open(name)
	if err != nil {
		return nil, nil, s.located(name, err)
	}
	return file, file, nil
}

// publish links the file to its new name, which fails if the name is taken; a rename would replace the existing
// file.
func (s *rootStore) publish(from, to string, replace bool) error {
	if !replace {
		err := s.root.Link(from, to)
		switch {
		case err == nil:
			return s.remove(from)
		case errors.Is(err, fs.ErrExist):
			return s.taken(to)
		}
		// The file system has no links.
		if there, err := s.exists(to); err != nil {
			return err
		} else if there {
			return s.taken(to)
		}
	}
	return s.located(to, s.root.Rename(from, to))
}

func (s *rootStore) exists(name string) (bool, error) {
	_, err := s.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, s.located(name, err)
}

func (s *rootStore) remove(name string) error { return s.located(name, s.root.Remove(name)) }

func (s *rootStore) sync() error { return syncFolder(s.lock) }

func (s *rootStore) close() error { return errors.Join(s.lock.Close(), s.root.Close()) }

// taken is the error of a name that another file has.
func (s *rootStore) taken(name string) error {
	return &fs.PathError{Op: "create", Path: filepath.Join(s.dir, name), Err: fs.ErrExist}
}

// located adds the folder to an error of os.Root, which has only the name.
func (s *rootStore) located(name string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return &fs.PathError{Op: path.Op, Path: filepath.Join(s.dir, name), Err: path.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: link.Op, Path: filepath.Join(s.dir, name), Err: link.Err}
	}
	return err
}
