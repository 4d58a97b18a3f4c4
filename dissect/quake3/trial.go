package quake3

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/flows"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// Evidence that a trial requires for a session that began before the capture.
const (
	legacyProof = 6       // packets with a plausible beginning and rising numbers
	nativeProof = 2       // packets that confirm a challenge solved from another
	maxSequence = 1 << 24 // a session of 16 million messages lasts longer than a week
	maxStep     = 2000    // numbers skipped between two packets of a direction
	maxBack     = 64      // numbers that a late packet may be behind
	maxCommands = 1 << 20 // reliable commands of a session
)

// A trial tests hypotheses about unknown traffic between two endpoints: which of them is the server, and the
// encoding. Each guess is dropped at the first packet that does not fit it.
type trial struct {
	guesses [4]guess // server low or high, legacy or native
}

type guess struct {
	dead       bool
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
func (r *router) try(a *asked, pr *pair) dissect.Route {
	var first trial
	t, alive := pr.trial, false
	if t == nil {
		t = &first
	}
	for i := range t.guesses {
		g, server, enc := &t.guesses[i], [...]flows.Side{flows.Low, flows.High}[i&1], legacy+encoding(i>>1)
		if g.dead {
			continue
		}
		if !g.fits(r, a.Packet, server != a.src, enc) {
			g.dead = true
			continue
		}
		alive = true
		if g.proven(enc) {
			return r.found(a, pr, g, server, enc)
		}
	}
	if alive && pr.trial == nil {
		pr.trial = &trial{guesses: first.guesses}
	}
	switch {
	case alive && !a.last:
		return dissect.Route{Verdict: dissect.Undecided}
	case a.claimed: // the user has assigned it
		server := r.claimedServer(a)
		s := pr.at(server)
		s.plays = true
		return s.route(server, a.src)
	case !alive && pr.trial != nil:
		pr.foreign, pr.trial = true, nil
	}
	return dissect.Route{}
}

// found creates the stream of a session that a trial has proven.
func (r *router) found(a *asked, pr *pair, g *guess, server flows.Side, enc encoding) dissect.Route {
	endpoint, client := a.endpoints(server)
	r.noteServer(endpoint, a.now)
	s := pr.at(server)
	s.plays, s.evidence.sure, s.hint = true, true, makeHint(enc, g.challenge)
	if g.hasQport && !s.hasQport {
		key := clientOf(endpoint, client.Addr(), g.qport)
		if old := r.client(key, a.now); old != nil {
			s = old
			pr.byServer[server.Index()] = s
		} else {
			r.noteClient(key, a.now, s)
		}
	}
	pr.trial = nil
	return s.route(server, a.src)
}

// fits tests a packet against a guess and records it.
func (g *guess) fits(r *router, p *dissect.Packet, fromClient bool, enc encoding) bool {
	var h header
	if !h.parse(p.Payload, fromClient, enc) || h.sequence == 0 || h.sequence > maxSequence {
		return false
	}
	side := sideIndex(fromClient)
	if g.seen[side] {
		last := g.last[side]
		// Packets that wait are tested again when one before them is let out: numbers that were there before fit.
		if h.sequence+maxBack < min(last, g.first[side]+maxBack) || h.sequence > last+maxStep {
			return false
		}
	}
	if fromClient && g.hasQport && g.qport != h.qport {
		return false
	}
	body := p.Payload[h.length:]
	if h.fragmented {
		if h.start%fragmentSize != 0 || h.size > fragmentSize || h.size != len(body) && !p.Truncated() {
			return false
		}
	} else if !g.plausible(r, body, fromClient, enc, p.Truncated()) {
		return false
	}
	// A repeated packet proves nothing: it may be the very same one, routed again.
	news := !g.seen[side] || h.sequence > g.last[side]
	if enc == native && !g.checksumFits(&h, news) {
		return false
	}
	if !g.seen[side] {
		g.first[side] = h.sequence
	}
	g.last[side], g.seen[side] = max(g.last[side], h.sequence), true
	if fromClient {
		g.qport, g.hasQport = h.qport, true
	}
	if news {
		g.hits++
	}
	return true
}

// plausible tests a message body: a native one must decode to its end, of a legacy one the clear bytes must
// make sense.
func (g *guess) plausible(r *router, body []byte, fromClient bool, enc encoding, cut bool) bool {
	clear := body
	if enc == legacy {
		start := serverClearBytes
		if fromClient {
			start = clientClearBytes
		}
		clear = body[:min(start, len(body))]
	}
	d := huffcodec.NewReader(clear, huffcodec.Static)
	if fromClient {
		serverID, messageAck := int32(d.Bits(32)), d.Bits(32)
		other := g.last[0]
		if serverID < 0 || messageAck > maxSequence || g.seen[0] && (messageAck > other+maxStep || messageAck+maxStep < other) {
			return false
		}
	}
	ack := d.Bits(32)
	if d.Failed() || ack > maxCommands {
		return cut && d.Failed()
	}
	op := d.Bits(8)
	if d.Failed() {
		return cut || enc == legacy && len(clear) < len(body)
	}
	return beginsMessage(op, fromClient) && (enc == legacy || cut || r.decodes(body, fromClient))
}

// beginsMessage reports whether an operation can be a message's first.
func beginsMessage(op uint32, fromClient bool) bool {
	if fromClient {
		return op >= tables.ClcMove && op <= tables.ClcVoipOpus
	}
	return op >= tables.SvcNop && op <= tables.SvcVoipOpus && op != tables.SvcConfigstring && op != tables.SvcBaseline
}

// decodes decodes a native message on trial.
func (r *router) decodes(body []byte, fromClient bool) bool {
	if r.judge == nil {
		r.judge = newConversation(dissect.Options{})
		r.judge.restart(false)
	}
	c, rec := r.judge, &dissect.Record{NoTree: true}
	c.body = append(c.body[:0], body...)
	c.clear = len(c.body)
	m := message{fromClient: fromClient}
	for _, version := range [...]int{71, nativeRTCW} {
		if c.setVersion(version); c.read(rec, nil, &m, false) == nil {
			return true
		}
	}
	return false
}

// checksumFits tests a native packet's checksum, or solves the challenge from it.
func (g *guess) checksumFits(h *header, news bool) bool {
	if g.solved {
		if checksum(g.challenge, h.sequence) != h.checksum {
			return false
		}
		if news {
			g.confirmed++
		}
		return true
	}
	if h.sequence&1 != 0 {
		if news && g.waiting < len(g.sums) {
			g.sums[g.waiting], g.seqs[g.waiting] = h.checksum, h.sequence
			g.waiting++
		}
		return true
	}
	g.challenge, g.solved = solveChallenge(h.checksum, h.sequence), true
	for i := range g.waiting {
		if checksum(g.challenge, g.seqs[i]) != g.sums[i] {
			return false
		}
		g.confirmed++
	}
	return true
}

// proven reports whether a guess has enough evidence.
func (g *guess) proven(enc encoding) bool {
	if enc == native {
		return g.solved && g.confirmed >= nativeProof
	}
	return g.hits >= legacyProof
}
