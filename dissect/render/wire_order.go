package render

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// A child is a node that has a row in its container, or in one around it.
type child struct {
	node   int
	run    int            // children are put in order within a run: places of different scopes do not compare
	lo, hi uint32         // bits that it spans
	placed bool           // it is on the wire; other nodes follow the one before them
	prefix []byte         // keys of the containers around it that have no row
	outer  *dissect.Field // the innermost of them, or nil
}

// inWireOrder appends the children of an Object to m.order in the order of the wire. An Object among them whose
// parts lie between those of others is replaced by its children, with its key before theirs: pos.tr_base.x.
func (m *rowMaker) inWireOrder(container int, scope dissect.Scope) {
	first, end := len(m.order), len(m.tree.Nodes)
	if container >= 0 {
		end = int(m.tree.Nodes[container].End)
	}
	run := 0
	sorted, last := true, uint32(0)
	for i := container + 1; i < end; i = int(m.tree.Nodes[i].End) {
		if f := m.tree.Nodes[i].Field; f.Aside && f.Kind == dissect.Object {
			continue // its names are beside the values that it repeats
		}
		if s := m.tree.Nodes[i].Field.Scope; s != dissect.Inherit && s != scope {
			run++
			last = 0
		}
		c := child{node: i, run: run}
		c.lo, c.hi, c.placed = m.extent(i, scope)
		if c.placed {
			sorted = sorted && c.lo >= last
			last = max(last, c.hi-1)
		}
		m.order = append(m.order, c)
	}
	if sorted {
		return
	}
	if m.tree.Framing {
		m.flatten(first, scope, true)
	}
	m.flatten(first, scope, false)
	list := m.order[first:]
	for i := range list {
		if list[i].placed {
			continue
		}
		if n := &m.tree.Nodes[list[i].node]; m.tree.Framing && n.Bit > 0 {
			list[i].lo = n.Bit // a value without bits of its own is where its framing ends
		} else if i > 0 && list[i].run == list[i-1].run {
			list[i].lo = list[i-1].lo
		}
	}
	slices.SortStableFunc(list, func(a, b child) int { return cmp.Or(cmp.Compare(a.run, b.run), cmp.Compare(a.lo, b.lo)) })
}

// flatten replaces scattered Objects from m.order[first] on by their children, or scattered lists of framing.
func (m *rowMaker) flatten(first int, scope dissect.Scope, framing bool) {
	for i := first; i < len(m.order); {
		c := m.order[i]
		n := &m.tree.Nodes[c.node]
		kind := dissect.Object
		if framing {
			kind = dissect.List
		}
		scattered := c.placed && n.Field.Kind == kind && (!framing || n.Field.Framing != dissect.NoFraming) &&
			slices.ContainsFunc(m.order[first:], func(other child) bool {
				return other.placed && other.run == c.run && other.lo > c.lo && other.lo < c.hi && other.node != c.node
			})
		if !scattered {
			i++
			continue
		}
		prefix := append(slices.Clone(c.prefix), n.Field.Key...)
		var inside []child
		if framing {
			inside = m.framingInside(&c, prefix, scope)
		} else {
			inside = m.inside(&c, c.node, append(prefix, '.'), scope)
		}
		m.order = slices.Replace(m.order, i, i+1, inside...)
	}
}

// inside returns the children of a container, with a prefix that is shown in place of it.
func (m *rowMaker) inside(c *child, container int, prefix []byte, scope dissect.Scope) (list []child) {
	for k := range m.tree.Children(container) {
		part := child{node: k, run: c.run, prefix: prefix, outer: m.tree.Nodes[container].Field}
		part.lo, part.hi, part.placed = m.extent(k, scope)
		list = append(list, part)
	}
	return list
}

// framingInside returns the leaves of a list of framing, which lie between the values of other fields.
func (m *rowMaker) framingInside(c *child, prefix []byte, scope dissect.Scope) (list []child) {
	number := 0
	for k := range m.tree.Children(c.node) {
		numbered := append(strconv.AppendInt(append(slices.Clone(prefix), '['), int64(number), 10), ']')
		number++
		if m.tree.Nodes[k].Field.Kind.Container() {
			list = append(list, m.inside(c, k, append(numbered, '.'), scope)...)
			continue
		}
		part := child{node: k, run: c.run, prefix: numbered, outer: m.tree.Nodes[c.node].Field}
		part.lo, part.hi, part.placed = m.extent(k, scope)
		list = append(list, part)
	}
	return list
}

// extent returns the bits that a node's leaves span; placed is false if it was not read from the wire. Leaves
// of another scope are ignored.
func (m *rowMaker) extent(i int, scope dissect.Scope) (lo, hi uint32, placed bool) {
	n := &m.tree.Nodes[i]
	if !n.Field.Kind.Container() {
		return n.Bit, n.Bit + n.Bits, n.Bits > 0
	}
	if s := n.Field.Scope; s != dissect.Inherit {
		scope = s
	}
	for k := i + 1; k < int(n.End); k++ {
		leaf := &m.tree.Nodes[k]
		if s := leaf.Field.Scope; s != dissect.Inherit && s != scope {
			k = int(leaf.End) - 1
			continue
		}
		if leaf.Bits == 0 || leaf.Field.Kind.Container() {
			continue
		}
		if !placed || leaf.Bit < lo {
			lo = leaf.Bit
		}
		hi = max(hi, leaf.Bit+leaf.Bits)
		placed = true
	}
	if !placed {
		lo, hi, placed = n.Bit, n.Bit+n.Bits, n.Bits > 0
	}
	return lo, hi, placed
}
