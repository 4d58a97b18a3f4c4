package dissect

// A Reading is the reader of a connection's payloads.
type Reading struct {
	Reader *Protocol
	Hint   uint64 // what its judge or router found out, encoded by the reader
}

// A Payload is one packet of an application, as its sender passed it to the transport.
type Payload struct {
	At, End   int // position in bytes, in Carried.Space, or in the bytes that come with it
	Direction Direction
	Reliable  bool // the transport delivers it, or reports that the connection is lost
	Cut       bool // the capture lacks its end
	Repeated  bool // an earlier datagram carried it too
}

// A PayloadJudge starts trials of connections. It belongs to one Router.
type PayloadJudge interface {
	NewTrial() PayloadTrial
}

// A PayloadTrial collects evidence on the payloads of one connection.
type PayloadTrial interface {
	// Try examines a whole payload, b[p.At:p.End], that was not tried before.
	Try(b []byte, p *Payload)
	// Verdict returns whether the payloads are the reader's, and a hint for its conversation, encoded by the
	// reader. Mine and Foreign are final.
	Verdict() (v Verdict, hint uint64)
}

// A Carrier recognises a transport's datagrams one by one. It has no state of connections.
type Carrier interface {
	// Mark looks for a property that no other protocol has. hint is for the transport's conversation. d is the
	// datagram's direction, if the mark shows it; firm means that a connection's handshake shows it, which
	// outweighs a query.
	Mark(p *Packet) (hint uint64, d Direction, firm, ok bool)
	// Explains reports how far the transport's rules explain a datagram without a mark. reads reports whether
	// the reader can read one of its payloads to its end.
	Explains(p *Packet, reads func(b []byte, p *Payload) bool) (hint uint64, e Explanation)
}

// An Explanation is how well a transport explains a datagram.
type Explanation uint8

// The explanations.
const (
	Unexplained Explanation = iota
	Explained               // to its end; other transports may explain it too
	Certain                 // hardly any other datagram looks like this
)

// A PayloadConversation reads the payloads of one connection, in order.
type PayloadConversation interface {
	// ReadPayloads reads rec.Carried into an object after the transport's. It reports whether there is such an
	// object: the record's protocol is then the reader's.
	ReadPayloads(rec *Record) bool
}

// Carried is the part of a datagram that a transport's conversation leaves to the reader of its payloads. The
// bytes are the conversation's, and valid until Finish returns.
type Carried struct {
	Space    []byte    // what the positions of Payloads refer to
	Payloads []Payload // in the order of the datagram
	Joined   bool      // Space is not the datagram; the reader makes it Record.Message

	Begins bool   // another connection between the same endpoints begins here
	Ends   string // how the datagram ends the connection, as a word; "": it does not

	// Names are the players' names in the transport's messages; nil: it has none.
	Names PlayerNames
}

// PlayerNames are a transport's names of players.
type PlayerNames interface {
	Client() string          // of the player that the connection belongs to, or ""
	Player(id uint64) string // of the player with the transport's number, or ""
}
