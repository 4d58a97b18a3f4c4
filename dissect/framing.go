package dissect

import (
	"cmp"
	"slices"
)

// A Framing is how a field takes part in the framing of others: marks that a field is there or changed, lengths, codes
// of operations, ends of lists and texts, padding. Values and framing together name every bit of a message.
//
// A container lists such fields in Frame, apart from its Children; what is inside a container in Frame are its Children
// as usual. Decoders add them only to a tree with Framing set, and leave the positions of values as they are without
// them: where both name a bit, it is the framing's (Separate).
//
//	if tree.Framed() {
//		tree.Add(&areaMaskSize, uint64(n), at, sizeBits)
//	}
//	tree.AddBytes(&areaMask, mask, at, sizeBits+8*n) // with its size, which it loses where that is shown
type Framing uint8

// The kinds of framing.
const (
	NoFraming Framing = iota // a value
	Apart                    // frames its container, or is a container of framing
	Leads                    // frames the leaf that follows on the wire
	Trails                   // frames the leaf before it
)

// Framed reports whether framing is wanted in the tree.
func (t *Tree) Framed() bool { return t != nil && t.Framing }

// Unframe removes the framing: the tree is then as if it had not been wanted. Separate must not have been called.
func (t *Tree) Unframe() {
	removed := make([]int32, len(t.Nodes)+1) // of the nodes before each
	kept := t.Nodes[:0]
	for i := 0; i < len(t.Nodes); {
		n, end := t.Nodes[i], i+1
		if n.Field.Framing != NoFraming {
			end = int(n.End)
		} else {
			kept = append(kept, n)
		}
		gone := removed[i] + int32(end-i)
		if n.Field.Framing == NoFraming {
			gone--
		}
		for i++; i <= end; i++ {
			removed[i] = gone
		}
		i = end
	}
	for i := range kept {
		kept[i].End -= removed[kept[i].End]
	}
	t.Nodes = kept
}

// A spot is a leaf that has bits.
type spot struct {
	node   int32
	scope  Scope
	lo, hi uint32
}

// spots returns the leaves that have bits, by scope and place.
func (t *Tree) spots() []spot {
	var list []spot
	type level struct {
		scope Scope
		end   int32
	}
	var outer []level
	for i := range t.Nodes {
		for len(outer) > 0 && int32(i) >= outer[len(outer)-1].end {
			outer = outer[:len(outer)-1]
		}
		n := &t.Nodes[i]
		scope := n.Field.Scope
		if scope == Inherit {
			if scope = Datagram; len(outer) > 0 {
				scope = outer[len(outer)-1].scope
			}
		}
		if n.Field.Kind.Container() {
			outer = append(outer, level{scope, n.End})
		} else if n.Bits > 0 {
			list = append(list, spot{int32(i), scope, n.Bit, n.Bit + n.Bits})
		}
	}
	sortSpots(list)
	return list
}

func sortSpots(list []spot) {
	slices.SortStableFunc(list, func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.scope, b.scope), cmp.Compare(a.lo, b.lo), cmp.Compare(b.hi, a.hi))
	})
}

// FrameGaps adds a list of the bytes that no leaf of the innermost open container has: what is between the words of a
// text. data is the whole of what positions count in, from is the container's first byte.
func (t *Tree) FrameGaps(list *Field, data []byte, from int) {
	var taken []spot
	for i := int(t.open[len(t.open)-1]) + 1; i < len(t.Nodes); i++ {
		if n := &t.Nodes[i]; !n.Field.Kind.Container() && n.Bits > 0 {
			taken = append(taken, spot{lo: n.Bit, hi: n.Bit + n.Bits})
		}
	}
	slices.SortFunc(taken, func(a, b spot) int { return cmp.Compare(a.lo, b.lo) })
	taken = append(taken, spot{lo: uint32(len(data)) << 3})
	open, at := false, uint32(from)<<3
	for _, s := range taken {
		if at < s.lo {
			if !open {
				t.Open(list, int(at))
				open = true
			}
			t.AddBytes(list.Children[0], data[at>>3:s.lo>>3], int(at), int(s.lo-at))
		}
		at = max(at, s.hi)
	}
	if open {
		t.Close(0)
	}
}

// Separate gives every bit to one leaf. A value loses the bits that its framing names; a value that is a part of
// another one, such as a word of a text, loses all. What was not decoded begins where the last leaf ends. The Index of
// a leaf that frames a value becomes the index of the value's node; 0: it frames its container.
func (t *Tree) Separate() {
	list := t.spots()
	t.readTwice(list)
	for i := range list {
		switch n := &t.Nodes[list[i].node]; {
		case n.Field == &Undecoded:
			t.separateUndecoded(list, i)
		case n.Field.Framing == NoFraming:
			t.separate(list, i)
		}
	}
	for i, s := range list { // those that follow a value
		if n := &t.Nodes[s.node]; n.Field.Framing == Trails && n.Index == 0 && i > 0 && s.touches(list[i-1]) {
			n.Index = t.framed(list[i-1].node)
		}
	}
	for i := len(list) - 1; i >= 0; i-- { // and those before one, the last first: several can lead one value
		n := &t.Nodes[list[i].node]
		for k := i + 1; n.Field.Framing == Leads && n.Index == 0 && k < len(list) && !list[k].beyond(list[i]); k++ {
			if list[k].touches(list[i]) {
				n.Index = t.framed(list[k].node)
			}
		}
	}
}

// touches reports whether a leaf begins where another ends.
func (s *spot) touches(before spot) bool { return s.scope == before.scope && s.lo == before.hi }

// beyond reports whether a leaf begins after the end of another.
func (s *spot) beyond(before spot) bool { return s.scope != before.scope || s.lo > before.hi }

// framed returns the value that a leaf is, or frames; 0: none.
func (t *Tree) framed(node int32) int32 {
	switch n := &t.Nodes[node]; n.Field.Framing {
	case NoFraming:
		return node
	case Leads, Trails:
		return n.Index
	}
	return 0
}

// readTwice takes the bits from values that are parts of another one: a word of a text that has a meaning of its own;
// and from those whose bits other leaves have in detail.
func (t *Tree) readTwice(list []spot) {
	var around spot
	for i := range list {
		s := &list[i]
		n := &t.Nodes[s.node]
		switch {
		case n.Field.Framing != NoFraming || n.Field == &Undecoded:
		case s.scope == around.scope && s.hi <= around.hi:
			n.Bits, s.hi = 0, s.lo
		case t.inDetail(list[i+1:], s):
			n.Bits, s.hi = 0, s.lo
		default:
			if s.scope == around.scope && s.lo < around.hi {
				s.lo, n.Bit, n.Bits = around.hi, around.hi, s.hi-around.hi
			}
			around = *s
		}
	}
	sortSpots(list)
}

// inDetail reports whether leaves after a value name all its bits, one after the other, as items do with their data.
func (t *Tree) inDetail(later []spot, s *spot) bool {
	at, parts := s.lo, 0
	for k := range later {
		b := &later[k]
		if b.scope != s.scope || b.lo > at || at == s.hi {
			break
		}
		if b.lo == at && b.hi <= s.hi && b.hi > b.lo && (b.hi < s.hi || parts > 0) {
			at = b.hi
			parts++
		}
	}
	return at == s.hi && parts > 1
}

// separate takes the bits of framing from a value that begins or ends with them.
func (t *Tree) separate(list []spot, i int) {
	s := list[i]
	for i > 0 && list[i-1].scope == s.scope && list[i-1].lo == s.lo {
		i--
	}
	lo, hi := s.lo, s.hi
	var from, to uint32 // the last run of framing
	for ; i < len(list) && list[i].scope == s.scope && list[i].lo < s.hi; i++ {
		f := list[i]
		n := &t.Nodes[f.node]
		if n.Field.Framing == NoFraming || f.hi > s.hi {
			continue
		}
		if n.Index == 0 && n.Field.Framing != Apart {
			n.Index = s.node
		}
		if f.lo == lo {
			lo = f.hi
		}
		if f.lo != to {
			from = f.lo
		}
		to = f.hi
	}
	if to == hi {
		hi = max(from, lo)
	}
	t.Nodes[s.node].Bit, t.Nodes[s.node].Bits = lo, hi-lo
}

// separateUndecoded makes what was not decoded, which is shown from a whole byte on, begin at the bit after the last
// leaf.
func (t *Tree) separateUndecoded(list []spot, i int) {
	s := list[i]
	lo := uint32(0)
	for k, other := range list {
		if k != i && other.scope == s.scope && other.lo < s.lo+8 && t.Nodes[other.node].Field != &Undecoded {
			lo = max(lo, min(other.hi, s.hi))
		}
	}
	t.Nodes[s.node].Bit, t.Nodes[s.node].Bits = lo, s.hi-lo
}

// A Coverage counts the bits of a message, or of a datagram.
type Coverage struct {
	Bits    int // in all
	Unnamed int // that lie in no leaf
	Shared  int // that lie in more than one, each time but the first

	Undecoded int // that lie in one, but are not decoded
}

// Coverage counts the bits of the record's message or datagram, by its leaves. Only with framing, and after Separate,
// every bit lies in one. false: there is no message, or it could not be deciphered.
func (r *Record) Coverage(scope Scope) (c Coverage, ok bool) {
	bytes := r.Payload
	if scope == Message {
		bytes = r.Message
	}
	if bytes == nil {
		return c, false
	}
	c.Bits = len(bytes) << 3
	if scope == Message && !slices.ContainsFunc(r.Tree.Nodes, func(n Node) bool { return n.Field.Scope == Message }) {
		return c, false // the fields count from the datagram
	}
	named := uint32(0)
	for _, s := range r.Tree.spots() {
		if s.scope != scope {
			continue
		}
		if t := r.Tree.Nodes[s.node].Field; t == &Undecoded {
			c.Undecoded += int(s.hi - s.lo)
		}
		if s.lo > named {
			c.Unnamed += int(s.lo - named)
		}
		c.Shared += int(min(named, s.hi) - min(named, s.lo))
		named = max(named, s.hi)
	}
	c.Unnamed += max(0, c.Bits-int(named))
	return c, true
}
