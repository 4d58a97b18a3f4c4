package dissect

import "net/netip"

// A Personal is what a text identifies.
type Personal uint8

// Kinds of texts. A text of two kinds is treated as the one that hides more.
const (
	NotPersonal   Personal = iota
	PersonUnknown          // a value whose meaning is not known
	PersonName             // a name of a player or clan, colour codes included
	PersonGUID             // an identifier that stays with a player
	PersonSecret           // a password or CD key
)

// An Identity is a text that identifies a person. It belongs to the record.
type Identity struct {
	Personal Personal
	Text     []byte
}

// A Rewriting replaces texts of messages (Options.Rewriting). Its results depend on its arguments alone: keys
// of later messages are made of texts of earlier ones. It is safe for concurrent use.
type Rewriting interface {
	// AppendText appends a text with everything in it replaced that identifies a person or is not known to be harmless.
	AppendText(dst, text []byte) []byte
	// AppendHarmless appends a text of known meaning that can identify a person only by a name or an address in it.
	AppendHarmless(dst, text []byte) []byte
	// AppendChat appends chat.
	AppendChat(dst, text []byte) []byte
	// AppendFile appends as many bytes as a part of a file has: the same, or zeros.
	AppendFile(dst, part []byte) []byte
	// AppendPersonal appends the replacement of a text that identifies a person as a whole, or may do so.
	AppendPersonal(dst []byte, p Personal, text []byte) []byte
	// Addr returns the replacement of an address.
	Addr(a netip.Addr) netip.Addr
}

// A RewriteState is the result of rewriting a datagram.
type RewriteState uint8

// The states.
const (
	RewriteLost RewriteState = iota // it cannot be rewritten: its texts about people are not known
	RewriteDone                     // Payload is the datagram
	RewritePart                     // a fragment: the datagram follows from its message
)

// RewriteState returns what became of the record's datagram.
func (r *Record) RewriteState() RewriteState {
	if r.Rewritten == nil {
		return RewriteLost
	}
	return r.Rewritten.State
}

// A Rewritten is a rewritten datagram. The slices are the conversation's, valid until Finish returns.
type Rewritten struct {
	State   RewriteState
	Payload []byte // of RewriteDone, if it is not a fragment
	File    []byte // of a message of a recording: what the file has in place of Payload; nil: Payload
	// Texts and data that have been replaced, and bytes without known meaning that the datagram or message no longer
	// has.
	Replaced, LeftOut int

	// Of a fragment: the number of its message, the length of its header, and its position in the message, in
	// bytes.
	Message             uint32
	Header, Start, Size int
	// Body is the whole message, of the same length as before, in the fragment that completes it; nil if that
	// cannot be rewritten, and in the other fragments.
	Body []byte
	// Datagrams, in place of Body, are the datagrams of all fragments, Start being the index of each.
	Datagrams [][]byte
}
