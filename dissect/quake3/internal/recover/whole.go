package recover

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
)

// Whole commands are tried where a search finds nothing: those that end sessions, those that are usual, and those
// that were read elsewhere. A server goes on for two seconds with a client that has left, under the client's last
// command and with messages that are nearly the same: character by character they show nothing, but under the whole
// command they can be read to their end.

// endings are the commands that end sessions: CL_Disconnect in code/client/cl_main.c, SV_DropClient and its callers in
// code/server/sv_client.c and sv_main.c.
var endings = [2][]string{
	{
		"disconnect", `disconnect "was kicked"`, `disconnect "timed out"`, `disconnect "disconnected"`,
		`disconnect "Server command overflow"`,
	},
	{"disconnect"},
}

// chosenOf is what the choice among so many commands and challenges may gain.
const chosenOf = 18 * unit

// tryWhole tries whole commands on the groups that are not open.
func (s *Session) tryWhole() {
	for _, g := range s.sorted() {
		if len(g.waiting) < minGroup || s.whole(g) || g.compared == len(g.waiting) && g.comparedAt == s.learned ||
			!s.finder.pay(s) || s.comparing >= stepsWhole {
			continue
		}
		g.compared, g.comparedAt = len(g.waiting), s.learned
		for i, m := range s.possible() {
			if s.tryCommands(g, m, i == 0) {
				s.propagate()
				break
			}
		}
	}
}

// usual returns the whole commands that messages of a group may be enciphered with, by the tables of a game: of games
// that are less likely only those that end sessions.
func (s *Session) usual(g *group, m *model, likely bool) (list [][]byte) {
	from := 1 - side(g.fromClient)
	add := func(text []byte) {
		text = m.keyText(text)
		same := func(other []byte) bool { return bytes.Equal(text, other) }
		if len(text) >= order && !slices.ContainsFunc(list, same) {
			list = append(list, text)
		}
	}
	for _, text := range endings[from] {
		add([]byte(text))
	}
	if !likely {
		return list
	}
	if g.fromClient && s.server != nil {
		for _, text := range s.server.recent(g.waiting[0].At) {
			add(text)
		}
	}
	numbers := []int32{}
	for n, c := range s.keys.Commands[from] {
		if c.Read || c.Whole {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for _, n := range numbers[max(len(numbers)-mostRecent, 0):] {
		add(s.keys.Commands[from][n].Text)
	}
	for _, line := range readCorpus().of(m.gen.Corpus) {
		if len(line) < mostUsual {
			add([]byte(line))
		}
	}
	return list
}

// mostUsual is the length from which texts of the corpus are examples of their kind, which nobody sends as they are.
const mostUsual = 32

// A wholeKey is a command with a challenge, and the evidence of a group for them.
type wholeKey struct {
	text      []byte
	challenge int
	evidence  int32
	pad       []byte
}

// tryCommands tries whole commands on a group, by the tables of a game. One counts as far as it is certain.
func (s *Session) tryCommands(g *group, m *model, likely bool) bool {
	s.makeLexicon(m.gen.Corpus)
	sr := s.search(g, g.waiting, m)
	known := sr.prefix
	sr.prefix, sr.given = nil, true
	sr.hasOffset = sr.hasOffset && (len(s.times[side(g.fromClient)]) > 0 || !g.fromClient)
	slices.SortStableFunc(sr.samples, func(a, b sample) int { return len(b.body) - len(a.body) })
	sr.compare()
	longest := len(sr.samples[0].body) - sr.start
	first, last := s.keys.Challenge, s.keys.Challenge
	if first < 0 {
		first, last = 0, 255
	}
	nothing := m.newShared()
	sr.begun = sr.clear(0)
	sr.common = m.newShared()
	best, second := wholeKey{evidence: -1 << 30}, int32(-1<<30)
	for _, text := range s.usual(g, m, likely) {
		if s.keys.Proven && !bytes.HasPrefix(text, known[:min(len(known), len(text))]) {
			continue
		}
		for ch := first; ch <= last; ch++ {
			if !sr.possible(byte(ch), text) {
				continue
			}
			pad := padOf(nil, byte(ch), text, len(text), sr.start, longest)
			if e := sr.weighWith(pad, nothing); e > best.evidence {
				if !bytes.Equal(pad, best.pad) {
					second = best.evidence
				}
				best = wholeKey{text, ch, e, pad}
			} else if !bytes.Equal(pad, best.pad) {
				second = max(second, e)
			}
		}
	}
	s.spent += sr.steps
	s.allowed += sr.steps // searches have as much as without
	s.comparing += sr.steps
	sr.steps = 0
	if best.evidence < accept+chosenOf || best.evidence-second < proof {
		return false
	}
	return s.take(g, sr, &best, longest)
}

// take stores a whole command as far as it is certain: all of it where it repeats itself in messages that can all be
// read to their end.
func (s *Session) take(g *group, sr *search, k *wholeKey, longest int) bool {
	h := &hypothesis{evidence: k.evidence, q: k.pad[longest-1]}
	for i := range longest {
		h.text = append(h.text, k.text[i%len(k.text)])
	}
	if longest > len(k.text) {
		h.period = len(k.text)
	}
	sure, challenge := len(k.text), true
	if longest < 2*len(k.text) || !sr.allEnd(k.pad) {
		sr.challenge = k.challenge
		sure, challenge = sr.certify(h)
		s.spent += sr.steps
	}
	old := s.keys.Commands[1-side(g.fromClient)][g.ack]
	if sure < order || sure <= len(old.Text) && !(challenge && sure >= len(k.text)) {
		return false
	}
	if s.m != sr.m {
		others := []rival{{m: s.m}}
		for _, r := range s.rivals {
			if r.m != sr.m {
				others = append(others, rival{m: r.m})
			}
		}
		s.m, s.rivals = sr.m, others
	}
	// The command is known, so that its first character does not compensate for another challenge.
	s.accept(g, sr, h, sure, challenge || s.keys.Challenge < 0)
	return true
}

// possible reports whether the first message can be one under a command and a challenge: under nearly all others it
// cannot after a few bytes.
func (s *search) possible(key byte, text []byte) bool {
	const enough = 48 // bytes
	sm := &s.samples[0]
	c := s.begun
	sm.scene.shared = nil
	for i := s.start; i < min(len(sm.body), s.start+enough) && c.state != stDead; i++ {
		key = netchan.NextKey(key, text[(i-s.start)%len(text)], i)
		c.feed(&sm.scene, sm.body[i]^key)
		s.steps++
	}
	return c.state != stDead
}

// weighWith returns the evidence of all messages under a pad, with nothing in common before. Bytes that a message
// repeats from an earlier one prove nothing more. A pad under which messages are impossible is given up.
func (s *search) weighWith(pad []byte, nothing *commonBits) (evidence int32) {
	s.common.copyFrom(nothing)
	for j := range s.samples {
		sm := &s.samples[j]
		c, was := begin(sm.scene.fromClient), int32(0)
		sm.scene.shared = s.common
		for i, b := range sm.body {
			if i == max(sm.same, s.start) {
				was = c.evidence()
			}
			if i >= s.start {
				b ^= pad[i-s.start]
			}
			c.feed(&sm.scene, b)
			s.steps++
			if c.state == stDead {
				return evidence + c.evidence() - was + deadWeight
			}
		}
		c.finish(len(sm.body))
		s.weighWhole(j, &c)
		if sm.same < len(sm.body) {
			evidence += c.evidence() - was
		}
		if evidence < -proof {
			break
		}
	}
	return evidence
}

// allEnd reports whether all messages are read to their end under a pad.
func (s *search) allEnd(pad []byte) bool {
	for j := range s.samples {
		body := slices.Clone(s.samples[j].body)
		for i := s.start; i < len(body); i++ {
			body[i] ^= pad[i-s.start]
		}
		if !parses(s.m, s.samples[j].scene.fromClient, body) {
			return false
		}
	}
	return true
}

// complete adds the end of a configstring's command whose closing quote is known, and reports whether it did: servers
// make all of them in one form, SV_SetConfigstring in code/server/sv_init.c.
func (c *Command) complete(fromServer bool) bool {
	if c.Read || c.Whole || !fromServer || !configstring.Match(c.Text) {
		return false
	}
	c.Text, c.Whole = append(bytes.TrimSuffix(bytes.Clone(c.Text), []byte("\n")), '\n'), true
	return true
}

var configstring = regexp.MustCompile(`^b?cs[0-9]? [0-9]+ "[^"]*"\n?$`)
