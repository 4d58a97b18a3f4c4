package directplay8

import (
	"encoding/binary"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/cursor"
	"github.com/q3dissect/q3dissect/dissect/flows"
)

// What is demanded of a candidate, a connection that began before the capture.
const (
	proof         = 8  // frames of both sides whose counters fit
	proofEachSide = 3  // of each side
	patience      = 64 // frames after which a candidate without proof is given up
	maxFailed     = 3  // candidates of a pair that may fail
)

// A likelihood is how strongly a single datagram speaks for DirectPlay 8 when the handshake of its
// connection was not seen.
type likelihood uint8

// The likelihoods, and the share of random datagrams that have each.
const (
	never    likelihood = iota // no DirectPlay 8 sender makes it: 19 of 20
	maybe                      // possible, as are many other protocols: one of 20
	likely                     // a complete message in a plain frame: one of 4000
	distinct                   // several bytes have the only value they can: one of a million
)

// likelihoodOf rates a datagram. In versions before 1.5 the control bits mean other things, so only
// plain frames of theirs count. cut reports that the capture lacks the end of the datagram.
func likelihoodOf(b []byte, cut bool) likelihood {
	if len(b) < minFrame {
		return never
	}
	command, control := b[0], b[1]
	const both = commandUser1 | commandUser2
	switch {
	case command&commandData == 0:
		return controlLikelihood(b)
	case command&both == both: // nobody sends voice as a core message
		return never
	}
	at := minFrame
	for masks := control >> 4; masks != 0; masks &= masks - 1 {
		if len(b) < at+4 || binary.LittleEndian.Uint32(b[at:]) == 0 { // a mask of zeros is never sent
			return never
		}
		at += 4
	}
	if control&controlEnd != 0 && command&commandReliable == 0 {
		return never
	}
	rest, whole := b[at:], command&commandWhole == commandWhole
	plain := whole && control&^controlRetry == 0
	switch control & (controlKeepAlive | controlCoalesced) {
	case 0:
		return payloadLikelihood(command, rest, plain)
	case controlKeepAlive:
		const needed = commandReliable | commandOrdered | commandLast
		if command&needed != needed || len(rest) != 4 && len(rest) != 4+signatureSize && !cut {
			return never
		}
		return maybe
	case controlCoalesced:
		switch {
		case !whole:
		case cut:
			return maybe
		case bundled(rest) || len(rest) > signatureSize && bundled(rest[signatureSize:]):
			return distinct
		}
	}
	return never
}

// payloadLikelihood rates a frame with a payload of its own: a core message has one of few types.
func payloadLikelihood(command byte, payload []byte, plain bool) likelihood {
	switch {
	case command&commandUser1 != 0 && command&commandFirst != 0:
		if isCore(payload) || len(payload) > signatureSize && isCore(payload[signatureSize:]) {
			return distinct
		}
		return never
	case plain && command&(commandUser1|commandUser2) == 0 && len(payload) > 0:
		return likely
	}
	return maybe
}

// isCore reports whether b begins with the type of a core message.
func isCore(b []byte) bool {
	if len(b) < 4 {
		return false
	}
	return coreOf(cursor.Little(b[:4])) != nil
}

// bundled reports whether b consists of coalesced messages to its end, padded with zeros.
func bundled(b []byte) bool {
	var u bundle
	if u.parse(b) != "" || u.end != len(b) {
		return false
	}
	at := 2 * u.count
	for i := range u.count {
		for ; at < u.at[i]; at++ {
			if b[at] != 0 {
				return false
			}
		}
		at += u.size[i]
	}
	return true
}

// controlLikelihood rates a control frame. Of those only acknowledgements and ends of connections come without a
// handshake, and the latter are marks.
func controlLikelihood(b []byte) likelihood {
	if len(b) < sackBytes || b[0]&^commandPoll != 0x80 || b[1] != opSack || b[2]&^0x1f != 0 || b[6] != 0 || b[7] != 0 {
		return never
	}
	size := sackBytes
	for masks := b[2] >> 1; masks != 0; masks &= masks - 1 {
		size += 4
	}
	if len(b) != size && len(b) != size+signatureSize {
		return never
	}
	return distinct
}

// counters holds the number of the sender's newest frame and the number of the frame it expects
// next.
func counters(b []byte) (sequence, next uint8) {
	if b[0]&commandData == 0 {
		return b[4] - 1, b[5]
	}
	return b[2], b[3]
}

// A glimpse is the last frame seen of each side of a pair that is no candidate: enough to decide
// whether the next frame of one side answers the other's.
type glimpse struct {
	pair     uint64
	seen     [2]bool
	sequence [2]uint8
	next     [2]uint8
}

// glimpses is the number of glimpses a router keeps. Pairs that share a slot overwrite each other,
// so both sides of a pair must send a frame in between; in a connection they soon do.
const glimpses = 1024

// Limits for the counters of neighbouring frames: how far acknowledgements may lag after the
// frames sent, and how far frame numbers may be from what the other side expects.
const (
	neighbourAcks   = 32
	neighbourBehind = 16
	neighbourAhead  = 64
)

// answers reports whether a frame of the other side answers the last one of side. Zeros everywhere
// do not count as an answer: other protocols have the upper half of a number there, and connections
// leave zero immediately.
func (g *glimpse) answers(side int, sequence, next uint8) bool {
	return g.seen[side] && g.sequence[side]|g.next[side]|sequence|next != 0 && g.sequence[side]+1-next <= neighbourAcks &&
		sequence-g.next[side]+neighbourBehind < neighbourBehind+neighbourAhead
}

// pairNumber hashes two endpoints to a number that does not depend on their order. It need not be
// secret: two pairs with the same number only overwrite each other.
func pairNumber(a, b netip.AddrPort) uint64 { return endpointNumber(a) + endpointNumber(b) }

func endpointNumber(a netip.AddrPort) uint64 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	ip := a.Addr().As16()
	n := (binary.LittleEndian.Uint64(ip[:8])^uint64(a.Port()))*odd ^ binary.LittleEndian.Uint64(ip[8:])
	n *= odd
	return n ^ n>>29
}

// begin examines a datagram of a pair that is no candidate. It becomes one if the datagram
// speaks strongly enough for DirectPlay 8 or answers the other side's last frame. Until then
// datagrams are not held back: most belong to other protocols.
func (r *router) begin(p *dissect.Packet, src flows.Side) *candidate {
	s := likelihoodOf(p.Payload, p.Truncated())
	if s < likely {
		return nil
	}
	if r.glimpses == nil {
		r.glimpses = make([]glimpse, glimpses)
	}
	number := pairNumber(p.Src, p.Dst)
	g := &r.glimpses[number%glimpses]
	if g.pair != number {
		*g = glimpse{pair: number}
	}
	sequence, next := counters(p.Payload)
	supported := g.answers(src.Other().Index(), sequence, next)
	g.seen[src.Index()], g.sequence[src.Index()], g.next[src.Index()] = true, sequence, next
	if !supported && s < distinct {
		return nil
	}
	t := &candidate{}
	if supported {
		t.sides[src.Other().Index()] = candidateSide{
			seen: true, last: g.sequence[src.Other().Index()],
			next: g.next[src.Other().Index()],
		}
	}
	return t
}

// try tests a datagram of unknown traffic, and reports whether that is enough.
func (r *router) try(p *dissect.Packet, pr *pair, src flows.Side) bool {
	if pr.Foreign || p.Frame <= pr.tried { // asked about again
		return false
	}
	t := pr.candidate
	if t == nil {
		if t = r.begin(p, src); t == nil {
			return false
		}
		pr.candidate = t
	}
	pr.tried = p.Frame
	if !t.fits(p, src) || t.tested > patience {
		pr.candidate = nil
		pr.failed++
		pr.Foreign = pr.failed >= maxFailed
		return false
	}
	if !t.proven() {
		return false
	}
	pr.candidate, pr.Connected = nil, true
	pr.evidence.Prove()
	return true
}

// A candidate is unknown traffic between two endpoints that may be DirectPlay 8: the counters of its frames.
type candidate struct {
	tested int
	cross  int // frames that acknowledge all that the other side sent, or more of it than the one before
	sides  [2]candidateSide
}

// A candidateSide is one side of a candidate.
type candidateSide struct {
	seen  bool
	last  uint8 // number of the newest frame
	next  uint8 // number of the frame it expects
	hits  int
	size  int      // of the newest datagram
	begin [16]byte // what it began with
}

// Limits for the steps of counters: how far a frame may be before or after the newest one, and how
// far its acknowledgement may lag behind the frames sent.
const (
	maxStep   = 16
	ackWindow = 64
)

// fits tests a datagram against the counters.
func (t *candidate) fits(p *dissect.Packet, src flows.Side) bool {
	b := p.Payload
	if likelihoodOf(b, p.Truncated()) == never {
		return false
	}
	t.tested++
	side, other := &t.sides[src.Index()], &t.sides[src.Other().Index()]
	var begin [16]byte
	copy(begin[:], b)
	if side.size == p.Length && side.begin == begin {
		return true // captured twice
	}
	side.size, side.begin = p.Length, begin
	sequence, next := counters(b)
	behind := other.last + 1 - next
	if other.seen && behind > ackWindow {
		return false
	}
	fresh := other.seen && (behind == 0 || side.seen && next != side.next)
	isData := b[0]&commandData != 0
	step := sequence - side.last
	switch {
	case !side.seen:
		side.seen, side.last = true, sequence
	case step == 0 && isData && b[1]&controlRetry == 0, step > maxStep && step < 256-ackWindow:
		return false // two frames of one number, or a gap too far
	case step == 0 && isData, step >= 256-ackWindow:
		return true // sent again or overtaken: it proves nothing
	default:
		side.last = sequence
	}
	side.next = next
	side.hits++
	if fresh {
		t.cross++
	}
	return true
}

func (t *candidate) proven() bool {
	return t.cross >= proof && t.sides[0].hits >= proofEachSide && t.sides[1].hits >= proofEachSide
}
