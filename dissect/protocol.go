package dissect

import "github.com/q3dissect/q3dissect/dissect/internal/lifetime"

// A Protocol is one family of games, or one transport: how its datagrams are recognised, what their
// fields are, and how they are decoded. It is a description without state.
type Protocol interface {
	// Name returns the word that records, -d and --list-protocols use: "quake3".
	Name() string
	// Title describes the protocol in one line: "Quake III engine (protocols 66 to 71)".
	Title() string
	// Root describes the object under Name in every record.
	Root() *Field
	// Dissects lists the names of -d that belong to the protocol, Name first.
	Dissects() []string
	// NewRouter returns the sequential part: it sees every datagram of the input in order.
	NewRouter() Router
	// NewConversation returns the state of one conversation. Each is used by one goroutine at a time.
	NewConversation(Options) Conversation
	// AppendInfo appends the text of the list's last column to dst.
	AppendInfo(dst []byte, rec *Record) []byte
}

// Options are what the user wants of the conversations.
type Options struct {
	State bool // --state: absolute values and unchanged entities

	Events  bool // fill Record.Events, where the protocol is an EventSource
	Secrets bool // --show-secrets: events and Record.ShowSecrets

	Inputs bool // fill Record.Inputs, where the protocol is a game with players' input

	Demos *DemoRange // fill Record.Demo, where the protocol is a DemoSource; nil: do not
	Files bool       // fill Record.Files, where the protocol carries files

	Rewriting Rewriting // fill Record.Rewritten, where the protocol is a Rewriter; nil: do not

	// Recover lets conversations recover keys from the messages as they arrive, for use with later ones.
	Recover bool
	// KeysOnly decodes only what keys are recovered from, and implies Recover.
	KeysOnly bool
	// Keys returns what is known of the key of a session whose beginning is not in the input, or nil. It is
	// called on the workers' goroutines when such a session is met, and may block. k has what identifies the
	// session: protocol, stream, session, server and client.
	Keys func(k SessionKey) *SessionKey
	// KeyFound, if not nil, is called with the key of each session and how it is known: when the session ends,
	// and when its input ends or is idle. A later call for the same stream and session replaces an earlier one.
	KeyFound func(k SessionKey)
}

// A KeySearcher is a Protocol that searches for keys, with a limit of work for the sessions of an input whose keys are
// not found.
type KeySearcher interface {
	// KeySearch returns the protocol for one search (Options.KeysOnly), whose limit no other input uses up.
	KeySearch() Protocol
}

// A Verdict is a Router's decision about a datagram.
type Verdict uint8

// The verdicts.
const (
	Foreign   Verdict = iota // of another protocol
	Undecided                // perhaps; later datagrams of the flow will show
	Mine                     // of this protocol
)

// A Route is where a datagram belongs.
type Route struct {
	Verdict   Verdict
	Direction Direction
	// Carrier is the transport of the datagram, if a PayloadReader's router was asked: its index in the list
	// that the router was given, from 1. 0: the router's own protocol.
	Carrier uint8
	Stream  *Stream // the conversation; nil only if Verdict is not Mine
	Hint    uint64  // what the router found out for the conversation, encoded by the protocol; copied to Record.Hint

	// Reading is the reader of a transport's payloads; nil: none. It must not change once it was returned.
	Reading *Reading
}

// A Stream is a Router's view of a conversation: the router creates one for each conversation and returns it
// with every datagram. The engine numbers streams, over all protocols, in the order of their first records in
// the output.
type Stream struct {
	// Engine is the engine's. Routers leave it as it is.
	Engine struct {
		Number  int  // + 1; 0: not numbered yet
		State   any  // of the conversation: the engine's own, or what its Sleeper keeps; nil: none at present
		LeftOut bool // it is not dissected
		Use     lifetime.Use[Stream]
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
	// Route says what the datagram is. The packet is the caller's; nothing of it may be kept. now is the
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

// A Conversation decodes the datagrams of one stream, in order.
type Conversation interface {
	// Dissect decodes rec.Packet into rec. It returns false, without a lasting change of its state, if it first
	// needs a datagram that may still come and rec.Final is not set; it is then called again with the same
	// record, before any later datagram of the same direction.
	Dissect(rec *Record) bool
	// Shrink is called when the conversation has been idle for long, and when its input ends: it keeps only
	// what later datagrams do not contain again (keys). It returns false if there is nothing to keep: the
	// conversation is then dropped, and created again if it continues.
	Shrink() bool
}

// A Sleeper is a Conversation whose state after Shrink is often much smaller than itself: servers see more handshakes than
// sessions.
type Sleeper interface {
	// Sleep returns the state after Shrink, or nil where the conversation itself has to be kept.
	Sleep() (kept any)
	// Wake gives a new conversation the state that another one returned.
	Wake(kept any)
}

// An Ender is a Conversation that can have a final record when its input ends, such as a game in progress. With
// Options.Events it is asked once for every stream whose state is still there, after all packets and in the
// order of the streams. It fills in the record, whose packet is the last relevant datagram without its bytes,
// and returns false if there is nothing to report. Such a record has Closing set, events and an empty tree.
type Ender interface {
	End(rec *Record) bool
}

// A Cloner is a Conversation whose state can be kept for a Replay, so that a long stream need not be dissected again from
// its beginning. Streams of other conversations, and those whose payloads have a reader, are replayed from there.
type Cloner interface {
	// Clone returns a copy with the same state, which shares nothing with it that changes, and about how many bytes of
	// memory the copy takes. It is called when no record waits. nil: the state cannot be copied at present.
	Clone() (clone Conversation, size int)
}
