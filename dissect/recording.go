package dissect

import "fmt"

// RecordingHead is how many bytes of a file Protocol.OpenRecording needs, or fewer if the file is shorter.
const RecordingHead = 64 << 10

// A Recording reads one file. Its packets have no addresses: they are the messages as the game stored them,
// with Frame counting from 1. They are processed by the same Router and Conversation as those of a capture.
type Recording interface {
	// Next returns the next packet, valid until the next call. The error is io.EOF at a proper end, and a
	// *FileError if the file ends early or is damaged.
	Next() (*Packet, error)
}

// The codes of a FileError.
const (
	TruncatedFile = "truncated_file" // it ends inside a record, or without its end
	MalformedFile = "malformed_file" // the next data is not a record, or the compression is damaged
	UnknownFormat = "unknown_format" // it is of no known kind
	ReadFailed    = "read_failed"    // the disk or the pipe failed
)

// A FileError reports where and why reading a file ended. Everything before it was delivered.
type FileError struct {
	Code    string // one of those above
	Offset  int64  // bytes from the start of the file, after decompression
	Message string // readable, without the offset
	Err     error  // the input's error, nil if it was not the input
}

// Error returns the offset and the reason; the reason alone if nothing of the file could be read.
func (e *FileError) Error() string {
	if e.Offset == 0 && (e.Code == UnknownFormat || e.Code == ReadFailed) {
		return e.Message
	}
	return fmt.Sprintf("byte %d: %s", e.Offset, e.Message)
}

// Unwrap returns the input's error.
func (e *FileError) Unwrap() error { return e.Err }
