package recover

import (
	"slices"
)

// propagate opens groups whose command became known, and then those that follow from their contents.
func (s *Session) propagate() {
	for {
		for len(s.queue) > 0 {
			g := s.queue[0]
			s.queue = s.queue[1:]
			waiting := g.waiting
			g.waiting = nil
			for i := range waiting {
				s.held -= len(waiting[i].Body)
				s.open(g, &waiting[i])
			}
		}
		was := s.keys.Proven
		if s.settle(); s.keys.Proven == was {
			return
		}
	}
}

// open deciphers a message and stores the commands that it carries.
func (s *Session) open(g *group, h *waitingMessage) {
	c := s.keys.Commands[1-side(g.fromClient)][g.ack]
	start, base := h.key()
	text := c.Text
	if c.Read {
		text = s.m.keyText(text)
	}
	n := len(h.Body) - start
	period := len(text)
	if !c.Whole {
		if period = 0; n > len(text) { // longer than the known part of the command
			s.held += len(h.Body)
			g.waiting = append(g.waiting, *h)
			return
		}
	}
	s.plain = append(s.plain[:0], h.Body...)
	pad := padOf(nil, byte(s.keys.Challenge)^base, text, period, start, n)
	for i := range pad {
		s.plain[start+i] ^= pad[i]
	}
	if !s.readAny(h) {
		s.keys.Failed++
		return
	}
	if s.keys.Verified++; !s.renewed {
		s.renewed = true
		s.allowed += s.spent
	}
	c.Verified++
	s.keys.Commands[1-side(g.fromClient)][g.ack] = c
}

// A messageCommand is a reliable command in a message: its number, and its place in reading.text.
type messageCommand struct {
	number     int32
	start, end int
}

// A reading is the content of a message that was parsed to its end.
type reading struct {
	cursor cursor
	list   []messageCommand
	text   []byte
	inputs *inputReader
}

// parse parses the plain message.
func (s *Session) parse(h *waitingMessage, riding bool) (r reading, ok bool) {
	r.cursor, r.inputs = begin(h.FromClient), s.keyInputs(h)
	cu, sc := &r.cursor, scene{m: s.m, fromClient: h.FromClient, riding: riding}
	for _, b := range s.plain {
		if cu.state >= stEnd {
			break
		}
		cu.buf |= uint64(b) << cu.count
		cu.count += 8
		for cu.ready(s.m) {
			switch cu.state {
			case stCommandNumber:
				r.list = append(r.list, messageCommand{int32(cu.acc), len(r.text), len(r.text)})
			case stCommandChar:
				if v, _ := s.m.plain(cu.acc); v != 0 {
					r.text = append(r.text, byte(v))
				}
				r.list[len(r.list)-1].end = len(r.text)
			}
			r.inputs.reads(cu, h.FromClient)
			cu.handle(&sc)
		}
	}
	if cu.state == stEnd {
		cu.count = 0
	}
	cu.finish(len(s.plain))
	return r, cu.good()
}

// read parses the plain message and stores its commands.
func (s *Session) read(h *waitingMessage) bool {
	r, ok := s.parse(h, false)
	if !ok && s.m.vehicle != nil {
		r, ok = s.parse(h, true)
	}
	if !ok {
		return false
	}
	cu := &r.cursor
	if cu.flags&hasTime != 0 {
		s.addOffset(side(h.FromClient), h.At, int64(int32(cu.time))-h.At)
		s.tell()
	}
	s.inputs.take(r.inputs)
	if n := len(s.inputs.commands); n&(n-1) == 0 && n >= 256 {
		s.findFeeds()
	}
	for _, x := range r.list {
		if !h.FromClient {
			s.server.Hear(r.text[x.start:x.end], h.At)
		}
		s.learn(h.FromClient, x.number, r.text[x.start:x.end])
	}
	return true
}

// addOffset records the relation of server time and capture time.
func (s *Session) addOffset(sd int, at, offset int64) {
	list := s.times[sd]
	s.times[sd] = withOffset(list, at, offset)
	if s.server != nil && sd == 0 {
		s.server.clock = withOffset(s.server.clock, at, offset)
	}
}

func withOffset(list []offsetAt, at, offset int64) []offsetAt {
	if n := len(list); n == 0 || n < 64 && abs(list[n-1].offset-offset) > 500 {
		return append(list, offsetAt{at, offset})
	}
	return list
}

func abs(v int64) int64 { return max(v, -v) }

// offset returns server time minus capture time near a capture time.
func (s *Session) offset(fromClient bool, at int64) (int64, bool) {
	list := s.times[side(fromClient)]
	if len(list) == 0 {
		list = s.times[1-side(fromClient)]
	}
	if len(list) == 0 && s.server != nil && !fromClient {
		list = s.server.clock
	}
	if len(list) == 0 {
		return 0, false
	}
	best := list[0]
	for _, o := range list {
		if o.at <= at {
			best = o
		}
	}
	return best.offset, true
}

// learn stores a reliable command that a message carried, and opens the messages that wait for it.
func (s *Session) learn(fromClient bool, number int32, text []byte) {
	sd := side(fromClient)
	old, ok := s.keys.Commands[sd][number]
	if ok && (old.Read || old.Whole) || number <= 0 {
		return
	}
	g := s.groups[groupKey{!fromClient, number}]
	c := Command{Text: slices.Clone(text), Whole: true, Read: true, Needed: g != nil && len(g.waiting) > 0}
	s.keys.Commands[sd][number] = c
	s.learned++
	s.prune(sd, number)
	s.study(c.Text)
	if c.Needed && s.known(g) {
		s.queue = append(s.queue, g)
	}
}

// maxCommands is the number at which old commands of a side are dropped. A peer refers to the last 64 at most.
const maxCommands = 2048

func (s *Session) prune(sd int, newest int32) {
	if len(s.keys.Commands[sd]) <= maxCommands {
		return
	}
	for n, c := range s.keys.Commands[sd] {
		if c.Read && !c.Needed && n > 0 && n < newest-maxCommands/2 {
			delete(s.keys.Commands[sd], n)
		}
	}
}

// Decipher appends the deciphered message to dst, if its key is known and it can be parsed to its end. A
// message that the capture cuts short cannot be parsed to its end: for it the key must be certain.
func (s *Session) Decipher(dst []byte, m *Message, cut bool) (plain []byte, ok bool) {
	p, ok := m.prefix()
	start, base := m.key()
	if !ok || s.keys.Challenge < 0 || len(s.rivals) > 0 && !s.m.gen.Default() {
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
