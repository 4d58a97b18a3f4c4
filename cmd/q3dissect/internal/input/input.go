// Package input opens the inputs of the command, stops reading at a signal, and shows the progress.
package input

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
)

// Standard is the name of standard input on the command line.
const Standard = "-"

// A Source is an input that is open: a file or standard input.
type Source struct {
	file *os.File
	Name string
	size int64     // 0: not known
	Live bool      // a pipe or similar: reading may block
	read int64     // bytes so far
	Copy io.Writer // also receives the bytes read; nil: not used
}

// errFolder is the error of a folder among the inputs.
var errFolder = errors.New(
	"is a folder: name its files, as in FOLDER/*; q3dissect -R, events -R, catalogue and players read all of it")

// Check returns the error that Open will have about a name, as far as that can be known without opening it.
func Check(name string) error {
	if name == Standard {
		return nil
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return errors.New(exit.Reason(err))
	case info.IsDir():
		return errFolder
	}
	return nil
}

// Open opens an input by its name on the command line.
func Open(stdin *os.File, name string) (*Source, error) {
	s := &Source{Name: name, file: stdin}
	if name != Standard {
		f, err := os.Open(name)
		if err != nil {
			return nil, errors.New(exit.Reason(err))
		}
		s.file = f
	}
	info, err := s.file.Stat()
	switch {
	case err != nil:
		err = errors.New(exit.Reason(err))
	case info.IsDir():
		err = errFolder
	case name == Standard && terminal.Is(s.file):
		err = errors.New("standard input is a terminal; pipe a capture into it")
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	if info.Mode().IsRegular() {
		s.size = info.Size()
	} else {
		s.Live = true
	}
	return s, nil
}

// Read counts the bytes, and removes the file's name from errors: the caller adds it.
func (s *Source) Read(b []byte) (int, error) {
	n, err := s.file.Read(b)
	s.read += int64(n)
	if s.Copy != nil {
		_, _ = s.Copy.Write(b[:n]) // a hash, which never fails
	}
	var p *fs.PathError
	if err != io.EOF && errors.As(err, &p) {
		err = p.Err
	}
	return n, err
}

// Progress returns how much was read, and the size of the file, 0 if it is not known.
func (s *Source) Progress() (read, size int64) { return s.read, s.size }

// Close closes a file; standard input stays open.
func (s *Source) Close() error {
	if s.Name == Standard {
		return nil
	}
	return s.file.Close()
}
