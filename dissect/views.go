package dissect

import "slices"

// A Transit is what one datagram shows about the transmission of messages.
type Transit struct {
	Session    int    // of the conversation, from 0
	Sequence   uint32 // number of the message
	Whole      bool   // the datagram completes the message; it is not a fragment that leaves it incomplete
	Again      bool   // the message itself was seen before
	Unnumbered bool   // messages have no numbers: which are missing or late is not known
	Lost       uint64 // messages that are missing before this one
	Duplicates uint64 // messages, or parts of them that are numbered, that were seen before
	Late       uint64 // messages that were not seen before, although later ones were
	Fragments  bool   // fragments of an earlier message were given up
	Resent     uint64 // messages, or parts of them, that the sender marks as repeated

	// Bits is where the fields of the message end, of one that was read whole; 0: not known.
	Bits int

	HasAck bool // Ack is set
	Ack    uint32

	Snapshot   bool   // the message shows a state of the game
	BaseAge    uint32 // messages or ticks between it and its base; 0: none
	ServerTime int64  // the game's clock, in milliseconds
	HasTime    bool
}

// A Query is a query or an answer, depending on the record's direction.
type Query struct {
	Name    string // of the command: "getstatus"
	Purpose QueryPurpose
	Limit   RateLimit // of the engine, for this query
	Engine  string    // of the query, where it is one outside the protocol's games: "Source"; else ""
	// Info is a server's description of itself, in pairs of keys and values; nil if there is none. The slices
	// belong to the record.
	Info []Pair
}

// A QueryPurpose is what a query is for. It is QueryOther in answers.
type QueryPurpose uint8

// The purposes.
const (
	QueryOther     QueryPurpose = iota
	QueryFacts                  // asks a server for facts about itself
	QueryServers                // asks for a list of servers
	QueryAnnounces              // announces a server to a list of servers
	QueryEnters                 // part of the handshake of a session
	QueryRemote                 // remote control
	QueryPurposes               // how many there are
)

// A Pair is a key with its value, as they are on the wire.
type Pair struct{ Key, Value []byte }

// An Introduction is a client's description of itself. The slices belong to the record.
type Introduction struct {
	Name     []byte
	GUID     []byte // nil: none
	Qport    uint16
	HasQport bool
	Connect  bool // it asks to connect; otherwise its settings have changed
}

// SecretMask is what views write for a password or key, whatever its length.
const SecretMask = "********"

// A Secret is a part of a text in a Record's tree that views mask: a password or a CD key. A node whose Field
// is Secret needs none.
type Secret struct {
	Node     int // index in Tree.Nodes of a Text or Info node
	From, To int // bytes of its value
}

// EventKinds returns the kinds of events of all protocols, sorted.
func EventKinds(protocols []*Protocol) (kinds []string) {
	for _, p := range protocols {
		kinds = append(kinds, p.EventKinds...)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// Fields that every event of every game has.
var (
	EventKind = Field{
		Key: "event", Kind: Label, Doc: "what happened, see docs/events.md",
	}
	EventServerTime = Field{
		Key: "server_time", Kind: Int, Unit: "ms",
		Doc: "time of the game's clock; absent while no state of the game was seen",
	}
)

// A WirePiece is a part of a Record's Message with its position on the wire. If it has as many bits in both,
// they correspond one by one, and bytes differ by a cipher at most; otherwise the piece is a symbol of a code.
type WirePiece struct {
	Frame       uint64 // of the datagram
	Wire, Bits  int    // position in the datagram, in bits
	Message     int    // position in the message, in bits
	MessageBits int
}
