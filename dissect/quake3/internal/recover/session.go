package recover

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Limits of a session.
const (
	maxHeld  = 1 << 20   // bytes of messages that wait for their key
	maxGroup = 64        // messages of a group that a search looks at
	minGroup = 4         // smaller groups are not searched
	accept   = 60 * unit // evidence that a search must find
)

// Limits of the work of a session, in bytes parsed.
const (
	stepsBase   = 12 << 20 // before its first message
	stepsMore   = 3 << 10  // more with each message
	stepsOthers = 7 << 20  // in addition, for the tables of games other than the assumed one
	// more for those, out of the session's own, with each sign that the game is another (Session.hints)
	stepsHint   = 2 << 20
	stepsSearch = 6 << 20 // of one search
	stepsWhole  = 4 << 20 // in addition, to compare whole commands
	stepsFirst  = 1 << 20 // of the first search of a group, twice as much without the challenge; later turns have more
)

// A Session collects the messages of a session and recovers their keys.
type Session struct {
	finder *Finder
	server *Server // nil: nothing is known of its other sessions
	m      *model  // the game whose tables read the messages so far
	rivals []rival // other games that it may be
	keys   Keys
	groups map[groupKey]*group
	held   int      // bytes of the messages in groups
	queue  []*group // groups whose command became known
	forced bool     // NewSession was given the challenge

	// By side: the server, the client.
	times   [2][]offsetAt
	lastAck [2]int32 // the newest reliable command that the side acknowledged in clear
	acked   [2]bool  // lastAck is set

	messageAck    int32 // the newest message of the server that the client acknowledged
	servers       int   // messages of the server
	solving       bool  // no more messages come
	last          bool  // Solve searches for the last time: messages of clients too
	learned       int   // commands that became known
	learnedBefore int   // learned, when the last time began

	// Work, in bytes parsed.
	spent, allowed int64
	elsewhere      int64 // part of spent: with the tables of games other than the first
	paid           int64 // part of spent: seen by Finder.pay
	owed           int64 // part of paid: charged to the shared limit, to be given back on success
	comparing      int64 // part of spent: with whole commands
	renewed        bool  // allowed was renewed when the first message was read

	hints     int64                       // groups whose messages the tables of the first game read only in part
	promising []*model                    // the games, in the order in which the next search tries them
	lexicons  [tables.NumCorpora]*lexicon // nil before the first search
	studied   [][]byte                    // texts that a new lexicon learns
	inputs    inputs

	plain, pad []byte // memory of one message
}

// side is 1 for the client and 0 for the server.
func side(fromClient bool) int {
	if fromClient {
		return 1
	}
	return 0
}

type groupKey struct {
	fromClient bool
	ack        int32
}

// A group is the messages of one direction that acknowledge the same command.
type group struct {
	groupKey
	waiting []waitingMessage
	tried   int            // messages that waited at the last search
	keyed   bool           // the challenge was known then
	learned int            // Session.learned then
	turn    int            // the next search: see numParts
	stopped [numParts]bool // by part: its last search was stopped by its limit
	settled int            // messages that waited when settle last tried the group

	compared, comparedAt int // messages that waited, and Session.learned, when whole commands were last tried
}

// A waitingMessage waits for its key.
type waitingMessage struct {
	Message
	scene scene
}

// offsetAt is server time minus capture time, from a capture time on.
type offsetAt struct{ at, offset int64 }

// NewSession begins a session. challenge is the low byte of the session's challenge, or -1 if it is not known.
func (f *Finder) NewSession(challenge int) *Session {
	s := &Session{finder: f, groups: map[groupKey]*group{}, allowed: stepsBase}
	s.keys = Keys{
		Challenge: challenge, Proven: challenge >= 0, Commands: [2]map[int32]Command{{}, {}},
		Feeds: map[int32]Feed{},
	}
	s.forced = challenge >= 0
	s.anyGame()
	s.keys.Commands[0][0], s.keys.Commands[1][0] = Command{Whole: true, Read: true}, Command{Whole: true, Read: true}
	return s
}

// Keys returns what is known so far. The maps are the session's.
func (s *Session) Keys() *Keys { return &s.keys }

// Set starts with keys that were found before.
func (s *Session) Set(challenge int, proven bool, commands [2]map[int32]Command) {
	s.keys.Challenge, s.keys.Proven = challenge, proven
	for sd := range commands {
		for n, c := range commands[sd] {
			s.keys.Commands[sd][n] = c
		}
	}
}

// Know stores a reliable command that a message contains which was read elsewhere, and opens the messages that wait for
// it.
func (s *Session) Know(fromClient bool, number int32, text []byte) {
	s.learn(fromClient, number, text)
	s.propagate()
}

// Idle drops the messages that wait, and what only searches need.
func (s *Session) Idle() {
	s.groups, s.held, s.queue = map[groupKey]*group{}, 0, nil
	s.lexicons, s.plain, s.inputs = [tables.NumCorpora]*lexicon{}, nil, inputs{}
}

// Text returns a reliable command as the cipher uses it, or its beginning.
func (s *Session) Text(fromClient bool, number int32) (text []byte, whole, ok bool) {
	c, ok := s.keys.Commands[side(fromClient)][number]
	return c.Text, c.Whole, ok && (s.keys.Proven || c.Read)
}

// Add adds the next message, whose body is copied.
func (s *Session) Add(msg Message) {
	p, ok := msg.prefix()
	start, _ := msg.key()
	if !ok || len(msg.Body) <= start || p.ack < 0 {
		return
	}
	s.allowed += stepsMore
	s.finder.hear()
	if !msg.FromClient {
		s.servers++
	}
	s.keys.Messages++
	h := waitingMessage{Message: msg, scene: scene{fromClient: msg.FromClient}}
	me := side(msg.FromClient)
	if s.acked[1-me] {
		h.scene.command, h.scene.hasCommand = s.lastAck[1-me], true
	}
	if msg.FromClient {
		s.messageAck = max(s.messageAck, p.messageAck)
	} else if d := int32(msg.Sequence) - s.messageAck; s.messageAck > 0 && d > 0 && d < 32 {
		h.scene.delta = d
	}
	s.lastAck[me], s.acked[me] = max(s.lastAck[me], p.ack), true
	key := groupKey{msg.FromClient, p.ack}
	g := s.groups[key]
	if g == nil {
		g = &group{groupKey: key}
		s.groups[key] = g
	}
	h.Body = slices.Clone(msg.Body)
	if s.known(g) {
		n := len(g.waiting)
		s.open(g, &h)
		s.propagate()
		if len(g.waiting) <= n {
			return
		}
	} else {
		g.waiting = append(g.waiting, h)
		s.held += len(h.Body)
	}
	s.shed()
	switch n := len(g.waiting); n {
	case 24, 64, 160, 400, 1000, 2500:
		s.attackAll(n)
	}
}

// shed drops the oldest messages of the largest group when too much waits.
func (s *Session) shed() {
	for s.held > maxHeld {
		var largest *group
		for _, g := range s.groups {
			if largest == nil || len(g.waiting) > len(largest.waiting) || len(g.waiting) == len(largest.waiting) &&
				g.before(largest) {
				largest = g
			}
		}
		n := (len(largest.waiting) + 1) / 2
		for _, h := range largest.waiting[:n] {
			s.held -= len(h.Body)
		}
		largest.waiting = slices.Delete(largest.waiting, 0, n)
	}
}

func (g *group) before(o *group) bool {
	if g.ack != o.ack {
		return g.ack < o.ack
	}
	return !g.fromClient && o.fromClient
}

// known reports whether the messages of a group can be deciphered, at least those no longer than the known part of the
// command.
func (s *Session) known(g *group) bool {
	c, ok := s.keys.Commands[1-side(g.fromClient)][g.ack]
	return ok && s.keys.Challenge >= 0 && (s.keys.Proven || !c.Read)
}

// whole reports whether all messages of a group can be deciphered.
func (s *Session) whole(g *group) bool {
	return s.known(g) && s.keys.Commands[1-side(g.fromClient)][g.ack].Whole
}

// Solve searches the groups that are not open yet. It is called when no more messages come, or at times.
func (s *Session) Solve() {
	s.solving, s.keys.GaveUp = true, false
	s.consult()
	s.tryWhole()
	s.attackAll(minGroup)
	s.tryWhole()
	s.keys.GaveUp = false
	s.last, s.learnedBefore = true, s.learned
	s.attackAll(minGroup)
	s.last, s.solving = false, false
	s.tell()
	s.findFeeds()
}
