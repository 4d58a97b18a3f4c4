package enet

import (
	"encoding/binary"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
)

// hintGoesOn is the bit of Record.Hint of a packet that ends a connection which goes on. The lower bits are the
// generation.
const hintGoesOn = 1 << 8

// Reasons why a receiver does not act on a packet, enet_protocol_handle_incoming_commands in protocol.c.
const (
	otherPeer       = "its peer and session number are not the connection's"
	otherConnection = "it has the number of another connection"
	noConnection    = "it names no connection, and asks for none"
	notAsked        = "nobody asked for the connection that it accepts"
	wrongChecksum   = "its checksum is wrong"
	noChecksum      = "it lacks the checksum that the connection's packets have"
	goesOn          = "it ends the connection, which goes on: it was taken back"
	noCommands      = "it is no packet of the connection, as others are"
	hadAnother      = "the receiver has had another command with its number"
)

// enoughSound is how many packets that can be read show that one which cannot is not the connection's.
const enoughSound = 3

// A vote finds the number that most packets of a side have.
type vote struct {
	number   uint32
	votes    uint8
	expected uint32 // number of the handshake
	expects  bool   // there is one
	print    uint32 // of the last packet that counted: copies are one witness
}

// admits counts a packet's number, and reports whether it is the connection's.
func (v *vote) admits(number, print uint32) bool {
	again := print == v.print
	switch {
	case v.expects && number == v.expected:
		v.number, v.votes = number, 1<<6
	case number == v.number && v.votes > 0:
		if !again {
			v.votes = min(v.votes, 1<<6-1) + 1
		}
	case v.votes > 1 && again:
	case v.votes > 1:
		v.votes--
	default:
		v.number, v.votes = number, 1
	}
	v.print = print
	return number == v.number
}

// expect makes the number of a handshake the connection's with the first packet that has it.
func (v *vote) expect(number uint32) { v.expected, v.expects = number, true }

// A name is what a side's packets call the connection by.
type name struct {
	peer vote // number of the receiver's peer, above it that of the session
	word vote // number of the connection, in every packet before 1.3
}

// refusal returns why the receiver of a packet does not act on it, or "". The scan has its commands if they explain it.
func (e *connection) refusal(rec *dissect.Record, l layout, explained bool) string {
	b, found := rec.Payload, &e.scan.found
	var head header
	switch {
	case rec.Hint&hintGoesOn != 0:
		return goesOn
	case rec.Truncated() || !head.parse(b, l) || head.encrypted:
		return ""
	case !explained && !head.packed && e.sound == enoughSound && len(b) > head.size:
		return noCommands
	case e.sound == enoughSound && e.proven && explained && !l.checksum && e.usual.recent():
		return noChecksum
	}
	from := flows.Sender(&rec.Packet).Index()
	asks := explained && found.connect
	if none := noPeer[l.generation]; head.peer == none || l.generation == photon && head.peer == photonNoPeer {
		// before a side has used another
		if explained && !asks && e.sound == enoughSound && e.names[from].peer.votes > 0 {
			return noConnection
		}
	} else if !e.admits(rec, &head, l, explained, from) {
		return otherPeer
	}
	if why := e.refusesWord(b, l, found, from); why != "" {
		return why
	}
	if explained && e.carries && len(found.verify) > 0 && l.generation.recent() && e.hasID && e.next == nil &&
		[4]byte(found.verify[len(found.verify)-4:]) != e.id {
		return notAsked
	}
	summed := l.checksum || head.summed
	known := head.summed || head.peer == noPeer13 || e.hasID
	if summed && known && (explained || !head.packed) && !e.sumsOrNext(b, &head) && e.firstPacket(b, l) == len(b) {
		return wrongChecksum
	}
	e.proven = e.proven || l.checksum && known && explained
	return ""
}

// own reports whether a generation is the connection's. Packets of Photon can be 1.0 too.
func (e *connection) own(g generation) bool { return g == e.usual || g.long() && e.usual.long() }

// admits reports whether a packet of a side has the connection's peer and session number.
func (e *connection) admits(rec *dissect.Record, head *header, l layout, explained bool, from int) bool {
	if !e.own(l.generation) {
		return true // see meet
	}
	if e.next != nil && explained && e.next.by != from && len(e.scan.found.verify) > 0 {
		return true // it answers a request
	}
	number := uint32(head.peer)
	if l.generation == v13 || l.generation == v20 {
		number |= uint32(rec.Payload[0]>>4&3) << 16
	}
	return e.names[from].peer.admits(number, flows.Fingerprint(0, rec.Payload))
}

// refusesWord is refusal of a packet by the number of the connection in its header, before 1.3. In 1.2 a checksum can
// be in its place, which differs from packet to packet.
func (e *connection) refusesWord(b []byte, l layout, found *found, from int) string {
	at := 0
	switch {
	case !e.own(l.generation):
		return ""
	case l.generation.long():
		at = headerLen10 - 4
	case l.generation != v12:
		return ""
	}
	word := binary.BigEndian.Uint32(b[at:])
	right := e.hasID && word == binary.BigEndian.Uint32(e.id[:])
	if right || found.connect || e.next != nil && word == binary.BigEndian.Uint32(e.next.id[:]) {
		e.worded = e.worded || right && !found.connect
		return ""
	}
	if e.hasID && (e.worded || l.generation.long()) {
		return otherConnection
	}
	v := &e.names[from].word
	if e.hasID || v.admits(word, flows.Fingerprint(0, b)) || v.votes < enoughSound {
		return ""
	}
	return otherConnection
}

// sumsOrNext reports whether a packet's checksum is right for the connection, or for one that was asked for.
func (e *connection) sumsOrNext(b []byte, head *header) bool {
	if e.sums(b, head) {
		return true
	}
	if e.next == nil || head.summed {
		return false
	}
	e.id, e.next.id = e.next.id, e.id
	ok := e.sums(b, head)
	e.id, e.next.id = e.next.id, e.id
	return ok
}

// expect takes from a request, or the answer to it, what the packets of both sides call the connection by.
func (e *connection) expect(a *arrived, b []byte, from int) {
	v := &e.names[1-from].peer
	number := uint32(a.value(b, outPeerField))
	if a.head.number == opConnect {
		if e.next == nil && !e.carries {
			e.asked = number
		}
		return
	}
	if v.expects {
		return
	}
	mine := e.asked
	if e.generation == v13 || e.generation == v20 {
		mine |= uint32(a.value(b, inSessionField)&3) << 16
		number |= uint32(a.value(b, outSessionField)&3) << 16
	}
	v.expect(number)
	e.names[from].peer.expect(mine)
	if len(e.sides[from].channels) == 0 { // no packet before the answer is the connection's
		e.sides[1-from], e.begins = side{}, true
	}
}

// refuse decodes a packet that the receiver does not act on: what it says changes a copy of what is known.
func (c *conversation) refuse(rec *dissect.Record, l layout, explained bool, why string) {
	conn := c.conn
	for i := range c.conn.sides {
		c.conn.sides[i], _ = conn.sides[i].clone()
	}
	c.conn.next, c.read = nil, false
	rec.Refused = true
	c.dissect(rec, l, explained)
	rec.Refuse(nil, "%s", why)
	conn.scan = c.conn.scan // its memory
	c.conn = conn
	c.conn.begins, c.conn.ended = false, false
	c.carried.Begins, c.carried.Ends = false, ""
}

// had reports whether the receiver of a reliable command has had another one with its number: it has acknowledged it.
func (s *side) had(a *arrived, command []byte) bool {
	i := slices.IndexFunc(s.channels, func(c channel) bool { return c.number == a.head.line() })
	if i < 0 || !s.channels[i].answered {
		return false
	}
	c := &s.channels[i]
	return int16(c.answer-uint16(a.head.sequence)) >= 0 &&
		c.seen.Other(uint32(uint16(a.head.sequence)), 16, flows.Fingerprint(0, command))
}

// answered records that a command of the side was acknowledged.
func (s *side) answered(number, sequence uint16) {
	for i := range s.channels {
		if c := &s.channels[i]; c.number&0xff == number && (!c.answered || int16(sequence-c.answer) > 0) {
			c.answer, c.answered = sequence, true
		}
	}
}
