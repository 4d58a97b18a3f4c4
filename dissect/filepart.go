package dissect

// A FilePart is what one datagram adds to a file that its conversation transfers: a download, a map. With
// Options.Files the conversations fill Record.Files.
type FilePart struct {
	Session int // of the conversation, from 0

	// Begin means that another file begins here, before Data, which ends the previous one. Data always belongs
	// to a file that has begun.
	Begin bool
	// File is what is known of the file so far; nil: unchanged. It belongs to the record and is not modified.
	File *FileHead

	// Data are bytes of the file and Offset is their position. They can come in any order, and repeatedly. They
	// are the conversation's and valid as long as Record.Message.
	Offset int64
	Data   []byte
	// Assumed means that Offset is right only if the data missing in the capture belong to the file too.
	Assumed bool

	// End means that the sender has sent everything: Offset bytes, after Data. Assumed then holds for the whole
	// file, whatever it was for its parts.
	End bool
	// Refused is the reason why the sender does not send the file.
	Refused []byte
}

// A FileHead is a sender's description of a file.
type FileHead struct {
	Name      []byte // as it was sent or asked for, raw; nil: not known
	Extension string // of the name, which is sent without it: "map"
	Size      int64  // bytes; negative: not known
	CRC32     uint32 // IEEE
	HasCRC32  bool
	SHA256    []byte // 32 bytes; nil: not known
}
