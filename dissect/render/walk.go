package render

import (
	"strconv"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/cacheline"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
)

// A walk visits the nodes of a finished tree in pre-order and knows the place of each.
//
//	for w.start(tree); w.next(); {
//		use(w.node, w.path)
//	}
//
// It is reused; the slices keep their memory.
type walk struct {
	tree  *dissect.Tree
	at    int           // index of the node visited
	node  *dissect.Node //
	scope dissect.Scope // what its positions count from: its own or that of the nearest ancestor that has one
	path  []byte        // "quake3.server_message.ops[0].snapshot.stats.7"; changes with the next node
	outer []level       // the containers around it, outermost first
	index int           // its number in a List or Choices, its key in a Sparse

	_ cacheline.Distance // workers walk at the same time
}

// A level is a container that a walk is in.
type level struct {
	field   *dissect.Field
	scope   dissect.Scope
	end     int // index of the first node after it
	pathLen int // length of its path in bytes
	seen    int // elements visited
}

// start puts the walk before the first node.
func (w *walk) start(t *dissect.Tree) {
	w.tree, w.at, w.node = t, -1, nil
	w.path, w.outer = w.path[:0], w.outer[:0]
}

// next goes to the next node, down into containers; false at the end.
func (w *walk) next() bool {
	if w.node != nil && w.node.Field.Kind.Container() {
		w.outer = append(w.outer, level{
			field: w.node.Field, scope: w.scope, end: int(w.node.End), pathLen: len(w.path),
		})
	}
	w.at++
	for len(w.outer) > 0 && w.at >= w.outer[len(w.outer)-1].end {
		w.outer = w.outer[:len(w.outer)-1]
	}
	if w.at >= len(w.tree.Nodes) {
		return false
	}
	w.node = &w.tree.Nodes[w.at]
	w.place()
	return true
}

// place finds path, index and scope of the node.
func (w *walk) place() {
	f := w.node.Field
	w.scope, w.index = f.Scope, 0
	if len(w.outer) == 0 {
		w.path = append(w.path[:0], f.Key...)
		return
	}
	up := &w.outer[len(w.outer)-1]
	if w.scope == dissect.Inherit {
		w.scope = up.scope
	}
	w.path, w.index = w.path[:up.pathLen], up.seen
	up.seen++
	switch up.field.Kind {
	case dissect.List, dissect.Choices:
		w.path = append(w.path, '[')
		w.path = strconv.AppendInt(w.path, int64(w.index), 10)
		w.path = append(w.path, ']')
		if up.field.Kind == dissect.List {
			return
		}
	case dissect.Sparse:
		w.index = int(w.node.Index)
		w.path = append(w.path, '.')
		w.path = strconv.AppendInt(w.path, int64(w.index), 10)
		return
	}
	w.path = append(w.path, '.')
	w.path = append(w.path, f.Key...)
}

// walks keeps the memory of walks between records.
var walks = sync.Pool{New: func() any { return new(walk) }}

// appendPositions appends the array of places: one entry for each leaf that was read from the wire.
func appendPositions(dst []byte, tree *dissect.Tree) []byte {
	w := walks.Get().(*walk)
	defer walks.Put(w)
	dst = append(dst, '[')
	for w.start(tree); w.next(); {
		if !w.positioned() {
			continue
		}
		dst = append(dst, `{"path":"`...)
		dst = append(dst, w.path...)
		dst = append(dst, `","bit_offset":`...)
		dst = text.AppendUint(dst, uint64(w.node.Bit))
		dst = append(dst, `,"bit_length":`...)
		dst = text.AppendUint(dst, uint64(w.node.Bits))
		dst = append(dst, `,"in":"`...)
		dst = append(dst, w.scope.String()...)
		dst = append(dst, `"},`...)
	}
	return text.CloseWith(dst, ']')
}

// positioned reports whether the node is a leaf with a position on the wire.
func (w *walk) positioned() bool { return w.node.Bits > 0 && !w.node.Field.Kind.Container() }
