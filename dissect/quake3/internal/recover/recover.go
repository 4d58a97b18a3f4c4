// Package recover finds the keys of enciphered sessions whose beginning was not captured.
package recover

import (
	"sync/atomic"

	"github.com/q3dissect/q3dissect/huffcodec"
)

// A Message is a complete message of a session, as it travels: enciphered from byte 4 (server) or 12
// (client) on.
type Message struct {
	FromClient bool
	Sequence   uint32 // without the fragment bit
	At         int64  // capture time in milliseconds
	Body       []byte // behind the netchan header, put together
}

const (
	serverClear = 4  // SV_ENCODE_START, code/qcommon/qcommon.h
	clientClear = 12 // CL_ENCODE_START
)

// A prefix is what begins a message and is not enciphered.
type prefix struct{ serverID, messageAck, ack int32 }

func (m *Message) prefix() (p prefix, ok bool) {
	r := huffcodec.NewReader(m.Body, huffcodec.Static)
	if m.FromClient {
		p.serverID = int32(r.Bits(32))
		p.messageAck = int32(r.Bits(32))
	}
	p.ack = int32(r.Bits(32))
	return p, !r.Failed()
}

// key gives the first enciphered byte, and what the challenge is XORed with for the first key.
func (m *Message) key() (start int, base byte) {
	if !m.FromClient {
		return serverClear, byte(m.Sequence)
	}
	p, _ := m.prefix()
	return clientClear, byte(p.serverID) ^ byte(p.messageAck)
}

// keyText is a command as the cipher uses it.
func keyText(text []byte) []byte {
	k := make([]byte, 0, len(text))
	for _, c := range text {
		if c == 0 {
			break
		}
		k = append(k, keyCharacter(c))
	}
	return k
}

// A Command is a reliable command as far as it was recovered.
type Command struct {
	Text     []byte // as the cipher uses it where Read is false: '.' for '%' and what is above 127
	Whole    bool   // the text is complete; otherwise only so many of its characters are known
	Read     bool   // a message that was deciphered carried it
	Needed   bool   // messages waited for it
	Evidence int32  // bits: how much more likely the messages are under it than as noise
	Verified int    // messages that it deciphers to their end
}

// Keys are what was found out about a session.
type Keys struct {
	Challenge int                  // low byte; -1: nothing is known
	Proven    bool                 // the challenge is certain; otherwise it and the first characters of the commands make up for each other
	Evidence  int                  // bits: margin of the challenge over the second best
	Verified  int                  // messages that were deciphered to their end
	Failed    int                  // messages whose key seemed known and which were not
	Messages  int                  // enciphered messages
	GaveUp    bool                 // the search was stopped for its cost
	Feeds     map[int32]Feed       // checksum feeds by server id
	Commands  [2]map[int32]Command // reliable commands by number: of the server, of the client
}

// A Finder has what all sessions share. It is safe for concurrent use.
type Finder struct {
	m      *model
	credit *atomic.Int64 // work that may yet be spent on sessions without success; nil: any
}

// NewFinder makes a Finder.
func NewFinder() *Finder { return &Finder{m: newModel()} }

// Work on sessions without success, together: before the first message, and for each.
const (
	sharedBase = 150 << 20
	sharedMore = 48
)

// Limited gives a Finder whose sessions share a bound for work without success: traffic that only looks
// like sessions, however much there is of it. The sessions must be used by one goroutine.
func (f *Finder) Limited() *Finder {
	l := &Finder{m: f.m, credit: new(atomic.Int64)}
	l.credit.Store(sharedBase)
	return l
}

// pay takes what a session spent since it was asked last off the shared bound, unless it has its key.
func (f *Finder) pay(s *Session) bool {
	if f.credit == nil {
		return true
	}
	due := s.spent - s.paid
	s.paid = s.spent
	if s.keys.Challenge >= 0 {
		return true
	}
	s.owed += due
	return f.credit.Add(-due) > 0
}
