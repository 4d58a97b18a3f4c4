package recover

import (
	"cmp"
	"slices"
)

// attackAll searches the groups of at least size messages, the largest first, and opens what follows from the
// results.
func (s *Session) attackAll(size int) {
	s.settle()
	for {
		g := s.next(size)
		if g == nil {
			return
		}
		if s.spent >= s.allowed || !s.finder.pay(s) {
			s.keys.GaveUp = true
			return
		}
		g.tried, g.stage = len(g.waiting), s.stage()
		s.attack(g)
		s.propagate()
	}
}

// stage returns a number for what is known that helps a search. When it has changed, groups are worth another try.
func (s *Session) stage() int {
	switch {
	case s.keys.Challenge < 0:
		return 0
	case s.last:
		return 2
	}
	return 1
}

// next returns the group to search next.
func (s *Session) next(size int) *group {
	var list []*group
	for _, g := range s.groups {
		if s.keys.Challenge < 0 && g.fromClient && s.servers >= minGroup && !s.last {
			continue
		}
		least := g.tried*3/2 + 1
		if g.stage != s.stage() {
			least = size
		}
		if len(g.waiting) >= max(size, least) && !s.whole(g) {
			list = append(list, g)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return slices.MinFunc(list, func(a, b *group) int {
		return cmp.Or(cmp.Compare(s.rank(b), s.rank(a)), cmp.Compare(a.ack, b.ack))
	})
}

// rank estimates how promising a group is. Messages of servers have more structure.
func (s *Session) rank(g *group) int {
	n := min(len(g.waiting), 200)
	if !g.fromClient && s.keys.Challenge < 0 {
		n *= 4
	}
	return n
}

// attack searches the command of a group.
func (s *Session) attack(g *group) {
	old, ok := s.keys.Commands[1-side(g.fromClient)][g.ack]
	if ok && old.Read {
		return
	}
	f, ok := s.find(g)
	if !ok {
		return
	}
	sr, h := f.search, f.h
	if h.cursors[0].flags&hasTime != 0 { // a new map may have begun since
		sr.offset, sr.hasOffset = int64(int32(h.cursors[0].time))-sr.samples[0].at, true
	}
	sure, challenge := sr.certify(h)
	s.spent += sr.steps
	ends := challenge && h.period > 0 && sure >= h.period
	if sure <= len(sr.prefix) && len(sr.prefix) > 0 && !ends {
		return
	}
	if sure == 0 && !h.empty || h.empty && !challenge {
		return
	}
	if s.keys.Challenge < 0 && !challenge && sure < order { // too little to know how the command begins
		return
	}
	if len(f.rivals) < len(s.rivals) || s.m != sr.m {
		s.m, s.rivals = sr.m, f.rivals
	}
	s.accept(g, sr, h, sure, challenge)
}

// accept stores the part of a hypothesis that is certain.
func (s *Session) accept(g *group, sr *search, h *hypothesis, sure int, challenge bool) {
	c := Command{Text: h.text[:min(sure, len(h.text))], Needed: true, Evidence: h.total() / unit}
	c.Whole = h.empty || h.period > 0 && sure >= h.period && challenge // what proves the challenge also proves where the text ends
	key := sr.padStart(h)
	if s.keys.Challenge < 0 && !challenge { // the place where the command seems to begin again may be wrong
		first := key
		if !h.wild {
			first ^= c.Text[0] << (sr.start & 1)
		}
		c.Text = sr.guessFirst(c.Text)
		key = first ^ c.Text[0]<<(sr.start&1)
	}
	if s.keys.Challenge < 0 {
		s.keys.Challenge = int(key)
		if s.finder.credit != nil { // the search paid off
			s.finder.credit.Add(s.owed)
			s.owed = 0
		}
	}
	if challenge && !s.keys.Proven {
		s.prove(key, proof/unit)
	}
	s.keys.Commands[1-side(g.fromClient)][g.ack] = c
	s.study(c.Text)
	s.queue = append(s.queue, g)
}

// budget is the limit of the next search: half of what is left, so that a hard group leaves something for easy
// ones.
func (s *Session) budget() int64 {
	b := min(stepsSearch, (s.allowed-s.spent)/2+stepsSearch/16)
	if credit := s.finder.credit; credit != nil {
		b = min(b, max(credit.Load(), 0))
	}
	return b
}

// search prepares the search of a group.
func (s *Session) search(g *group, m *model) *search {
	sr := &search{m: m, lex: s.lexicons[m.dialect()], challenge: s.keys.Challenge, prefix: s.keys.Commands[1-side(g.fromClient)][g.ack].Text}
	n := min(len(g.waiting), maxGroup)
	for k := range n {
		h := &g.waiting[k*len(g.waiting)/n]
		start, base := h.key()
		sr.start = start
		body := slices.Clone(h.Body)
		for i := start; i < len(body); i++ {
			body[i] ^= base
		}
		sr.samples = append(sr.samples, sample{body: body, scene: h.scene, at: h.At})
		sr.samples[k].scene.m, sr.samples[k].scene.lex = m, sr.lex
	}
	sr.offset, sr.hasOffset = s.offset(g.fromClient, g.waiting[0].At)
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
