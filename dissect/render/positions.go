package render

import (
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
)

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
		dst = appendUint(dst, uint64(w.node.Bit))
		dst = append(dst, `,"bit_length":`...)
		dst = appendUint(dst, uint64(w.node.Bits))
		dst = append(dst, `,"in":"`...)
		dst = append(dst, w.scope.String()...)
		dst = append(dst, `"},`...)
	}
	return closeWith(dst, ']')
}

// positioned reports whether the node is a leaf that stands somewhere on the wire.
func (w *walk) positioned() bool { return w.node.Bits > 0 && !w.node.Field.Kind.Container() }
