package capture

import "fmt"

// A Code says in one word why a file could not be read, or not to its end.
type Code string

// The codes of an Error.
const (
	TruncatedFile Code = "truncated_file" // it ends inside a record
	MalformedFile Code = "malformed_file" // what comes next is no record, or the packing is damaged
	UnknownFormat Code = "unknown_format" // it is no capture
	ReadFailed    Code = "read_failed"    // the disk or the pipe, not the bytes
)

// An Error says where and why reading ended. All packets before it were delivered.
type Error struct {
	Code Code

	// Offset is that of the first record that could not be read, in bytes from the start of the file; of
	// the unpacked file where it is packed. Cutting the file there makes it whole.
	Offset int64

	Message string // in plain words, without the offset
	Err     error  // what the input or the unpacker said, nil if it was neither
}

// Error gives the reason and the place.
func (e *Error) Error() string { return fmt.Sprintf("%s at byte %d", e.Message, e.Offset) }

// Unwrap gives what the input or the unpacker said.
func (e *Error) Unwrap() error { return e.Err }
