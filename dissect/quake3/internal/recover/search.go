package recover

import (
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
)

// A sample is a message of a group in a search.
type sample struct {
	body  []byte // what is enciphered has the known part of the key taken off
	scene scene
	at    int64 // capture time in milliseconds
	same  int   // the first same bytes are those of an earlier message, so they prove nothing more
}

// A search finds the pad of a group of messages that are enciphered with the same command: the bytes that
// remain to be XORed with each message. It extends the command character by character, tries each continuation
// on all messages at once, and keeps the most likely ones.
type search struct {
	m         *model
	lex       *lexicon
	start     int    // first enciphered byte
	challenge int    // low byte; -1: not known
	offset    int64  // server time minus capture time
	hasOffset bool   // offset is known
	prefix    []byte // what is known of the command
	given     bool   // the command was not chosen character by character
	begun     cursor // with given: the first sample after what is not enciphered
	samples   []sample
	active    int   // the first active samples are looked at
	steps     int64 // bytes parsed: what the search cost
	budget    int64 // limit of steps

	// While the beam advances.
	scratch []cursor
	alive   []int                         // samples that have the present byte of the pad
	quick   int                           // continuations are tried on the first quick of alive, then on all
	common  *commonBits                   // of the continuation that is tried, or of the hypothesis that is certified
	tried   []continuation                // continuations by the present byte
	wild    map[string]*[numChars]float64 // what may follow a text without its first character
	firsts  map[string]*[numChars]int32   // what that first character may be

	// While a hypothesis is certified.
	paths   [][]cursor // of the samples under the right pad, after each of its bytes
	freshAt int        // place of the pad that fresh is for; -1: none
	fresh   []int      // place from which a sample differs from all earlier ones
	chosen  []int32    // how unlikely the text is, up to each character
}

// A hypothesis is a beginning of the command, with the state of all messages under it.
type hypothesis struct {
	text     []byte
	period   int // the command has so many characters, and began again; 0: it has not ended
	empty    bool
	q        byte // last byte of the pad
	wild     bool // the first character is not known: another one with another challenge gives the same pad
	evidence int32
	prior    int32
	cursors  []cursor
	shared   *commonBits
}

func (h *hypothesis) total() int32 { return h.evidence + h.prior }

// A continuation extends a hypothesis by one character.
type continuation struct {
	from            int32
	q, c            byte
	wrap            bool
	evidence, prior int32
}

func (t *continuation) total() int32 { return t.evidence + t.prior }

// Numbers of hypotheses and messages.
const (
	firstBeam    = 500 // hypotheses that are kept for the first bytes of the pad
	laterBeam    = 32  // hypotheses that are kept afterwards
	favoured     = 4   // more hypotheses, those with the likeliest text
	quickBeam    = 100 // continuations that are tried on all messages
	quickSamples = 6   // messages that they are tried on before, at least
	wideBytes    = 3   // bytes of the pad that are found with firstBeam
	fewNodes     = 100 // a beam of at most so many hypotheses looks at all messages
	earlyServer  = 32  // messages of servers that are looked at before
	earlyClient  = 40  // messages of clients that are looked at before
	fewest       = 3   // messages needed to find a character of the command
)

// How much worse than the best a hypothesis may be.
const (
	window       = 20 * unit
	windowEach   = unit / 4 // more for each message
	windowEarly  = 4 * unit // for each message, in the first wideBytes
	favouredEach = 5 * unit // for each message, if its text is likely
	quickEach    = 2 * unit // for each of the messages that continuations are tried on first
)

// likelyText is the prior above which a character is tried, however weak the evidence of its hypothesis.
const likelyText = -7 * unit

// tolerance is how much worse than the best a hypothesis may be after byte i of the pad. The first bytes hardly
// distinguish hypotheses apart: most of their bits wait for the rest of a value.
func (s *search) tolerance(i int) int32 {
	each := int32(windowEach)
	if i < s.start+wideBytes {
		each = windowEarly
	}
	return window + int32(s.active)*each
}

// run searches and returns the most likely command, or nil. It stops before the end of the longest messages when
// the budget is spent, or when too few messages are long enough: the text then ends there.
func (s *search) run(budget int64) *hypothesis {
	s.budget = budget
	slices.SortStableFunc(s.samples, func(a, b sample) int { return cmp.Compare(len(b.body), len(a.body)) })
	s.spread()
	s.anchor()
	s.compare()
	longest := 0
	for i := range s.samples {
		longest = max(longest, len(s.samples[i].body))
	}
	beam := s.first()
	for i := s.start; i < longest; i++ {
		if s.active < len(s.samples) && i > s.start+wideBytes && (len(beam) <= fewNodes || i > s.start+12) {
			s.wake(beam, i)
		}
		if beam[0].period == 0 && !beam[0].empty && s.longer(i) < fewest {
			break
		}
		s.look(i)
		s.try(beam, i)
		if len(s.tried) == 0 || s.steps > budget {
			break
		}
		s.sift(beam, i)
		beam = s.keep(beam, i)
		if i > s.start+20 && beam[0].total() < 0 {
			return nil
		}
	}
	return &beam[0]
}

// longer counts the messages that have byte i.
func (s *search) longer(i int) (n int) {
	for j := range s.samples {
		if len(s.samples[j].body) > i {
			n++
		}
	}
	return n
}

// spread moves samples of all lengths to the front, the longest among them.
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

// anchor moves a message to the front whose first operation certainly has a time.
func (s *search) anchor() {
	for j := range s.active {
		if c := s.clear(j); c.state == stTime || c.state == stCount || c.state == stShort {
			s.samples[0], s.samples[j] = s.samples[j], s.samples[0]
			return
		}
	}
}

// compare finds the bytes that messages repeat from each other. A reliable command is sent again until the other side
// acknowledges it: it reads the same in all these messages under any key.
func (s *search) compare() {
	for j := range s.samples {
		b, clear := &s.samples[j], s.clear(j)
		b.same = 0
		for k := range j {
			a := &s.samples[k]
			if s.clear(k) != clear {
				continue
			}
			n := s.start
			for n < len(a.body) && n < len(b.body) && a.body[n] == b.body[n] {
				n++
			}
			b.same = max(b.same, n)
		}
	}
}

// first makes the hypotheses before the first enciphered byte.
func (s *search) first() []hypothesis {
	base := hypothesis{cursors: make([]cursor, s.active), shared: s.m.newShared()}
	s.common = s.m.newShared()
	for j := range base.cursors {
		base.cursors[j] = s.clear(j)
	}
	s.weighTimes(base.cursors)
	for j := range base.cursors {
		base.cursors[j].valued = base.cursors[j].worth(s.m)
	}
	return []hypothesis{base}
}

// clear parses the part that is not enciphered.
func (s *search) clear(j int) cursor {
	sm := &s.samples[j]
	c := begin(sm.scene.fromClient)
	sm.scene.shared = nil
	for i := 0; i < s.start && i < len(sm.body); i++ {
		c.feed(&sm.scene, sm.body[i])
	}
	return c
}

// wake adds all samples to the beam, parsed up to byte i.
func (s *search) wake(beam []hypothesis, i int) {
	for b := range beam {
		h := &beam[b]
		pad := padOf(nil, s.padStart(h), h.text, h.period, s.start, i-s.start)
		for j := s.active; j < len(s.samples); j++ {
			sm := &s.samples[j]
			c := s.clear(j)
			was := c.worth(s.m)
			sm.scene.shared = h.shared
			for k := s.start; k < i && k < len(sm.body); k++ {
				if k <= sm.same {
					was = c.worth(s.m)
				}
				c.feed(&sm.scene, sm.body[k]^pad[k-s.start])
				s.steps++
			}
			if i >= len(sm.body) {
				c.finish(len(sm.body))
			}
			h.cursors = append(h.cursors, c)
			s.weighTime(h.cursors, j)
			s.weighAreas(h.cursors, j)
			h.cursors[j].valued = h.cursors[j].worth(s.m)
			if i > sm.same {
				h.evidence += h.cursors[j].valued - was
			} else if c.state == stDead {
				h.evidence += deadWeight
			}
		}
	}
	s.active = len(s.samples)
}

// padStart is the key before the first character of a hypothesis.
func (s *search) padStart(h *hypothesis) byte {
	pad := padOf(nil, 0, h.text, h.period, s.start, max(h.length(), 1))
	return h.q ^ pad[len(pad)-1]
}

// length is how many bytes of the pad the hypothesis covers.
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
			key = netchan.NextKey(key, text[at], start+i)
		}
		dst = append(dst, key)
	}
	return dst
}
