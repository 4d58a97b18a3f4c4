package recover

import (
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
)

// The prior of what a search tries beside the likely characters.
const (
	anyFirst  = -8 * unit // the first character is any byte, one in 256
	noCommand = -3 * unit // there is no command: one session in eight; estimated
)

// try scores all continuations of the beam by byte i of the pad.
func (s *search) try(beam []hypothesis, i int) {
	s.tried = s.tried[:0]
	limit := beam[0].total() - s.tolerance(i)
	for b := range beam {
		h := &beam[b]
		if s.steps > s.budget {
			return
		}
		switch {
		case h.empty:
			s.tryByte(h, b, i, h.q, 0, false, 0)
		case len(h.text) < len(s.prefix):
			q := h.q
			if i == s.start {
				q = byte(s.challenge)
			}
			c := s.prefix[len(h.text)]
			s.tryByte(h, b, i, netchan.NextKey(q, c, i), c, false, 0)
		case i == s.start && s.challenge < 0:
			for q := range 256 {
				s.tryByte(h, b, i, byte(q), 0, false, anyFirst) // it remains unknown
			}
			continue
		case h.period > 0:
			c := h.text[len(h.text)%h.period]
			if len(h.text)%h.period == 0 && h.wild {
				s.tryFirst(h, b, i)
				continue
			}
			s.tryByte(h, b, i, netchan.NextKey(h.q, c, i), c, false, 0)
		default:
			s.tryNext(h, b, i, limit)
		}
	}
}

// tryNext scores all next characters of a command that has not ended, and its end.
func (s *search) tryNext(h *hypothesis, b, i int, limit int32) {
	var p [numChars]float64
	q := h.q
	if i == s.start {
		q = byte(s.challenge)
		s.tryByte(h, b, i, q, 0, true, noCommand)
	} else if h.wild && len(h.text) == 1 {
		s.tryByte(h, b, i, q, 0, true, noCommand)
	}
	if h.wild && len(h.text) < order {
		p = *s.predictWild(h.text)
	} else {
		s.lex.predict(h.text, h.wild, &p)
		s.steps += predictSteps
	}
	least := leastProbable(i - s.start)
	for c := 1; c < numChars; c++ {
		if p[c] < least {
			continue
		}
		if w := bitsOf(p[c]); w >= likelyText || h.total()+w >= limit {
			s.tryByte(h, b, i, netchan.NextKey(q, byte(c), i), byte(c), false, w)
		}
	}
	if len(h.text) > 1 || len(h.text) == 1 && !h.wild {
		s.tryWrap(h, b, i, bitsOf(p[0]))
	}
}

// predictSteps is what a prediction of the next character costs, in bytes parsed.
const predictSteps = 12

// predictWild predicts the next character of a text whose first character is not known: the sum over the
// possible ones.
func (s *search) predictWild(text []byte) *[numChars]float64 {
	key := string(text[1:])
	if p := s.wild[key]; p != nil {
		return p
	}
	if s.wild == nil {
		s.wild = map[string]*[numChars]float64{}
	}
	s.steps += int64(numChars / 2 * len(text) * predictSteps)
	var first, next [numChars]float64
	s.lex.predict(nil, false, &first)
	sum := 0.0
	p := new([numChars]float64)
	try := append([]byte(nil), text...)
	for c := byte('\n'); c < numChars-1; c++ {
		if first[c] < 1./512 {
			continue
		}
		try[0] = c
		w := first[c]
		for k := 1; k < len(text); k++ {
			s.lex.predict(try[:k], false, &next)
			w *= next[text[k]]
		}
		s.lex.predict(try, false, &next)
		for k := range next {
			p[k] += w * next[k]
		}
		sum += w
	}
	for k := range p {
		p[k] /= sum
	}
	s.wild[key] = p
	return p
}

// leastProbable is the probability below which characters are skipped while the beam is wide.
func leastProbable(at int) float64 {
	if at < wideBytes {
		return 1. / 2048
	}
	return 0x1p-16
}

// tryWrap lets the command end here and begin again.
func (s *search) tryWrap(h *hypothesis, b, i int, prior int32) {
	if h.wild {
		n := len(s.tried)
		s.tryFirst(h, b, i)
		for k := n; k < len(s.tried); k++ {
			s.tried[k].wrap = true
			s.tried[k].prior += prior
		}
		return
	}
	c := h.text[0]
	s.tryByte(h, b, i, netchan.NextKey(h.q, c, i), c, true, prior)
}

// tryFirst handles the return to the first character where it is not known yet.
func (s *search) tryFirst(h *hypothesis, b, i int) {
	prior := s.firstPriors(h.text)
	for c := byte('\n'); c < numChars; c++ {
		if c > '\n' && c < ' ' || c == '%' {
			continue
		}
		s.tryByte(h, b, i, netchan.NextKey(h.q, c, i), c, false, prior[c])
	}
}

// firstPriors scores the first characters that a text without one may have.
func (s *search) firstPriors(text []byte) *[numChars]int32 {
	text = text[:min(len(text), order)]
	key := string(text[1:])
	if w := s.firsts[key]; w != nil {
		return w
	}
	if s.firsts == nil {
		s.firsts = map[string]*[numChars]int32{}
	}
	var p [numChars]float64
	w, known := new([numChars]int32), int32(0)
	s.steps += int64(numChars * len(text) * predictSteps)
	for k := 1; k < len(text); k++ {
		s.lex.predict(text[:k], true, &p)
		known -= bitsOf(p[text[k]])
	}
	s.lex.predict(nil, false, &p)
	for c := range w {
		w[c] = known + bitsOf(max(p[c], 0x1p-40))
	}
	text = slices.Clone(text)
	for c := byte('\n'); c < numChars; c++ {
		for k := 1; k < len(text); k++ {
			text[0] = c
			s.lex.predict(text[:k], false, &p)
			w[c] += bitsOf(p[text[k]])
		}
	}
	s.firsts[key] = w
	return w
}

// tryByte scores one continuation on some of the messages.
func (s *search) tryByte(h *hypothesis, b, i int, q, c byte, wrap bool, prior int32) {
	e := s.extend(s.scratch, s.alive[:s.quick], h, i, q)
	s.tried = append(s.tried, continuation{from: int32(b), q: q, c: c, wrap: wrap, evidence: e, prior: h.prior + prior})
}

// look finds the messages that have byte i, and those of them on which continuations are tried first: messages that do
// not repeat the byte from another.
func (s *search) look(i int) {
	s.alive = s.alive[:0]
	for j := range s.active {
		if len(s.samples[j].body) > i && (j == 0 || i >= s.samples[j].same) {
			s.alive = append(s.alive, j)
		}
	}
	if s.quick = len(s.alive); s.quick > quickSamples {
		s.quick = max(quickSamples, len(s.alive)/6)
	}
	for j := 1; j < s.active; j++ {
		if len(s.samples[j].body) > i && i < s.samples[j].same {
			s.alive = append(s.alive, j)
		}
	}
	if len(s.scratch) < s.active {
		s.scratch = make([]cursor, s.active)
	}
}

// sift keeps the most promising continuations and scores them on all messages.
func (s *search) sift(beam []hypothesis, i int) {
	if s.quick == len(s.alive) {
		return
	}
	n := min(len(s.tried), quickBeam)
	if i < s.start+wideBytes {
		n = min(len(s.tried), firstBeam)
	}
	s.order(n)
	for least := s.tried[0].total() - window - int32(s.quick)*quickEach; n > 1 && s.tried[n-1].total() < least; {
		n--
	}
	s.tried = s.tried[:s.favour(n)]
	for k := range s.tried {
		t := &s.tried[k]
		t.evidence = s.extend(s.scratch, s.alive, &beam[t.from], i, t.q)
	}
}

// order sorts the n best continuations to the front. Of a long list only those are sorted that can be among them.
func (s *search) order(n int) {
	front := s.tried
	if len(front) > 2*n {
		front = front[:s.partition(n)]
	}
	slices.SortFunc(front, compareContinuations)
}

// partition moves the best n continuations to the front, with all others that are as good as the n-th in whole bits,
// and returns their number.
func (s *search) partition(n int) int {
	best := s.tried[0].total()
	for k := range s.tried {
		best = max(best, s.tried[k].total())
	}
	var counts [256]int // by how many bits they are worse than the best
	for k := range s.tried {
		counts[min((best-s.tried[k].total())/unit, 255)]++
	}
	last := int32(0)
	for sum := counts[0]; sum < n && last < 255; sum += counts[last] {
		last++
	}
	front := 0
	for k := range s.tried {
		if (best-s.tried[k].total())/unit <= last {
			s.tried[front], s.tried[k] = s.tried[k], s.tried[front]
			front++
		}
	}
	return front
}

func compareContinuations(a, b continuation) int {
	if x, y := a.total(), b.total(); x != y {
		return int(y - x)
	}
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.c, b.c), cmp.Compare(a.q, b.q))
}

// extend parses byte i of some messages under the pad byte q, leaves their cursors in cs, and returns the evidence.
func (s *search) extend(cs []cursor, which []int, h *hypothesis, i int, q byte) (evidence int32) {
	evidence = h.evidence
	s.common.copyFrom(h.shared)
	cs[0] = h.cursors[0]
	for _, j := range which {
		sm, c := &s.samples[j], &cs[j]
		*c = h.cursors[j]
		before := c.valued
		if c.state < stEnd {
			s.steps++
		}
		sm.scene.shared = s.common
		c.feed(&sm.scene, sm.body[i]^q)
		if i == len(sm.body)-1 {
			c.finish(len(sm.body))
		}
		if c.timed < 4 {
			s.weighTime(cs, j)
		}
		s.weighAreas(cs, j)
		c.valued = c.worth(s.m)
		if i >= sm.same {
			evidence += c.valued - before
		} else if c.state == stDead && h.cursors[j].state != stDead {
			evidence += deadWeight // the bytes after the repeated ones prove nothing any more
		}
	}
	return evidence
}

// favour keeps some continuations beyond the n best: those with the most likely text. In messages with values
// that cannot be predicted, the right continuation can fall back for a few bytes.
func (s *search) favour(n int) int {
	least := s.tried[0].total() - window - int32(s.active)*favouredEach
	for range favoured {
		best := -1
		for k := n; k < len(s.tried); k++ {
			t := &s.tried[k]
			if t.total() > least && (best < 0 || t.prior > s.tried[best].prior) {
				best = k
			}
		}
		if best < 0 {
			break
		}
		s.tried[n], s.tried[best] = s.tried[best], s.tried[n]
		n++
	}
	return n
}

// keep makes the new beam of the best continuations.
func (s *search) keep(beam []hypothesis, i int) []hypothesis {
	width := laterBeam
	if i < s.start+wideBytes {
		width = firstBeam
	}
	s.order(width)
	best := s.tried[0].total()
	n := 0
	for n < len(s.tried) && n < width && s.tried[n].total() > best-s.tolerance(i) {
		n++
	}
	n = s.favour(n)
	cursors, size := make([]cursor, n*s.active), len(s.m.bits)
	bits, common := make([]bitCount, n*size), make([]commonBits, n)
	next := make([]hypothesis, n)
	for k := range next {
		t := &s.tried[k]
		from := &beam[t.from]
		h := &next[k]
		*h = hypothesis{
			period: from.period, empty: from.empty, q: t.q, wild: from.wild, evidence: t.evidence, prior: t.prior,
			cursors: cursors[k*s.active : (k+1)*s.active : (k+1)*s.active],
		}
		copy(h.cursors, from.cursors)
		s.extend(h.cursors, s.alive, from, i, t.q)
		h.shared = &common[k]
		h.shared.bits = bits[k*size : (k+1)*size : (k+1)*size]
		h.shared.copyFrom(s.common)
		s.grow(h, from, t, i)
	}
	return next
}

// grow sets the text of a hypothesis.
func (s *search) grow(h, from *hypothesis, t *continuation, i int) {
	switch {
	case from.empty:
		return
	case t.wrap && t.c == 0:
		h.empty = true
		return
	case i == s.start && s.challenge < 0:
		h.wild, h.text = true, []byte{0}
		return
	}
	if t.wrap {
		h.period = len(from.text)
	}
	h.text = append(append(make([]byte, 0, len(from.text)+1), from.text...), t.c)
	if h.wild && h.period > 0 && len(from.text)%h.period == 0 {
		h.wild, h.text[0] = false, t.c
	}
}
