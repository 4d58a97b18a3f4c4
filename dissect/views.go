package dissect

import "slices"

// Interfaces for views of many records that need more of a game than its fields. A protocol implements those
// that it can; each method examines a finished record, returns false if it has nothing to report, and keeps
// nothing.

// A TransitSource is a Protocol whose records show how its messages are transmitted.
type TransitSource interface {
	Protocol
	Transit(rec *Record, t *Transit) bool
}

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

	HasAck bool // Ack is set
	Ack    uint32

	Snapshot   bool   // the message shows a state of the game
	BaseAge    uint32 // messages or ticks between it and its base; 0: none
	ServerTime int64  // the game's clock, in milliseconds
	HasTime    bool
}

// A QuerySource is a Protocol with queries and answers outside of its sessions: server browsers, masters, rcon.
type QuerySource interface {
	Protocol
	Query(rec *Record, q *Query) bool
}

// A Query is a query or an answer, depending on the record's direction.
type Query struct {
	Name string // of the command: "getstatus"
	// Info is a server's description of itself, in pairs of keys and values; nil if there is none. The slices
	// belong to the record.
	Info []Pair
}

// A Pair is a key with its value, as they are on the wire.
type Pair struct{ Key, Value []byte }

// An IntroductionSource is a Protocol whose clients identify themselves.
type IntroductionSource interface {
	Protocol
	Introduction(rec *Record, id *Introduction) bool
}

// An Introduction is a client's description of itself. The slices belong to the record.
type Introduction struct {
	Name     []byte
	GUID     []byte // nil: none
	Qport    uint16
	HasQport bool
	Connect  bool // it asks to connect; otherwise its settings have changed
}

// A SideViewed is a Protocol whose game is seen from the side: places have no height, and y goes down.
type SideViewed interface {
	Protocol
	// TileSize is the side of the squares that maps are made of, in the units of places.
	TileSize() float64
}

// A ContextSource is a Protocol that knows which records of a stream are needed to read the rest of it.
type ContextSource interface {
	Protocol
	// Carries reports whether later messages of the stream can be read only with a record, or better with it: a
	// handshake, a gamestate, a reliable command.
	Carries(rec *Record) bool
	// AppendParts appends the frames of the fragments that a record's message was made of.
	AppendParts(dst []uint64, rec *Record) []uint64
}

// SecretMask is what views write for a password or key, whatever its length.
const SecretMask = "********"

// A Secret is a part of a text in a Record's tree that views mask: a password or a CD key. A node whose Field
// is Secret needs none.
type Secret struct {
	Node     int // index in Tree.Nodes of a Text or Info node
	From, To int // bytes of its value
}

// A SecretSource is a Protocol with texts that may contain passwords or keys: commands and infostrings.
type SecretSource interface {
	Protocol
	// AppendSecrets appends the secrets of a finished record, by node and then by place; they do not
	// overlap.
	AppendSecrets(dst []Secret, rec *Record) []Secret
}

// An EventSource is a Protocol that also finds what happens in its games: who killed whom, who said what, which
// map is played. With Options.Events its conversations put the events of each datagram into Record.Events, one
// Object after the other, in the order in which they happened.
//
// Events are described by Fields, like records, so that views treat both alike.
type EventSource interface {
	Protocol
	// EventRoot describes an event: an Object whose children are all keys that an event can have, EventKind
	// and EventServerTime first. Where games share a key they share its type.
	EventRoot() *Field
	// EventKinds lists the values of EventKind that its events have.
	EventKinds() []string
	// AppendEvent appends a description of one event. node is its index in events. Texts of the game's players
	// are appended as they are: the caller makes them safe to print.
	AppendEvent(dst []byte, events *Tree, node int) []byte
}

// EventKinds returns the kinds of events of all protocols, sorted.
func EventKinds(protocols []Protocol) (kinds []string) {
	for _, p := range protocols {
		if source, ok := p.(EventSource); ok {
			kinds = append(kinds, source.EventKinds()...)
		}
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

// MoveEvents moves the record's events to another record, together with what describes them: the packet without its
// payload, the stream, the protocol. The record has the memory of the other one's events then.
func (r *Record) MoveEvents(to *Record) {
	events, tree := to.Events, to.Tree
	*to = Record{
		Packet: r.Packet, File: r.File, FirstTime: r.FirstTime, Protocol: r.Protocol, Stream: r.Stream, Direction: r.Direction,
		Events: r.Events, Reading: r.Reading, ShowSecrets: r.ShowSecrets, Closing: r.Closing, NoTree: true, Tree: tree,
	}
	to.Payload, to.IPFragments, to.Link, to.Raw = nil, nil, nil, nil
	events.Reset()
	r.Events = events
}
