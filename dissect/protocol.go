package dissect

import (
	"io"

	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/keys"

	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// A Protocol describes one family of games, or one transport: how its datagrams are recognised, what their fields are,
// how they are decoded, and what else its records can show. It has no state of an input, and does not change once it is
// made.
//
// The first two groups are always set. In the others nil, or another zero value, means that the protocol has none of
// that. Functions with a Record examine a finished one and keep nothing of it.
type Protocol struct {
	Name     string   // the word that records, -d and --list-protocols use: "quake3"
	Title    string   // one line: "Quake III engine (protocols 66 to 71)"
	Dissects []string // the names of -d that belong to the protocol, Name first

	// Root returns the object under Name in every record, with all that it can contain, also of games that no record was
	// read of yet: a protocol may make its tables when they are first needed.
	Root func() *Field

	// NewRouter returns the sequential part: it sees every datagram of the input in order.
	NewRouter func() Router
	// NewConversation returns the state of one conversation. Each is used by one goroutine at a time.
	NewConversation func(o Options) Conversation
	// AppendInfo appends the text of the list's last column.
	AppendInfo func(dst []byte, rec *Record) []byte

	// Save copies the state of a conversation, of about size bytes, while no record waits. nil: not possible at
	// present.
	Save func(c Conversation) (state any, size int)
	// Restore returns a conversation that continues from a state of Save or Shrink. The state stays as it is.
	Restore func(o Options, state any) Conversation
	// Rest is called when much of the input came since the last datagram of a conversation: it makes its memory smaller
	// until the next one, and changes nothing that is read. A server has 64 players; a flood, thousands of sessions.
	Rest func(c Conversation)
	// End fills in the final record of a conversation when its input ends, see Record.Closing. false: there is none.
	End func(c Conversation, rec *Record) bool

	// OpenRecording reports whether a file is a recording of the protocol, by its beginning and not by its name. in
	// begins with head again; name is the file's, or "", and version is given by the user for recordings that do not
	// contain it (0: not given).
	OpenRecording func(in io.Reader, head []byte, name string, version int) (Recording, bool)
	// DemoEnd is what follows the last message of a demo. Options.Demos makes the conversations fill Record.Demo.
	DemoEnd []byte

	// EventRoot describes an event: an Object whose children are all keys that an event can have, EventKind and
	// EventServerTime first. Games that share a key share its type. Options.Events makes the conversations fill
	// Record.Events, one Object after the other, in the order in which things happened.
	EventRoot *Field
	// EventKinds are the values of EventKind.
	EventKinds []string
	// AppendEvent describes the event at a node. Texts of players are appended raw: the caller makes them printable.
	AppendEvent func(dst []byte, events *Tree, node int) []byte

	// Pieces are the parts of the protocol's traffic that can be decoded by themselves.
	Pieces []Piece

	// Routine are the first words of the parts of AppendInfo, joined by "; ", about what both sides send all the time:
	// "snapshot". A view may count them instead of showing each.
	Routine []string

	// Transit reports how the record's message is transmitted. false: not known.
	Transit func(rec *Record, t *Transit) bool
	// Query reports a query or answer outside of sessions (server browsers, masters, rcon). false: it is none.
	Query func(rec *Record, q *Query) bool
	// Introduction reports what a client calls itself. false: it does not.
	Introduction func(rec *Record, id *Introduction) bool
	// AppendSecrets appends parts of texts that are passwords or keys, by node and then by place, without overlaps.
	AppendSecrets func(dst []Secret, rec *Record) []Secret
	// AppendIdentities appends the texts that identify people.
	AppendIdentities func(dst []Identity, rec *Record) []Identity
	// TileSize is the side of a map's squares, in the units of places, of a game that is seen from the side: its places
	// have no height, and y goes down.
	TileSize float64
	// TickMsec is how long a tick of the game's clock lasts, of a game whose clock counts them.
	TickMsec int64

	// Carries reports whether later messages can be read only, or better, with the record: a handshake, a gamestate.
	Carries func(rec *Record) bool
	// AppendParts appends the frames of the fragments that the record's message was made of.
	AppendParts func(dst []uint64, rec *Record) []uint64
	// AppendWire appends where the parts of the record's message are on the wire, in the order of the message. datagram
	// returns the bytes of another datagram of the same direction by its frame, or nil. Parts whose position is not
	// known have no piece.
	AppendWire func(dst []WirePiece, rec *Record, datagram func(frame uint64) []byte) []WirePiece
	// LowestFirst means that positions count the bits of a byte from the lowest on. Positions of codes always do.
	LowestFirst bool

	// Rewrites means that Options.Rewriting makes the conversations fill Record.Rewritten.
	Rewrites bool
	// RewritesDemos means that it does so with the messages of recordings, and that the payloads of these and DemoEnd are
	// the file.
	RewritesDemos bool
	// KeySearch returns the protocol for one search (Options.KeysOnly), with a limit of work that no other input uses
	// up.
	KeySearch func(o *Options) *Protocol

	// NewTransportRouter is the NewRouter of a transport, with the readers that are asked about payloads. The
	// conversations decode the transport's own part of a datagram and leave the application's packets in
	// Record.Carried; which reader reads them, if any, the Router decides for each connection. Neither a transport
	// nor the engine names a reader.
	NewTransportRouter func(readers []*Protocol) Router
	// NewCarrier returns a recogniser of a transport's datagrams on ports that the user assigned to a reader.
	NewCarrier func() Carrier

	// NewPayloadRouter is the NewRouter of a reader of payloads, with the carriers of all transports, in order. Only
	// ports that were assigned to the reader need them: Route.Carrier then is the one that carries the datagram.
	NewPayloadRouter func(carriers []Carrier) Router
	// PayloadDetectors returns what makes a detector for each connection of a transport, by its Name, that was not
	// assigned to the reader. nil: the reader reads payloads of this transport only if they are assigned to it.
	PayloadDetectors func(transport string) (newDetector func() PayloadDetector)
	// NewPayloadReader returns a function that reads the payloads of one connection, in order: rec.Carried into an
	// object after the transport's. It reports whether there is such an object: the record's protocol is then the
	// reader's.
	NewPayloadReader func(o Options) (read func(rec *Record) bool)
}

// Options are what the user wants of the conversations.
type Options struct {
	State bool // --state: absolute values and unchanged entities
	// Framing adds what frames the fields to the trees, see type Framing. Who shows a record calls Separate or Unframe.
	Framing bool

	Events bool // fill Record.Events, where the protocol has events
	// MatchTimes is Events for recordings alone, since they have no other times.
	MatchTimes bool
	Secrets    bool // --show-secrets: events and Record.ShowSecrets

	Highlights *extract.Highlights // events of remarkable moments too, by these rules; nil: none

	Inputs bool // fill Record.Inputs, where the protocol is a game with players' input
	Scenes bool // fill Record.Scene, where the protocol is a game whose states show places
	Shots  bool // fill Record.Shots, where the protocol is a game whose shots can be followed
	// ShotEvents, with Events: an event for each shot too; implies Shots.
	ShotEvents bool

	Demos *extract.DemoRange // fill Record.Demo, where the protocol has demos; nil: do not
	Files bool               // fill Record.Files, where the protocol carries files

	Rewriting Rewriting // fill Record.Rewritten, where the protocol can rewrite; nil: do not

	// Recover lets conversations recover keys from the messages as they arrive, for use with later ones.
	Recover bool
	// NoRecover is for package open, which recovers keys without being asked, as the command does.
	NoRecover bool
	// KeysOnly decodes only what keys are recovered from, and implies Recover.
	KeysOnly bool
	// Keys returns what is known of the key of a session whose beginning is not in the input, or nil. It is
	// called on the workers' goroutines when such a session is met, and may block. k has what identifies the
	// session: protocol, stream, session, server and client.
	Keys func(k keys.Key) *keys.Key
	// KeyShare is the part of a search in the work of a run with several inputs; nil: there is one.
	KeyShare *keys.Share
	// KeyFound, if not nil, is called with the key of each session and how it is known: when the session ends,
	// and when its input ends or is idle. A later call for the same stream and session replaces an earlier one.
	KeyFound func(k keys.Key)
}

// A Decision is what a Router finds out about a datagram, or a PayloadDetector about payloads.
type Decision uint8

// The decisions.
const (
	Foreign   Decision = iota // of another protocol
	Undecided                 // perhaps; later datagrams of the flow will show
	Mine                      // of this protocol
)

// A Route is where a datagram belongs.
type Route struct {
	Decision  Decision
	Direction Direction
	// Carrier is the transport of the datagram, if a payload reader's router was asked: its index in the list
	// that the router was given, from 1. 0: the router's own protocol.
	Carrier uint8
	// Doubt is about a session that is known by words alone, which anybody can send.
	Doubt  Doubt
	Stream *Stream // the conversation; nil only if Decision is not Mine
	Hint   uint64  // what the router found out for the conversation, encoded by the protocol; copied to Record.Hint

	// Reading is the reader of a transport's payloads; nil: none. It must not change once it was returned.
	Reading *Reading
}

// A Doubt is how sure a Router is of a datagram that it calls its own. If another Router has a session of the same
// endpoints, see Owner, a datagram in doubt is that Router's.
type Doubt uint8

// The doubts.
const (
	NoDoubt  Doubt = iota
	Unproven       // the datagram can be the protocol's: it is, unless it can be the other's too
	Unlikely       // it is none of the protocol's by its content
)

// A Stream is a Router's view of a conversation: the router creates one for each conversation and returns it
// with every datagram. The engine numbers streams, over all protocols, in the order of their first records in
// the output.
type Stream struct {
	// Engine is the engine's. Routers leave it as it is.
	Engine struct {
		State   any    // of the conversation: the engine's own, or what Shrink kept of it; nil: none at present
		Number  uint32 // + 1; 0: not numbered yet
		LeftOut bool   // it is not dissected
		Use     idle.Use[Stream]
	}
}

// MarkForgotten marks a conversation that the router knew before, and dropped for lack of room: the engine
// reports it in the conversation's first record. A stream that has records was not forgotten.
func (s *Stream) MarkForgotten() {
	s.Engine.Use.Forgotten = s.Engine.Use.Forgotten || s.Engine.Number == 0
}

// A Router recognises a protocol's datagrams and separates its conversations. It is sequential: Route is
// called for the datagrams in the order of the capture, and for one that was Undecided again when it
// may be known more. Its answers depend on the datagrams alone.
type Router interface {
	// Route decides whether the datagram is the protocol's. It must not retain the packet. now is the
	// time of the input, in nanoseconds since it began: it never runs backwards, whatever the packets' own
	// time stamps say. With last set the datagram can wait no longer, and Undecided counts as Foreign.
	//
	// Messages of recordings never come here: the engine knows whose they are.
	Route(p *Packet, now int64, last bool) Route
	// Claim assigns every datagram to or from this UDP port to the protocol (-d); as is one of Dissects.
	Claim(port uint16, as string)
	// Expire drops what has been idle since before a time, in the unit of Route. Its cost is proportional to
	// what it drops.
	Expire(before int64)
}

// An Owner is a Router that can be asked whether it has a session of a datagram's endpoints that its packets prove.
type Owner interface {
	// Owns reports whether the endpoints have a session, and whether the datagram can be one of it by its content. It
	// changes nothing.
	Owns(p *Packet) (session, fits bool)
}

// A Recaller is a Router that can be asked for the session of a datagram that it does not get: one that an ICMP error
// quotes, which may be without any of its payload.
type Recaller interface {
	// Recall returns the session that a datagram's endpoints have, if its content does not contradict: Mine or
	// Foreign. It changes nothing.
	Recall(p *Packet) Route
}

// A Conversation decodes the datagrams of one stream, in order.
type Conversation interface {
	// Dissect decodes rec.Packet into rec. It returns false, without a lasting change of its state, if it first
	// needs a datagram that may still come and rec.Final is not set; it is then called again with the same
	// record, before any later datagram of the same direction.
	Dissect(rec *Record) bool
	// Shrink is called when the conversation has been idle for long, and when its input ends: it frees all but what
	// later datagrams do not contain again (keys). It returns the conversation itself, or a smaller state for
	// Protocol.Restore: servers see more handshakes than sessions. nil: there is nothing to keep. Except for the first
	// result the conversation is not used again.
	Shrink() (kept any)
}
