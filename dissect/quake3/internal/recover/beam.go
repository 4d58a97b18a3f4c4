package recover

import (
	"cmp"
	"slices"
)

// A sample is a message of a group as the search sees it.
type sample struct {
	body  []byte // what is enciphered has the known part of the key taken off
	scene scene
	at    int64 // capture time in milliseconds
}

// A search finds the pad of a group of messages that are enciphered with the same command: the bytes
// that what is left of each message is XORed with. It extends the command character by character, tries
// each continuation on all messages at once, and keeps the most likely ones.
type search struct {
	m         *model
	lex       *lexicon
	start     int    // first enciphered byte
	challenge int    // low byte; -1: not known
	offset    int64  // server time minus capture time
	hasOffset bool   // offset is known
	prefix    []byte // what is known of the command
	samples   []sample
	active    int   // samples that are looked at
	steps     int64 // bytes parsed: what the search cost
	budget    int64 // how many may be

	paths   [][]cursor // of the samples under the command found, byte by byte
	wild    map[string]*[numChars]float64
	scratch []cursor
	tried   []trial
}

// A hypothesis is a beginning of the command, with the state of all messages under it.
type hypothesis struct {
	text     []byte
	period   int // the command ended after so many characters and began again; 0: it has not ended
	empty    bool
	q        byte // last byte of the pad
	wild     bool // the first character is not known: it and the challenge make up for each other
	evidence int32
	prior    int32
	cursors  []cursor
}

func (h *hypothesis) total() int32 { return h.evidence + h.prior }

// A trial is one continuation of a hypothesis.
type trial struct {
	from            int32
	q, c            byte
	wrap            bool
	evidence, prior int32
}

func (t *trial) total() int32 { return t.evidence + t.prior }

const (
	firstBeam                = 1500 // hypotheses that are kept while little is known
	laterBeam                = 200
	quickBeam                = 700       // continuations that are tried on all samples
	wideBytes                = 3         // bytes of the pad that are found with firstBeam
	fewNodes                 = 100       // from here on all samples are looked at
	window                   = 44 * unit // what is so much worse than the best is dropped
	hopeless                 = -60 * unit
	earlyServer, earlyClient = 10, 24 // samples that are looked at first
)

// run searches and gives the most likely command, or nil.
func (s *search) run(budget int64) *hypothesis {
	s.budget = budget
	slices.SortStableFunc(s.samples, func(a, b sample) int { return cmp.Compare(len(b.body), len(a.body)) })
	s.spread()
	s.anchor()
	longest := 0
	for i := range s.samples {
		longest = max(longest, len(s.samples[i].body))
	}
	beam := s.first()
	for i := s.start; i < longest; i++ {
		if s.active < len(s.samples) && i > s.start+wideBytes && (len(beam) <= fewNodes || i > s.start+12) {
			s.wake(beam, i)
		}
		s.try(beam, i)
		if len(s.tried) == 0 || s.steps > budget {
			return nil
		}
		s.sift(beam, i)
		beam = s.keep(beam, i)
		if i > s.start+20 && beam[0].total() < 0 {
			return nil
		}
	}
	return &beam[0]
}

// spread puts samples of all lengths first, the longest among them.
func (s *search) spread() {
	n, early := len(s.samples), earlyServer
	if s.start == clientClear {
		early = earlyClient
	}
	if s.active = min(n, early); n <= early {
		return
	}
	var first, rest []sample
	for i := range s.samples {
		if i*early/n != (i-1)*early/n || i == 0 {
			first = append(first, s.samples[i])
		} else {
			rest = append(rest, s.samples[i])
		}
	}
	s.active = len(first)
	s.samples = append(first, rest...)
}

// anchor puts a message first whose first operation can be seen to have a time.
func (s *search) anchor() {
	for j := range s.active {
		if c := s.clear(j); c.state == stTime || c.state == stCount || c.state == stShort {
			s.samples[0], s.samples[j] = s.samples[j], s.samples[0]
			return
		}
	}
}

// first makes the hypotheses before the first enciphered byte.
func (s *search) first() []hypothesis {
	base := hypothesis{cursors: make([]cursor, s.active)}
	for j := range base.cursors {
		base.cursors[j] = s.clear(j)
	}
	s.weighTimes(base.cursors)
	for j := range base.cursors {
		base.evidence += base.cursors[j].evidence()
	}
	return []hypothesis{base}
}

// clear parses what is not enciphered.
func (s *search) clear(j int) cursor {
	sm := &s.samples[j]
	c := begin(sm.scene.fromClient)
	for i := 0; i < s.start && i < len(sm.body); i++ {
		c.feed(&sm.scene, sm.body[i])
	}
	return c
}

// wake takes all samples into the beam, parsed up to byte i.
func (s *search) wake(beam []hypothesis, i int) {
	for b := range beam {
		h := &beam[b]
		pad := padOf(nil, s.padStart(h), h.text, h.period, s.start, i-s.start)
		for j := s.active; j < len(s.samples); j++ {
			sm := &s.samples[j]
			c := s.clear(j)
			for k := s.start; k < i && k < len(sm.body); k++ {
				c.feed(&sm.scene, sm.body[k]^pad[k-s.start])
				s.steps++
			}
			if i >= len(sm.body) {
				c.finish(len(sm.body))
			}
			h.cursors = append(h.cursors, c)
		}
		s.weighTimes(h.cursors)
		h.evidence = 0
		for j := range h.cursors {
			h.evidence += h.cursors[j].evidence()
		}
	}
	s.active = len(s.samples)
}

// padStart is the key before the first character of a hypothesis.
func (s *search) padStart(h *hypothesis) byte {
	pad := padOf(nil, 0, h.text, h.period, s.start, max(h.length(), 1))
	return h.q ^ pad[len(pad)-1]
}

// length is how many bytes of the pad the hypothesis has.
func (h *hypothesis) length() int {
	return len(h.text)
}

// padOf appends n bytes of the pad that a command makes. text is the key characters used so far, one for
// each byte; with a period the first so many repeat.
func padOf(dst []byte, key byte, text []byte, period, start, n int) []byte {
	for i := range n {
		if len(text) > 0 {
			at := i
			if period > 0 {
				at %= period
			}
			if at >= len(text) {
				break
			}
			key ^= text[at] << ((start + i) & 1)
		}
		dst = append(dst, key)
	}
	return dst
}

// try weighs all continuations of the beam by byte i of the pad.
func (s *search) try(beam []hypothesis, i int) {
	s.tried = s.tried[:0]
	shift := i & 1
	var p [numChars]float64
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
			s.tryByte(h, b, i, q^c<<shift, c, false, 0)
		case i == s.start && s.challenge < 0:
			for q := range 256 {
				s.tryByte(h, b, i, byte(q), 0, false, -8*unit) // the first character stays open
			}
			continue
		case h.period > 0:
			c := h.text[len(h.text)%h.period]
			if len(h.text)%h.period == 0 && h.wild {
				s.tryFirst(h, b, i)
				continue
			}
			s.tryByte(h, b, i, h.q^c<<shift, c, false, 0)
		default:
			q := h.q
			if i == s.start {
				q = byte(s.challenge)
				s.tryByte(h, b, i, q, 0, true, -3*unit) // no command
			} else if h.wild && len(h.text) == 1 {
				s.tryByte(h, b, i, q, 0, true, -3*unit)
			}
			if h.wild && len(h.text) < order {
				p = *s.predictWild(h.text)
			} else {
				s.lex.predict(h.text, h.wild, &p)
			}
			least := leastProbable(i - s.start)
			for c := 1; c < numChars; c++ {
				if p[c] >= least {
					s.tryByte(h, b, i, q^byte(c)<<shift, byte(c), false, bitsOf(p[c]))
				}
			}
			if len(h.text) > 1 || len(h.text) == 1 && !h.wild {
				s.tryWrap(h, b, i, bitsOf(p[0]))
			}
		}
	}
}

// predictWild predicts after a text whose first character is not known: over those that it can be.
func (s *search) predictWild(text []byte) *[numChars]float64 {
	key := string(text[1:])
	if p := s.wild[key]; p != nil {
		return p
	}
	if s.wild == nil {
		s.wild = map[string]*[numChars]float64{}
	}
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

// leastProbable leaves out the least likely characters while the beam is wide.
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
	s.tryByte(h, b, i, h.q^c<<(i&1), c, true, prior)
}

// tryFirst comes to the first character again where it is not known yet.
func (s *search) tryFirst(h *hypothesis, b, i int) {
	text := slices.Clone(h.text)
	for c := byte('\n'); c < numChars; c++ {
		if c > '\n' && c < ' ' || c == '%' {
			continue
		}
		text[0] = c
		s.tryByte(h, b, i, h.q^c<<(i&1), c, false, s.firstPrior(text))
	}
}

// firstPrior weighs the first character of a text against the others.
func (s *search) firstPrior(text []byte) int32 {
	var p [numChars]float64
	s.lex.predict(nil, false, &p)
	w := bitsOf(p[text[0]])
	for k := 1; k < min(len(text), order); k++ {
		s.lex.predict(text[:k], true, &p)
		w -= bitsOf(p[text[k]])
		s.lex.predict(text[:k], false, &p)
		w += bitsOf(p[text[k]])
	}
	return w
}

// tryByte weighs one continuation on some of the messages.
func (s *search) tryByte(h *hypothesis, b, i int, q, c byte, wrap bool, prior int32) {
	if cap(s.scratch) < len(h.cursors) {
		s.scratch = make([]cursor, len(h.cursors))
	}
	e := s.extend(s.scratch[:s.quick()], h, i, q)
	s.tried = append(s.tried, trial{from: int32(b), q: q, c: c, wrap: wrap, evidence: e, prior: h.prior + prior})
}

// quick is how many messages a continuation is tried on at first.
func (s *search) quick() int {
	if s.active <= earlyServer {
		return s.active
	}
	return max(earlyServer, s.active/5)
}

// sift keeps the most promising continuations and weighs them on all messages.
func (s *search) sift(beam []hypothesis, i int) {
	if s.quick() == s.active {
		return
	}
	s.order()
	n := min(len(s.tried), quickBeam)
	if i < s.start+wideBytes {
		n = min(len(s.tried), firstBeam)
	}
	s.tried = s.tried[:n]
	for k := range s.tried {
		t := &s.tried[k]
		t.evidence = s.extend(s.scratch[:s.active], &beam[t.from], i, t.q)
	}
}

// order puts the best continuations first.
func (s *search) order() {
	slices.SortFunc(s.tried, func(a, b trial) int {
		return cmp.Or(cmp.Compare(b.total(), a.total()), cmp.Compare(a.from, b.from), cmp.Compare(a.c, b.c), cmp.Compare(a.q, b.q))
	})
}

// extend parses byte i under q, of as many messages as cs has room for, and gives the evidence.
func (s *search) extend(cs []cursor, h *hypothesis, i int, q byte) (evidence int32) {
	evidence = h.evidence
	for j := range cs {
		sm, c := &s.samples[j], &cs[j]
		*c = h.cursors[j]
		if i >= len(sm.body) {
			continue
		}
		before := c.evidence()
		if c.state < stEnd {
			s.steps++
		}
		c.feed(&sm.scene, sm.body[i]^q)
		if i == len(sm.body)-1 {
			c.finish(len(sm.body))
		}
		if c.timed < 4 {
			s.weighTime(cs, j)
		}
		evidence += c.evidence() - before
	}
	return evidence
}

// timeSymbols gives the bytes of the server time that were read, low ones first, and their number.
func (c *cursor) timeSymbols() (v uint32, n uint8) {
	switch {
	case c.flags&hasTime != 0:
		return c.time, 4
	case c.state == stTime:
		return c.acc, 4 - c.syms
	}
	return 0, 0
}

// weighTimes counts how well the server times of all messages agree with the clock of the capture.
func (s *search) weighTimes(cs []cursor) {
	for j := range cs {
		s.weighTime(cs, j)
	}
}

// weighTime counts how well the server time of a message agrees with the clock of the capture: by the
// offset if that is known, else by the first message.
func (s *search) weighTime(cs []cursor, j int) {
	c := &cs[j]
	zero, known := uint32(s.offset), uint8(4)
	if !s.hasOffset {
		if j == 0 {
			return
		}
		var t uint32
		t, known = cs[0].timeSymbols()
		zero = t - uint32(s.samples[0].at)
	}
	t, n := c.timeSymbols()
	n = min(n, known)
	for c.timed < n {
		k := int(c.timed)
		res := t - zero - uint32(s.samples[j].at)
		c.score += s.m.code.length[byte(t>>(8*k))]*unit + timeWeight(res, k+1) - timeWeight(res, k)
		c.timed++
	}
}

// keep makes the new beam of the best continuations.
func (s *search) keep(beam []hypothesis, i int) []hypothesis {
	s.order()
	width := laterBeam
	if i < s.start+wideBytes {
		width = firstBeam
	}
	best := s.tried[0].total()
	n := 0
	for n < len(s.tried) && n < width && s.tried[n].total() > best-window {
		n++
	}
	cursors := make([]cursor, n*s.active)
	next := make([]hypothesis, n)
	for k := range next {
		t := &s.tried[k]
		from := &beam[t.from]
		h := &next[k]
		*h = hypothesis{
			period: from.period, empty: from.empty, q: t.q, wild: from.wild, evidence: t.evidence, prior: t.prior,
			cursors: cursors[k*s.active : (k+1)*s.active : (k+1)*s.active],
		}
		s.extend(h.cursors, from, i, t.q)
		s.grow(h, from, t, i)
	}
	return next
}

// grow gives a hypothesis its text.
func (s *search) grow(h, from *hypothesis, t *trial, i int) {
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
