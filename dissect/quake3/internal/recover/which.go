package recover

import (
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A rival is a game that a session may be of, beside the one whose tables read it so far.
type rival struct {
	m         *model
	won, lost int // messages that only its tables read; messages that only those of the assumed game read
}

// decisive is the number of messages, read with the tables of only one of two games, that decides between the games.
const decisive = 2

// possible lists the games that a session may be of: the assumed one first, or in the order of a search that found
// none.
func (s *Session) possible() []*model {
	list := []*model{s.m}
	for i := range s.rivals {
		list = append(list, s.rivals[i].m)
	}
	if len(s.promising) > 0 {
		slices.SortStableFunc(list, func(a, b *model) int {
			return cmp.Compare(slices.Index(s.promising, a), slices.Index(s.promising, b))
		})
	}
	return list
}

// promise sets the order in which the next search tries the games: the one with the most evidence, then those that were
// not tried, then the others. evidence has one entry for each game that was tried.
func (s *Session) promise(games []*model, evidence []int32) {
	best := 0
	for i := range evidence {
		if evidence[i] > evidence[best] {
			best = i
		}
	}
	s.promising = append(s.promising[:0], games[best])
	s.promising = append(s.promising, games[len(evidence):]...)
	for i := range evidence {
		if i != best {
			s.promising = append(s.promising, games[i])
		}
	}
}

// anyGame makes all games possible.
func (s *Session) anyGame() {
	s.m, s.rivals = s.finder.model(0), nil
	for k := 1; k < len(candidates); k++ {
		s.rivals = append(s.rivals, rival{m: s.finder.model(k)})
	}
}

// SetVersion sets the session's protocol. It reports whether keys of that protocol can be recovered.
func (s *Session) SetVersion(version int) (ok bool) {
	gen := tables.GenerationOf(version)
	for k, v := range candidates {
		if c := tables.GenerationOf(v); c == gen || c.Entity == gen.Entity && c.Player == gen.Player && c.Rules == gen.Rules {
			s.m, s.rivals, ok = s.finder.model(k), nil, true
		}
	}
	return ok
}

// Version returns the protocol whose tables read the session's messages, of a game other than Quake III; 0 while
// none does.
func (s *Session) Version() int {
	if s.m.gen.Default() || len(s.rivals) > 0 {
		return 0
	}
	return s.m.gen.Version
}

// A candidate is the most likely command of a group, by the tables of one game, and the games that are still possible
// beside it.
type candidate struct {
	*search
	h      *hypothesis
	rivals []rival
}

// find searches the command of a group, by the tables of each game that is possible. The games share the beginning of
// their messages; the state of the player distinguishes them.
func (s *Session) find(g *group) (best candidate, ok bool) {
	games := s.possible()
	list, evidence := s.searchGames(g, games)
	s.promise(games, evidence)
	if len(list) == 0 {
		return candidate{}, false
	}
	best = slices.MaxFunc(list, func(a, b candidate) int { return cmp.Compare(a.h.total(), b.h.total()) })
	if !best.h.fits() { // the beginning alone, which the games share
		for _, m := range games {
			if m != best.m {
				best.rivals = append(best.rivals, rival{m: m})
			}
		}
		return best, true
	}
	for _, f := range list {
		if f.m == best.m || best.h.total()-f.h.total() >= proof {
			continue
		}
		if !best.h.agrees(f.h) {
			return candidate{}, false
		}
		best.rivals = append(best.rivals, rival{m: f.m})
	}
	for _, m := range games[len(evidence):] {
		best.rivals = append(best.rivals, rival{m: m})
	}
	return best, true
}

// searchGames searches the command of a group by the tables of one game after the other, until one is plausible or the
// limit for other games is spent. It returns what was found, and the evidence by the tables of each game that was
// tried.
func (s *Session) searchGames(g *group, games []*model) (list []candidate, evidence []int32) {
	stopped := &g.stopped[g.turn%numParts]
	*stopped = false
	for i, m := range games {
		budget := s.budget(g)
		if i > 0 {
			if s.elsewhere >= stepsOthers+s.hints*stepsHint {
				break
			}
			budget = min(budget, stepsSearch/2)
		}
		s.makeLexicon(m.gen.Corpus)
		sr := s.search(g, g.part(g.turn), m)
		h := sr.run(budget)
		s.spent += sr.steps
		*stopped = *stopped || sr.steps > budget
		if i > 0 {
			s.allowed += min(sr.steps, max(stepsOthers-s.elsewhere, 0))
			s.elsewhere += sr.steps
		}
		sr.steps = 0
		if h == nil || h.total() < accept {
			evidence = append(evidence, 0)
			continue
		}
		evidence = append(evidence, h.total())
		if i == 0 && !h.plausible() { // the beginnings of the messages are right, by tables that are not
			s.hints++
		}
		if list = append(list, candidate{search: sr, h: h}); h.plausible() {
			break
		}
	}
	return list, evidence
}

// fits reports whether enough messages are read to their end.
func (h *hypothesis) fits() bool {
	ended, dead := 0, 0
	for j := range h.cursors {
		switch h.cursors[j].state {
		case stEnd:
			ended++
		case stDead:
			dead++
		}
	}
	return ended >= fewest && ended >= 2*dead
}

// plausible reports whether the tables can be those of the messages' game: with the tables of another game, nearly all
// messages become impossible within the player's state.
func (h *hypothesis) plausible() bool {
	dead := 0
	for j := range h.cursors {
		if h.cursors[j].state == stDead {
			dead++
		}
	}
	return dead*4 <= len(h.cursors)
}

// agrees reports whether two hypotheses begin with the same text.
func (h *hypothesis) agrees(o *hypothesis) bool {
	n := min(len(h.text), len(o.text))
	return h.empty == o.empty && h.wild == o.wild && string(h.text[:n]) == string(o.text[:n])
}

// readAny parses the plain message and stores its commands, by the tables of a game that is possible.
func (s *Session) readAny(h *waitingMessage) bool {
	if s.read(h) {
		for i := 0; i < len(s.rivals); i++ {
			r := &s.rivals[i]
			if parses(r.m, h.FromClient, s.plain) {
				continue
			}
			if r.lost++; r.lost >= decisive {
				s.rivals = slices.Delete(s.rivals, i, i+1)
				i--
			}
		}
		return true
	}
	for i := range s.rivals {
		r := &s.rivals[i]
		if !parses(r.m, h.FromClient, s.plain) {
			continue
		}
		if r.won++; r.won >= decisive && r.lost == 0 {
			m := r.m
			s.m, s.rivals = m, slices.Delete(s.rivals, i, i+1)
			return s.read(h)
		}
	}
	return false
}

// parses reports whether a plain message can be parsed to its end. Whether the state of a vehicle follows that of the
// player is not in every message.
func parses(m *model, fromClient bool, body []byte) bool {
	for _, riding := range [...]bool{false, true} {
		c, sc := begin(fromClient), scene{m: m, fromClient: fromClient, riding: riding}
		for _, b := range body {
			if c.state >= stEnd {
				break
			}
			c.feed(&sc, b)
		}
		if c.finish(len(body)); c.good() {
			return true
		}
		if m.vehicle == nil {
			break
		}
	}
	return false
}
