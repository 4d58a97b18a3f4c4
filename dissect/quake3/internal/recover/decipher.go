package recover

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"

// Decipher appends the deciphered message to dst, if its key is known and it can be parsed to its end. A
// message that the capture cuts short cannot be parsed to its end: for it the key must be certain.
func (s *Session) Decipher(dst []byte, m *Message, cut bool) (plain []byte, ok bool) {
	p, ok := m.prefix()
	start, base := m.key()
	if !ok || s.keys.Challenge < 0 || len(s.rivals) > 0 && s.m.gen.Game != tables.Quake3 {
		return dst, false
	}
	c, ok := s.keys.Commands[1-side(m.FromClient)][p.ack]
	if !ok || (c.Read || cut) && !s.keys.Proven {
		return dst, false
	}
	text := c.Text
	if c.Read {
		text = s.m.keyText(text)
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
	return dst, cut || parses(s.m, m.FromClient, dst[from:])
}
