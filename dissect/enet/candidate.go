package enet

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
)

// What an unknown connection has to show before it is accepted.
const (
	proof    = 6  // packets whose commands fill them exactly, besides one command whose acknowledgement was seen
	maxBlind = 32 // compressed packets in a row that cannot be read
)

// connects recognises a request for a connection, which is alone in its packet.
func (s *scanner) connects(b []byte) (g generation, ok bool) {
	if len(b) < headerLen10+2 {
		return 0, false
	}
	first, third := binary.BigEndian.Uint16(b), binary.BigEndian.Uint16(b[4:])
	const known = timeFlag | noPeer13
	switch {
	case first&^packedFlag == known && (s.asks(b, layout{}) || s.asks(b, layout{checksum: true})):
		return v13, true
	case first == timeFlag20|noPeer13 && (s.asks(b, layout{generation: v20}) ||
		s.asks(b, layout{generation: v20, checksum: true})):
		return v20, true
	case third == timeFlag|noPeer12 && s.asks(b, layout{generation: v12}):
		return v12, true
	case first != noPeer10 && first != photonNoPeer:
	case b[headerLen10] == opConnect && first == noPeer10 && s.asks(b, layout{generation: v10}):
		if s.photon {
			return photon, true
		}
		return v10, true
	case s.asks(b, layout{generation: photon}):
		return photon, true
	}
	return 0, false
}

// asks reports whether a packet is a request for a connection in a layout.
func (s *scanner) asks(b []byte, l layout) bool {
	if !s.scan(b, l) || s.commands != 1 || s.head.peer != noPeer[l.generation] &&
		(l.generation != photon || s.head.peer != photonNoPeer) {
		return false
	}
	if opOf(s.unpacked[0], l.generation) != opConnect {
		return false
	}
	a := arrived{shape: commandTable[opConnect].shapes[l.generation], body: commandHeadLen(l.generation)}
	mtu, channels := a.value(s.unpacked, mtuField), a.value(s.unpacked, channelsField)
	return mtu >= 576 && mtu <= maxMTU && channels >= 1 && channels <= 255
}

// begins reports whether a packet between two unknown endpoints can belong to a connection, with a
// pattern that is rare by chance. Most other traffic gets no further.
func (s *scanner) begins(b []byte) bool {
	for _, l := range layouts {
		if promises(b, l) && s.follows(b, l) && s.marked {
			return true
		}
	}
	return false
}

// promises looks at the first command of an uncompressed packet. A compressed one would have to be
// decompressed first, which takes time, and an uncompressed one soon follows.
func promises(b []byte, l layout) bool {
	at := 0
	switch l.generation {
	case v10, photon:
		at = headerLen10
		if l.generation == photon && len(b) > 2 && b[2] == photonChecksum {
			at = photonChecksumLen
		}
		return len(b) >= at+commandHeadLen(v10) && opOf(b[at], l.generation) != 0 &&
			binary.BigEndian.Uint32(b[at+4:]) <= uint32(len(b)-at)
	case v12:
		at = 4
	}
	if len(b) < at+2 || l.generation == v13 && b[0]&(packedFlag>>8) != 0 {
		return false
	}
	bit := byte(timeFlag >> 8)
	if l.generation == v20 {
		bit = timeFlag20 >> 8
	}
	if b[at]&bit != 0 {
		at += 2
	}
	if at += 2; l.checksum {
		at += l.checksumLen()
	}
	return at < len(b) && firstBytes[b[at]]
}

// firstBytes are the first bytes of commands as senders write them, since 1.1.
var firstBytes = func() (ops [256]bool) {
	for number, c := range commandTable {
		if c != nil && (c.shapes[v13] != nil || c.shapes[v12] != nil) {
			ops[byte(number)|c.flags[0]], ops[byte(number)|c.flags[1]] = true, true
		}
	}
	return ops
}()

// follows reports whether a packet can belong to an established connection. A packet with a command
// that asks for an acknowledgement has a time stamp.
func (s *scanner) follows(b []byte, l layout) bool {
	return s.explains(b, l) && (!s.reliable || s.head.timed)
}

// A candidate is unknown traffic between two endpoints that may be ENet.
type candidate struct {
	frame   uint64 // newest packet tested: testing the same one again proves nothing
	guesses [generations]guess
}

// try tests a datagram of unknown traffic, and reports whether that is enough.
func (r *router) try(p *dissect.Packet, pr *pair, src flows.Side) bool {
	switch {
	case pr.Foreign:
		return false
	case pr.candidate == nil:
		if !r.scan.begins(p.Payload) {
			return false
		}
		pr.candidate = &candidate{}
	case p.Frame <= pr.candidate.frame:
		return false
	}
	t := pr.candidate
	t.frame = p.Frame
	alive := false
	for i := range t.guesses {
		g := &t.guesses[i]
		if g.dead {
			continue
		}
		if !g.fits(&r.scan, p.Payload, src.Index(), generation(i)) {
			g.misses++
			g.dead = g.misses > 1
			alive = alive || !g.dead && g.hits > 0
			continue
		}
		alive = true
		if g.proven() {
			pr.generation = t.dialect(generation(i), p)
			pr.candidate, pr.Connected = nil, true
			pr.evidence.Prove()
			return true
		}
	}
	if !alive {
		pr.candidate, pr.Foreign = nil, true
	}
	return false
}

// dialect returns the generation of a connection that is proven to have one: what can be 1.0 is Photon if that explains
// the packets too, and something or the port speaks for it.
func (t *candidate) dialect(g generation, p *dissect.Packet) generation {
	if other := &t.guesses[photon]; g == v10 && !other.dead && (other.signed || photonPort(p)) {
		return photon
	}
	return g
}

// A guess follows acknowledgements. It is dropped with the second packet that does not fit: anybody can send one.
type guess struct {
	dead     bool
	misses   int
	signed   bool // there was a command as Photon writes it
	hits     int
	blind    int // compressed packets that could not be read since the last one that could
	acked    bool
	checksum int8    // 0: not known; 1: none; 2: there are some
	last     [2]sent // newest reliable command of each side
	recent   [2][8]sent
	at       [2]int
}

// A sent is a command that asks for an acknowledgement.
type sent struct {
	known    bool
	channel  uint8
	sequence uint32
	time     uint32
}

// fits tests a packet.
func (t *guess) fits(s *scanner, b []byte, src int, g generation) bool {
	l := layout{generation: g}
	ok := t.checksum != 2 && s.follows(b, l)
	if !ok && g.recent() && t.checksum != 1 {
		l.checksum = true
		ok = s.follows(b, l)
	}
	if !ok {
		t.blind++ // compressed in another way: it proves nothing
		return s.head.packed && t.hits > 0 && t.blind <= maxBlind
	}
	t.blind = 0
	t.signed = t.signed || s.photon
	if g.recent() {
		t.checksum = 1
		if l.checksum {
			t.checksum = 2
		}
	}
	sent := sent{s.reliable, s.channel, s.sequence, s.head.time}
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

func (t *guess) proven() bool { return t.acked && t.hits >= proof+2*t.misses }
