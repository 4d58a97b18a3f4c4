package gamestudio

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
)

// What an unknown connection has to show.
const (
	enetProof = 6  // packets that commands explain to their end, and one command whose acknowledgement was seen
	enetBlind = 32 // compressed packets in a row that cannot be read
)

// connects recognises a request for a connection, which is alone in its packet.
func (s *enetScan) connects(b []byte) (g generation, ok bool) {
	if len(b) < enetFirstHeader+2 {
		return 0, false
	}
	first, third := binary.BigEndian.Uint16(b), binary.BigEndian.Uint16(b[4:])
	const known = enetTimeFlag | enetPeerNew
	switch {
	case first&^enetPackedFlag == known && (s.asks(b, layout{}) || s.asks(b, layout{checksum: true})):
		return enet13, true
	case third == enetTimeFlag|enetPeerOld && s.asks(b, layout{generation: enet12}):
		return enet12, true
	case first == enetPeerFirst && b[enetFirstHeader] == enetConnect && s.asks(b, layout{generation: enet10}):
		return enet10, true
	}
	return 0, false
}

// asks reports whether a packet is a request for a connection in a layout.
func (s *enetScan) asks(b []byte, l layout) bool {
	if !s.scan(b, l) || s.commands != 1 || s.head.peer != enetNoPeer[l.generation] {
		return false
	}
	if enetNumberOf(s.plain[0], l.generation) != enetConnect {
		return false
	}
	a := enetArrived{shape: enetCommandTable[enetConnect].shapes[l.generation], body: enetHeadSize(l.generation)}
	mtu, channels := a.value(s.plain, enetMTU), a.value(s.plain, enetChannels)
	return mtu >= 576 && mtu <= enetMaxMTU && channels >= 1 && channels <= 255
}

// begins reports whether a packet of two endpoints that are not known yet can be of a connection, with more than
// chance has now and then. Most of other people's traffic goes no further.
func (s *enetScan) begins(b []byte) bool {
	for _, l := range enetLayouts {
		if promises(b, l) && s.follows(b, l) && s.marked {
			return true
		}
	}
	return false
}

// promises is a glance at the first command of a packet that is not compressed. A compressed one would have to be
// read, which takes time, and soon there is one that is not.
func promises(b []byte, l layout) bool {
	at := 0
	switch l.generation {
	case enet10:
		return len(b) >= enetFirstHeader+enetHeadSize(enet10) && enetNumberOf(b[enetFirstHeader], enet10) != 0 &&
			binary.BigEndian.Uint32(b[enetFirstHeader+4:]) <= uint32(len(b)-enetFirstHeader)
	case enet12:
		at = 4
	}
	if len(b) < at+2 || l.generation == enet13 && b[0]&(enetPackedFlag>>8) != 0 {
		return false
	}
	if b[at]&(enetTimeFlag>>8) != 0 {
		at += 2
	}
	if at += 2; l.checksum {
		at += 4
	}
	return at < len(b) && enetOps[b[at]]
}

// enetOps are the first bytes that senders give commands, since 1.1.
var enetOps = func() (ops [256]bool) {
	for number, c := range enetCommandTable {
		if c != nil {
			ops[byte(number)|c.flags[0]], ops[byte(number)|c.flags[1]] = true, true
		}
	}
	return ops
}()

// follows reports whether a packet can be of a connection that has begun. What asks for an acknowledgement tells its
// time.
func (s *enetScan) follows(b []byte, l layout) bool {
	return s.explains(b, l) && (!s.reliable || s.head.timed)
}

// A trial tests whether unknown traffic between two endpoints can be ENet.
type trial struct {
	frame uint64 // newest packet that was tested: one that is asked about anew proves nothing
	enet  [enetGenerations]enetTrial
}

// try tests a datagram of unknown traffic, and reports whether that is enough.
func (r *router) try(p *dissect.Packet, pr *pair, src uint8) bool {
	switch {
	case pr.foreign || r.own == rawUDP:
		return false
	case r.own == directPlay8:
		return r.tryDirectPlay8(p, pr, src)
	case pr.trial == nil:
		if !r.enet.begins(p.Payload) {
			return false
		}
		pr.trial = &trial{}
	case p.Frame <= pr.trial.frame:
		return false
	}
	t := pr.trial
	t.frame = p.Frame
	alive := false
	for g := range t.enet {
		e := &t.enet[g]
		if e.dead {
			continue
		}
		if !e.fits(&r.enet, p.Payload, src, generation(g)) {
			e.dead = true
			continue
		}
		alive = true
		if e.proven() {
			pr.hint |= hint(enetUDP) | generation(g).hint()
			pr.trial, pr.connected = nil, true
			return true
		}
	}
	if !alive {
		pr.trial, pr.foreign = nil, true
	}
	return false
}

// An enetTrial follows acknowledgements.
type enetTrial struct {
	dead     bool
	hits     int
	blind    int // compressed packets that could not be read since the last that could
	acked    bool
	checksum int8        // 0: not known; 1: none; 2: there are some
	last     [2]enetSent // newest reliable command of each side
	recent   [2][8]enetSent
	at       [2]int
}

// An enetSent is a command that wants to be acknowledged.
type enetSent struct {
	known    bool
	channel  uint8
	sequence uint32
	time     uint32
}

// fits tests a packet.
func (t *enetTrial) fits(s *enetScan, b []byte, src uint8, g generation) bool {
	l := layout{generation: g}
	ok := t.checksum != 2 && s.follows(b, l)
	if !ok && g == enet13 && t.checksum != 1 {
		l.checksum = true
		ok = s.follows(b, l)
	}
	if !ok {
		t.blind++ // compressed in another way: it proves nothing
		return s.head.packed && t.hits > 0 && t.blind <= enetBlind
	}
	t.blind = 0
	if g == enet13 {
		t.checksum = 1
		if l.checksum {
			t.checksum = 2
		}
	}
	sent := enetSent{s.reliable, s.channel, s.sequence, s.head.time}
	if s.acks > 0 {
		for _, o := range t.recent[1-src] {
			if o.known && o.channel == s.ackChannel && o.sequence == s.ackSequence && o.time == s.ackTime {
				t.acked = true
			}
		}
	}
	if s.reliable && sent != t.last[src] {
		t.last[src] = sent
		t.recent[src][t.at[src]&7] = sent
		t.at[src]++
		t.hits++
	} else if s.acks > 0 || s.data > 0 {
		t.hits++
	}
	return true
}

func (t *enetTrial) proven() bool { return t.acked && t.hits >= enetProof }
