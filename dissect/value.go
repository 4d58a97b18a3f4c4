package dissect

import (
	"encoding/hex"
	"iter"
	"strconv"
)

// A Value is a field of a Tree with everything inside it, or nothing: look-ups that find nothing return the
// zero Value, whose methods all return zero values, so that look-ups can be chained and checked once.
//
//	killer := event.Get("killer")
//	kills[killer.Get("name_clean").String()]++ // "" if the killer is not a player
//
// A Value is valid as long as the contents of its Tree: that of a Record until the next record, or until Finish
// returns.
type Value struct {
	tree *Tree
	at   int32 // index of the node, or TopLevel
}

// Top returns the whole tree as a Value: an object without a field of its own, whose children are the objects
// at the top level.
func (t *Tree) Top() Value { return Value{t, TopLevel} }

// At returns the Value of node i, or the zero Value for -1, the index of a node that was not found.
func (t *Tree) At(i int) Value {
	if i < 0 {
		return Value{}
	}
	return Value{t, int32(i)}
}

// Root returns the object of the record's own protocol.
func (r *Record) Root() Value {
	if r.Protocol == nil {
		return Value{}
	}
	return r.Tree.Top().Get(r.Protocol.Name)
}

// Lookup is Value.Lookup from the top of the record's tree: a path begins with the protocol's name.
func (r *Record) Lookup(path string) Value { return r.Tree.Top().Lookup(path) }

// All is Value.All from the top of the record's tree: a path begins with the protocol's name.
func (r *Record) All(path string) iter.Seq[Value] { return r.Tree.Top().All(path) }

// Exists reports whether there is such a field.
func (v Value) Exists() bool { return v.tree != nil }

// Node returns the node, nil for the zero Value and for that of a whole tree.
func (v Value) Node() *Node {
	if v.tree == nil || v.at < 0 {
		return nil
	}
	return &v.tree.Nodes[v.at]
}

// Field returns the field's description, or nil if Node is nil.
func (v Value) Field() *Field {
	if n := v.Node(); n != nil {
		return n.Field
	}
	return nil
}

// Key returns the field's output key. For an element of a Choices that is the name of the chosen field,
// "snapshot"; elements of a List and of a Sparse have none.
func (v Value) Key() string {
	if f := v.Field(); f != nil {
		return f.Key
	}
	return ""
}

// Index returns the key of an element of a Sparse.
func (v Value) Index() int {
	if n := v.Node(); n != nil {
		return int(n.Index)
	}
	return 0
}

// kind is Object for a whole tree.
func (v Value) kind() Kind {
	if f := v.Field(); f != nil {
		return f.Kind
	}
	return Object
}

// Children returns the values directly inside a container: the members of an Object, the elements of a List, a
// Choices or a Sparse.
func (v Value) Children() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.tree == nil || !v.kind().Container() {
			return
		}
		for i := range v.tree.Children(int(v.at)) {
			if !yield(Value{v.tree, int32(i)}) {
				return
			}
		}
	}
}

// Len counts the Children.
func (v Value) Len() int {
	if v.tree == nil || !v.kind().Container() {
		return 0
	}
	return v.tree.Len(int(v.at))
}

// Get returns the first child with a key. It is Lookup of a path of one key, without the walk.
func (v Value) Get(key string) Value {
	if v.tree == nil || !v.kind().Container() {
		return Value{}
	}
	return v.tree.At(v.tree.Find(int(v.at), key))
}

// Int returns a Uint, an Int or a Bool as a number, and the whole part of a Float that fits; else 0.
func (v Value) Int() int64 {
	n := v.Node()
	if n == nil {
		return 0
	}
	switch n.Field.Kind {
	case Bool, Uint, Int:
		return n.Int()
	case Float:
		if f := n.Float(); f >= -1<<63 && f < 1<<63 {
			return int64(f)
		}
	}
	return 0
}

// Uint returns a Uint, an Int or a Bool as an unsigned number, a negative one as its two's complement; else 0.
func (v Value) Uint() uint64 {
	if n := v.Node(); n != nil && (n.Field.Kind.Number() || n.Field.Kind == Bool) {
		return n.Uint()
	}
	return 0
}

// Float returns a Float, exactly, or any number; else 0.
func (v Value) Float() float64 {
	n := v.Node()
	switch {
	case n == nil:
		return 0
	case n.Field.Kind == Float:
		return float64(n.Float())
	case n.Field.Kind == Uint:
		return float64(n.Uint())
	}
	return float64(v.Int())
}

// Bool reports whether a Bool is true or a number is not zero.
func (v Value) Bool() bool {
	if n := v.Node(); n != nil && n.Field.Kind == Float {
		return n.Float() != 0
	}
	return v.Uint() != 0
}

// Bytes returns the bytes of a Text, Label, Hex or Info as they are; they belong to the tree. Else nil.
func (v Value) Bytes() []byte {
	if n := v.Node(); n != nil && n.Field.Kind.bytes() {
		return v.tree.Bytes(n)
	}
	return nil
}

// Name returns the game's name of a number, "rocket_launcher"; "" if none is known, and for a set of bits.
func (v Value) Name() string {
	n := v.Node()
	if n == nil || !n.Field.Kind.Number() || n.Field.Enum == nil || n.Field.Enum.Mask {
		return ""
	}
	return n.Field.Enum.Name(v.tree.Family, n.Uint())
}

// String returns a Text, Label or Info as it is (from the wire, any bytes), Hex in hexadecimal, a number in
// decimal, a Float as the shortest decimal of the same float32, a Bool as true or false. It returns "" for a
// container and the zero Value.
func (v Value) String() string {
	n := v.Node()
	if n == nil {
		return ""
	}
	switch n.Field.Kind {
	case Text, Label, Info:
		return string(v.tree.Bytes(n))
	case Hex:
		return hex.EncodeToString(v.tree.Bytes(n))
	case Bool:
		return strconv.FormatBool(n.Bool())
	case Uint:
		return strconv.FormatUint(n.Uint(), 10)
	case Int:
		return strconv.FormatInt(n.Int(), 10)
	case Float:
		return strconv.FormatFloat(float64(n.Float()), 'g', -1, 32)
	}
	return ""
}
