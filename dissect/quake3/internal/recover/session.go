package recover

import (
	"bytes"
	"cmp"
	"slices"
	"sync/atomic"
)

// Limits of a session.
const (
	maxHeld     = 1 << 20 // bytes of messages that wait for their key
	maxGroup    = 64      // messages of a group that a search looks at
	minGroup    = 4       // fewer are not searched
	accept      = 60 * unit
	stepsBase   = 6 << 20 // work of a session, in bytes parsed: before its first message,
	stepsMore   = 9 << 10 // and for each message
	stepsSearch = 4 << 20 // of one search
)

// Work on sessions without success, together: before the first message, and for each.
const (
	sharedBase = 150 << 20
	sharedMore = 48
)

// A Command is a reliable command as far as it was recovered.
type Command struct {
	Text     []byte // as the cipher uses it where Read is false: '.' for '%' and what is above 127
	Whole    bool   // the text is complete; otherwise only so many of its characters are known
	Read     bool   // a message that was deciphered carried it
	Needed   bool   // messages waited for it
	Evidence int32  // bits: how much more likely the messages are under it than as noise
	Verified int    // messages that it deciphers to their end
}

// Keys are what was found out about a session.
type Keys struct {
	Challenge int                  // low byte; -1: nothing is known
	Proven    bool                 // the challenge is certain; otherwise it and the first characters of the commands make up for each other
	Evidence  int                  // bits: margin of the challenge over the second best
	Verified  int                  // messages that were deciphered to their end
	Failed    int                  // messages whose key seemed known and which were not
	Messages  int                  // enciphered messages
	GaveUp    bool                 // the search was stopped for its cost
	Commands  [2]map[int32]Command // reliable commands by number: of the server, of the client
}

// A Finder has what all sessions share. It is safe for concurrent use.
type Finder struct {
	m      *model
	credit *atomic.Int64 // work that may yet be spent on sessions without success; nil: any
}

// NewFinder makes a Finder.
func NewFinder() *Finder { return &Finder{m: newModel()} }

// Limited gives a Finder whose sessions share a bound for work without success: traffic that only looks
// like sessions, however much there is of it. The sessions must be used by one goroutine.
func (f *Finder) Limited() *Finder {
	l := &Finder{m: f.m, credit: new(atomic.Int64)}
	l.credit.Store(sharedBase)
	return l
}

// pay takes what a session spent since it was asked last off the shared bound, unless it has its key.
func (f *Finder) pay(s *Session) bool {
	if f.credit == nil {
		return true
	}
	due := s.spent - s.paid
	s.paid = s.spent
	if s.keys.Challenge >= 0 {
		return true
	}
	s.owed += due
	return f.credit.Add(-due) > 0
}

// A Session collects the messages of a session and recovers their keys.
type Session struct {
	finder *Finder
	lex    *lexicon
	keys   Keys
	groups map[groupKey]*group
	held   int
	forced bool

	times      [2][]offsetAt // of server and client messages
	lastAck    [2]int32      // reliable commands acknowledged in clear, by the side that acknowledges
	acked      [2]bool
	messageAck int32
	spent      int64
	paid, owed int64 // of spent: taken into account, and charged to the shared bound
	allowed    int64
	studied    [][]byte // what the lexicon is to learn
	queue      []*group
	servers    int  // messages of the server
	last       bool // the attack is the last: messages of clients are searched too
	plain, pad []byte
	trace      func(g *group, sr *search, h *hypothesis) // of tests
}

// side is 1 for what comes from the client.
func side(fromClient bool) int {
	if fromClient {
		return 1
	}
	return 0
}

type groupKey struct {
	fromClient bool
	ack        int32
}

// A group is the messages of a direction that acknowledge the same command.
type group struct {
	groupKey
	waiting []held
	tried   int // waiting when it was searched last,
	knowing int // and what was known then
	bad     int
}

type held struct {
	Message
	scene scene
}

// offsetAt is server time minus capture time, from a capture time on.
type offsetAt struct{ at, offset int64 }

// NewSession begins a session. challenge is its low byte if it is known, else -1.
func (f *Finder) NewSession(challenge int) *Session {
	s := &Session{finder: f, groups: map[groupKey]*group{}, allowed: stepsBase}
	s.keys = Keys{Challenge: challenge, Proven: challenge >= 0, Commands: [2]map[int32]Command{{}, {}}}
	s.forced = challenge >= 0
	s.keys.Commands[0][0], s.keys.Commands[1][0] = Command{Whole: true, Read: true}, Command{Whole: true, Read: true}
	return s
}

// Keys gives what is known so far. The maps are the session's.
func (s *Session) Keys() *Keys { return &s.keys }

// Set begins with keys that were found before.
func (s *Session) Set(challenge int, proven bool, commands [2]map[int32]Command) {
	s.keys.Challenge, s.keys.Proven = challenge, proven
	for sd := range commands {
		for n, c := range commands[sd] {
			s.keys.Commands[sd][n] = c
		}
	}
}

// Idle drops what waits, and what only searches need.
func (s *Session) Idle() {
	s.groups, s.held, s.queue = map[groupKey]*group{}, 0, nil
	s.lex, s.plain = nil, nil
}

// Decipher appends the message, deciphered, to dst, if its key is known and it can be read to its end
// with it. A message that is cut, as the capture has it, cannot be read to its end: for it the key must
// be beyond doubt.
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

// parses reports whether a plain message can be read to its end.
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

// Text gives a reliable command as the cipher uses it, or its beginning.
func (s *Session) Text(fromClient bool, number int32) (text []byte, whole, ok bool) {
	c, ok := s.keys.Commands[side(fromClient)][number]
	return c.Text, c.Whole, ok && (s.keys.Proven || c.Read)
}

// Add takes the next message, whose body is copied.
func (s *Session) Add(msg Message) {
	p, ok := msg.prefix()
	start, _ := msg.key()
	if !ok || len(msg.Body) <= start || p.ack < 0 {
		return
	}
	s.allowed += stepsMore
	if s.finder.credit != nil {
		s.finder.credit.Add(sharedMore)
	}
	if !msg.FromClient {
		s.servers++
	}
	s.keys.Messages++
	h := held{Message: msg, scene: scene{m: s.finder.m, fromClient: msg.FromClient}}
	me := side(msg.FromClient)
	if s.acked[1-me] {
		h.scene.command, h.scene.hasCommand = s.lastAck[1-me], true
	}
	if msg.FromClient {
		s.messageAck = max(s.messageAck, p.messageAck)
	} else if d := int32(msg.Sequence) - s.messageAck; s.messageAck > 0 && d > 0 && d < 32 {
		h.scene.delta = d
	}
	s.lastAck[me], s.acked[me] = max(s.lastAck[me], p.ack), true
	key := groupKey{msg.FromClient, p.ack}
	g := s.groups[key]
	if g == nil {
		g = &group{groupKey: key}
		s.groups[key] = g
	}
	h.Body = slices.Clone(msg.Body)
	if s.known(g) {
		n := len(g.waiting)
		s.open(g, &h)
		s.propagate()
		if len(g.waiting) <= n {
			return
		}
	} else {
		g.waiting = append(g.waiting, h)
		s.held += len(h.Body)
	}
	s.shed()
	switch n := len(g.waiting); n {
	case 24, 64, 160, 400, 1000, 2500:
		s.attackAll(n)
	}
}

// shed drops the oldest of the largest group when too much waits.
func (s *Session) shed() {
	for s.held > maxHeld {
		var largest *group
		for _, g := range s.groups {
			if largest == nil || len(g.waiting) > len(largest.waiting) || len(g.waiting) == len(largest.waiting) && g.before(largest) {
				largest = g
			}
		}
		n := (len(largest.waiting) + 1) / 2
		for _, h := range largest.waiting[:n] {
			s.held -= len(h.Body)
		}
		largest.waiting = slices.Delete(largest.waiting, 0, n)
	}
}

func (g *group) before(o *group) bool {
	if g.ack != o.ack {
		return g.ack < o.ack
	}
	return !g.fromClient && o.fromClient
}

// known reports whether the messages of a group can be deciphered.
func (s *Session) known(g *group) bool {
	c, ok := s.keys.Commands[1-side(g.fromClient)][g.ack]
	return ok && s.keys.Challenge >= 0 && (s.keys.Proven || !c.Read)
}

// whole reports whether all messages of a group can be deciphered.
func (s *Session) whole(g *group) bool {
	return s.known(g) && s.keys.Commands[1-side(g.fromClient)][g.ack].Whole
}

// Solve attacks what is left.
func (s *Session) Solve() {
	s.attackAll(minGroup)
	s.last = true
	s.attackAll(minGroup)
	s.last = false
}

// attackAll searches the groups of at least size messages, the largest first, and follows up what they
// open.
func (s *Session) attackAll(size int) {
	s.settle()
	for {
		g := s.next(size)
		if g == nil {
			return
		}
		if s.spent >= s.allowed || !s.finder.pay(s) {
			s.keys.GaveUp = true
			return
		}
		g.tried, g.knowing = len(g.waiting), s.knowing()
		s.attack(g)
		s.propagate()
	}
}

// knowing says how much is known that helps a search: another number, another try.
func (s *Session) knowing() int {
	switch {
	case s.keys.Challenge < 0:
		return 0
	case s.last:
		return 2
	}
	return 1
}

// next chooses the group to search.
func (s *Session) next(size int) *group {
	var list []*group
	for _, g := range s.groups {
		if s.keys.Challenge < 0 && g.fromClient && s.servers >= minGroup && !s.last {
			continue
		}
		least := g.tried*3/2 + 1
		if g.knowing != s.knowing() {
			least = size
		}
		if len(g.waiting) >= max(size, least) && !s.whole(g) {
			list = append(list, g)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return slices.MinFunc(list, func(a, b *group) int {
		return cmp.Or(cmp.Compare(s.rank(b), s.rank(a)), cmp.Compare(a.ack, b.ack))
	})
}

// rank says how promising a group is. Messages of servers have more structure.
func (s *Session) rank(g *group) int {
	n := min(len(g.waiting), 200)
	if !g.fromClient && s.keys.Challenge < 0 {
		n *= 4
	}
	return n
}

// attack searches the command of a group.
func (s *Session) attack(g *group) {
	if s.lex == nil {
		s.lex = newLexicon(append(slices.Clone(clientCorpus), serverCorpus...))
		for _, line := range s.studied {
			s.lex.learn(line)
		}
	}
	sr := s.search(g)
	if old, ok := s.keys.Commands[1-side(g.fromClient)][g.ack]; ok {
		if sr.prefix = old.Text; old.Read {
			return
		}
	}
	h := sr.run(min(stepsSearch, s.allowed-s.spent))
	if h == nil && sr.hasOffset && !s.overspent(sr) { // the clock may have been set anew
		sr.hasOffset = false
		h = sr.run(min(sr.steps+stepsSearch/2, s.allowed-s.spent))
	}
	s.spent += sr.steps
	if s.trace != nil {
		s.trace(g, sr, h)
	}
	sr.steps = 0
	if h == nil || h.total() < accept {
		return
	}
	if !sr.hasOffset && h.cursors[0].flags&hasTime != 0 {
		sr.offset, sr.hasOffset = int64(int32(h.cursors[0].time))-sr.samples[0].at, true
	}
	sure, challenge := sr.certify(h)
	s.spent += sr.steps
	if sure <= len(sr.prefix) && len(sr.prefix) > 0 {
		return
	}
	if sure == 0 && !h.empty || h.empty && !challenge {
		return
	}
	c := Command{Text: h.text[:min(sure, len(h.text))], Needed: true, Evidence: h.total() / unit}
	c.Whole = h.empty || h.period > 0 && sure >= h.period
	if h.wild {
		c.Text = sr.guessFirst(c.Text)
	}
	key := sr.padStart(h)
	if h.wild {
		key = sr.padStart(h) ^ c.Text[0]<<(sr.start&1)
	}
	if s.keys.Challenge < 0 {
		s.keys.Challenge = int(key)
		if s.finder.credit != nil { // it was no waste
			s.finder.credit.Add(s.owed)
			s.owed = 0
		}
	}
	if challenge && !s.keys.Proven {
		s.prove(key, proof/unit)
	}
	s.keys.Commands[1-side(g.fromClient)][g.ack] = c
	s.study(c.Text)
	s.queue = append(s.queue, g)
}

func (s *Session) overspent(sr *search) bool { return s.spent+sr.steps >= s.allowed }

// search prepares the search of a group.
func (s *Session) search(g *group) *search {
	sr := &search{m: s.finder.m, lex: s.lex, challenge: s.keys.Challenge}
	n := min(len(g.waiting), maxGroup)
	for k := range n {
		h := &g.waiting[k*len(g.waiting)/n]
		start, base := h.key()
		sr.start = start
		body := slices.Clone(h.Body)
		for i := start; i < len(body); i++ {
			body[i] ^= base
		}
		sr.samples = append(sr.samples, sample{body: body, scene: h.scene, at: h.At})
	}
	sr.offset, sr.hasOffset = s.offset(g.fromClient, g.waiting[0].At)
	return sr
}

// guessFirst puts the most likely first character into a text without it.
func (s *search) guessFirst(text []byte) []byte {
	text = slices.Clone(text)
	best, most := byte(0), int32(-1<<30)
	for c := byte(' '); c < numChars-1; c++ {
		if c == '%' {
			continue
		}
		text[0] = c
		if p := s.firstPrior(text); p > most {
			best, most = c, p
		}
	}
	text[0] = best
	return text
}

// prove takes a challenge as certain. If another was assumed, the first characters of the commands that
// were found under it change with it.
func (s *Session) prove(challenge byte, margin int) {
	d := challenge ^ byte(s.keys.Challenge)
	if d != 0 {
		for sd := range s.keys.Commands {
			for n, c := range s.keys.Commands[sd] {
				if !c.Read && len(c.Text) > 0 && !c.Whole {
					c.Text = slices.Clone(c.Text)
					c.Text[0] ^= d
					s.keys.Commands[sd][n] = c
				}
			}
		}
	}
	s.keys.Challenge, s.keys.Proven, s.keys.Evidence = int(challenge), true, margin
	for _, g := range s.sorted() {
		if s.known(g) && len(g.waiting) > 0 {
			s.queue = append(s.queue, g)
		}
	}
}

func (s *Session) sorted() []*group {
	var list []*group
	for _, g := range s.groups {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.ack, b.ack), cmp.Compare(side(a.fromClient), side(b.fromClient)))
	})
	return list
}

// settle finds the challenge from messages whose command was read: each of the 256 is tried on them.
func (s *Session) settle() {
	if s.keys.Proven {
		return
	}
	for _, g := range s.sorted() {
		c, ok := s.keys.Commands[1-side(g.fromClient)][g.ack]
		if !ok || !c.Whole || len(g.waiting) < 2 || g.bad == len(g.waiting) {
			continue
		}
		g.bad = len(g.waiting)
		sr := s.search(g)
		if len(sr.samples) > 16 {
			sr.samples = sr.samples[:16]
		}
		sr.hasOffset = sr.hasOffset && len(s.times[side(g.fromClient)]) > 0
		text := keyText(c.Text)
		best, first, second := 0, int32(-1<<30), int32(-1<<30)
		longest := 0
		for i := range sr.samples {
			longest = max(longest, len(sr.samples[i].body)-sr.start)
		}
		for ch := range 256 {
			pad := padOf(nil, byte(ch), text, len(text), sr.start, longest)
			var e int32
			for j := range sr.samples {
				e += sr.weigh(j, pad)
			}
			if e > first {
				best, first, second = ch, e, first
			} else if e > second {
				second = e
			}
		}
		s.spent += sr.steps
		if first >= accept && first-second >= proof {
			s.prove(byte(best), int((first-second)/unit))
			s.propagate()
			return
		}
	}
}

// offset gives server time minus capture time near a capture time.
func (s *Session) offset(fromClient bool, at int64) (int64, bool) {
	list := s.times[side(fromClient)]
	if len(list) == 0 {
		list = s.times[1-side(fromClient)]
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

// propagate opens groups whose command became known, and those that follow from what they say.
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

// open deciphers a message and takes over the commands it carries.
func (s *Session) open(g *group, h *held) {
	c := s.keys.Commands[1-side(g.fromClient)][g.ack]
	start, base := h.key()
	text := c.Text
	if c.Read {
		text = keyText(text)
	}
	n := len(h.Body) - start
	period := len(text)
	if !c.Whole {
		if period = 0; n > len(text) { // longer than what is known of the command
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
	if !s.read(h) {
		s.keys.Failed++
		return
	}
	s.keys.Verified++
	c.Verified++
	s.keys.Commands[1-side(g.fromClient)][g.ack] = c
}

// read parses a plain message and takes over its commands.
func (s *Session) read(h *held) bool {
	type carried struct {
		number     int32
		start, end int
	}
	var list []carried
	var text []byte
	cu := begin(h.FromClient)
	for _, b := range s.plain {
		if cu.state >= stEnd {
			break
		}
		cu.buf |= uint64(b) << cu.count
		cu.count += 8
		for cu.ready(s.finder.m) {
			switch cu.state {
			case stCommandNumber:
				list = append(list, carried{int32(cu.acc), len(text), len(text)})
			case stCommandChar:
				if cu.acc != 0 {
					text = append(text, byte(cu.acc))
				}
				list[len(list)-1].end = len(text)
			}
			cu.handle(&h.scene)
		}
	}
	if cu.state == stEnd {
		cu.count = 0
	}
	cu.finish(len(s.plain))
	if !cu.good() {
		return false
	}
	if cu.flags&hasTime != 0 {
		s.note(side(h.FromClient), h.At, int64(int32(cu.time))-h.At)
	}
	for _, x := range list {
		s.learn(h.FromClient, x.number, text[x.start:x.end])
	}
	return true
}

// note remembers how server time and capture time go together.
func (s *Session) note(sd int, at, offset int64) {
	list := s.times[sd]
	if n := len(list); n == 0 || n < 64 && abs(list[n-1].offset-offset) > 500 {
		s.times[sd] = append(list, offsetAt{at, offset})
	}
}

func abs(v int64) int64 { return max(v, -v) }

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
	s.prune(sd, number)
	s.study(c.Text)
	if c.Needed && s.known(g) {
		s.queue = append(s.queue, g)
	}
}

// maxCommands is when old commands of a side are dropped: a peer names none that is more than 64 behind.
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

// maxStudied bounds what is learned of a session's commands.
const maxStudied = 256

// study learns from a command how others of the session may read: a player's name stands in the
// userinfo, in the player's configstring and before everything that the player says.
func (s *Session) study(text []byte) {
	if len(s.studied) >= maxStudied {
		return
	}
	lines := [][]byte{text}
	name := between(text, `\name\`, `\"`)
	if name == nil && bytes.HasPrefix(text, []byte("cs 5")) {
		if name = between(text, `n\`, `\"`); name != nil {
			lines = append(lines, slices.Concat([]byte(`userinfo "\name\`), name, []byte(`\`)))
		}
	}
	if name != nil {
		lines = append(lines, slices.Concat([]byte(`chat "`), name, []byte("^7\x19: ^2")), slices.Concat([]byte(`print "`), name, []byte("^7 ")))
	}
	for _, line := range lines {
		s.studied = append(s.studied, line)
		if s.lex != nil {
			s.lex.learn(line)
		}
	}
}

// between gives what stands between a mark and the next of some characters.
func between(text []byte, mark, end string) []byte {
	i := bytes.Index(text, []byte(mark))
	if i < 0 {
		return nil
	}
	rest := text[i+len(mark):]
	if j := bytes.IndexAny(rest, end); j > 0 {
		return rest[:j]
	}
	return nil
}
