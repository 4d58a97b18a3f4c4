package dissect

// What views of many records need of a game beyond its fields. A protocol implements what it can; each method
// looks at the finished record, returns false where it has nothing to report, and keeps nothing.

// A TransitSource is a Protocol whose records show how its messages travel.
type TransitSource interface {
	Protocol
	Transit(rec *Record, t *Transit) bool
}

// A Transit is what one datagram shows of the way that messages take.
type Transit struct {
	Session    int    // of the conversation, from 0
	Sequence   uint32 // number of the message that travels this way
	Whole      bool   // the datagram completes the message, it is not a fragment that leaves it open
	Again      bool   // the message itself was seen before
	Lost       uint64 // messages that are missing before this one
	Duplicates uint64 // messages, or parts of them that are numbered, that were seen before
	Late       uint64 // messages that were not seen, while later ones were
	Fragments  bool   // fragments of an earlier message were given up
	Resent     uint64 // messages, or parts of them, that the sender says it repeats

	HasAck bool // Ack is set
	Ack    uint32

	Snapshot   bool   // the message shows a state of the game
	BaseAge    uint32 // messages or ticks between it and the state it is a difference to; 0: none
	ServerTime int64  // the game's clock, in milliseconds
	HasTime    bool
}

// A QuerySource is a Protocol with queries and answers outside of its sessions: server browsers, masters, rcon.
type QuerySource interface {
	Protocol
	Query(rec *Record, q *Query) bool
}

// A Query is a query or an answer; the record's direction says which.
type Query struct {
	Name string // of the command: "getstatus"
	// Info is what a server says of itself, in pairs of keys and values; nil where it says nothing. The slices
	// belong to the record.
	Info []Pair
}

// A Pair is a key with its value, as they stand on the wire.
type Pair struct{ Key, Value []byte }

// An IntroductionSource is a Protocol whose clients say who they are.
type IntroductionSource interface {
	Protocol
	Introduction(rec *Record, id *Introduction) bool
}

// An Introduction is what a client says of itself. The slices belong to the record.
type Introduction struct {
	Name     []byte
	GUID     []byte // nil: none
	Qport    uint16
	HasQport bool
	Connect  bool // it asks to be let in; otherwise its settings have changed
}

// A SideViewed is a Protocol whose game is seen from the side: places have no height, and y goes down.
type SideViewed interface {
	Protocol
	// TileSize is the side of the squares that maps are made of, in the units of places.
	TileSize() float64
}

// A ContextSource is a Protocol that knows what of a stream is needed to read the rest of it.
type ContextSource interface {
	Protocol
	// Carries reports whether later messages of the stream can be read only with a record, or better: a
	// handshake, a gamestate, a reliable command.
	Carries(rec *Record) bool
	// AppendParts appends the frames of the fragments that a record's message was made of.
	AppendParts(dst []uint64, rec *Record) []uint64
}

// SecretMask is what views write for a password or key. It has the same length for each of them.
const SecretMask = "********"

// A Secret is a part of a text in a Record's tree that views mask: a password or a CD key. The whole value
// of a node whose Field is Secret needs none.
type Secret struct {
	Node     int // index in Tree.Nodes of a Text or Info node
	From, To int // bytes of its value
}

// A SecretSource is a Protocol with texts that hold passwords or keys among other things: commands and
// infostrings.
type SecretSource interface {
	Protocol
	// AppendSecrets appends the secrets of a finished record, by node and then by place; they do not
	// overlap.
	AppendSecrets(dst []Secret, rec *Record) []Secret
}
