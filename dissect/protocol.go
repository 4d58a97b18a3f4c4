package dissect

// A Protocol is one family of games, or one transport: how its datagrams are recognised, what their
// fields are, and how they are decoded. It is a description without state.
type Protocol interface {
	// Name is the word that records, -d and --list-protocols use: "quake3".
	Name() string
	// Title is one line for people: "Quake III engine (protocols 66 to 71)".
	Title() string
	// Root describes the object that stands under Name in every record.
	Root() *Field
	// Dissects lists the names of -d that belong to the protocol, Name first.
	Dissects() []string
	// NewRouter makes the sequential part: it sees every datagram of the input in order.
	NewRouter() Router
	// NewConversation makes the state of one conversation. Each is used by one goroutine at a time.
	NewConversation(Options) Conversation
	// AppendInfo appends the text of the list's last column to dst.
	AppendInfo(dst []byte, rec *Record) []byte
}

// Options are what the user asked the conversations for.
type Options struct {
	State bool // --state: absolute values and unchanged entities

	Events  bool // fill Record.Events, where the protocol is an EventSource
	Secrets bool // --show-secrets: events and Record.ShowSecrets

	Inputs bool // fill Record.Inputs, where the protocol is a game with players' input

	Demos *DemoRange // fill Record.Demo, where the protocol is a DemoSource; nil: do not
	Files bool       // fill Record.Files, where the protocol carries files

	Rewriting Rewriting // fill Record.Rewritten, where the protocol is a Rewriter; nil: do not

	// Recover lets conversations recover keys from the messages as they come: later ones profit.
	Recover bool
	// KeysOnly decodes nothing but what keys are recovered from, and implies Recover.
	KeysOnly bool
	// Keys gives what is known of the key of a session whose beginning is not in the input, or nil. It is
	// called on the workers' goroutines when such a session is met, and may take its time. k has what
	// identifies the session: protocol, stream, session, server and client.
	Keys func(k SessionKey) *SessionKey
	// KeyFound, if not nil, takes how the key of each session is known: when the session ends, and when
	// its input ends or is idle. A later call for the same stream and session replaces an earlier one.
	KeyFound func(k SessionKey)
}

// A Verdict is what a Router thinks of a datagram.
type Verdict uint8

// The verdicts.
const (
	Foreign   Verdict = iota // not this protocol's
	Undecided                // perhaps; later datagrams of the flow will show
	Mine                     // this protocol's
)

// A Route says where a datagram belongs.
type Route struct {
	Verdict   Verdict
	Direction Direction
	// Carrier says which transport has the datagram, where a PayloadReader's router was asked: the place in
	// the list that it was given, from 1. 0: the router's own protocol has it.
	Carrier uint8
	Stream  *Stream // the conversation; nil only where Verdict is not Mine
	Hint    uint64  // what the router learnt and the conversation needs, in the protocol's own coding; goes into Record.Hint

	// Reading says who reads the payloads of a transport's datagram; nil: nobody does. It must not change
	// once it was returned.
	Reading *Reading
}

// A Stream is a conversation as its Router knows it: the router makes one for each conversation and
// returns it with every datagram. The engine numbers streams, over all protocols, in the order in which
// their first records go out.
type Stream struct {
	number  int     // + 1; 0: not numbered yet
	leftOut bool    // by Config.Before
	home    *stream // for the worker alone; nil: nothing is kept

	// Of the memory for streams.
	list      uint8
	datagrams uint8 // so far, as far as it matters
	forgotten bool
	last      moment // of the newest datagram
	age       links[Stream]
}

// MarkForgotten says that the router knew the conversation before, and forgot it for lack of room: the engine
// says so in its first record. A stream that has records was not forgotten.
func (s *Stream) MarkForgotten() { s.forgotten = s.forgotten || s.number == 0 }

// A Router recognises a protocol's datagrams and separates its conversations. It is sequential: Route is
// called for the datagrams in the order of the capture, and for one that was Undecided again when it
// may be known more. Its answers depend on the datagrams alone.
type Router interface {
	// Route says what the datagram is. The packet is the caller's; nothing of it may be kept. now is the
	// time of the input, in nanoseconds since it began: it never runs backwards, whatever the packets' own
	// time stamps say. With last set the datagram can wait no longer, and Undecided counts as Foreign.
	//
	// Messages of recordings never come here: the engine knows whose they are.
	Route(p *Packet, now int64, last bool) Route
	// Claim makes every datagram to or from this UDP port the protocol's (-d); as is one of Dissects.
	Claim(port uint16, as string)
	// Expire drops what has been idle since before a time, in the measure of Route. Its cost is in proportion
	// to what it drops.
	Expire(before int64)
}

// A Conversation decodes the datagrams of one stream, in order.
type Conversation interface {
	// Dissect decodes rec.Packet into rec. It answers false, without having changed its state for good,
	// when a datagram that may come later is needed first and rec.Final is not set; it is then called
	// again with the same record, before any later datagram of the same direction.
	Dissect(rec *Record) bool
	// Shrink is called when the conversation has been idle for long, and when its input ends: only what a
	// later datagram cannot teach again (keys) is kept. It answers false when that is nothing: the
	// conversation is dropped then, and made anew if it goes on.
	Shrink() bool
}

// An Ender is a Conversation that has something to say when its input ends: that of a game that goes on. With
// Options.Events it is asked once for every stream whose state is still there, after all packets and in the order of the
// streams. It fills in the record, whose packet is that of the last datagram that matters, without its bytes, and answers
// false where there is nothing to say. Such a record has Closing set, events and an empty tree.
type Ender interface {
	End(rec *Record) bool
}
