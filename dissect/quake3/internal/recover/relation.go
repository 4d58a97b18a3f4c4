package recover

// timeSymbols returns the bytes of the server time that have been read, low ones first, and their number.
func (c *cursor) timeSymbols() (v uint32, n uint8) {
	switch {
	case c.flags&hasTime != 0:
		return c.time, 4
	case c.state == stTime:
		return c.acc, 4 - c.syms
	}
	return 0, 0
}

// weighTimes scores how well the server times of all messages agree with the clock of the capture.
func (s *search) weighTimes(cs []cursor) {
	for j := range cs {
		s.weighTime(cs, j)
		s.weighAreas(cs, j)
	}
}

// weighTime scores how well the server time of a message agrees with the clock of the capture: by the first
// message, or by the offset if that is known. A new map may have begun since.
func (s *search) weighTime(cs []cursor, j int) {
	c := &cs[j]
	if j == 0 && !s.hasOffset {
		return
	}
	first, known := cs[0].timeSymbols()
	if j == 0 {
		known = 0
	}
	t, n := c.timeSymbols()
	if !s.hasOffset {
		n = min(n, known)
	}
	if c.timed >= n {
		return
	}
	at := uint32(s.samples[j].at)
	w := int32(-1 << 30)
	if s.hasOffset {
		w = timeWeight(t-uint32(s.offset)-at, int(n))
	}
	if known >= n {
		w = max(w, timeWeight(t-at-(first-uint32(s.samples[0].at)), int(n)))
	}
	if s.hasOffset && j > 0 {
		w -= unit // one or the other
	}
	for k := range n {
		w += s.m.code.length[byte(t>>(8*k))] * unit
	}
	c.timed = n
	c.score += w - c.timeScore
	c.timeScore = w
}

// Evidence of the areas that a player sees being the same as in another message, or not, in 1/256 of a bit.
const (
	sameAreas  = -unit / 4
	otherAreas = -3 * unit
)

// weighAreas scores the areas that a player sees against those of the first message: they seldom change.
func (s *search) weighAreas(cs []cursor, j int) {
	c, first := &cs[j], &cs[0]
	if j == 0 || c.flags&(hasAreas|comparedAreas) != hasAreas || first.flags&hasAreas == 0 || c.state == stDead {
		return
	}
	c.flags |= comparedAreas
	if c.areas == first.areas {
		c.score += int32(c.areaBits)*unit + sameAreas
	} else {
		c.score += otherAreas
	}
}
