package dissect

// A Piece is a kind of part of a protocol's traffic that can be decoded by itself, without the packets before it: a
// message, a chunk, a datagram.
type Piece struct {
	Name string // "teeworlds.chunk"
	Doc  string // one line
	// Versions are the values of PieceOptions.Version, the first is the default. nil: the piece shows its version, or
	// has one form alone.
	Versions []string
	// Keyed means that PieceOptions.Key applies.
	Keyed bool

	// Decode decodes rec.Payload, which is the whole piece, into the record. What is wrong with the piece becomes
	// expert entries, and so do bytes after its end. The options are those that apply to the piece.
	Decode func(rec *Record, o PieceOptions)
}

// PieceOptions are what the packets before a piece would have shown.
type PieceOptions struct {
	Version string // of Piece.Versions
	// Direction is that of the piece where the same bytes mean something else in each.
	Direction Direction
	Key       *PieceKey // nil: the piece is not enciphered
	Framing   bool      // the tree has what frames the fields; who shows it calls Separate
}

// A PieceKey is what an enciphered piece was enciphered with.
type PieceKey struct {
	Number   int32  // the challenge of the session; of a user command the key of its values
	Sequence uint32 // of the message in its netchan
	Command  []byte // the reliable command that the piece acknowledges; may be empty
}
