package teeworlds

import (
	"bytes"
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// Evidence that the heuristic requires for a session that began before the capture.
const (
	enoughBytes          = 24 // bytes of messages that decode cleanly
	enoughTokens         = 2  // packets that repeat the token of another one
	enoughTokenless      = 4  // packets, if there are no tokens
	enoughOneSided       = 2  // packets with messages that only one side sends
	numCandidateDialects = 3
	minMessage           = chunkHeader + 1 // bytes of the shortest chunk
)

// A heuristic tests which of two endpoints with unknown traffic can be a server, and in which dialect.
// A candidate is dropped with the second packet that contradicts it: anybody can send one.
type heuristic struct {
	candidates [2 * numCandidateDialects]candidate // server low or high; 0.7, DDNet, 0.6
	frame      uint64                              // the newest packet counted; one that waits is tried again
	print      uint64                              // of that packet: copies of one are one witness
}

// fingerprint returns a number that copies of a packet share.
func fingerprint(b []byte) uint64 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	n := uint64(len(b))
	for ; len(b) >= 8; b = b[8*(1+len(b)>>6):] {
		n = (n ^ binary.LittleEndian.Uint64(b)) * odd
	}
	for _, c := range b {
		n = (n ^ uint64(c)) * odd
	}
	return n
}

var candidateDialects = [numCandidateDialects]tables.Dialect{tables.V07, tables.DDNet, tables.V06}

// A candidate is a server and a dialect, with the evidence for them.
type candidate struct {
	dead   bool
	fitted bool                 // a packet has
	misses int                  // packets that do not
	bytes  int                  // of messages
	known  int                  // packets whose messages only that side sends
	hits   int                  // packets with messages
	tokens int                  // packets whose token was seen before
	token  [2][2][tokenLen]byte // of each side's packets, the first and the newest other one; in DDNet and 0.6 both sides'
	with   [2][2]uint8          // packets with them
}

// try tests a packet of unknown traffic.
func (r *router) try(p *dissect.Packet, pr *pair, src flows.Side, last bool, as tables.Dialect,
	claimed bool,
) dissect.Route {
	var first heuristic
	t := pr.heuristic
	if t == nil {
		t = &first
	}
	news := p.Frame > t.frame
	if news {
		t.frame = p.Frame
		print := fingerprint(p.Payload)
		news = print != t.print
		t.print = print
	}
	alive := false
	for i, d := range candidateDialects {
		both := t.candidates[2*i : 2*i+2]
		if as != tables.Unknown && as != d {
			both[0].dead, both[1].dead = true, true
		}
		alive = r.tester.test(both, p, d, src, news) || alive
	}
	for i := range t.candidates {
		if g := &t.candidates[i]; !g.dead && g.accepted(candidateDialects[i>>1]) &&
			t.candidates[i^1].known <= g.misses {
			pr.open()
			pr.dialect, pr.server = candidateDialects[i>>1], [...]flows.Side{flows.Low, flows.High}[i&1]
			pr.played, pr.heuristic = true, nil
			pr.evidence.Prove()
			pr.dataAt = 1
			for side, from := range [...]flows.Side{flows.Low, flows.High} {
				pr.learnt[side] = g.majority(pr.dialect, from != pr.server)
			}
			return pr.session(src)
		}
	}
	if alive && pr.heuristic == nil && !last {
		pr.heuristic = &heuristic{candidates: first.candidates, frame: first.frame, print: first.print}
	}
	switch {
	case alive && !last:
		return dissect.Route{Decision: dissect.Undecided}
	case claimed:
		return r.routeClaimed(p, pr, t, as)
	case !alive && pr.heuristic != nil:
		pr.foreign, pr.heuristic = true, nil
	}
	return dissect.Route{}
}

// routeClaimed takes a packet on a port that the user named; that port is the server's.
func (r *router) routeClaimed(p *dissect.Packet, pr *pair, t *heuristic, as tables.Dialect) dissect.Route {
	if as == tables.Unknown {
		for i := range t.candidates {
			if !t.candidates[i].dead {
				as = candidateDialects[i>>1]
				break
			}
		}
	}
	pr.open()
	d := r.claims.Server(p).Direction(flows.Sender(p))
	if d == dissect.Undecidable { // both have it
		d = dissect.ServerToClient
	}
	return pr.route(d, as)
}

// accepted reports whether a candidate has enough evidence.
func (g *candidate) accepted(d tables.Dialect) bool {
	if g.bytes < enoughBytes || g.known < enoughOneSided+g.misses {
		return false
	}
	return g.tokens >= enoughTokens-1+g.misses || d == tables.V06 && g.hits >= enoughTokenless+2*g.misses
}

// A tester decodes packets of unknown traffic. Most of it is foreign, so the cheapest tests are made
// first, the first contradiction ends them, and nothing is allocated.
type tester struct {
	packet packet
	reader message.Reader
}

// A finding is what a packet shows when read by the rules of a dialect. The zero finding means that
// it breaks them.
type finding struct {
	senders tables.Sender // who can have sent it
	token   []byte        // must be the connection's; nil: none. Valid until the tester's next packet
	data    bool          // a complete packet of chunks
	size    int           // bytes of the known messages
	known   tables.Sender // sender of those that only one side sends
}

// test tests a packet against the candidates of a dialect: the lower endpoint is the server, or the higher one. It
// reports whether one of them is still possible.
func (j *tester) test(candidates []candidate, p *dissect.Packet, d tables.Dialect, src flows.Side, news bool) bool {
	low, high := &candidates[0], &candidates[1]
	if low.dead && high.dead {
		return false
	}
	var found finding // none fits
	if plausible(p, d) {
		found = j.read(p, d)
	}
	fromLow, fromHigh := tables.SentByServer, tables.SentByClient
	if src == flows.High {
		fromLow, fromHigh = fromHigh, fromLow
	}
	low.count(low.fits(&found, d, fromLow, news), news)
	high.count(high.fits(&found, d, fromHigh, news), news)
	return low.fitted && !low.dead || high.fitted && !high.dead
}

// count counts a packet that fits, or does not.
func (g *candidate) count(fits, news bool) {
	if g.fitted = g.fitted || fits; !fits && news {
		g.misses++
		g.dead = g.misses > 1
	}
}

// fits compares a finding with earlier ones and records it, if it was sent by the side of the
// candidate.
func (g *candidate) fits(f *finding, d tables.Dialect, from tables.Sender, news bool) bool {
	if f.senders&from == 0 || f.token != nil && !g.fitsToken(f.token, d, from, news && f.data) {
		return false
	}
	if news && f.size > 0 {
		g.bytes += f.size
		g.hits++
		if f.known&from != 0 {
			g.known++
		}
	}
	return true
}

// fitsToken tests whether a token is that of earlier packets.
func (g *candidate) fitsToken(token []byte, d tables.Dialect, from tables.Sender, news bool) bool {
	side := tokenSide(d, from == tables.SentByClient)
	known, with := &g.token[side], &g.with[side]
	which := 0
	switch {
	case with[0] == 0:
		copy(known[0][:], token)
		with[0] = 1
		return true
	case bytes.Equal(known[0][:], token):
	case with[1] > 0 && bytes.Equal(known[1][:], token):
		which = 1
	default:
		copy(known[1][:], token)
		with[1] = 1
		return false
	}
	if news {
		g.tokens++
		with[which] += min(1, 255-with[which])
	}
	return true
}

// tokenSide returns the index of a side's tokens: in DDNet and 0.6 they are the same in both directions.
func tokenSide(d tables.Dialect, client bool) int {
	if d != tables.V07 {
		return 0
	}
	return tables.SystemIndex(client)
}

// majority returns the token that most packets of a side have.
func (g *candidate) majority(d tables.Dialect, client bool) token {
	side := tokenSide(d, client)
	which := 0
	if g.with[side][1] > g.with[side][0] {
		which = 1
	}
	return token{g.token[side][which], g.with[side][which] > 1}
}

// read reads a plausible packet by the rules of a dialect.
func (j *tester) read(p *dissect.Packet, d tables.Dialect) finding {
	k := &j.packet
	k.parse(p.Payload, d)
	switch {
	case p.Truncated():
		return j.readCut(p, d)
	case k.fault != nil || k.oddEnd:
		return finding{}
	case k.numChunks == 0 && !k.has(flagControl): // a request to send again
		if len(k.payload) > 0 {
			return finding{}
		}
		return finding{senders: tables.SentByBoth}
	case k.token == nil && d != tables.V06:
		return finding{}
	case k.has(flagControl):
		return finding{senders: controlSenders(k.payload, d), token: k.token}
	case !chunksFill(k.payload, k.numChunks, d, 0):
		return finding{}
	}
	return j.readMessages(d)
}

// plausible tests a packet without decompressing it.
func plausible(p *dissect.Packet, d tables.Dialect) bool {
	b := p.Payload
	if len(b) < headerLen06 || p.Length > tables.MaxPayload || b[0]&neverSet[d] != 0 {
		return false
	}
	flags, numChunks := flagsOf(b[0], d), int(b[2])
	header := headerLen(flags, d)
	if len(b) < header {
		return false
	}
	rest, left, missing := b[header:], p.Length-header, p.Length-len(b)
	switch {
	case flags&flagControl != 0:
		return numChunks == 0 && flags&flagCompression == 0 && left > 0
	case numChunks == 0 && flags&flagResend == 0:
		return false
	case flags&flagCompression != 0:
		return numChunks*minMessage <= min(8*left, tables.MaxPayload) && // no code is shorter than a bit
			(missing > 0 || huffcodec.TeeworldsEnds(rest))
	case d == tables.DDNet && missing == 0: // the token follows the chunks
		rest = rest[:max(0, len(rest)-tokenLen)]
	}
	return numChunks*minMessage <= left && chunksFill(rest, numChunks, d, missing)
}

// neverSet are the bits of a header's first byte that are never set in a connection.
var neverSet = [tables.NumDialects]byte{tables.V07: 0xe0, tables.DDNet: 0x2c, tables.V06: 0x24}

// readCut reads a packet that the capture cut. It proves nothing, but it can
// contradict a candidate.
func (j *tester) readCut(p *dissect.Packet, d tables.Dialect) finding {
	k := &j.packet
	k.cutTail()
	missing := p.Length - len(p.Payload)
	if k.has(flagCompression) {
		missing = tables.MaxPayload - len(k.payload)
	}
	fits := true
	switch {
	case k.has(flagControl):
		fits = len(k.payload) == 0 || k.payload[0] <= lastControl(d)
	case k.numChunks > 0:
		fits = k.located.Err != huffcodec.ErrOversize && chunksFill(k.payload, k.numChunks, d, missing)
	}
	if !fits {
		return finding{}
	}
	return finding{senders: tables.SentByBoth}
}

// controlSenders returns who can have sent a control message.
func controlSenders(payload []byte, d tables.Dialect) tables.Sender {
	if len(payload) == 0 || payload[0] > lastControl(d) || len(payload) > 1 &&
		payload[0] != controlClose && d != tables.V07 {
		return tables.SentByNobody
	}
	return tables.SentByBoth
}

// lastControl is the highest number of a control message.
func lastControl(d tables.Dialect) byte {
	if d == tables.V07 {
		return controlToken
	}
	return controlClose
}

// chunksFill tests the headers of n chunks: the last one ends where the payload does. missing is how many bytes of the
// payload the capture lacks at most, which are then DDNet's token too.
func chunksFill(b []byte, n int, d tables.Dialect, missing int) bool {
	for range n {
		var h chunkHead
		if !h.parse(b, d) {
			return missing > 0
		}
		if h.size == 0 || !h.vital && (h.resend || b[1]&neverSetInChunk[d] != 0) {
			return false
		}
		if short := h.length + h.size - len(b); short > 0 {
			return short <= missing
		}
		b = b[h.length+h.size:]
	}
	return len(b) == 0 || missing > 0 && d == tables.DDNet && len(b) <= tokenLen
}

// neverSetInChunk are the bits of a chunk's second byte that hold a part of the sequence in vital
// chunks.
var neverSetInChunk = [tables.NumDialects]byte{tables.V07: 0xc0, tables.DDNet: 0xf0, tables.V06: 0xf0}

// readMessages decodes the messages of the chunks, which fill the payload.
func (j *tester) readMessages(d tables.Dialect) finding {
	f := finding{senders: tables.SentByBoth, token: j.packet.token, data: true}
	for b := j.packet.payload; len(b) > 0 && f.senders != tables.SentByNobody; {
		var h chunkHead
		h.parse(b, d)
		end := h.length + h.size
		m := j.reader.Decode(nil, nil, d, false, b[h.length:end], 0)
		b = b[end:]
		if m.Failed {
			return finding{}
		}
		if m.Def == nil || m.Refused {
			continue
		}
		f.size += h.size
		f.senders &= m.Def.From
		if m.Def.From != tables.SentByBoth {
			f.known |= m.Def.From
		}
	}
	return f
}
