package dissect

import (
	"encoding/hex"
	"fmt"
	"iter"
	"strconv"
)

// A Value is a field of a Tree with everything inside it, or nothing: look-ups that find nothing return the
// zero Value, whose methods all return zero values, so that look-ups can be chained and checked once.
//
//	killer := event.Get("killer")
//	kills[killer.Get("name_clean").String()]++ // "" if the killer is not a player
//
// The keys that records write beside a field's own (weapon_name, e_flags_names, command_raw) and the keys of an
// infostring are Values too. They have a text and no number.
//
// A Value is valid as long as the contents of its Tree: that of a Record until the next record, or until Finish
// returns.
type Value struct {
	tree      *Tree
	at        int32 // index of the node, or TopLevel
	end, size int32 // of an infoPair: where its value ends in the infostring, and its length, in bytes
	sibling   sibling
}

// Unasked makes Top panic, or not: nobody asked for what the tree would hold.
func (t *Tree) Unasked(unasked bool) { t.unasked = unasked }

// Top returns the whole tree as a Value: an object without a field of its own, whose children are the objects
// at the top level.
func (t *Tree) Top() Value {
	if t != nil && t.unasked {
		panic("dissect: Record.Events needs Options.Events")
	}
	return Value{tree: t, at: TopLevel}
}

// At returns the Value of node i, or the zero Value for -1, the index of a node that was not found.
func (t *Tree) At(i int) Value {
	if i < 0 {
		return Value{}
	}
	return Value{tree: t, at: int32(i)}
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

// Find is Value.Find from the top of the record's tree, for the paths that records of its protocol can have.
func (r *Record) Find(path string) (Value, error) {
	if r.Protocol == nil {
		return Value{}, fmt.Errorf("path %q: a packet of no known protocol has no fields", path)
	}
	roots := []*Field{r.Protocol.Root()}
	if r.Reading != nil {
		roots = append(roots, r.Reading.Reader.Root())
	}
	p, err := CompilePath(path, roots...)
	if err != nil {
		return Value{}, err
	}
	return p.First(r.Tree.Top()), nil
}

// AppendInfo appends the text of the list's last column: what a person wants to know of the record first.
func (r *Record) AppendInfo(dst []byte) []byte {
	if r.Protocol == nil {
		return append(dst, r.Note...)
	}
	if r.Quote != nil {
		dst = append(r.Quote.AppendInfo(dst), ": "...)
	}
	return r.Protocol.AppendInfo(dst, r)
}

// All is Value.All from the top of the record's tree: a path begins with the protocol's name.
func (r *Record) All(path string) iter.Seq[Value] { return r.Tree.Top().All(path) }

// Exists reports whether there is such a field.
func (v Value) Exists() bool { return v.tree != nil }

// Node returns the node, nil for the zero Value and for that of a whole tree. A key beside a field's own and a key of
// an infostring have the node of the field.
func (v Value) Node() *Node {
	if v.tree == nil || v.at < 0 {
		return nil
	}
	return &v.tree.Nodes[v.at]
}

// own returns the node of a field itself.
func (v Value) own() *Node {
	if v.sibling != itself {
		return nil
	}
	return v.Node()
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
	f := v.Field()
	switch {
	case f == nil:
		return ""
	case v.sibling == infoPair:
		return v.pairKey()
	case v.sibling != itself:
		return f.Key + siblingSuffixes[v.sibling]
	}
	return f.Key
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
			if !yield(v.tree.At(i)) {
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

// Get returns the first child with a key; of an infostring, the value of the key. It is Lookup of a path of one key.
func (v Value) Get(key string) (child Value) {
	if v.tree == nil || v.sibling != itself {
		return Value{}
	}
	switch kind := v.kind(); {
	case kind == Info:
		v.pairs(key, func(pair Value) bool { child = pair; return false })
	case kind.Container():
		if i := v.tree.Find(int(v.at), key); i >= 0 {
			return v.tree.At(i)
		}
		if field, s := cutSibling(key); s != itself {
			child = v.tree.At(v.tree.Find(int(v.at), field)).withSibling(s)
		}
	}
	return child
}

// Int returns a Uint, an Int or a Bool as a number, and the whole part of a Float if it is in range; else 0.
func (v Value) Int() int64 {
	n := v.own()
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
	if n := v.own(); n != nil && (n.Field.Kind.Number() || n.Field.Kind == Bool) {
		return n.Uint()
	}
	return 0
}

// Float returns a Float, exactly, or any number; else 0.
func (v Value) Float() float64 {
	n := v.own()
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
	if n := v.own(); n != nil && n.Field.Kind == Float {
		return n.Float() != 0
	}
	return v.Uint() != 0
}

// Bytes returns the bytes of a Text, Label, Hex or Info as they are, and of the value of a key of an infostring; they
// belong to the tree. Else nil.
func (v Value) Bytes() []byte {
	if v.sibling == infoPair {
		return v.pairValue()
	}
	if n := v.own(); n != nil && n.Field.Kind.bytes() {
		return v.tree.Bytes(n)
	}
	return nil
}

// Name returns the game's name of a number, "rocket_launcher"; "" if none is known, and for a set of bits.
func (v Value) Name() string {
	n := v.own()
	if n == nil || !n.Field.Kind.Number() || n.Field.Enum == nil || n.Field.Enum.Mask {
		return ""
	}
	return n.Field.Enum.Name(v.tree.Family, n.Uint())
}

// String returns a Text, Label or Info as it is (from the wire, any bytes), Hex in hexadecimal, a number in
// decimal, a Float as the shortest decimal of the same float32, a Bool as true or false; several names of bits with
// commas. It returns "" for a container and the zero Value.
func (v Value) String() string {
	n := v.Node()
	if n == nil {
		return ""
	}
	if v.sibling != itself {
		return v.siblingText(n)
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
