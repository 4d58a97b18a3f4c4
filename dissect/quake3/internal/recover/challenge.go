package recover

import (
	"cmp"
	"slices"
)

// prove makes a challenge certain. If another was assumed, the first characters of the commands that were found
// under it change with it.
func (s *Session) prove(challenge byte, margin int) {
	d := challenge ^ byte(s.keys.Challenge)
	if d != 0 {
		for sd := range s.keys.Commands {
			for n, c := range s.keys.Commands[sd] {
				if !c.Read && len(c.Text) > 0 && !c.Whole {
					c.Text = slices.Clone(c.Text)
					c.Text[0] ^= d
					s.keys.Commands[sd][n] = c
				}
			}
		}
	}
	for n, c := range s.keys.Commands[0] {
		if c.complete(true) {
			s.keys.Commands[0][n] = c
		}
	}
	s.keys.Challenge, s.keys.Proven, s.keys.Evidence = int(challenge), true, margin
	for _, g := range s.sorted() {
		if s.known(g) && len(g.waiting) > 0 {
			s.queue = append(s.queue, g)
		}
	}
}

// sorted returns the groups in the order of the commands that they acknowledge.
func (s *Session) sorted() []*group {
	var list []*group
	for _, g := range s.groups {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.ack, b.ack), cmp.Compare(side(a.fromClient), side(b.fromClient)))
	})
	return list
}

// settle finds the low byte of the challenge from messages whose command is known, by trying each of the 256 on them.
func (s *Session) settle() {
	if s.keys.Proven {
		return
	}
	for _, g := range s.sorted() {
		c, ok := s.keys.Commands[1-side(g.fromClient)][g.ack]
		if !ok || !c.Whole || len(g.waiting) < 2 || g.settled == len(g.waiting) {
			continue
		}
		g.settled = len(g.waiting)
		sr := s.search(g, g.waiting, s.m)
		if len(sr.samples) > 16 {
			sr.samples = sr.samples[:16]
		}
		sr.hasOffset = sr.hasOffset && len(s.times[side(g.fromClient)]) > 0
		text := s.m.keyText(c.Text)
		best, first, second := 0, int32(-1<<30), int32(-1<<30)
		longest := 0
		for i := range sr.samples {
			longest = max(longest, len(sr.samples[i].body)-sr.start)
		}
		for ch := range 256 {
			pad := padOf(nil, byte(ch), text, len(text), sr.start, longest)
			var e int32
			sr.common = s.m.newShared()
			for j := range sr.samples {
				e += sr.weigh(j, pad)
			}
			if e > first {
				best, first, second = ch, e, first
			} else if e > second {
				second = e
			}
		}
		s.spent += sr.steps
		if first >= accept && first-second >= proof {
			s.prove(byte(best), int((first-second)/unit))
			s.propagate()
			return
		}
	}
}
