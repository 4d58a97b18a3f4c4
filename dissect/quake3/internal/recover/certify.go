package recover

// proof is how much better a command must be than every other that differs in one place.
const proof = 30 * unit

// certify finds how much of a hypothesis is beyond doubt: how many characters, and whether the challenge
// is. For each place it weighs the messages under every other key byte there: the evidence must drop by
// proof.
func (s *search) certify(h *hypothesis) (sure int, challenge bool) {
	key := s.padStart(h)
	longest := 0
	for i := range s.samples {
		longest = max(longest, len(s.samples[i].body)-s.start)
	}
	if h.empty {
		return 0, s.supported(h, key, 0, longest) && s.surpasses(h, key, func(d byte, pad []byte) {
			for i := range pad {
				pad[i] ^= d
			}
		}, longest, 1)
	}
	n := len(h.text)
	if h.period > 0 {
		n = h.period
	}
	for sure = len(s.prefix); sure < n; {
		if !s.supported(h, key, sure, longest) || !s.sureAt(h, key, sure, longest) {
			break
		}
		sure++
	}
	if h.wild || h.period == 0 || sure < n {
		return sure, false
	}
	// The first character and the challenge make up for each other until the command begins again.
	text := append([]byte(nil), h.text...)
	challenge = s.surpasses(h, key, func(d byte, pad []byte) {
		text[0] = h.text[0] ^ d
		other := key ^ d<<(s.start&1)
		padOf(pad[:0], other, text, h.period, s.start, len(pad))
	}, longest, 1)
	return sure, challenge
}

// supported reports whether the messages go on as messages do behind a place of the pad: nearly all of those
// that have it are read to their end, or some way on. What a search makes up breaks off soon.
func (s *search) supported(h *hypothesis, key byte, at, longest int) bool {
	right := padOf(nil, key, h.text, h.period, s.start, longest)
	good, bad := 0, 0
	for j := range s.samples {
		size := len(s.samples[j].body) - s.start
		if size <= at {
			continue
		}
		s.weighFrom(j, right, at, nil)
		end := min(at+lookahead, size, len(right))
		switch c := s.paths[j][end]; {
		case c.state == stDead:
			bad++
		case end == size || end >= at+lookahead/2:
			good++
		}
	}
	return good >= fewest-1 && good >= 4*bad
}

// sureAt reports whether byte at of the pad can be no other.
func (s *search) sureAt(h *hypothesis, key byte, at, longest int) bool {
	step := byte(2) // a bit that both neighbours' shifts can make
	text := append([]byte(nil), h.text...)
	return s.surpasses(h, key, func(d byte, pad []byte) {
		copy(text, h.text)
		if h.period == 0 {
			pad[at] ^= d
			return
		}
		text[at] ^= d >> ((s.start + at) & 1)
		if next := at + 1; next < h.period {
			text[next] ^= d >> ((s.start + next) & 1)
		}
		padOf(pad[:0], key, text, h.period, s.start, len(pad))
	}, longest, step)
}

// lookahead is how many bytes behind a difference are weighed.
const lookahead = 24

// surpasses reports whether the hypothesis beats all its variants by proof. vary makes a variant of the
// pad, for each d.
func (s *search) surpasses(h *hypothesis, key byte, vary func(d byte, pad []byte), longest int, step byte) bool {
	right := padOf(nil, key, h.text, h.period, s.start, longest)
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
		var lead int32
		for j := range s.samples {
			if len(s.samples[j].body)-s.start <= first {
				continue
			}
			was, is := s.weighFrom(j, right, first, nil), s.weighFrom(j, right, first, other)
			if lead += was - is; lead >= proof {
				break
			}
		}
		if lead < proof {
			return false
		}
	}
	return true
}

// weighFrom gives the evidence of a sample some bytes behind a place of the pad: with the right one up to
// there, and with other from there on.
func (s *search) weighFrom(j int, right []byte, first int, other []byte) int32 {
	sm := &s.samples[j]
	if s.paths == nil {
		s.paths = make([][]cursor, len(s.samples))
	}
	path := s.paths[j]
	if len(path) == 0 {
		path = append(path, s.clear(j))
	}
	end := min(first+lookahead, len(sm.body)-s.start, len(right))
	for k := len(path) - 1; k < end; k++ {
		c := path[k]
		s.weighByte(&c, j, k, right[k])
		path = append(path, c)
	}
	s.paths[j] = path
	if other == nil {
		return path[end].evidence()
	}
	c := path[first]
	for k := first; k < end && c.state != stDead; k++ {
		s.weighByte(&c, j, k, other[k])
	}
	return c.evidence()
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

// weigh gives the evidence of a sample under a pad, as far as the pad goes.
func (s *search) weigh(j int, pad []byte) int32 {
	sm := &s.samples[j]
	c := begin(sm.scene.fromClient)
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

// weighWhole counts the time of one message, where the offset is known.
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
