package truth_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// A truthModel is what the lines of a truth file say together: what was carried before, and by which
// keys.
type truthModel struct {
	connects map[uint16]connectRequest // the last one, by the client's port
	sessions map[int]*truthSession
	game     string // the game of sessions without a handshake, found from their messages
}

// A connectRequest is what a client asked for in a connect packet.
type connectRequest struct {
	version   string
	challenge int32
	stream    int // of our records
}

// A truthSession is one session, numbered from 1 in the truth file.
type truthSession struct {
	number  int
	connect *connectRequest // nil: the connect is not in the capture
	stream  int             // of our records
	session int             // of our records

	newest  map[string]uint32               // highest sequence number, by direction
	carried map[string]map[json.Number]bool // reliable commands, by direction
	moved   recentMoves                     // user commands
	game    bool                            // is known: the server information was in the capture

	byMessages string                   // the game, found from the messages of a session without a handshake
	serverID   string                   // of the game, as far as the capture shows it
	feeds      map[string]bool          // server ids whose checksum feed was in the capture
	snapshots  map[uint32]knownEntities // by sequence number
}

// knownEntities are the entities of a snapshot that an observer knows to be there.
type knownEntities struct {
	partial bool // there may be others
	numbers map[json.Number]bool
}

func newTruthModel() *truthModel {
	return &truthModel{connects: map[uint16]connectRequest{}, sessions: map[int]*truthSession{}}
}

// oob takes note of a connect packet.
func (m *truthModel) oob(t *truthLine, stream int) {
	if t.Text == nil || !t.Compressed {
		return
	}
	userinfo := strings.Trim(strings.TrimPrefix(*t.Text, "connect "), `"`)
	challenge, err := strconv.ParseInt(infoValue(userinfo, "challenge"), 10, 32)
	if err != nil {
		return // the sender's compressor cut the text
	}
	m.connects[t.ClientPort] = connectRequest{infoValue(userinfo, "protocol"), int32(challenge), stream}
}

// session returns the session of a message. first is true for its first message.
func (m *truthModel) session(t *truthLine) (s *truthSession, first bool) {
	if s = m.sessions[t.Session]; s != nil {
		return s, false
	}
	s = &truthSession{
		number: t.Session, newest: map[string]uint32{}, carried: map[string]map[json.Number]bool{"s2c": {}, "c2s": {}},
		feeds: map[string]bool{}, snapshots: map[uint32]knownEntities{},
	}
	if c, ok := m.connects[t.ClientPort]; ok {
		s.connect = &c
	} else {
		s.byMessages = m.game
	}
	m.sessions[t.Session] = s
	return s, true
}

// lostBefore is how many sequence numbers a message skips.
func (s *truthSession) lostBefore(t *truthLine) uint32 {
	newest := s.newest[t.Dir]
	if newest == 0 && s.connect == nil || t.Sequence <= newest {
		return 0
	}
	return t.Sequence - newest - 1
}

// after takes note of what a message carried.
func (s *truthSession) after(t *truthLine) {
	s.newest[t.Dir] = max(s.newest[t.Dir], t.Sequence)
	for i := range t.Ops {
		op := &t.Ops[i]
		if op.Op == "servercommand" || op.Op == "clientcommand" {
			s.carried[t.Dir][op.Number] = true
		}
		for j := range op.Commands {
			s.moved.put(op.Commands[j].key())
		}
	}
}

// recentMoves are the last user commands that differ. A client keeps 64 of them (CMD_BACKUP in
// code/client/client.h), so what is older is not a repetition but the same input again.
type recentMoves []string

func (r *recentMoves) put(key string) {
	if slices.Contains(*r, key) {
		return
	}
	if len(*r) == 64 {
		*r = (*r)[1:]
	}
	*r = append(*r, key)
}

// key identifies a user command by its time and values.
func (u *truthUsercmd) key() string {
	return fmt.Sprint(u.ServerTime, u.Angles, u.ForwardMove, u.RightMove, u.UpMove, u.Buttons, u.Weapon,
		u.Wbuttons, u.Holdable, u.Wolfkick, u.MpSetup, u.Flags, u.DoubleTap, u.IdentClient, u.ForceSel,
		u.InvenSel, u.GenericCmd)
}

// wantUnknown marks the entities whose base an observer cannot know, because the
// snapshots before were not captured.
func (s *truthSession) wantUnknown(t *truthLine, op *truthOp, entities []any) {
	known := knownEntities{numbers: map[json.Number]bool{}}
	base := knownEntities{}
	if delta := uint32(reftest.Number(op.Delta)); delta != 0 && t.Sequence > delta {
		var seen bool
		base, seen = s.snapshots[t.Sequence-delta]
		known.partial = !seen || base.partial
	}
	if known.partial {
		for n := range base.numbers {
			known.numbers[n] = true
		}
		for i := range op.Entities {
			e := &op.Entities[i]
			switch {
			case e.Kind == "removed":
				delete(known.numbers, e.Number)
			case !base.numbers[e.Number]:
				entities[i].(node)["update"] = "unknown"
				fallthrough
			default:
				known.numbers[e.Number] = true
			}
		}
	}
	if !t.Duplicate && !t.Late {
		s.snapshots[t.Sequence] = known
		delete(s.snapshots, t.Sequence-32) // PACKET_BACKUP
	}
}
