package capture

import "github.com/q3dissect/q3dissect/dissect"

// The codes of an Error.
const (
	TruncatedFile = dissect.TruncatedFile
	MalformedFile = dissect.MalformedFile
	UnknownFormat = dissect.UnknownFormat
	ReadFailed    = dissect.ReadFailed
)

// An Error has the place and the reason where reading ended. Its Offset is that of the first record that could not
// be read: a file truncated there is valid.
type Error = dissect.FileError
