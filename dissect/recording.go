package dissect

import (
	"fmt"
	"io"
)

// A Recorder is a Protocol whose games write recordings, which are files of their own and no captures.
type Recorder interface {
	Protocol
	// OpenRecording says whether a file is one of the protocol's recordings, by what it begins with and
	// not by its name. in begins with head again; name is the file's, where it has one, and version what
	// the user says of recordings that do not say it themselves (0: nothing).
	OpenRecording(in io.Reader, head []byte, name string, version int) (Recording, bool)
}

// RecordingHead is how many bytes of a file OpenRecording wants to see, as far as there are so many.
const RecordingHead = 64 << 10

// A Recording reads one file. Its packets have no addresses: the messages as the game stored them, with
// Frame counting from 1. They go through the same Router and Conversation as those of a capture.
type Recording interface {
	// Next gives the next packet, valid until the call after. At a proper end the error is io.EOF,
	// where the file breaks off an *FileError.
	Next() (*Packet, error)
}

// The codes of a FileError.
const (
	TruncatedFile = "truncated_file" // it ends inside a record, or without its end
	MalformedFile = "malformed_file" // what comes next is no record, or the packing is damaged
	UnknownFormat = "unknown_format" // it is of no known kind
	ReadFailed    = "read_failed"    // the disk or the pipe, not the bytes
)

// A FileError says where and why reading a file ended. Everything before it was delivered.
type FileError struct {
	Code    string // one of those above
	Offset  int64  // bytes from the start of the file, unpacked where it is packed
	Message string // in plain words, without the offset
	Err     error  // what the input said, nil if it was not the input
}

// Error gives the reason and the place.
func (e *FileError) Error() string { return fmt.Sprintf("%s at byte %d", e.Message, e.Offset) }

// Unwrap gives what the input said.
func (e *FileError) Unwrap() error { return e.Err }
