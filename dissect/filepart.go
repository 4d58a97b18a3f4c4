package dissect

// A FilePart is what one datagram adds to a file that its conversation carries: a download, a map. With
// Options.Files the conversations fill Record.Files.
type FilePart struct {
	Session int // of the conversation, from 0

	// Begin says that another file begins here, before Data; the one before has ended. Data is always that of a
	// file that has begun.
	Begin bool
	// File is what is known of the file so far; nil: what was said before. It belongs to the record and does not change.
	File *FileHead

	// Data are bytes of the file and Offset is where they belong. Nothing is said of their order, nor whether
	// they came before. They are the conversation's and valid as Record.Message is.
	Offset int64
	Data   []byte
	// Assumed says that Offset is right only if what is missing in the capture were parts of the file too.
	Assumed bool

	// End says that the sender has sent everything: Offset bytes, after Data. Assumed then holds for the
	// whole file, whatever was said of its parts.
	End bool
	// Refused is why the sender does not send the file.
	Refused []byte
}

// A FileHead is what a sender says of a file.
type FileHead struct {
	Name      []byte // as it was sent or asked for, raw; nil: not known
	Extension string // that belongs to the name, which was sent without: "map"
	Size      int64  // bytes; negative: not known
	CRC32     uint32 // IEEE
	HasCRC32  bool
	SHA256    []byte // 32 bytes; nil: not known
}
