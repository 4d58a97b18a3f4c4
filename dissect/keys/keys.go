// Package keys has the keys of enciphered sessions: what a conversation recovered or was given, passed from one pass
// over an input to the next.
package keys

import (
	"cmp"
	"net/netip"
	"slices"
)

// A Key is the key of a session, and how it is known. Protocols that encipher their messages with what
// the peers sent each other (a challenge, commands) need it to read a session whose beginning was not captured.
type Key struct {
	Protocol string
	Stream   int // within the input
	Session  int // within the stream
	Server   netip.AddrPort
	Client   netip.AddrPort
	Encoding string // in the protocol's words
	Known    Origin // how
	First    uint64 // frame of the session's first sequenced packet
	Since    uint64 // frame of the first message that the key deciphers; 0: none

	Challenge    int32
	HasChallenge bool
	LowByte      bool // only the low byte of Challenge is known, which is all that the cipher uses
	// no other challenge is possible; false: it and the first character of each command compensate for each other
	Proven bool

	// protocol number whose tables read the messages of a game made from Quake III, without a handshake; 0: none is
	// needed or known
	Version int

	Messages int  // messages of the session that are enciphered
	Verified int  // those of them that were deciphered to their end
	Margin   int  // evidence for the challenge over the second best, in bits
	GaveUp   bool // the search was stopped at its limit
	Commands []Command
	Feeds    []Feed
}

// An Origin is how a key is known.
type Origin string

// The origins of keys.
const (
	Handshake Origin = "handshake" // the packets at the beginning of the session contain it
	Checksum  Origin = "checksum"  // it follows from checksums, which only it explains
	Recovered Origin = "recovered" // it was recovered from the enciphered messages
	Given     Origin = "given"     // the user gave it
	Unknown   Origin = "unknown"
)

// A Command is a reliable command that messages are enciphered with, but that no captured message contains
// before them.
type Command struct {
	FromClient bool
	Number     int32
	Text       []byte
	Masked     []byte // Text as views show it, without passwords
	Whole      bool   // the text is complete; otherwise only its beginning is known
	// the text is from a message that was deciphered; otherwise it was recovered, with '.' for '%' and for bytes
	// above 127
	Read     bool
	Verified int // messages that it deciphers to their end
	Evidence int // for it, in bits
}

// A Feed is what user commands are keyed with in one game of a session, if no message contains it.
type Feed struct {
	ServerID int32
	Low      uint16 // the low 16 bits of the checksum feed; the others are not used
	Verified int    // turns of the player that confirm it
}

// A Table has the keys of the sessions of one input, as dissect.Options.KeyFound reports them. The zero value is empty.
// It has no lock: an engine that fills it has one worker.
type Table struct {
	list  []Key
	place map[sessionID]int // in list
}

// A sessionID identifies a session within an input.
type sessionID struct {
	protocol        string
	stream, session int
}

func (k *Key) id() sessionID { return sessionID{k.Protocol, k.Stream, k.Session} }

// Add adds the key of a session, and replaces an earlier one of the same session. It is for dissect.Options.KeyFound.
func (s *Table) Add(k Key) {
	at, known := s.place[k.id()]
	if known {
		s.list[at] = k
		return
	}
	if s.place == nil {
		s.place = map[sessionID]int{}
	}
	s.place[k.id()] = len(s.list)
	s.list = append(s.list, k)
}

// Find returns the key of the session that k identifies, or nil. It is for dissect.Options.Keys; the key is the
// table's.
func (s *Table) Find(k Key) *Key {
	if at, known := s.place[k.id()]; known {
		return &s.list[at]
	}
	return nil
}

// List returns the keys in the order of the streams and their sessions.
func (s *Table) List() []Key {
	return slices.SortedStableFunc(slices.Values(s.list), func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Stream, b.Stream), cmp.Compare(a.Session, b.Session))
	})
}
