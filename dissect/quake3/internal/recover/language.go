package recover

// order is how many characters predict the next one.
const order = 6

// What a text is like where the corpus does not say it. All are estimated: the evidence of the messages outweighs them,
// and a search only needs the right character among the likely ones.
const (
	anyShare      = .2      // of characters: any printable one
	printables    = 96      // ' ' to '~', and the end of the text
	nameShare     = .1      // of characters: as without context, in names, which resemble nothing that came before
	notInGUID     = .1      // of characters in a GUID: other ones than its 16 digits
	rareCharacter = .01     // a printable character that was never counted
	rareControl   = .0002   // a control character that was never counted
	rarest        = 0x1p-20 // no character is taken to be less likely
	textWeight    = 3       // of a command of the session, in commands of the corpus
)

// A language models the probability of a command's text: a tree of the contexts in a corpus and in the session's
// own commands. It is only the prior of a search: the evidence of the messages outweighs it.
type language struct {
	nodes []context
	seen  map[string]bool
}

// A context holds what followed certain characters. Context 0 is the empty one.
type context struct {
	counts []successor
	total  int32
}

// A successor is a character, its count, and the context that it leads to (the characters are in reverse: from the
// last one back).
type successor struct {
	c     byte
	count int32
}

// childOf is the key of a deeper context, by node and character.
func childOf(node int32, c byte) uint64 { return uint64(node)<<8 | uint64(c) }

// A lexicon is a language with its tree.
type lexicon struct {
	language
	children map[uint64]int32
}

func newLexicon(corpus []string) *lexicon {
	l := &lexicon{children: make(map[uint64]int32, 1<<14)}
	l.nodes = append(l.nodes, context{})
	l.seen = map[string]bool{}
	for _, line := range corpus {
		l.add([]byte(line), 1)
	}
	return l
}

// learn adds a command that was read.
func (l *lexicon) learn(text []byte) {
	if len(text) == 0 || l.seen[string(text)] || len(l.nodes) > 1<<17 {
		return
	}
	l.seen[string(text)] = true
	l.add(text, textWeight)
}

func (l *lexicon) add(text []byte, weight int32) {
	for i := range len(text) + 1 {
		c := byte(0)
		if i < len(text) {
			c = keyCharacter(text[i])
		}
		node := int32(0)
		for back := 0; ; back++ {
			l.nodes[node].count(c, weight)
			if back == order || back > i {
				break
			}
			before := byte(0)
			if back < i {
				before = keyCharacter(text[i-1-back])
			}
			node = l.child(node, before)
		}
	}
}

func (l *lexicon) child(node int32, c byte) int32 {
	key := childOf(node, c)
	n, ok := l.children[key]
	if !ok {
		n = int32(len(l.nodes))
		l.nodes = append(l.nodes, context{})
		l.children[key] = n
	}
	return n
}

func (x *context) count(c byte, weight int32) {
	x.total += weight
	for i := range x.counts {
		if x.counts[i].c == c {
			x.counts[i].count += weight
			return
		}
	}
	x.counts = append(x.counts, successor{c, weight})
}

// keyCharacter returns the value of a character in the cipher.
func keyCharacter(c byte) byte {
	if c > 127 || c == '%' {
		return '.'
	}
	return c
}

// numChars is the size of the alphabet; 0 is the end of the text.
const numChars = 128

// predict sets p to the probability of each character after text. wild means that the first character of text is not
// known.
func (l *lexicon) predict(text []byte, wild bool, p *[numChars]float64) {
	for c := range p {
		p[c] = unseen(byte(c))
	}
	var plain [numChars]float64 // without any context, for names, which resemble nothing that came before
	node := int32(0)
	for back := 0; ; back++ {
		x := &l.nodes[node]
		keep := discount / (float64(x.total) + discount)
		if len(x.counts) > 0 {
			for c := range p {
				p[c] *= keep
			}
			for _, f := range x.counts {
				p[f.c] += float64(f.count) / (float64(x.total) + discount)
			}
		}
		if back == 0 {
			for c := range p {
				p[c] = (1-anyShare)*p[c] + anyShare/printables
			}
			p['%'] = 0
			plain = *p
		}
		if back == order || back > len(text) || wild && back >= len(text)-1 {
			break
		}
		before := byte(0)
		if back < len(text) {
			before = text[len(text)-1-back]
		}
		var ok bool
		if node, ok = l.children[childOf(node, before)]; !ok {
			break
		}
	}
	for c := range p {
		p[c] = (1-nameShare)*p[c] + nameShare*plain[c]
	}
	if inGUID(text) {
		const digits = "0123456789ABCDEF"
		for c := range p {
			p[c] *= notInGUID
		}
		for _, c := range digits {
			p[c] += (1 - notInGUID) / float64(len(digits))
		}
	}
}

// weigh returns the logarithm of the probability of a character after the last ones of a text, the newest in the lowest
// byte. The probability is the one that predict returns.
func (l *lexicon) weigh(after uint64, c byte) int32 {
	k := keyCharacter(c)
	p := (1-anyShare)*l.nodes[0].mix(unseen(k), k) + anyShare/printables
	if k == '%' {
		p = 0
	}
	plain, node, begun := p, int32(0), false
	for back := 0; back < order && !begun; back++ {
		before := keyCharacter(byte(after >> (8 * back)))
		begun = before == 0
		var ok bool
		if node, ok = l.children[childOf(node, before)]; !ok {
			break
		}
		p = l.nodes[node].mix(p, k)
	}
	w := bitsOf(max((1-nameShare)*p+nameShare*plain, rarest))
	if k != c {
		return w - foreignCharacter
	}
	return w
}

// mix returns the probability of a character after a context, from its probability after a shorter one.
func (x *context) mix(p float64, c byte) float64 {
	if len(x.counts) == 0 {
		return p
	}
	p *= discount / (float64(x.total) + discount)
	for i := range x.counts {
		if x.counts[i].c == c {
			return p + float64(x.counts[i].count)/(float64(x.total)+discount)
		}
	}
	return p
}

// discount is the weight, in characters, of all those that were not seen after a context.
const discount = 1.5

// unseen is the probability of a character that was never counted.
func unseen(c byte) float64 {
	switch {
	case c == '%':
		return 0
	case c != 0 && c < ' ':
		return rareControl
	}
	return rareCharacter
}

// foreignCharacter is how much less likely a character is that the cipher replaces by another.
const foreignCharacter = 8 * unit

// inGUID reports whether a text ends within the 32 digits of a player's GUID, which cannot be predicted.
func inGUID(text []byte) bool {
	const mark = `_guid\`
	at := len(text)
	for at > 0 && (text[at-1] >= '0' && text[at-1] <= '9' || text[at-1] >= 'A' && text[at-1] <= 'F') {
		at--
	}
	return len(text)-at < 32 && at >= len(mark) && string(text[at-len(mark):at]) == mark
}
