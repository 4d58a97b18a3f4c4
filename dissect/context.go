package dissect

// A ContextSource is a Protocol that knows what of a stream is needed to read the rest of it.
type ContextSource interface {
	Protocol
	// Carries reports whether later messages of the stream can be read only with a record, or better: a
	// handshake, a gamestate, a reliable command.
	Carries(rec *Record) bool
	// AppendParts appends the frames of the fragments that a record's message was made of.
	AppendParts(dst []uint64, rec *Record) []uint64
}
