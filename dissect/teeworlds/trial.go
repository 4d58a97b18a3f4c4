package teeworlds

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
)

// What a trial demands before it believes in a session that began before the capture.
const (
	trialBytes       = 24 // bytes of messages that decode cleanly
	trialTokens      = 2  // packets that carry the token of another
	trialTokenless   = 4  // packets where there are no tokens
	trialOneSided    = 2  // packets with messages that only one side sends
	numTrialDialects = 3
)

// A trial tests what unknown traffic between two endpoints can be: which of them is the server, and which
// dialect it speaks. Each guess dies with the first packet that does not fit it.
type trial struct {
	guesses [2 * numTrialDialects]guess // server low or high; 0.7, DDNet, 0.6
	frame   uint64                      // the newest packet that counted: it is asked about again
}

var trialDialects = [numTrialDialects]dialect{v07, ddnet, v06}

type guess struct {
	dead   bool
	bytes  int               // of messages
	known  int               // packets whose messages only that side sends
	hits   int               // packets with messages
	tokens int               // packets whose token was seen before
	token  [2][tokenLen]byte // of each side's packets; of DDNet's and 0.6's the same
	seen   [2]bool
}

// try tests a packet of unknown traffic.
func (r *router) try(p *dissect.Packet, pr *pair, src int, last bool, as dialect, claimed bool) dissect.Route {
	var first trial
	t := pr.trial
	if t == nil {
		t = &first
	}
	news := t.frame != p.Frame
	t.frame = p.Frame
	alive := false
	for i := range t.guesses {
		g, server, d := &t.guesses[i], i&1, trialDialects[i>>1]
		if g.dead {
			continue
		}
		if as != dialectUnknown && as != d || !r.judge.fits(g, p, d, server != src, news) {
			g.dead = true
			continue
		}
		alive = true
	}
	for i := range t.guesses {
		if g := &t.guesses[i]; !g.dead && g.proven(trialDialects[i>>1]) && t.guesses[i^1].known == 0 && g.known > 0 {
			r.open(pr)
			pr.dialect, pr.server, pr.played, pr.trial = trialDialects[i>>1], i&1, true, nil
			return pr.route(pr.direction(src), src, pr.dialect)
		}
	}
	if alive && pr.trial == nil && !last {
		pr.trial = &trial{guesses: first.guesses, frame: first.frame}
	}
	switch {
	case alive && !last:
		return dissect.Route{Verdict: dissect.Undecided}
	case claimed:
		return r.routeClaimed(p, pr, t, src, as)
	case !alive && pr.trial != nil:
		pr.foreign, pr.trial = true, nil
	}
	return dissect.Route{}
}

// routeClaimed takes a packet that the user says is ours; which side is the server the claimed port tells.
func (r *router) routeClaimed(p *dissect.Packet, pr *pair, t *trial, src int, as dialect) dissect.Route {
	if as == dialectUnknown {
		for i := range t.guesses {
			if !t.guesses[i].dead {
				as = trialDialects[i>>1]
				break
			}
		}
	}
	r.open(pr)
	d := dissect.ClientToServer
	if _, ok := r.claimed[p.Src.Port()]; ok {
		d = dissect.ServerToClient
	}
	return pr.route(d, src, as)
}

// proven reports whether a guess has enough behind it.
func (g *guess) proven(d dialect) bool {
	if g.bytes < trialBytes || g.known < trialOneSided {
		return false
	}
	return g.tokens >= trialTokens-1 || d == v06 && g.hits >= trialTokenless
}

// A judge decodes on trial.
type judge struct {
	packet packet
	reader messageReader
}

// fits tests a packet against a guess and takes note of it.
func (j *judge) fits(g *guess, p *dissect.Packet, d dialect, fromClient, news bool) bool {
	b := p.Payload
	if len(b) == 0 || !plausibleHeader(b[0], d) || !j.packet.parse(b, d) || j.packet.has(flagConnless) {
		return false
	}
	k := &j.packet
	if p.Truncated() { // what can be seen proves nothing
		return true
	}
	if k.fault != nil || k.oddEnd || len(b) > maxPayload {
		return false
	}
	if k.has(flagControl) {
		return j.fitsControl(g, d, fromClient)
	}
	if k.numChunks == 0 {
		return k.has(flagResend) && len(k.payload) == 0
	}
	size, known := j.walk(d, fromClient)
	if size < 0 {
		return false
	}
	if !j.fitsToken(g, d, fromClient, news) {
		return false
	}
	if news && size > 0 {
		g.bytes += size
		g.hits++
		g.known += known
	}
	return true
}

// plausibleHeader tests the bits that are never set.
func plausibleHeader(b byte, d dialect) bool {
	switch d {
	case v07:
		return b&0xe0 == 0
	case ddnet:
		return b&0x2c == 0
	default:
		return b&0x24 == 0
	}
}

// fitsControl tests a control packet.
func (j *judge) fitsControl(g *guess, d dialect, fromClient bool) bool {
	k := &j.packet
	highest := byte(controlClose)
	if d == v07 {
		highest = controlToken
	}
	return k.numChunks == 0 && !k.has(flagCompression) && len(k.payload) > 0 && k.payload[0] <= highest &&
		(k.payload[0] == controlClose || len(k.payload) <= 1 || d == v07) &&
		j.fitsToken(g, d, fromClient, false)
}

// fitsToken tests whether a token is that of the packets before.
func (j *judge) fitsToken(g *guess, d dialect, fromClient, news bool) bool {
	token := j.packet.token
	if token == nil {
		return d != ddnet && d != v07
	}
	side := systemIndex(fromClient)
	if d != v07 { // the same both ways
		side = 0
	}
	if !g.seen[side] {
		copy(g.token[side][:], token)
		g.seen[side] = true
		return true
	}
	if !bytes.Equal(g.token[side][:], token) {
		return false
	}
	if news {
		g.tokens++
	}
	return true
}

// walk tests the chunks. It gives the bytes of their messages, or -1 where they do not fit, and 1 for known where one
// of them is a message that only this side sends.
func (j *judge) walk(d dialect, fromClient bool) (size, known int) {
	b := j.packet.payload
	for range j.packet.numChunks {
		var h chunkHead
		if !h.parse(b, d) || h.size == 0 || h.length+h.size > len(b) || h.resend && !h.vital {
			return -1, 0
		}
		if !h.vital && (d == v07 && b[1]&0xc0 != 0 || d != v07 && b[1]&0xf0 != 0) {
			return -1, 0
		}
		m := j.reader.decodeMessage(nil, nil, d, fromClient, b[h.length:h.length+h.size], 0)
		if m.failed {
			return -1, 0
		}
		if m.def != nil && !m.refused {
			side := sentByServer
			if fromClient {
				side = sentByClient
			}
			if m.def.from&side == 0 {
				return -1, 0
			}
			size += h.size
			if m.def.from == side {
				known = 1
			}
		}
		b = b[h.length+h.size:]
	}
	if len(b) > 0 {
		return -1, 0
	}
	return size, known
}
