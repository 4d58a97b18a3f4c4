package dissect

import (
	"fmt"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect/extract"

	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// A Direction is the direction of a datagram.
type Direction uint8

// The directions. Undecidable is the zero value.
const (
	Undecidable Direction = iota
	ClientToServer
	ServerToClient
)

// String returns the word that records use, or "" for Undecidable.
func (d Direction) String() string {
	switch d {
	case ClientToServer:
		return "client_to_server"
	case ServerToClient:
		return "server_to_client"
	}
	return ""
}

// A Severity grades an Expert entry.
type Severity uint8

// The severities: worth knowing, something was lost or is odd, the bytes are wrong.
const (
	Note Severity = iota
	Warning
	Fault
)

// String returns the word that records use.
func (s Severity) String() string { return [...]string{"note", "warning", "error"}[s] }

// An Expert is a remark about a record: a fault with its position, or a fact that the fields alone do not show.
// Codes are listed in docs/expert.md.
type Expert struct {
	Severity  Severity
	Code      string // "fragment_lost"
	Field     string // dotted path of the field concerned
	BitOffset int    // in the message or datagram, in bits
	Message   string // one readable sentence
}

// A Record is what is known of one packet. Records are reused: the one passed to Finish is valid until Finish
// returns.
type Record struct {
	Packet
	File      string    // name of the input when there are several; else empty
	FirstTime int64     // time of the file's first packet, Unix nanoseconds
	Protocol  *Protocol // nil: no known protocol
	Stream    int       // number of the conversation, from 0; -1: none
	Direction Direction //
	Tree      *Tree     // never nil in Finish
	// the reassembled, deciphered message, when there is one; the conversation's, valid until Finish returns
	Message   []byte
	Experts   []Expert
	Events    Tree            // what happened in the game, with Options.Events: the top level is a list of objects
	Inputs    []extract.Input // what players do in it, with Options.Inputs
	MatchTime int64           // of the match that is on, in ms, with Options.Events or MatchTimes; negative: not known
	Scene     extract.Scene   // who and what is where, with Options.Scenes
	Shots     *extract.Shots  // those that a state of the game shows, with Options.Shots; nil: none
	Demo      extract.Demo    // what it adds to the demos of its conversation, with Options.Demos
	Files     []extract.File  // what it adds to the files that its conversation carries, with Options.Files
	Rewritten *Rewritten      // the datagram with replaced texts, with Options.Rewriting; nil: RewriteLost

	// Hint is what the protocol's router found out, encoded by the protocol.
	Hint uint64
	// Reading is the reader of the payloads of a transport's record; nil: none. Carried is what the transport's
	// conversation leaves to the reader.
	Reading *Reading
	Carried *Carried
	// ShowSecrets means that views show passwords and keys (--show-secrets). Without it they mask those of
	// Field.Secret and Protocol.AppendSecrets; AppendInfo is a view.
	ShowSecrets bool
	// NoTree means that the tree is not wanted: the conversation decodes for its state alone.
	NoTree bool
	// Outline means that of the tree only what AppendInfo, AppendIdentities and a Rewriting need is wanted, and of the
	// expert entries severity, code and message: the conversation may leave out the rest.
	Outline bool
	// Closing marks a final record of a conversation, such as of a game in progress: with Options.Events each is asked
	// for one when its input ends (Protocol.End), after all packets and in the order of the streams. Its packet is the
	// last relevant datagram without its bytes; it has events and an empty tree.
	Closing bool
	// Final means that the conversation must not hold the record back any longer.
	Final bool
	// Refused means that the game's receiver would not act on the datagram, see Refuse.
	Refused bool
	// Damaged and MessageDone are for the statistics: a fault in the bytes, a game message decoded.
	Damaged, MessageDone bool
	// Unsupported means that nothing of the datagram is read: its protocol is known by its number alone.
	Unsupported bool
	// Undeciphered means that the message cannot be read, or not to its end, for lack of its key.
	Undeciphered bool
	// Uncollected means that its stream has no place in what is collected from the records, for lack of memory: see
	// engine.Config.Collected.
	Uncollected bool
	// Engine is the engine's: the packet's place in its input.
	Engine struct {
		At     idle.Moment
		Router int  // the protocol whose router has the stream, by its index; -1: none
		Fresh  bool // the stream was forgotten before the packet
	}
}

// NewRecord returns an empty record, for callers that use a Conversation themselves.
func NewRecord() *Record {
	r := &Record{Tree: &Tree{open: make([]int32, 0, 32)}} // a cache line of its own, or two, as the tree has
	r.Reset()
	return r
}

// Reset makes the record ready for another packet and keeps its memory. A new Record costs four times as much;
// TestResetForgets finds a field that is missing here.
func (r *Record) Reset() {
	r.Packet, r.File, r.FirstTime = Packet{}, "", 0
	r.Protocol, r.Stream, r.Direction = nil, -1, Undecidable
	r.Message, r.Experts, r.Inputs, r.Files = nil, r.Experts[:0], r.Inputs[:0], r.Files[:0]
	r.Demo, r.Rewritten, r.Shots = extract.Demo{}, nil, nil
	r.Scene.Reset()
	r.Hint, r.MatchTime, r.Reading, r.Carried = 0, -1, nil, nil
	r.ShowSecrets, r.NoTree, r.Outline, r.Closing = false, false, false, false
	r.Final, r.Refused, r.Damaged, r.MessageDone = false, false, false, false
	r.Unsupported, r.Undeciphered, r.Uncollected = false, false, false
	r.Engine.At, r.Engine.Router, r.Engine.Fresh = idle.Moment{}, 0, false
	r.Tree.Reset()
	r.Events.Reset()
}

// Decoding returns the tree to decode into: nil if none is wanted.
func (r *Record) Decoding() *Tree {
	if r.NoTree {
		return nil
	}
	return r.Tree
}

// EventSource returns the protocol of the record's events: the reader of the payloads, if there is one, and
// else the record's own. nil: it has none.
func (r *Record) EventSource() *Protocol {
	if r.Reading != nil && r.Reading.Reader.EventRoot != nil {
		return r.Reading.Reader
	}
	if r.Protocol != nil && r.Protocol.EventRoot != nil {
		return r.Protocol
	}
	return nil
}

// ExpertNotAccepted is the code of the entry of a refused record.
const ExpertNotAccepted = "not_accepted"

// Refuse marks a record whose datagram the game's receiver would not act on, because of a token, an address or a number
// that are not the session's. The record is shown with the reason, it changes no other record and no result, and it is
// counted neither as damaged nor as one without its key.
func (r *Record) Refuse(f *Field, format string, args ...any) {
	r.Refused, r.Damaged, r.Undeciphered = true, false, false
	r.Expert(Warning, ExpertNotAccepted, f, 0, format, args...)
}

// Transit is Protocol.Transit of the record. false: the protocol is not known, or has none, or the record is refused.
func (r *Record) Transit(t *Transit) bool {
	return !r.Refused && r.Protocol != nil && r.Protocol.Transit != nil && r.Protocol.Transit(r, t)
}

// Query is Protocol.Query of the record. false: the protocol is not known, or has none.
func (r *Record) Query(q *Query) bool {
	return r.Protocol != nil && r.Protocol.Query != nil && r.Protocol.Query(r, q)
}

// Introduction is Protocol.Introduction of the record. false: the protocol is not known, or has none, or the record is
// refused.
func (r *Record) Introduction(id *Introduction) bool {
	return !r.Refused && r.Protocol != nil && r.Protocol.Introduction != nil && r.Protocol.Introduction(r, id)
}

// Carries is Protocol.Carries of the record. false: the protocol is not known, or has none, or the record is refused.
func (r *Record) Carries() bool {
	return !r.Refused && r.Protocol != nil && r.Protocol.Carries != nil && r.Protocol.Carries(r)
}

// AppendSecrets is Protocol.AppendSecrets of the record. Nothing is appended if the protocol is not known, or has none.
func (r *Record) AppendSecrets(dst []Secret) []Secret {
	if r.Protocol == nil || r.Protocol.AppendSecrets == nil {
		return dst
	}
	return r.Protocol.AppendSecrets(dst, r)
}

// Server returns the endpoint of the server, whichever side sent the datagram. ok is false for a recording and
// if the direction is not known.
func (r *Record) Server() (server netip.AddrPort, ok bool) {
	if server = r.Src; r.Direction == ClientToServer {
		server = r.Dst
	}
	return server, r.Direction != Undecidable && server.IsValid()
}

// Expert adds an entry about field f of the innermost open container of the tree.
func (r *Record) Expert(s Severity, code string, f *Field, bit int, format string, args ...any) {
	if s == Fault {
		r.Damaged = !r.Refused
	}
	if r.NoTree {
		return
	}
	r.Experts = append(r.Experts, Expert{
		Severity: s, Code: code, BitOffset: bit, Message: fmt.Sprintf(format, args...),
		Field: string(r.Tree.AppendOpenPath(nil, f)),
	})
}

// ExpertError adds an entry about a decoding failure.
func (r *Record) ExpertError(s Severity, code string, err *Error) {
	if s == Fault {
		r.Damaged = !r.Refused
	}
	if r.NoTree {
		return
	}
	r.Experts = append(r.Experts, Expert{
		Severity: s, Code: code, BitOffset: err.Bit,
		Message: err.Err.Error(), Field: err.Field,
	})
}
