package recover

// Decipher appends the deciphered message to dst, if its key is known and it can be parsed to its end. A
// message that the capture cuts short cannot be parsed to its end: for it the key must be certain.
func (s *Session) Decipher(dst []byte, m *Message, cut bool) (plain []byte, ok bool) {
	p, ok := m.prefix()
	start, base := m.key()
	if !ok || s.keys.Challenge < 0 {
		return dst, false
	}
	c, ok := s.keys.Commands[1-side(m.FromClient)][p.ack]
	if !ok || (c.Read || cut) && !s.keys.Proven {
		return dst, false
	}
	text := c.Text
	if c.Read {
		text = keyText(text)
	}
	n, period := len(m.Body)-start, len(text)
	if !c.Whole {
		if period = 0; n > len(text) {
			return dst, false
		}
	}
	from := len(dst)
	dst = append(dst, m.Body...)
	s.pad = padOf(s.pad[:0], byte(s.keys.Challenge)^base, text, period, start, n)
	for i, b := range s.pad {
		dst[from+start+i] ^= b
	}
	return dst, cut || s.parses(m.FromClient, dst[from:])
}

// parses reports whether a plain message can be parsed to its end.
func (s *Session) parses(fromClient bool, body []byte) bool {
	c, sc := begin(fromClient), scene{m: s.finder.m, fromClient: fromClient}
	for _, b := range body {
		if c.state >= stEnd {
			break
		}
		c.feed(&sc, b)
	}
	c.finish(len(body))
	return c.good()
}
