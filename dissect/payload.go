package dissect

// A Reading is the reader of a connection's payloads.
type Reading struct {
	Reader *Protocol
	Hint   uint64 // what its detector or router found out, encoded by the reader
}

// A Payload is one packet of an application, as its sender passed it to the transport.
type Payload struct {
	At, End   int // position in bytes, in Carried.Space, or in the bytes that come with it
	Direction Direction
	Reliable  bool // the transport delivers it, or reports that the connection is lost
	Cut       bool // the capture lacks its end
	Repeated  bool // an earlier datagram carried it too
}

// A PayloadDetector collects evidence that the payloads of one connection are its reader's.
type PayloadDetector interface {
	// Examine adds whole payloads of a packet, b[p.At:p.End] each, that were not examined before, and returns what is
	// known after them. hint is for the reader's conversation, encoded by the reader. Mine and Foreign are final.
	Examine(b []byte, payloads []Payload) (d Decision, hint uint64)
}

// A Sign is what one datagram of a transport shows of whether its sender's connection goes on.
type Sign struct {
	Connection uint64 // what the sender calls the connection by
	Ends       uint64 // not 0: the datagram ends it; copies have the same number
	GoesOn     bool   // nobody sends this after the end that is pending
	Begins     bool   // it asks for another connection
}

// A Carrier recognises a transport's datagrams one by one. It has no state of connections.
type Carrier interface {
	// Mark looks for a property that no other protocol has. hint is for the transport's conversation. d is the
	// datagram's direction, if the mark shows it; firm means that a connection's handshake shows it, which
	// outweighs a query.
	Mark(p *Packet) (hint uint64, d Direction, firm, ok bool)
	// Explains reports whether the transport's rules explain a datagram without a mark to its end, as those of other
	// transports may too; certain means that hardly any other datagram looks like this. reads reports whether the reader
	// can read one of its payloads to its end.
	Explains(p *Packet, reads func(b []byte, p *Payload) bool) (hint uint64, explained, certain bool)
	// Sign reads what a datagram shows of its sender's connection. hint is that of the conversation, pending the Ends of
	// a datagram that came before, or 0.
	Sign(p *Packet, hint, pending uint64) Sign
	// TakenBack returns the hint of a datagram that ends a connection which goes on.
	TakenBack(hint uint64) uint64
}

// Carried is the part of a datagram that a transport's conversation leaves to the reader of its payloads. The
// bytes are the conversation's, and valid until Finish returns.
type Carried struct {
	Space    []byte    // what the positions of Payloads refer to
	Payloads []Payload // in the order of the datagram
	Joined   bool      // Space is not the datagram; the reader makes it Record.Message

	Begins bool   // another connection between the same endpoints begins here
	Ends   string // how the datagram ends the connection, as a word; "": it does not

	// The players' names in the transport's messages: of the player that the connection belongs to, or "", and those of
	// players by the transport's numbers. The map is the conversation's, and may be nil.
	Client  string
	Players map[uint64]string
}
