package recover

import (
	"fmt"
	"slices"
	"strings"
)

// A closedGroup has the messages of a cut that are enciphered with one command; some were not recovered.
type closedGroup struct {
	groupKey
	total             int
	closed            []int // places among the session's messages
	shortest, longest int   // of these, in bytes that are enciphered
}

// missing describes the groups of a cut with messages that did not come out.
func (s *recorded) missing(o *outcome, from, to int) string {
	var b strings.Builder
	for _, g := range s.closedGroups(o, from, to) {
		c := o.keys.Commands[1-side(g.fromClient)][g.ack]
		text := s.texts[1-side(g.fromClient)][g.ack]
		fmt.Fprintf(&b, "\n  side %d, command %d: %d of %d closed, of %d to %d bytes; %d of %d characters are known, whole "+
			"%v, read %v: %.90q",
			side(g.fromClient), g.ack, len(g.closed), g.total, g.shortest, g.longest, len(c.Text),
			len(text), c.Whole, c.Read, text)
		if n := len(c.Text); len(g.closed) >= 20 && !c.Whole {
			to := min(g.longest, len(text))
			same, open := s.ambiguous(g, n, to)
			fmt.Fprintf(&b, "\n    of the %d characters behind them, %d encipher the same byte in every closed message, and "+
				"%d could be others", to-n, same, open)
		}
	}
	return b.String()
}

// closedGroups lists the groups, that with the most such messages first.
func (s *recorded) closedGroups(o *outcome, from, to int) (list []*closedGroup) {
	groups := map[groupKey]*closedGroup{}
	for i := from; i < to; i++ {
		m := &s.messages[i]
		if _, ok := s.decipher(i, s.challenge); !ok {
			continue
		}
		key := groupKey{m.FromClient, s.truth[i].RelAck}
		g := groups[key]
		if g == nil {
			g = &closedGroup{groupKey: key, shortest: 1 << 20}
			groups[key] = g
			list = append(list, g)
		}
		g.total++
		if got, ok := o.keys.decipher(s.m, m); ok && parses(s.m, m.FromClient, got) {
			continue
		}
		start, _ := m.key()
		g.closed = append(g.closed, i)
		g.longest, g.shortest = max(g.longest, len(m.Body)-start), min(g.shortest, len(m.Body)-start)
	}
	list = slices.DeleteFunc(list, func(g *closedGroup) bool { return len(g.closed) == 0 })
	slices.SortStableFunc(list, func(a, b *closedGroup) int { return len(b.closed) - len(a.closed) })
	return list
}

// ambiguous looks at the characters of the right command from a place to another. same counts those that encipher the
// same byte in all closed messages that reach them: such messages have no more evidence than one of them. open counts
// those for which another would give messages that can be read to their end as well, with commands of printable
// characters, the command itself printable too.
func (s *recorded) ambiguous(g *closedGroup, from, to int) (same, open int) {
	text := s.m.keyText(s.texts[1-side(g.fromClient)][g.ack])
	for at := from; at < to; at++ {
		values := map[byte]bool{}
		for _, i := range g.closed {
			if start, base := s.messages[i].key(); start+at < len(s.messages[i].Body) {
				values[s.messages[i].Body[start+at]^base] = true
			}
		}
		if len(values) == 1 {
			same++
		}
		for d := 2; d < 128; d += 2 {
			if s.readsWith(g, text, at, byte(d)) {
				open++
				break
			}
		}
	}
	return same, open
}

// readsWith reports whether all closed messages can be read if the key differs by d in one byte, which changes a
// character of the command and the next.
func (s *recorded) readsWith(g *closedGroup, text []byte, at int, d byte) bool {
	for k := range 2 {
		start, _ := s.messages[g.closed[0]].key()
		if at+k < len(text) && !printable(text[at+k]^d>>((start+at+k)&1)) {
			return false
		}
	}
	for _, i := range g.closed {
		m := &s.messages[i]
		start, _ := m.key()
		body, ok := s.decipher(i, s.challenge)
		if !ok || start+at >= len(body) {
			continue
		}
		if body[start+at] ^= d; !parses(s.m, m.FromClient, body) || !printableCommands(s.m, m.FromClient, body) {
			return false
		}
	}
	return true
}

func printable(c byte) bool { return c == '\n' || c == 25 || c >= ' ' && c < 127 && c != '%' }

// printableCommands reports whether the commands of a message are of printable characters.
func printableCommands(m *model, fromClient bool, body []byte) bool {
	s := Session{m: m, plain: body}
	r, _ := s.parse(&waitingMessage{Message: Message{FromClient: fromClient, Body: body}}, false)
	return !slices.ContainsFunc(r.text, func(c byte) bool { return !printable(c) })
}
