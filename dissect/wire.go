package dissect

// A WireSource is a Protocol that can say where the bits of a message travelled: behind which header, in which
// fragments, and packed how.
type WireSource interface {
	Protocol
	// LowestFirst reports whether the places of fields count the bits of a byte from the lowest on. Those of codes always
	// do.
	LowestFirst() bool
	// AppendWire appends the pieces of a record's message, in order of the message. datagram gives the bytes of
	// another datagram of the same direction by its frame, or nil. What is not known has no piece.
	AppendWire(dst []WirePiece, rec *Record, datagram func(frame uint64) []byte) []WirePiece
}

// A WirePiece is a part of a Record's Message and where it travelled. As many bits in both correspond one by one, and
// what lies over the same byte differs by a cipher at most; otherwise the piece is a symbol of a code.
type WirePiece struct {
	Frame       uint64 // of the datagram
	Wire, Bits  int    // where it stands in the datagram, in bits
	Message     int    // where it stands in the message, in bits
	MessageBits int
}
