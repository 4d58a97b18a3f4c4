package dissect

import (
	"iter"
	"math"
)

// A Node is one field of one record: its description, value and position.
type Node struct {
	Field *Field
	value uint64 // number, float bits or 0/1; for bytes: offset<<32 | length in the tree's buffer
	Bit   uint32 // position of the first bit, counted from the field's Scope
	Bits  uint32 // bits on the wire, coded length included; 0 for a derived value
	End   int32  // index of the first node after this one's subtree
	Index int32  // key of an element of a Sparse; of a leaf that frames another, after Separate, that one's index
}

// Uint is the value of a Uint field, or the raw bits of any number.
func (n *Node) Uint() uint64 { return n.value }

// Int is the value of an Int field.
func (n *Node) Int() int64 { return int64(n.value) }

// Bool is the value of a Bool field.
func (n *Node) Bool() bool { return n.value != 0 }

// Float is the value of a Float field.
func (n *Node) Float() float32 { return math.Float32frombits(uint32(n.value)) }

// MaskBits returns the bits of a number with a mask as its Enum that can have names. A negative number has those of its
// width on the wire, or of 32 bits.
func (n *Node) MaskBits() uint64 {
	v := n.value
	if n.Field.Kind == Int && n.Int() < 0 {
		switch bits := n.Field.Bits; {
		case bits > 0 && bits < 64:
			v &= 1<<bits - 1
		case n.Int() >= -1<<31:
			v &= 1<<32 - 1
		}
	}
	return v &^ n.Field.Enum.Ignore
}

// A Tree holds what was read of one datagram: one flat list of nodes in pre-order. A node's children follow it
// directly and end before Nodes[node.End]. The zero value is empty and ready to use; a nil *Tree accepts
// everything and keeps nothing, which is how a decoder runs for its state alone.
//
// A tree is reused: its contents are valid until Reset.
type Tree struct {
	Nodes   []Node
	Family  uint8 // the table of each Enum that applies
	Framing bool  // decoders add what frames the fields too; Reset leaves it as it is
	unasked bool  // see Unasked
	bytes   []byte
	open    []int32 // containers that are not closed yet, outermost first

	_ [48]byte // workers fill their trees at the same time: two cache lines for each
}

// Reset empties the tree and keeps its memory.
func (t *Tree) Reset() {
	if t != nil {
		t.Nodes, t.bytes, t.open, t.Family = t.Nodes[:0], t.bytes[:0], t.open[:0], 0
	}
}

// Bytes returns the bytes of a Text, Label, Hex or Info node. They belong to the tree.
func (t *Tree) Bytes(n *Node) []byte {
	off, size := n.value>>32, n.value&math.MaxUint32
	return t.bytes[off : off+size : off+size]
}

// Open begins a container at a bit position; nodes added until Close are inside it.
func (t *Tree) Open(f *Field, bit int) {
	if t == nil {
		return
	}
	t.open = append(t.open, int32(len(t.Nodes)))
	t.Nodes = append(t.Nodes, Node{Field: f, Bit: uint32(bit)})
}

// Close ends the innermost open container. If bit is after its start, it is the container's end on the wire.
func (t *Tree) Close(bit int) {
	if t == nil {
		return
	}
	n := &t.Nodes[t.open[len(t.open)-1]]
	t.open = t.open[:len(t.open)-1]
	n.End = int32(len(t.Nodes))
	if uint32(bit) > n.Bit {
		n.Bits = uint32(bit) - n.Bit
	}
}

// CloseAll ends every open container, innermost first.
func (t *Tree) CloseAll(bit int) {
	for t != nil && len(t.open) > 0 {
		t.Close(bit)
	}
}

// Innermost returns the description of the innermost open container, or nil.
func (t *Tree) Innermost() *Field {
	if t == nil || len(t.open) == 0 {
		return nil
	}
	return t.Nodes[t.open[len(t.open)-1]].Field
}

// Depth is the number of open containers.
func (t *Tree) Depth() int {
	if t == nil {
		return 0
	}
	return len(t.open)
}

// Add appends a number, boolean or float given by its raw value.
func (t *Tree) Add(f *Field, value uint64, bit, bits int) {
	if t == nil {
		return
	}
	t.Nodes = append(t.Nodes, Node{
		Field: f, value: value, Bit: uint32(bit), Bits: uint32(bits),
		End: int32(len(t.Nodes) + 1),
	})
}

// AddAt is Add for an element of a Sparse.
func (t *Tree) AddAt(f *Field, index int, value uint64, bit, bits int) {
	if t == nil {
		return
	}
	t.Nodes = append(t.Nodes, Node{
		Field: f, value: value, Bit: uint32(bit), Bits: uint32(bits), End: int32(len(t.Nodes) + 1), Index: int32(index),
	})
}

// Replace changes the raw value of a node that Add appended.
func (t *Tree) Replace(node int, value uint64) { t.Nodes[node].value = value }

// AddInt appends a signed number.
func (t *Tree) AddInt(f *Field, v int64, bit, bits int) { t.Add(f, uint64(v), bit, bits) }

// AddBool appends a boolean.
func (t *Tree) AddBool(f *Field, v bool, bit, bits int) {
	var n uint64
	if v {
		n = 1
	}
	t.Add(f, n, bit, bits)
}

// AddFloat appends a float.
func (t *Tree) AddFloat(f *Field, v float32, bit, bits int) {
	t.Add(f, uint64(math.Float32bits(v)), bit, bits)
}

// AddBytes appends a Text, Hex or Info node; b is copied.
func (t *Tree) AddBytes(f *Field, b []byte, bit, bits int) {
	if t == nil {
		return
	}
	t.bytes = append(t.bytes, b...)
	t.added(f, len(b), bit, bits)
}

// AddLabel appends a Label or Text node from a string.
func (t *Tree) AddLabel(f *Field, s string, bit, bits int) {
	if t == nil {
		return
	}
	t.bytes = append(t.bytes, s...)
	t.added(f, len(s), bit, bits)
}

func (t *Tree) added(f *Field, size, bit, bits int) {
	value := uint64(len(t.bytes)-size)<<32 | uint64(size)
	t.Nodes = append(t.Nodes, Node{
		Field: f, value: value, Bit: uint32(bit), Bits: uint32(bits),
		End: int32(len(t.Nodes) + 1),
	})
}

// A Mark is a state of a tree to return to.
type Mark struct{ nodes, bytes, open int }

// Mark returns the present state of the tree.
func (t *Tree) Mark() Mark {
	if t == nil {
		return Mark{}
	}
	return Mark{len(t.Nodes), len(t.bytes), len(t.open)}
}

// Rollback removes the nodes added since the mark. Containers that were open then must still be open.
func (t *Tree) Rollback(m Mark) {
	if t != nil {
		t.Nodes, t.bytes, t.open = t.Nodes[:m.nodes], t.bytes[:m.bytes], t.open[:m.open]
	}
}

// TopLevel is the index of the tree itself where that of a container is expected.
const TopLevel = -2

// Children returns the indices of the nodes directly inside container parent, or at the TopLevel. There are
// none for -1, the index of a node that was not found.
func (t *Tree) Children(parent int) iter.Seq[int] {
	return func(yield func(int) bool) {
		i, end := t.inside(parent)
		for i < end && yield(i) {
			i = int(t.Nodes[i].End)
		}
	}
}

// inside returns the indices of the first node in a container and of the first one after it.
func (t *Tree) inside(parent int) (from, to int) {
	switch {
	case parent >= 0:
		return parent + 1, int(t.Nodes[parent].End)
	case parent == TopLevel:
		return 0, len(t.Nodes)
	}
	return 0, 0
}

// Find returns the index of the first child with a key in container parent, or at the TopLevel, or -1. parent
// may be -1, for a container that was not found: it has no children.
func (t *Tree) Find(parent int, key string) int {
	for i, end := t.inside(parent); i < end; i = int(t.Nodes[i].End) {
		if t.Nodes[i].Field.Key == key {
			return i
		}
	}
	return -1
}

// Child is Find by the field's description.
func (t *Tree) Child(parent int, f *Field) int {
	for i, end := t.inside(parent); i < end; i = int(t.Nodes[i].End) {
		if t.Nodes[i].Field == f {
			return i
		}
	}
	return -1
}

// Len counts the children of a container.
func (t *Tree) Len(parent int) int {
	count := 0
	for i, end := t.inside(parent); i < end; i = int(t.Nodes[i].End) {
		count++
	}
	return count
}

// AppendOpenPath appends the display name that field f would have in the innermost open container: keys joined
// by dots, arrays skipped. A nil f gives the container's own path.
func (t *Tree) AppendOpenPath(dst []byte, f *Field) []byte {
	start := len(dst)
	if t != nil {
		for _, i := range t.open {
			dst = appendKey(dst, start, t.Nodes[i].Field.Key)
		}
	}
	if f != nil {
		dst = appendKey(dst, start, f.Key)
	}
	return dst
}

func appendKey(dst []byte, start int, key string) []byte {
	if key == "" {
		return dst
	}
	if len(dst) > start {
		dst = append(dst, '.')
	}
	return append(dst, key...)
}
