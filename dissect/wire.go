package dissect

// A WireSource is a Protocol that can locate the bits of a message on the wire: after which header, in which
// fragments, and how they are coded.
type WireSource interface {
	Protocol
	// LowestFirst reports whether positions count the bits of a byte from the lowest on. Positions of codes
	// always do.
	LowestFirst() bool
	// AppendWire appends the pieces of a record's message, in the order of the message. datagram returns the
	// bytes of another datagram of the same direction by its frame, or nil. Parts whose position is not known
	// have no piece.
	AppendWire(dst []WirePiece, rec *Record, datagram func(frame uint64) []byte) []WirePiece
}

// A WirePiece is a part of a Record's Message with its position on the wire. If it has as many bits in both,
// they correspond one by one, and bytes differ by a cipher at most; otherwise the piece is a symbol of a code.
type WirePiece struct {
	Frame       uint64 // of the datagram
	Wire, Bits  int    // position in the datagram, in bits
	Message     int    // position in the message, in bits
	MessageBits int
}
