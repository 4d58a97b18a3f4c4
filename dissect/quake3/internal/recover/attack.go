package recover

import (
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
)

// attackAll searches the groups of at least size messages in turn, the largest first, and opens what follows from the
// results.
func (s *Session) attackAll(size int) {
	s.consult()
	s.settle()
	for {
		g, turn := s.next(size)
		paid := s.finder.pay(s)
		if g == nil {
			return
		}
		if s.spent >= s.limit() || !paid {
			s.keys.GaveUp = true
			return
		}
		if turn == 0 {
			g.stopped = [numParts]bool{}
		}
		g.turn, g.tried, g.keyed, g.learned = turn, len(g.waiting), s.keys.Challenge >= 0, s.learned
		if s.attack(g) {
			g.turn = 0
		} else {
			g.turn++
		}
		s.propagate()
	}
}

// limit returns what searches may cost now. Before the first message is read, a part is left for when all messages are
// there: groups are larger then.
func (s *Session) limit() int64 {
	if s.solving || s.renewed {
		return s.allowed
	}
	return s.allowed - stepsBase/2
}

// A group is searched in turns: all of its messages, the newer half, the newest quarter, then the same with two,
// four and eight times the limit. What a session that begins later reads of the group, it reads of the newer part. A
// group that cannot be read waits after each turn until the others had theirs.
const (
	numParts = 3
	numTurns = 4 * numParts
)

// part returns the messages that a turn looks at.
func (g *group) part(turn int) []waitingMessage {
	n := len(g.waiting)
	return g.waiting[n-n>>(turn%numParts):]
}

// next returns the first turn, from the group's own on, that can find something new: the part has enough messages, and
// its search was stopped by its limit before.
func (g *group) next() int {
	turn := g.turn
	for turn < numTurns && (len(g.part(turn)) < minGroup || turn >= numParts && !g.stopped[turn%numParts]) {
		turn++
	}
	return turn
}

// fresh reports whether a group begins its turns again: more is known that helps a search, or it has grown.
func (s *Session) fresh(g *group) bool {
	return g.keyed != (s.keys.Challenge >= 0) || s.last && g.learned < s.learnedBefore || len(g.waiting) > g.tried*3/2
}

// next returns the group to search next, and its turn.
func (s *Session) next(size int) (best *group, turn int) {
	for _, g := range s.groups {
		if s.keys.Challenge < 0 && g.fromClient && s.servers >= minGroup && !s.last || len(g.waiting) < size || s.whole(g) {
			continue
		}
		t := g.next()
		if s.fresh(g) {
			t = 0
		}
		if t >= numTurns || t > 0 && !s.solving {
			continue
		}
		if best == nil || cmp.Or(cmp.Compare(t, turn), cmp.Compare(s.rank(best), s.rank(g)), cmp.Compare(g.ack, best.ack),
			cmp.Compare(side(g.fromClient), side(best.fromClient))) < 0 {
			best, turn = g, t
		}
	}
	return best, turn
}

// rank estimates how promising a group is. Messages of servers have more structure.
func (s *Session) rank(g *group) int {
	n := min(len(g.waiting), 200)
	if !g.fromClient && s.keys.Challenge < 0 {
		n *= 4
	}
	return n
}

// attack searches the command of a group. It reports whether more of it is known now.
func (s *Session) attack(g *group) bool {
	old, ok := s.keys.Commands[1-side(g.fromClient)][g.ack]
	if ok && old.Read {
		return false
	}
	f, ok := s.find(g)
	if !ok {
		return false
	}
	sr, h := f.search, f.h
	if h.cursors[0].flags&hasTime != 0 { // a new map may have begun since
		sr.offset, sr.hasOffset = int64(int32(h.cursors[0].time))-sr.samples[0].at, true
	}
	sure, challenge := sr.certify(h)
	s.spent += sr.steps
	ends := challenge && h.period > 0 && sure >= h.period
	if sure <= len(sr.prefix) && len(sr.prefix) > 0 && !ends {
		return false
	}
	if sure == 0 && !h.empty || h.empty && !challenge {
		return false
	}
	if s.keys.Challenge < 0 && !challenge && sure < order { // too little to know how the command begins
		return false
	}
	if len(f.rivals) < len(s.rivals) || s.m != sr.m {
		s.m, s.rivals = sr.m, f.rivals
	}
	s.accept(g, sr, h, sure, challenge)
	return true
}

// accept stores the part of a hypothesis that is certain.
func (s *Session) accept(g *group, sr *search, h *hypothesis, sure int, challenge bool) {
	old := s.keys.Commands[1-side(g.fromClient)][g.ack] // its beginning, if that was known
	c := Command{
		Text: h.text[:min(sure, len(h.text))], Needed: true, Evidence: max(h.total()/unit, old.Evidence),
		Verified: old.Verified,
	}
	// what proves the challenge also proves where the text ends
	c.Whole = h.empty || h.period > 0 && sure >= h.period && challenge
	key := sr.padStart(h)
	if s.keys.Challenge < 0 && !challenge { // the place where the command seems to begin again may be wrong
		first := key
		if !h.wild {
			first = netchan.NextKey(key, c.Text[0], sr.start)
		}
		c.Text = sr.guessFirst(c.Text)
		key = netchan.NextKey(first, c.Text[0], sr.start)
	}
	if s.keys.Challenge < 0 {
		s.keys.Challenge = int(key)
		if s.finder.credit != nil { // the search paid off
			s.finder.charge(-s.owed)
			s.owed = 0
		}
	}
	if challenge && !s.keys.Proven {
		s.prove(key, proof/unit)
	}
	if s.keys.Proven {
		c.complete(g.fromClient)
	}
	if g.fromClient && c.Whole && len(g.waiting) > 0 {
		s.server.Hear(c.Text, g.waiting[0].At)
	}
	s.keys.Commands[1-side(g.fromClient)][g.ack] = c
	s.learned++
	s.study(c.Text)
	s.queue = append(s.queue, g)
}

// budget is the limit of a group's next search.
func (s *Session) budget(g *group) int64 {
	first := int64(stepsFirst)
	if s.keys.Challenge < 0 {
		first *= 2
	}
	b := min(first<<(g.turn/numParts), stepsSearch, s.limit()-s.spent+stepsSearch/16)
	if credit := s.finder.credit; credit != nil {
		b = min(b, max(credit.Load(), 0))
	}
	return b
}

// search prepares the search of a group by some of its messages.
func (s *Session) search(g *group, waiting []waitingMessage, m *model) *search {
	sr := &search{
		m: m, lex: s.lexicons[m.gen.Corpus], challenge: s.keys.Challenge,
		prefix: s.keys.Commands[1-side(g.fromClient)][g.ack].Text,
	}
	n := min(len(waiting), maxGroup)
	for k := range n {
		h := &waiting[k*len(waiting)/n]
		start, base := h.key()
		sr.start = start
		body := slices.Clone(h.Body)
		for i := start; i < len(body); i++ {
			body[i] ^= base
		}
		sr.samples = append(sr.samples, sample{body: body, scene: h.scene, at: h.At})
		sr.samples[k].scene.m, sr.samples[k].scene.lex = m, sr.lex
	}
	sr.offset, sr.hasOffset = s.offset(g.fromClient, waiting[0].At)
	return sr
}

// guessFirst puts the most likely first character into a text without it.
func (s *search) guessFirst(text []byte) []byte {
	text = slices.Clone(text)
	best, most, prior := byte(0), int32(-1<<30), s.firstPriors(text)
	for c := byte(' '); c < numChars-1; c++ {
		if c != '%' && prior[c] > most {
			best, most = c, prior[c]
		}
	}
	text[0] = best
	return text
}
