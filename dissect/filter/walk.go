package filter

import (
	"encoding/hex"
	"math/bits"
	"strconv"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldpath"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
	"github.com/q3dissect/q3dissect/dissect/internal/infostring"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// An evaluation is the record that a filter is evaluated on, and memory for that.
type evaluation struct {
	rec      *dissect.Record
	tree     *dissect.Tree
	from, to int // nodes beside the common part
	event    int // index of the event

	value   value // the value passed to a visitor
	info    []byte
	hasInfo bool
	scratch []byte // texts made for this record; they stay valid when it grows
}

// shown returns a text as records show it.
func (c *evaluation) shown(b []byte) []byte {
	if utf8.Valid(b) {
		if b == nil {
			return []byte{}
		}
		return b
	}
	from := len(c.scratch)
	c.scratch, _ = wiretext.Append(c.scratch, b)
	return c.scratch[from:len(c.scratch):len(c.scratch)]
}

// A visitor takes the values of an operand one by one, until it returns true. The value is valid until it
// returns.
type visitor interface{ take(v *value) (stop bool) }

// A path is an operand: the values of a field of the tree.
type path struct {
	*reference
	steps  []step
	exists bool // only the presence of the field counts, not its values
}

// A step is a key of the path.
type step struct {
	key   string
	last  *dissect.Field // that had the key
	index int32          // of a sparse array; -1: any, or none
}

func newPath(r *reference) *path {
	p := &path{reference: r}
	for _, key := range r.Keys {
		s := step{key: key, index: -1}
		if i, err := strconv.ParseInt(key, 10, 32); err == nil {
			s.index = int32(i)
		}
		p.steps = append(p.steps, s)
	}
	return p
}

func (p *path) each(c *evaluation, to visitor) bool { return p.walk(c, c.from, c.to, 0, to) }

// walk looks for the key at a depth among the nodes from <= i < to.
func (p *path) walk(c *evaluation, from, to, depth int, v visitor) bool {
	s, nodes := &p.steps[depth], c.tree.Nodes
	for i := from; i < to; i = int(nodes[i].End) {
		if f := nodes[i].Field; f != s.last {
			if f.Key != s.key {
				continue
			}
			s.last = f
		}
		if p.reached(c, i, depth, v) {
			return true
		}
	}
	return false
}

// reached continues from a node that has the key at a depth, or is an element of it.
func (p *path) reached(c *evaluation, i, depth int, v visitor) bool {
	if depth == len(p.steps)-1 {
		return p.arrive(c, i, v)
	}
	n := &c.tree.Nodes[i]
	end := int(n.End)
	switch n.Field.Kind {
	case dissect.Object, dissect.Choices:
		return p.walk(c, i+1, end, depth+1, v)
	case dissect.List:
		for e := i + 1; e < end; e = int(c.tree.Nodes[e].End) {
			if p.reached(c, e, depth, v) {
				return true
			}
		}
	case dissect.Sparse:
		s := &p.steps[depth+1]
		for e := i + 1; e < end; e = int(c.tree.Nodes[e].End) {
			if (s.index < 0 || s.index == c.tree.Nodes[e].Index) && p.reached(c, e, depth+1, v) {
				return true
			}
		}
	}
	return false
}

// arrive passes the wanted aspect of a field that was found.
func (p *path) arrive(c *evaluation, i int, to visitor) bool {
	n, v := &c.tree.Nodes[i], &c.value
	switch p.Aspect {
	case fieldpath.Name:
		e := n.Field.Enum
		return e != nil && !e.Mask && v.setString(e.Name(c.tree.Family, n.Uint())) && v.s != "" && to.take(v)
	case fieldpath.BitNames:
		return eachBitName(c, n, to)
	case fieldpath.RawBytes:
		return !infostring.KeepsBytes(c.tree, i) && eachRaw(c, i, to)
	case fieldpath.InfoValue:
		return p.eachInfoValue(c, i, to)
	}
	if p.exists {
		return to.take(v)
	}
	return p.eachValue(c, i, to)
}

// eachValue passes a node's value, or the elements of an array.
func (p *path) eachValue(c *evaluation, i int, to visitor) bool {
	n, v := &c.tree.Nodes[i], &c.value
	switch n.Field.Kind {
	case dissect.List, dissect.Choices:
		for e := i + 1; e < int(n.End); e = int(c.tree.Nodes[e].End) {
			if p.eachValue(c, e, to) {
				return true
			}
		}
		return false
	case dissect.Text, dissect.Label:
		*v = value{kind: isText, b: c.shown(c.tree.Bytes(n))}
	case dissect.Hex:
		*v = value{kind: isBytes, b: c.tree.Bytes(n)}
		if p.kind == textual { // text in other places
			*v = value{kind: isText, b: hex.AppendEncode(nil, v.b)}
		}
	default:
		v.setNode(c.tree, n)
	}
	return to.take(v)
}

// eachBitName passes the names of the bits that are set.
func eachBitName(c *evaluation, n *dissect.Node, to visitor) bool {
	e := n.Field.Enum
	if e == nil || !e.Mask || !e.Known(c.tree.Family) {
		return false
	}
	for mask := n.MaskBits(); mask != 0; mask &= mask - 1 {
		if c.value.setString(e.BitName(c.tree.Family, bits.TrailingZeros64(mask))) && to.take(&c.value) {
			return true
		}
	}
	return false
}

// isCalled reports whether a number of the tree has a name; a mask has those of all bits that are set.
func isCalled(c *evaluation, v *value, name string) bool {
	if v.node == nil || v.node.Field.Enum == nil {
		return false
	}
	e, family := v.node.Field.Enum, c.tree.Family
	if !e.Mask {
		return e.Name(family, v.node.Uint()) == name
	}
	if !e.Known(family) {
		return false
	}
	for mask := v.node.MaskBits(); mask != 0; mask &= mask - 1 {
		if e.BitName(family, bits.TrailingZeros64(mask)) == name {
			return true
		}
	}
	return false
}

// eachRaw passes the bytes of a text, or of the texts of an array.
func eachRaw(c *evaluation, i int, to visitor) bool {
	n := &c.tree.Nodes[i]
	if n.Field.Kind != dissect.List {
		c.value = value{kind: isBytes, b: c.tree.Bytes(n)}
		return to.take(&c.value)
	}
	for e := i + 1; e < int(n.End); e = int(c.tree.Nodes[e].End) {
		if eachRaw(c, e, to) {
			return true
		}
	}
	return false
}

// eachInfoValue passes the values of the wanted keys of an infostring; of a repeated key the first.
func (p *path) eachInfoValue(c *evaluation, i int, to visitor) bool {
	n := &c.tree.Nodes[i]
	if n.Field.Kind == dissect.List {
		for e := i + 1; e < int(n.End); e = int(c.tree.Nodes[e].End) {
			if p.eachInfoValue(c, e, to) {
				return true
			}
		}
		return false
	}
	if n.Field.Kind != dissect.Info {
		return false
	}
	s, v := c.tree.Bytes(n), &c.value
	if p.Key != fieldunion.AnyKey {
		text, ok := infostring.Value(s, p.Key)
		*v = value{kind: isText, b: c.shown(text)}
		return ok && to.take(v)
	}
	var pairs infostring.Reader
	pairs.Reset(s)
	for _, text, ok := pairs.Next(); ok; _, text, ok = pairs.Next() {
		if *v = (value{kind: isText, b: c.shown(text)}); to.take(v) {
			return true
		}
	}
	return false
}
