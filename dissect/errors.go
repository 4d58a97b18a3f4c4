package dissect

import (
	"errors"
	"fmt"
)

// Kinds of faults in bytes. An *Error wraps one of them.
var (
	ErrTruncated = errors.New("ends too early")
	ErrMalformed = errors.New("malformed")
)

// An Error locates a decoding failure.
type Error struct {
	Proto string // "quake3"
	Field string // dotted path, "quake3.server_message.ops.snapshot.delta_num"
	Bit   int    // from the start of the message or datagram, in bits
	Err   error  // one of the sentinels, possibly wrapped with detail
}

// Error returns path, place and reason in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s at byte %#x bit %d: %v", e.Proto, e.Field, e.Bit>>3, e.Bit&7, e.Err)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }
