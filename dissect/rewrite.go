package dissect

import "net/netip"

// A Personal says what a text identifies.
type Personal uint8

// What a text can be. A text that is two things is the one that hides more.
const (
	NotPersonal  Personal = iota
	PersonName            // a name of a player or clan, colour codes included
	PersonGUID            // an identifier that stays with a player
	PersonSecret          // a password or CD key
)

// An Identity is a text that identifies somebody. It belongs to the record.
type Identity struct {
	Personal Personal
	Text     []byte
}

// An IdentitySource is a Protocol whose records name people.
type IdentitySource interface {
	Protocol
	// AppendIdentities appends what a finished record says about people.
	AppendIdentities(dst []Identity, rec *Record) []Identity
}

// A Rewriting replaces texts of messages (Options.Rewriting). What it answers depends on its arguments alone: keys of
// later messages are made of texts of earlier ones. It is safe for concurrent use.
type Rewriting interface {
	// AppendText appends a text with everything in it replaced that identifies somebody.
	AppendText(dst, text []byte) []byte
	// AppendPersonal appends the replacement of a text that is known to identify somebody as a whole.
	AppendPersonal(dst []byte, p Personal, text []byte) []byte
	// Addr gives the replacement of an address.
	Addr(a netip.Addr) netip.Addr
}

// A Rewriter is a Protocol whose conversations write what they read again, with other texts in it: they fill
// Record.Rewritten if Options.Rewriting is set.
type Rewriter interface {
	Protocol
	// Rewrites reports whether datagrams of the protocol can be written again at all.
	Rewrites() bool
}

// A RewriteState says what became of a datagram.
type RewriteState uint8

// The states.
const (
	RewriteLost RewriteState = iota // it cannot be written again: what it says about people is not known
	RewriteDone                     // Payload is the datagram
	RewritePart                     // a fragment: the datagram follows from the message that it is part of
)

// A Rewritten is a datagram with other texts. The slices are the conversation's, valid until Finish returns.
type Rewritten struct {
	State   RewriteState
	Payload []byte // of RewriteDone, if it is no fragment

	// Of a fragment: the number of its message, the length of its header, and its place in the message, in bytes.
	Message             uint32
	Header, Start, Size int
	// Body is the whole message, of the same length as before, in the fragment that completes it; nil if
	// that cannot be written again, and in the other fragments.
	Body []byte
	// Datagrams, in place of Body, are the datagrams of all fragments, Start being the index of each. The fragments of such
	// a message have no Header and no Size.
	Datagrams [][]byte
}
