// Package output writes standard output and files.
package output

import "io"

// A Stream is standard output. The engine collects records into large pieces and writes the rest when nothing
// more is to come for the moment, so there is no buffer here.
//
// It is used by one goroutine at a time: by the engine's writer while an engine runs, otherwise by the main
// one.
type Stream struct {
	File io.Writer
	Err  error     // the first one; nothing is written after it
	Copy io.Writer // also receives the output; nil: not used

	// Separated means that every record begins with a comma and a line feed, like the elements of an array;
	// those before the first one are dropped.
	Separated bool
	Any       bool // something was written

	Heading []byte // written before the next record, once

	Bytes int64 // that were written
}

// Separator precedes every record of an array but the first.
const Separator = ",\n"

// Records is the engine's Output.
func (o *Stream) Records(b []byte) error {
	if o.Err != nil || len(b) == 0 {
		return o.Err
	}
	if o.Separated && !o.Any {
		b = b[len(Separator):]
	}
	o.Any = true
	if len(o.Heading) > 0 {
		_ = o.Text(o.Heading) // Err keeps the error
		o.Heading = nil
	}
	return o.Text(b)
}

// Text writes something other than a record.
func (o *Stream) Text(b []byte) error {
	if o.Err == nil && len(b) > 0 {
		var n int
		n, o.Err = o.File.Write(b)
		o.Bytes += int64(n)
		if o.Copy != nil {
			_, _ = o.Copy.Write(b) // a hash, which never fails
		}
	}
	return o.Err
}
