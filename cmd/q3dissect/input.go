package main

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
)

// standardInput is the name of standard input on the command line.
const standardInput = "-"

// A source is an input that is open: a file or standard input.
type source struct {
	file *os.File
	name string
	size int64        // 0 where it is not known
	live bool         // a pipe or the like: reading may wait for what is yet to come
	read int64        // bytes so far
	hash *countedHash // of what was read; nil without --evidence
}

// open opens an input by its name on the command line.
func (p *program) open(name string) (*source, error) {
	s := &source{name: name, file: p.stdin}
	if name != standardInput {
		f, err := os.Open(name)
		if err != nil {
			return nil, errors.New(failure(err))
		}
		s.file = f
	}
	info, err := s.file.Stat()
	switch {
	case err != nil:
		err = errors.New(failure(err))
	case info.IsDir():
		err = errors.New("is a directory")
	case name == standardInput && isTerminal(s.file):
		err = errors.New("standard input is a terminal; pipe a capture into it")
	}
	if err != nil {
		s.close()
		return nil, err
	}
	if info.Mode().IsRegular() {
		s.size = info.Size()
	} else {
		s.live = true
	}
	return s, nil
}

// Read counts, and leaves the file's name out of errors: whoever shows them has it.
func (s *source) Read(b []byte) (int, error) {
	n, err := s.file.Read(b)
	s.read += int64(n)
	if s.hash != nil {
		_, _ = s.hash.Write(b[:n]) // never fails
	}
	var p *fs.PathError
	if err != io.EOF && errors.As(err, &p) {
		err = p.Err
	}
	return n, err
}

// close closes a file; standard input stays open for whoever comes after.
func (s *source) close() {
	if s.name != standardInput {
		s.file.Close() // it was only read
	}
}

// unreadable says why an input cannot be read.
func unreadable(err *dissect.FileError) string {
	if err.Code == capture.UnknownFormat && err.Offset == 0 {
		return err.Message
	}
	return err.Error()
}
