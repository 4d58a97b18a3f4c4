package dissect

// A Transport is a Protocol that carries packets of applications it knows nothing of. Its conversations decode
// the transport's own part of a datagram and leave the application's packets in Record.Carried. Which PayloadReader
// reads them, if any, its Router decides for each connection, by asking the readers.
//
// A game over a transport is a PayloadReader in the list of protocols. Neither the transport nor the engine
// names it.
type Transport interface {
	Protocol
	// NewTransportRouter is NewRouter with the readers to be asked about payloads. NewRouter is the same
	// with none.
	NewTransportRouter(readers []PayloadReader) Router
	// NewCarrier returns what recognises the transport's datagrams on ports that the user gave to a reader.
	NewCarrier() Carrier
}

// A PayloadReader is a Protocol whose messages travel as payloads of transports.
type PayloadReader interface {
	Protocol
	// NewPayloadRouter is NewRouter with the carriers of all transports, in order. Only ports that were
	// claimed for the reader need them: Route.Carrier then says which one carries the datagram.
	NewPayloadRouter(carriers []Carrier) Router
	// NewPayloadJudge returns what recognises the reader's payloads in connections that were not claimed.
	// transport is the Name of what carries them. nil: the reader takes none there without a claim.
	NewPayloadJudge(transport string) PayloadJudge
	// NewPayloadConversation makes the state of one connection's payloads.
	NewPayloadConversation(Options) PayloadConversation
}

// A Reading says who reads the payloads of a connection.
type Reading struct {
	Reader PayloadReader
	Hint   uint64 // what its judge or router found out, in the reader's own coding
}

// A Payload is one packet of an application, as the transport's sender was given it.
type Payload struct {
	At, End   int // where it stands, in bytes, in Carried.Space, or in the bytes that come with it
	Direction Direction
	Reliable  bool // the transport delivers it, or says that the connection is lost
	Cut       bool // the capture lacks its end
	Repeated  bool // an earlier datagram carried it too
}

// A PayloadJudge begins trials of connections. It belongs to one Router.
type PayloadJudge interface {
	NewTrial() PayloadTrial
}

// A PayloadTrial collects evidence on the payloads of one connection.
type PayloadTrial interface {
	// Try takes a whole payload, b[p.At:p.End], that was not tried before.
	Try(b []byte, p *Payload)
	// Verdict says whether the payloads are the reader's, and what its conversation needs to know, in the
	// reader's own coding. Mine and Foreign are final.
	Verdict() (v Verdict, hint uint64)
}

// A Carrier recognises a transport's datagrams one by one. It has no state of connections.
type Carrier interface {
	// Mark looks for what no other protocol has. hint is for the transport's conversation. d is the
	// datagram's direction, if the mark shows it; firm says that a connection's handshake shows it, which
	// counts more than a query.
	Mark(p *Packet) (hint uint64, d Direction, firm, ok bool)
	// Explains reports how far the transport's rules explain a datagram without a mark. reads reports
	// whether the reader reads a payload of it to its end.
	Explains(p *Packet, reads func(b []byte, p *Payload) bool) (hint uint64, e Explanation)
}

// An Explanation is how well a transport explains a datagram.
type Explanation uint8

// The explanations.
const (
	Unexplained Explanation = iota
	Explained               // to its end; other transports may explain it as well
	Certain                 // hardly any other datagram looks like this
)

// A PayloadConversation reads the payloads of one connection, in order.
type PayloadConversation interface {
	// ReadPayloads reads what the transport left in rec.Carried into an object after the transport's. It
	// reports whether there is such an object: the record's protocol is the reader's then.
	ReadPayloads(rec *Record) bool
}

// Carried is what a transport's conversation leaves of a datagram for the reader of its payloads. The bytes
// are the conversation's, and valid until Finish returns.
type Carried struct {
	Space    []byte    // what the places of Payloads count in
	Payloads []Payload // in the order of the datagram
	Joined   bool      // Space is not the datagram; the reader makes it Record.Message

	Begins bool   // another connection between the same endpoints begins here
	Ends   string // how the datagram ends the connection, in a word; "": it does not

	// Names are the players' as the transport's messages give them; nil: it has none.
	Names PlayerNames
}

// PlayerNames are the names that a transport has for players.
type PlayerNames interface {
	Client() string          // of the player that the connection belongs to, or ""
	Player(id uint64) string // of the player with the transport's number, or ""
}
