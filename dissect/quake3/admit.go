package quake3

import (
	"encoding/binary"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/gate"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/router"
)

// What the receiver of a packet would not act on is shown, with the reason, and changes nothing: neither the session,
// nor what is told of it. Package gate has the rules; here they are asked with what is known of the session.

// admit decides on the out-of-band packet at hand.
func (c *conversation) admit(rec *dissect.Record) gate.Refusal {
	s := gate.Session{Silence: -1, Given: c.gave, GoesOn: router.Hint(rec.Hint).GoesOn()}
	if c.play != nil {
		s.Plays = c.sides[0].reads.plays() || c.sides[1].reads.plays()
		if server := &c.sides[netchan.SideIndex(false)]; server.timed && rec.HasTime {
			s.Silence = time.Duration(rec.Time - server.heard)
		}
	}
	return c.gate.OutOfBand(c.oob, rec.Direction, &s)
}

// gave reports whether the server gave the client a challenge: the session's, or one for another connection.
func (c *conversation) gave(challenge int32) bool {
	return c.challengeKnown && c.challenge == challenge || c.Gave(challenge)
}

// sender decides on a sequenced packet by what its header has of its sender, which is clear in all that are read.
func (c *conversation) sender(payload []byte, fromClient bool) gate.Refusal {
	size := netchan.HeaderSize(fromClient)
	unread := c.encoding == netchan.Unread || c.encoding == netchan.Unknown && c.version != 0 &&
		encodingOf(c.version) == netchan.Unread
	if unread || len(payload) < size {
		return ""
	}
	var h netchan.Header // field by field: most of it is not needed
	h.Sequence, h.FromClient = binary.LittleEndian.Uint32(payload)&^netchan.FragmentBit, fromClient
	if fromClient {
		h.Qport = binary.LittleEndian.Uint16(payload[4:])
	}
	return c.gate.Sequenced(&h)
}

// refuse notes in the record that the receiver would not act on its datagram.
func refuse(rec *dissect.Record, why gate.Refusal) {
	if why != "" {
		rec.Refuse(nil, "%s", string(why))
	}
}

// judge decides on a message that could not be read: where others can, it is not the session's.
func (c *conversation) judge(t *attempt) {
	m := t.m
	s := &c.sides[netchan.SideIndex(m.fromClient)]
	switch {
	case t.recovered || m.cut > 0:
	case t.known:
		if s.reads.refutes(m.body) {
			m.refusal = "it cannot be read as a message of the session, as others can"
		}
	case c.challengeKnown:
		window, other := &c.client, &c.sides[1-netchan.SideIndex(m.fromClient)]
		if m.fromClient {
			window = &c.server
		}
		judges := window.known && s.packets > 1 && !other.cut
		if judges && !s.acks.follows(m.prefix().reliableAck, window, m.body) {
			m.refusal = "it acknowledges a command that the other side cannot have sent"
		}
	default:
		if !s.acks.admits(m.prefix().reliableAck, m.body) {
			m.refusal = "it acknowledges a command far from those that others acknowledge"
		} else {
			s.reads.confirms()
		}
	}
	if t.ours = m.refusal == ""; !t.ours {
		s.arrivals = m.before
		s.fragments.Refuse()
	}
}

// acks are the reliable commands that messages acknowledge which cannot be read.
type acks struct {
	newest int32
	votes  uint8
	ahead  int32  // the last one that was acknowledged and is not known
	far    int32  // one that a single message acknowledged, far ahead of those
	print  uint64 // of that message: copies are one witness
}

// follows reports whether a command that is not in a window can be of the other side: numbers that a peer has
// dropped cannot, and one far ahead of those known can when a second message has it.
func (a *acks) follows(ack int32, window *commands, body []byte) bool {
	const step = 8 // more commands than are lost at once, with all the messages that repeat them
	if ack < max(0, window.newest-window.window) {
		return false
	}
	if print := printOf(body); ack-max(window.newest, a.ahead) > step {
		if second := a.print != 0 && print != a.print && max(ack-a.far, a.far-ack) <= step; !second {
			a.far, a.print = ack, print
			return false
		}
	}
	if ack > window.newest {
		a.ahead = ack
	}
	return true
}

// admits reports whether an acknowledged number is near those of most messages, where nothing else is known.
func (a *acks) admits(ack int32, body []byte) bool {
	const near = 64 // MAX_RELIABLE_COMMANDS in code/qcommon/qcommon.h
	switch ahead := int64(ack) - int64(a.newest); {
	case a.votes > 0 && ahead >= -near && ahead <= near:
		a.newest, a.votes = max(a.newest, ack), min(a.votes, 1<<6-1)+1
	case a.votes > 1:
		if print := printOf(body); print != a.print {
			a.print = print
			a.votes--
		}
		return false
	default:
		a.newest, a.votes = ack, 1
	}
	return true
}

// A credit is the evidence that a direction's messages can be read: those that could, less those that could not. Copies
// of one are one.
type credit struct {
	balance uint8
	last    uint64 // print of the last message that could not be read
	refused bool   // that one
}

// newCredit is that of a session whose handshake shows how its messages are read.
var newCredit = credit{balance: 1}

// plays reports whether a message could be read.
func (c *credit) plays() bool { return c.balance > newCredit.balance }

// confirms counts a message that could be read.
func (c *credit) confirms() { c.balance = min(c.balance, 1<<6-1) + 1 }

// refutes counts a message that could not be read, and reports whether it is not the session's.
func (c *credit) refutes(body []byte) bool {
	if print := printOf(body); print != c.last || !c.refused {
		c.last, c.refused = print, c.balance > 0
		c.balance = max(c.balance, 1) - 1
	}
	return c.refused
}
