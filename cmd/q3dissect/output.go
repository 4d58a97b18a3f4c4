package main

import (
	"errors"
	"io/fs"
	"os"
)

// An output is standard output. The engine collects records into large pieces and writes what is left
// when nothing more is to come for now, so there is no buffer here.
//
// It is used by one goroutine at a time: the engine's writer while an engine runs, the main one else.
type output struct {
	file *os.File
	err  error        // the first one; nothing is written after it
	hash *countedHash // of what was written; nil without --evidence

	// separated says that every record begins with a comma and a line feed, as the elements of an array
	// do; those before the first one are dropped.
	separated bool
	any       bool // something was written
}

// separator stands before every record of an array but the first.
const separator = ",\n"

// write is the engine's Output.
func (o *output) write(b []byte) error {
	if o.err != nil || len(b) == 0 {
		return o.err
	}
	if o.separated && !o.any {
		b = b[len(separator):]
	}
	o.any = true
	return o.text(b)
}

// text writes what is no record.
func (o *output) text(b []byte) error {
	if o.err == nil && len(b) > 0 {
		_, o.err = o.file.Write(b)
		if o.hash != nil {
			_, _ = o.hash.Write(b) // never fails
		}
	}
	return o.err
}

// failure tells what went wrong in words, without the name of the file.
func failure(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err.Error()
}
