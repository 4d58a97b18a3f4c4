// Package recover finds the keys of enciphered sessions whose beginning was not captured.
//
// A message of the legacy encoding is XORed with a pad: the low byte of the session's challenge and of the message's
// numbers, then the characters of a reliable command that the other side sent, over and over. Messages that acknowledge
// the same command form a group, and share its characters. A Session collects groups and searches the command of the
// largest one (search, beam.go): character by character, each candidate scored by how plausible the messages of the
// group become (cursor, model) and by how likely the text is (lexicon). What comes out is accepted only as far as every
// other byte of the pad is much less likely (certify). A command that was found opens its group, whose messages carry
// other commands, which open other groups (propagate).
//
//	f := NewFinder()
//	s := f.NewSession(-1) // nothing is known
//	for _, m := range messages {
//		s.Add(m)
//	}
//	s.Solve()
//	plain, ok := s.Decipher(nil, &m, false)
//
// docs/protocols/cold-start.md explains the method and its limits.
package recover

import (
	"net/netip"
	"sync/atomic"

	"github.com/q3dissect/q3dissect/huffcodec"
)

// A Message is a complete message of a session as transmitted: enciphered from byte 4 (server) or 12 (client)
// on.
type Message struct {
	FromClient bool
	Sequence   uint32 // without the fragment bit
	At         int64  // capture time in milliseconds
	Body       []byte // after the netchan header, reassembled
}

const (
	serverClear = 4  // SV_ENCODE_START, code/qcommon/qcommon.h
	clientClear = 12 // CL_ENCODE_START
)

// A prefix is the beginning of a message, which is not enciphered.
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

// key returns the first enciphered byte, and the value that the challenge is XORed with for the first key.
func (m *Message) key() (start int, base byte) {
	if !m.FromClient {
		return serverClear, byte(m.Sequence)
	}
	p, _ := m.prefix()
	return clientClear, byte(p.serverID) ^ byte(p.messageAck)
}

// keyText returns a command as the cipher uses it: with '.' for '%', and for bytes above 127 in games that do not keep
// them.
func (m *model) keyText(text []byte) []byte {
	k := make([]byte, 0, len(text))
	for _, c := range text {
		if c == 0 {
			break
		}
		k = append(k, m.gen.Kept.Key(c))
	}
	return k
}

// A Command is a reliable command, as far as it was recovered.
type Command struct {
	Text     []byte // as the cipher uses it unless Read: '.' for '%' and for bytes above 127
	Whole    bool   // the text is complete; otherwise only these first characters are known
	Read     bool   // the text is from a message that was deciphered
	Needed   bool   // messages waited for it
	Evidence int32  // bits: how much more likely the messages are with it than as noise
	Verified int    // messages that can be parsed to their end with it
}

// Keys are what is known about a session.
type Keys struct {
	Challenge int // low byte; -1: not known
	// the challenge is certain; otherwise it and the first characters of the commands compensate for each other
	Proven   bool
	Evidence int                  // bits: margin of the challenge over the second best
	Verified int                  // messages that were parsed to their end
	Failed   int                  // messages that could not be parsed although their key seemed known
	Messages int                  // enciphered messages
	GaveUp   bool                 // the search was stopped at its limit
	Feeds    map[int32]Feed       // checksum feeds by server id
	Commands [2]map[int32]Command // reliable commands by number: of the server, of the client
}

// A Finder holds what all sessions share. It is safe for concurrent use.
type Finder struct {
	models *models
	credit *atomic.Int64 // bytes that may still be parsed for sessions without success; nil: unlimited
	heard  int           // messages so far, if there is a limit
	share  Share         // of the run
	most   int64         // bytes that may be parsed in all, if there is a limit
	given  int64         // of these, what the messages so far allow

	servers map[netip.AddrPort]*Server
}

// A Share is what all inputs of a run may take together.
type Share interface {
	Left() int64       // bytes that this input may take
	Spend(bytes int64) // without success; less than 0: some had success after all
}

// NewFinder returns a Finder without a limit for work.
func NewFinder() *Finder { return &Finder{models: new(models)} }

// Limits of the work on all sessions without success together, in bytes parsed.
const (
	sharedBase  = 12 << 20 // before the first message,
	sharedEarly = 24 << 10 // more with each of the first sharedFirst,
	sharedFirst = 5600     //
	sharedMore  = 48       // and with each after them
	// leastCredit must be left for another search: with less, its preparation costs more than the search.
	leastCredit = 96 << 10
)

// Limited returns a Finder whose sessions share a limit of work without success, for traffic that only looks
// like sessions, and less if the run has less left. The sessions must be used by one goroutine.
func (f *Finder) Limited(share Share) *Finder {
	l := &Finder{models: f.models, credit: new(atomic.Int64), share: share, most: share.Left()}
	l.allow(sharedBase)
	return l
}

// allow adds to the shared limit, as far as the run allows it.
func (f *Finder) allow(bytes int64) {
	bytes = min(bytes, f.most-f.given)
	f.given += bytes
	f.credit.Add(bytes)
}

// charge takes from the shared limit, and returns what is left of it.
func (f *Finder) charge(bytes int64) int64 {
	f.share.Spend(bytes)
	return f.credit.Add(-bytes)
}

// hear adds to the shared limit for another message. A few messages cost little, whatever they are: an input of 30 KB
// of noise takes no more than a second.
func (f *Finder) hear() {
	if f.credit == nil {
		return
	}
	f.heard++
	if f.heard <= sharedFirst {
		f.allow(sharedEarly)
	} else if f.most > 0 {
		f.credit.Add(sharedMore)
	}
}

// pay charges what a session spent since the last call to the shared limit, unless its key was found. It reports
// whether enough is left for another search.
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
	return f.charge(due) >= leastCredit
}
