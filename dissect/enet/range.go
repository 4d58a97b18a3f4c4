package enet

// The range coder that ships with ENet (enet_host_compress_with_range_coder), decoding.
//
// A packet is coded by itself. Each byte is predicted by what followed the last two bytes so far, else by
// what followed the last one, else by all bytes: a context that does not know the byte is left by an escape,
// whose likelihood it counts too. The end is an escape where nothing shorter is left.
//
// Format: compress.c of ENet. The code is a carry-less range coder of 32 bits; the library keeps the symbols of
// a context in a tree, which leaves no trace in the format.

// Numbers of the model, from compress.c.
const (
	rangeNodes      = 4096 // memory; the model starts over before a byte could need more
	rangeSpare      = 2    // that are kept free, ENET_SUBCONTEXT_ORDER
	rangeOrder      = 2    // bytes of history in the longest context
	rangeStep       = 2    // increment of a byte's count in a context, ENET_SUBCONTEXT_SYMBOL_DELTA
	rangeEscapeStep = 5    // increment of the escape count when a context learns a byte
	rangeRootStep   = 3    // ENET_CONTEXT_SYMBOL_DELTA
	rangeTop        = 1 << 24
	rangeBottom     = 1 << 16
	rangeMaxTotal   = rangeBottom - 0x100          // counts are halved above it
	rangeMaxCount   = 0xff - 2*rangeStep           // and above this count of one byte
	rangeMaxRoot    = 0xff - 2*rangeRootStep       // in the root, where every byte's count starts at one
	rangeValues     = 256                          //
	rangeGroup      = 16                           // bytes per sum of counts in the root
	rangeGroups     = rangeValues / rangeGroup     //
	rangeNewTotal   = rangeValues + rangeNewEscape // of an empty root
	rangeNewEscape  = 1                            //
)

// A rangeNode is a byte seen in a context, and is itself the context of the bytes that follow it
// there.
type rangeNode struct {
	value byte
	count uint8  // how often it was seen in its context, in increments
	next  uint16 // byte of the same context with the next higher value; 0: none
	lower uint16 // the same byte in the context one byte shorter; 0: the root

	first   uint16 // of this node as a context: the byte with the lowest value; 0: none
	escapes uint16
	total   uint16 // escapes and the counts of all bytes
	latest  uint16 // last byte found, where a search begins; 0: none
	under   uint16 // sum of the counts of bytes below latest
}

// A rangeModel predicts bytes. Node 0 is the empty context, the root, in which every byte counts at
// least one.
type rangeModel struct {
	nodes   [rangeNodes]rangeNode
	used    int
	longest uint16 // the longest context
	order   int    // bytes of history in it

	// Of the root: its bytes by value, and sums of counts.
	root   [rangeValues]uint16
	groups [rangeGroups]uint16
}

// reset forgets everything.
func (m *rangeModel) reset() {
	m.nodes[0] = rangeNode{escapes: rangeNewEscape, total: rangeNewTotal}
	m.used, m.longest, m.order = 1, 0, 0
	m.root, m.groups = [rangeValues]uint16{}, [rangeGroups]uint16{}
}

// add makes a node.
func (m *rangeModel) add(n rangeNode) uint16 {
	at := uint16(m.used)
	m.nodes[at] = n
	m.used++
	return at
}

// find returns the byte that a number below the sum of a context's counts selects, its count, and
// the sum of the counts of lower bytes. The count is 0 if the number is too large.
func (m *rangeModel) find(context uint16, code uint32) (value byte, under, count uint32) {
	if context != 0 {
		c := &m.nodes[context]
		s := c.first
		if c.latest != 0 && code >= uint32(c.under) {
			s, under = c.latest, uint32(c.under)
		}
		for ; s != 0; s = m.nodes[s].next {
			n := &m.nodes[s]
			if count := uint32(n.count); code < under+count {
				c.latest, c.under = s, uint16(under)
				return n.value, under, count
			}
			under += uint32(n.count)
		}
		return 0, 0, 0
	}
	group := 0
	for group < rangeGroups-1 && code >= under+uint32(m.groups[group])+rangeGroup {
		under += uint32(m.groups[group]) + rangeGroup
		group++
	}
	for v := group * rangeGroup; v < rangeValues; v++ {
		count = 1
		if s := m.root[v]; s != 0 {
			count += uint32(m.nodes[s].count)
		}
		if code < under+count {
			return byte(v), under, count
		}
		under += count
	}
	return 0, 0, 0
}

// learn counts a byte in every context from the longest down to the one it was coded in, and moves
// to the next context. ok is false if a longer context already had the byte: an encoder would have
// used that one.
func (m *rangeModel) learn(value byte, coded uint16) (ok bool) {
	link := &m.longest
	ok = true
	for context, last := m.longest, false; !last; {
		last = context == coded
		shorter := m.nodes[context].lower
		used := m.used
		s := m.count(context, value)
		ok = ok && (last || m.used > used)
		*link = s
		link = &m.nodes[s].lower
		context = shorter
	}
	if m.order < rangeOrder {
		m.order++
	} else {
		m.longest = m.nodes[m.longest].lower
	}
	if m.used >= rangeNodes-rangeSpare {
		m.reset()
	}
	return ok
}

// count counts a byte in a context, and returns its node.
func (m *rangeModel) count(context uint16, value byte) uint16 {
	c := &m.nodes[context]
	if context == 0 {
		s := m.root[value]
		if s == 0 {
			s = m.add(rangeNode{value: value})
			m.root[value] = s
		}
		n := &m.nodes[s]
		before := n.count
		n.count += rangeRootStep
		m.groups[value/rangeGroup] += rangeRootStep
		if c.total += rangeRootStep; before > rangeMaxRoot || c.total > rangeMaxTotal {
			m.halveRoot()
		}
		return s
	}
	link := &c.first
	if c.latest != 0 {
		switch latest := &m.nodes[c.latest]; {
		case value == latest.value:
			link = &c.latest
		case value > latest.value:
			link = &latest.next
		default:
			c.under += rangeStep
		}
	}
	for *link != 0 && m.nodes[*link].value < value {
		link = &m.nodes[*link].next
	}
	s := *link
	if s == 0 || m.nodes[s].value != value {
		s = m.add(rangeNode{value: value, next: s})
		*link = s
		c.escapes += rangeEscapeStep
		c.total += rangeEscapeStep
	}
	n := &m.nodes[s]
	before := n.count
	n.count += rangeStep
	if c.total += rangeStep; before > rangeMaxCount || c.total > rangeMaxTotal {
		c.escapes -= c.escapes >> 1
		c.total, c.latest = c.escapes, 0
		for s := c.first; s != 0; s = m.nodes[s].next {
			n := &m.nodes[s]
			n.count -= n.count >> 1
			c.total += uint16(n.count)
		}
	}
	return s
}

// halveRoot halves the root's counts.
func (m *rangeModel) halveRoot() {
	c := &m.nodes[0]
	c.escapes -= c.escapes >> 1
	c.total = c.escapes + rangeValues
	m.groups = [rangeGroups]uint16{}
	for v, s := range m.root {
		if s == 0 {
			continue
		}
		n := &m.nodes[s]
		n.count -= n.count >> 1
		c.total += uint16(n.count)
		m.groups[v/rangeGroup] += uint16(n.count)
	}
}

// A rangeDecoder decodes packets, one after the other. The zero value is ready.
type rangeDecoder struct {
	model rangeModel
	src   []byte
	at    int // bytes read, from src and then from the zeros after it

	low, width uint32 // the current interval
	code       uint32 // where the packet points in it
	astray     bool   // the packet points outside the interval: no encoder made it
}

// rangeAhead is how many bytes the decoder is ahead of what the encoder had written.
const rangeAhead = 4

// next reads a byte; after the end there are zeros.
func (d *rangeDecoder) next() {
	d.code <<= 8
	if d.at < len(d.src) {
		d.code |= uint32(d.src[d.at])
	}
	d.at++
}

// point divides the interval by a sum of counts, and returns the part that the packet points to.
func (d *rangeDecoder) point(total uint16) uint32 {
	d.width /= uint32(total)
	return (d.code - d.low) / d.width
}

// narrow continues in a part of the interval.
func (d *rangeDecoder) narrow(under, count uint32) {
	d.low += under * d.width
	d.width *= count
	for {
		if d.low^(d.low+d.width) >= rangeTop {
			if d.width >= rangeBottom {
				return
			}
			d.width = -d.low & (rangeBottom - 1) // avoid a carry: shorten the interval
			d.astray = d.astray || d.code-d.low >= d.width
		}
		d.next()
		d.width <<= 8
		d.low <<= 8
	}
}

// decode appends the decoded bytes of src, at most limit of them. ok reports that the library's
// encoder would make exactly src from them; random bytes hardly ever end as the encoder does.
func (d *rangeDecoder) decode(dst, src []byte, limit int) (b []byte, ok bool) {
	d.model.reset()
	d.src, d.at, d.code, d.low, d.width, d.astray = src, 0, 0, 0, 1<<32-1, false
	for range rangeAhead {
		d.next()
	}
	for n := 0; ; n++ {
		written, low := d.at-rangeAhead, d.low
		value, end := d.byte()
		switch {
		case d.astray:
			return dst, false
		case end:
			return dst, n > 0 && written <= len(src) && rangeEnds(src[written:], low)
		case n == limit:
			return dst, false
		}
		dst = append(dst, value)
	}
}

// rangeEnds reports whether b is what an encoder writes at its end: the lower end of the interval,
// without trailing zeros.
func rangeEnds(b []byte, low uint32) bool {
	for ; low != 0; low <<= 8 {
		if len(b) == 0 || b[0] != byte(low>>24) {
			return false
		}
		b = b[1:]
	}
	return len(b) == 0
}

// byte decodes a byte or the end.
func (d *rangeDecoder) byte() (value byte, end bool) {
	m := &d.model
	for context := m.longest; ; context = m.nodes[context].lower {
		c := &m.nodes[context]
		if context != 0 && (c.escapes == 0 || c.escapes >= c.total) {
			continue // an empty context
		}
		escapes := uint32(c.escapes)
		code := d.point(c.total)
		if code < escapes {
			if context == 0 {
				return 0, true
			}
			d.narrow(0, escapes)
			continue
		}
		value, under, count := m.find(context, code-escapes)
		if count == 0 || code >= uint32(c.total) {
			d.astray = true
			return 0, false
		}
		d.narrow(escapes+under, count)
		d.astray = !m.learn(value, context) || d.astray
		return value, false
	}
}
