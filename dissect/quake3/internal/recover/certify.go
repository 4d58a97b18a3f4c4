package recover

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"

// proof is how much more evidence a command needs than every other that differs in one place.
const proof = 30 * unit

// certify finds which part of a hypothesis is certain: how many characters, and whether the challenge is. For
// each place it scores the messages under every other key byte there: the evidence must drop by proof.
func (s *search) certify(h *hypothesis) (sure int, challenge bool) {
	key := s.padStart(h)
	longest := 0
	for i := range s.samples {
		longest = max(longest, len(s.samples[i].body)-s.start)
	}
	right := padOf(nil, key, h.text, h.period, s.start, longest)
	s.weighText(h)
	if h.empty {
		return 0, s.supported(right, 0) && s.surpasses(h, right, func(d byte, pad []byte) {
			for i := range pad {
				pad[i] ^= d
			}
		}, 1, nil)
	}
	n := len(h.text)
	if h.period > 0 {
		n = h.period
	}
	for sure = len(s.prefix); sure < n; {
		if !s.supported(right, sure) || !s.sureAt(h, key, right, sure) {
			break
		}
		sure++
	}
	if h.wild || h.period == 0 || sure < n {
		return sure, false
	}
	// The first character and the challenge compensate for each other until the command begins again.
	text := append([]byte(nil), h.text...)
	challenge = s.supported(right, h.period) && s.surpasses(h, right, func(d byte, pad []byte) {
		text[0] = h.text[0] ^ d
		other := netchan.NextKey(key, d, s.start)
		padOf(pad[:0], other, text, h.period, s.start, len(pad))
	}, 1, nil)
	return sure, challenge
}

// mostChosen is the most that a chosen character weighs, whatever the language model predicts: one of 128.
const mostChosen = 7 * unit

// weighText adds up, place by place, how unlikely the characters are that the search was free to choose.
func (s *search) weighText(h *hypothesis) {
	s.chosen = append(s.chosen[:0], 0)
	n := len(h.text)
	if h.period > 0 {
		n = h.period
	}
	var p [numChars]float64
	for k := range n {
		sum := s.chosen[k]
		if k >= len(s.prefix) && !s.given {
			s.lex.predict(h.text[:k], h.wild, &p)
			s.steps += predictSteps
			sum -= max(bitsOf(max(p[h.text[k]&127], rarest)), -mostChosen)
		}
		s.chosen = append(s.chosen, sum)
	}
}

// freedom returns how unlikely the characters between two places are.
func (s *search) freedom(at, end int) int32 {
	last := len(s.chosen) - 1
	return s.chosen[min(end, last)] - s.chosen[min(at, last)]
}

// supported reports whether the messages are plausible after a place of the pad. A wrong pad soon makes messages
// impossible or their text senseless. So nearly all messages that reach the place must be readable for some way, and
// together they must have the evidence of a proof, and half a bit per byte (real messages give one or more). The
// evidence that the search gained by its choice of characters is taken off: for a few messages there is always a text
// that makes some sense of them.
func (s *search) supported(right []byte, at int) bool {
	s.extendPaths(right, at)
	good, bad, size, gain, furthest := 0, 0, 0, int32(0), at // size in bytes
	for j := range s.samples {
		whole := len(s.samples[j].body) - s.start
		end := min(at+lookahead, whole, len(right))
		if whole <= at {
			continue
		}
		furthest = max(furthest, end)
		if fresh := s.fresh[j]; fresh < end {
			size += end - fresh
			gain += s.paths[j][end].evidence() - s.paths[j][fresh].evidence()
		}
		switch c := s.paths[j][end]; {
		case c.state == stDead:
			bad++
		case end == whole || end >= at+lookahead/2:
			good++
		}
	}
	return good >= fewest-1 && good >= 4*bad && gain-s.freedom(at, furthest) >= proof && gain >= int32(size)*unit/2
}

// sureAt reports whether byte at of the pad is certain.
func (s *search) sureAt(h *hypothesis, key byte, right []byte, at int) bool {
	step := byte(2) // a bit that the shifts of both neighbours can cause
	text := append([]byte(nil), h.text...)
	return s.surpasses(h, right, func(d byte, pad []byte) {
		copy(text, h.text)
		text[at] ^= d >> ((s.start + at) & 1)
		if next := at + 1; next < len(text) && next != h.period {
			text[next] ^= d >> ((s.start + next) & 1)
		}
		if h.period == 0 {
			pad[at] ^= d
			return
		}
		padOf(pad[:0], key, text, h.period, s.start, len(pad))
	}, step, func() int32 { return s.likelier(h, text, at) })
}

// likelier returns how much more likely a hypothesis's text is than another that differs at a place and the next.
func (s *search) likelier(h *hypothesis, other []byte, at int) (lead int32) {
	var p [numChars]float64
	for k, end := at, min(at+2+order, len(other)); k < end && (h.period == 0 || k < h.period); k++ {
		for sign, text := range [2][]byte{other, h.text} {
			s.lex.predict(text[:k], h.wild, &p)
			lead += bitsOf(max(p[text[k]&127], rarest)) * int32(2*sign-1)
		}
	}
	return lead
}

// mostLikelier is how much of a proof may be that the text is more likely.
const mostLikelier = 14 * unit

// lookahead is how many bytes after a difference are scored.
const lookahead = 24

// surpasses reports whether the hypothesis beats all its variants by proof. vary makes the variant d of the
// pad; likelier returns how much less likely its text is.
func (s *search) surpasses(h *hypothesis, right []byte, vary func(d byte, pad []byte), step byte,
	likelier func() int32,
) bool {
	other := make([]byte, len(right))
	for d := int(step); d < 256; d += int(step) {
		if d > 127 && !h.empty {
			break
		}
		copy(other, right)
		vary(byte(d), other)
		first := differ(right, other)
		if first < 0 {
			return false
		}
		s.extendPaths(right, first)
		var lead int32
		for j := range s.samples {
			if lead += s.lead(j, other, first); lead >= 4*proof {
				break // the rest cannot compensate for it
			}
		}
		if lead < proof && lead >= proof-mostLikelier && likelier != nil {
			lead += min(likelier(), mostLikelier)
		}
		if lead < proof {
			return false
		}
	}
	return true
}

// extendPaths reads all messages under the right pad, up to some bytes beyond a position, and finds what they repeat
// from each other there: a message in the same state as an earlier one, with the same bytes, reads the same under any
// pad and proves nothing more.
func (s *search) extendPaths(right []byte, at int) {
	if s.paths == nil {
		s.common = s.m.newShared()
		s.paths, s.fresh, s.freshAt = make([][]cursor, len(s.samples)), make([]int, len(s.samples)), -1
	}
	if s.freshAt == at {
		return
	}
	s.freshAt = at
	for j := range s.samples {
		path := s.paths[j]
		scene := &s.samples[j].scene
		if len(path) == 0 {
			path = append(path, s.clear(j))
		}
		scene.shared, scene.frozen = s.common, false
		for k, end := len(path)-1, min(at+lookahead, len(s.samples[j].body)-s.start, len(right)); k < end; k++ {
			c := path[k]
			s.weighByte(&c, j, k, right[k])
			path = append(path, c)
		}
		s.paths[j] = path
	}
	for j := range s.samples {
		s.fresh[j] = s.firstFresh(j, at)
	}
}

// firstFresh returns the first place of the pad at which a message differs from all earlier messages that are
// in the same state at at.
func (s *search) firstFresh(j, at int) int {
	if at >= len(s.paths[j]) {
		return at
	}
	state, b, fresh := s.paths[j][at].parsing(), s.samples[j].body[s.start+at:], at
	for k := range j {
		if at >= len(s.paths[k]) || s.paths[k][at].parsing() != state {
			continue
		}
		a, n := s.samples[k].body[s.start+at:], 0
		for n < len(a) && n < len(b) && a[n] == b[n] {
			n++
		}
		fresh = max(fresh, at+n)
	}
	return fresh
}

// parsing returns the part of a cursor that decides how it continues.
func (c *cursor) parsing() cursor {
	p := *c
	p.now, p.ack, p.valued, p.timeScore, p.time, p.timed = 0, 0, 0, 0, 0, 0
	p.score, p.floor, p.bits, p.areas, p.areaBits = 0, 0, 0, 0, 0
	return p
}

// lead returns how much more evidence a message has under the right pad than under one that differs from place first
// on. Bytes that an earlier message has too do not count.
func (s *search) lead(j int, other []byte, first int) int32 {
	sm, path := &s.samples[j], s.paths[j]
	end := min(first+lookahead, len(sm.body)-s.start, len(other))
	from := s.fresh[j]
	if end <= from {
		return 0
	}
	sm.scene.frozen = true
	c := path[first]
	was := c.evidence()
	for k := first; k < end; k++ {
		if k == from {
			was = c.evidence()
		}
		if c.state == stDead && k > from {
			break
		}
		s.weighByte(&c, j, k, other[k])
	}
	return path[end].evidence() - path[from].evidence() - (c.evidence() - was)
}

func (s *search) weighByte(c *cursor, j, k int, q byte) {
	sm := &s.samples[j]
	timed := c.flags&hasTime != 0
	c.feed(&sm.scene, sm.body[s.start+k]^q)
	s.steps++
	if s.start+k == len(sm.body)-1 {
		c.finish(len(sm.body))
	}
	if !timed {
		s.weighWhole(j, c)
	}
}

func differ(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// weigh returns the evidence of a sample under a pad, as far as the pad reaches.
func (s *search) weigh(j int, pad []byte) int32 {
	sm := &s.samples[j]
	c := begin(sm.scene.fromClient)
	sm.scene.shared = s.common
	for i, b := range sm.body {
		if i >= s.start {
			if i-s.start >= len(pad) {
				return c.evidence()
			}
			b ^= pad[i-s.start]
		}
		c.feed(&sm.scene, b)
		if c.state == stDead {
			break
		}
	}
	s.steps += int64(len(sm.body))
	c.finish(len(sm.body))
	s.weighWhole(j, &c)
	return c.evidence()
}

// weighWhole scores the time of one message, if the offset is known.
func (s *search) weighWhole(j int, c *cursor) {
	if !s.hasOffset || c.flags&hasTime == 0 {
		return
	}
	res := c.time - uint32(s.offset) - uint32(s.samples[j].at)
	for k := range 4 {
		c.score += s.m.code.length[byte(c.time>>(8*k))] * unit
	}
	c.score += timeWeight(res, 4)
}
