package router

import (
	"encoding/binary"
	"hash/fnv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/gate"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// Evidence that the heuristic requires for a session that began before the capture.
const (
	legacyEvidence = 6 // packets with a plausible beginning and rising numbers
	NativeEvidence = 2 // packets that confirm a challenge solved from another
	// scrambledEvidence is how many packets can be read to their ends. One of 3,000 of native sessions can, and none of
	// legacy ones.
	scrambledEvidence = 2
	maxSequence       = 1 << 24 // a session of 16 million messages lasts longer than a week
	maxStep           = 2000    // numbers skipped between two packets of a direction
	maxBack           = 64      // numbers by which a packet may be late
	maxCommands       = 1 << 20 // reliable commands of a session
)

// A heuristic tests unknown traffic between two endpoints: which of them is the server, and in which encoding. Each
// candidate is dropped at the second packet that does not fit it: anybody can send one.
type heuristic struct {
	candidates [6]candidate // server low or high, legacy, native or scrambled
	frame      uint64       // the newest packet that was tested; one that waits is tested again
}

// A candidate is a server and an encoding, with the evidence for them.
type candidate struct {
	dead       bool
	misses     int
	odd        uint64 // hash of the last packet that did not fit after others did: copies are one witness
	hits       int
	first      [2]uint32 // sequence number of each side, the first one seen
	last       [2]uint32 // and the highest
	seen       [2]bool
	qport      uint16
	hasQport   bool
	challenge  int32
	solved     bool
	confirmed  int
	sums, seqs [4]uint32 // packets from before the challenge was solved
	waiting    int
}

// try tests a packet of unknown traffic.
func (r *Router) try(a *datagram, pr *pair) dissect.Route {
	var first heuristic
	t, alive := pr.heuristic, false
	if t == nil {
		t = &first
	}
	for i := range t.candidates {
		g, server, enc := &t.candidates[i], [...]flows.Side{flows.Low, flows.High}[i&1], netchan.Legacy+netchan.Encoding(i>>1)
		if g.dead {
			continue
		}
		if g.fits(r, a.Packet, server != a.src, enc) {
			alive = true
		} else {
			g.miss(a.Payload, a.Frame > t.frame)
			alive = alive || !g.dead && g.hits > 0
			continue
		}
		if g.accepted(enc) {
			return r.found(a, pr, g, server, enc)
		}
	}
	t.frame = max(t.frame, a.Frame)
	if alive && pr.heuristic == nil {
		pr.heuristic = &heuristic{candidates: first.candidates, frame: t.frame}
	}
	switch {
	case alive && !a.last:
		return dissect.Route{Decision: dissect.Undecided}
	case a.claimed: // the user has assigned it
		server := r.claimedServer(a)
		s := pr.at(server)
		s.plays = true
		return s.route(server, a.src)
	case !alive && pr.heuristic != nil:
		pr.foreign, pr.heuristic = true, nil
	}
	return dissect.Route{}
}

// lateNumber reports whether a sequenced packet is not one of the first of a session. Where it is the first after words
// of a handshake, these prove nothing: anybody can send them while a session goes on that began before the capture.
func lateNumber(b []byte) bool {
	return len(b) >= minSequenced && binary.LittleEndian.Uint32(b)&^netchan.FragmentBit > maxBack
}

// miss records a packet that does not fit.
func (g *candidate) miss(payload []byte, news bool) {
	if g.hits > 0 && news {
		h := fnv.New64a()
		h.Write(payload)
		sum := h.Sum64()
		g.odd, news = sum, sum != g.odd
	}
	if news {
		g.misses++
	}
	g.dead = g.misses > 1
}

// found creates the stream of a session that the heuristic accepted.
func (r *Router) found(a *datagram, pr *pair, g *candidate, server flows.Side, enc netchan.Encoding) dissect.Route {
	endpoint, client := a.endpoints(server)
	r.noteServer(endpoint, a.now)
	s := pr.at(server)
	if other := pr.byServer[server.Other().Index()]; other != nil {
		other.plays = other.plays && other.evidence.packets.Proven() // known by a word alone
	}
	s.plays, s.hint = true, MakeHint(enc, g.challenge)
	s.evidence.sure = true
	s.evidence.packets.Prove()
	if g.hasQport && !s.hasQport {
		key := clientOf(endpoint, client.Addr(), g.qport)
		if old := r.client(key, a.now); old != nil {
			s = old
			pr.byServer[server.Index()] = s
		} else {
			r.noteClient(key, a.now, s)
		}
	}
	pr.heuristic = nil
	return s.route(server, a.src)
}

// fits tests a packet against a candidate and records it.
func (g *candidate) fits(r *Router, p *dissect.Packet, fromClient bool, enc netchan.Encoding) bool {
	packet := p.Payload
	if enc == netchan.Scrambled {
		if packet = r.unscrambled(p, fromClient); packet == nil {
			return false
		}
	}
	var h netchan.Header
	if !h.Parse(packet, fromClient, enc) || h.Sequence == 0 || h.Sequence > maxSequence {
		return false
	}
	side := netchan.SideIndex(fromClient)
	if g.seen[side] {
		last := g.last[side]
		// Packets that wait are tested again when one before them is let out: numbers that were there before fit.
		if h.Sequence+maxBack < min(last, g.first[side]+maxBack) || h.Sequence > last+maxStep {
			return false
		}
	}
	if fromClient && g.hasQport && g.qport != h.Qport {
		return false
	}
	body := packet[h.Length:]
	if h.Fragmented {
		if h.Start%netchan.FragmentSize != 0 || h.Size > netchan.FragmentSize || h.Size != len(body) && !p.Truncated() {
			return false
		}
	} else if !g.plausible(r, body, fromClient, enc, p.Truncated()) {
		return false
	}
	// A repeated packet is no evidence: it may be the very same one, routed again.
	news := !g.seen[side] || h.Sequence > g.last[side]
	if enc == netchan.Native && !g.checksumFits(&h, news) {
		return false
	}
	if !g.seen[side] {
		g.first[side] = h.Sequence
	}
	g.last[side], g.seen[side] = max(g.last[side], h.Sequence), true
	if fromClient {
		g.qport, g.hasQport = h.Qport, true
	}
	if news && (enc != netchan.Scrambled || len(p.Payload) >= leastScrambled) {
		g.hits++
	}
	return true
}

// leastScrambled is how long a packet must be to show that it is scrambled: its first six bytes are clear.
const leastScrambled = 12

// sensible tests the numbers after the first operation of a scrambled server message.
func sensible(body []byte) bool {
	r := huffcodec.NewReader(body, huffcodec.Raw)
	switch op := r.Bits(8); op {
	case tables.SvcServerCommand, tables.SvcGamestate:
		return r.Bits(32) <= maxCommands
	case tables.SvcSnapshot:
		const mostFlags = 7
		acknowledged, time := r.Bits(32), int32(r.Bits(32))
		r.Bits(8) // the base
		return acknowledged <= maxCommands && time >= 0 && r.Bits(8) <= mostFlags
	}
	return true
}

// plausible tests a message body: a native one must decode to its end, of a legacy one the clear bytes must
// make sense.
func (g *candidate) plausible(r *Router, body []byte, fromClient bool, enc netchan.Encoding, cut bool) bool {
	clear := body
	if enc == netchan.Legacy {
		start := netchan.ServerClearBytes
		if fromClient {
			start = netchan.ClientClearBytes
		}
		clear = body[:min(start, len(body))]
	}
	coding := huffcodec.Static
	if enc == netchan.Scrambled {
		coding = huffcodec.Raw
	}
	d := huffcodec.NewReader(clear, coding)
	if fromClient {
		serverID, messageAck := int32(d.Bits(32)), d.Bits(32)
		other := g.last[0]
		if serverID < 0 || messageAck > maxSequence || g.seen[0] &&
			(messageAck > other+maxStep || messageAck+maxStep < other) {
			return false
		}
	}
	if enc == netchan.Scrambled && !fromClient {
		return sensible(body) && r.decodes(enc, body, false)
	}
	ack := d.Bits(32)
	if enc == netchan.Scrambled {
		return !d.Failed() && ack <= maxCommands && r.decodes(enc, body, true)
	}
	if d.Failed() || ack > maxCommands {
		return cut && d.Failed()
	}
	op := d.Bits(8)
	if d.Failed() {
		return cut || enc == netchan.Legacy && len(clear) < len(body)
	}
	return beginsMessage(op, fromClient) && (enc == netchan.Legacy || cut || r.decodes(enc, body, fromClient))
}

// beginsMessage reports whether an operation can be a message's first.
func beginsMessage(op uint32, fromClient bool) bool {
	if fromClient {
		return op >= tables.ClcMove && op <= tables.ClcVoipOpus
	}
	return op >= tables.SvcNop && op <= tables.SvcVoipOpus && op != tables.SvcConfigstring && op != tables.SvcBaseline
}

// checksumFits tests a native packet's checksum, or solves the challenge from it.
func (g *candidate) checksumFits(h *netchan.Header, news bool) bool {
	if g.solved {
		if netchan.Checksum(g.challenge, h.Sequence) != h.Checksum {
			if g.confirmed == 0 && h.Sequence&1 == 0 { // one against one: what comes next decides
				g.challenge = netchan.SolveChallenge(h.Checksum, h.Sequence)
			}
			return false
		}
		if news && gate.Shows(g.challenge, h.Sequence) {
			g.confirmed++
		}
		return true
	}
	if h.Sequence&1 != 0 {
		if news && g.waiting < len(g.sums) {
			g.sums[g.waiting], g.seqs[g.waiting] = h.Checksum, h.Sequence
			g.waiting++
		}
		return true
	}
	g.challenge, g.solved = netchan.SolveChallenge(h.Checksum, h.Sequence), true
	for i := range g.waiting {
		if netchan.Checksum(g.challenge, g.seqs[i]) != g.sums[i] {
			return false
		}
		g.confirmed++
	}
	return true
}

// accepted reports whether a candidate has enough evidence.
func (g *candidate) accepted(enc netchan.Encoding) bool {
	switch enc {
	case netchan.Native:
		return g.solved && g.confirmed >= NativeEvidence
	case netchan.Scrambled:
		return g.hits >= scrambledEvidence+2*g.misses
	}
	return g.hits >= legacyEvidence+2*g.misses
}

// unscrambled returns a packet of a scrambled session as it was before, nil if it cannot be one. The beginning of a
// server's message is clear.
func (r *Router) unscrambled(p *dissect.Packet, fromClient bool) []byte {
	size := netchan.HeaderSize(fromClient)
	if len(p.Payload) <= size || p.Truncated() {
		return nil
	}
	if fragment := p.Payload[3]&0x80 != 0; !fragment && !fromClient && !tables.BeginsScrambled(p.Payload[size]) {
		return nil
	}
	r.plain = append(r.plain[:0], p.Payload...)
	r.scrambler.Unscramble(r.plain)
	return r.plain
}
