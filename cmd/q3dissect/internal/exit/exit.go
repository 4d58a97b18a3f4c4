// Package exit has the exit statuses of the command, and its errors in the form that users read.
package exit

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/q3dissect/q3dissect/dissect"
)

// The exit statuses that docs/json.md promises. Of several files the highest counts.
const (
	Done       = 0
	NoMatch    = 1 // nothing matched, and --exit-status was given
	Usage      = 2 // the command line makes no sense, or asks for something unsupported
	Unreadable = 3 // an input cannot be read or is of no known kind, or the output cannot be written
	BrokenOff  = 4 // an input ends early; everything before that point was written
)

// An Error ends the program with a status. Its text is empty if the cause has been reported already.
type Error struct {
	Status int
	Text   string
}

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// Usagef returns an error about the command line: one sentence.
func Usagef(format string, args ...any) error {
	return &Error{Usage, fmt.Sprintf(format, args...)}
}

// With returns an error that only sets the exit status: its cause was reported already.
func With(status int) error { return &Error{Status: status} }

// Highest returns an error with the highest of some exit statuses, or nil if all are Done.
func Highest(status ...int) error {
	if highest := slices.Max(status); highest != Done {
		return With(highest)
	}
	return nil
}

// Unwritable returns the error of an output that cannot be written. A closed pipe stays what it is, and ends the
// program quietly.
func Unwritable(name string, err error) error {
	if IsClosedPipe(err) {
		return err
	}
	return &Error{Unreadable, name + ": " + Reason(err)}
}

// StatusOf returns the exit status of an error. Errors of other types come from cobra and are about the
// command line.
func StatusOf(err error) int {
	var s *Error
	if errors.As(err, &s) {
		return s.Status
	}
	return Usage
}

// Sentence returns the text of an error on one line. Errors joined by errors.Join are separated by semicolons.
func Sentence(err error) string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var lines, parts []string
		for _, e := range joined.Unwrap() {
			lines, parts = append(lines, e.Error()), append(parts, Sentence(e))
		}
		if err.Error() == strings.Join(lines, "\n") {
			return strings.Join(parts, "; ")
		}
	}
	return err.Error()
}

// IsClosedPipe reports whether a write failed because the reader of a pipe has gone.
func IsClosedPipe(err error) bool {
	const errorBrokenPipe, errorNoData = syscall.Errno(109), syscall.Errno(232) // winerror.h
	if runtime.GOOS == "windows" && (errors.Is(err, errorBrokenPipe) || errors.Is(err, errorNoData)) {
		return true
	}
	return errors.Is(err, syscall.EPIPE)
}

// Reason returns the text of an error without the name of the file.
func Reason(err error) string {
	var f *dissect.FileError
	if errors.As(err, &f) && f.Offset == 0 {
		return f.Error()
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err.Error()
}
