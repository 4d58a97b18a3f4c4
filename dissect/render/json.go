package render

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// JSON says what AppendJSON writes beside the fields themselves.
type JSON struct {
	NoNames bool // no _name and _names siblings
	Bits    bool // the array positions
	Link    bool // the object link, where the packet has it
}

// AppendJSON appends one record as one line of JSON with its line feed. The same record and options
// give the same bytes. It allocates nothing but what dst needs.
func AppendJSON(dst []byte, rec *dissect.Record, opts JSON) []byte {
	if rec.Closing {
		return dst // no packet
	}
	dst = append(dst, '{')
	for i := range head {
		dst = head[i].appendJSON(dst, rec, 0)
	}
	e := encoder{tree: rec.Tree, names: !opts.NoNames}
	dst = e.members(dst, 0, len(rec.Tree.Nodes))
	if opts.Bits {
		dst = appendKey(dst, "positions")
		dst = appendPositions(dst, rec.Tree)
		dst = append(dst, ',')
	}
	if opts.Link && rec.Link != nil {
		dst = appendKey(dst, "link")
		dst = appendMembers(dst, linkMembers, rec, 0)
		dst = append(dst, ',')
	}
	if len(rec.Experts) > 0 {
		dst = appendKey(dst, "expert")
		dst = append(dst, '[')
		for i := range rec.Experts {
			dst = appendMembers(dst, expertMembers, rec, i)
			dst = append(dst, ',')
		}
		dst = closeWith(dst, ']')
		dst = append(dst, ',')
	}
	dst = closeWith(dst, '}')
	return append(dst, '\n')
}

// AppendFileError appends the record that ends an input that breaks off. file is the input's name when
// there are several, else empty; offset counts bytes from the start of the input.
func AppendFileError(dst []byte, file, code string, offset int64, message string) []byte {
	dst = append(dst, '{')
	if file != "" {
		dst = appendKey(dst, "file")
		dst = append(appendString(dst, file), ',')
	}
	dst = append(appendKey(dst, "file_error"), '{')
	dst = append(appendString(appendKey(dst, "code"), code), ',')
	dst = append(appendInt(appendKey(dst, "offset"), offset), ',')
	dst = appendString(appendKey(dst, "message"), message)
	return append(dst, '}', '}', '\n')
}

// appendKey appends a key of our own, which needs no escaping.
func appendKey(dst []byte, key string) []byte {
	n := len(dst)
	dst = slices.Grow(dst, len(key)+3)[:n+len(key)+3]
	dst[n] = '"'
	copy(dst[n+1:], key)
	dst[len(dst)-2], dst[len(dst)-1] = '"', ':'
	return dst
}

// closeWith ends a container whose members all end with a comma.
func closeWith(dst []byte, bracket byte) []byte {
	if n := len(dst) - 1; dst[n] == ',' {
		dst[n] = bracket
		return dst
	}
	return append(dst, bracket)
}

// An encoder writes the nodes of one tree.
type encoder struct {
	tree  *dissect.Tree
	names bool
}

// members writes the nodes from <= i < to and what follows each from them, every one with its key, its
// siblings and a comma behind.
func (e *encoder) members(dst []byte, from, to int) []byte {
	nodes := e.tree.Nodes
	for i := from; i < to; {
		n := &nodes[i]
		dst = e.member(dst, n, i)
		i = int(n.End)
	}
	return dst
}

// member writes node n, whose index is i, with its key and the siblings that belong to it.
func (e *encoder) member(dst []byte, n *dissect.Node, i int) []byte {
	f := n.Field
	dst = appendKey(dst, f.Key)
	if f.Kind.Number() {
		dst = append(appendJSONNumber(dst, n), ',')
		if f.Enum != nil && e.names {
			dst = e.nameSibling(dst, n)
		}
		return dst
	}
	dst, exact := e.value(dst, n, i)
	dst = append(dst, ',')
	if !exact {
		dst = appendSiblingKey(dst, f.Key, rawSuffix)
		dst = append(e.raw(dst, i), ',')
	}
	return dst
}

// value writes node n, whose index is i, alone. exact is false when text was written that does not
// keep all its bytes: the sibling of the nearest key has to.
func (e *encoder) value(dst []byte, n *dissect.Node, i int) (out []byte, exact bool) {
	switch n.Field.Kind {
	case dissect.Uint, dissect.Int:
		return appendJSONNumber(dst, n), true
	case dissect.Float:
		return appendJSONFloat(dst, n.Float()), true
	case dissect.Bool:
		if n.Bool() {
			return append(dst, "true"...), true
		}
		return append(dst, "false"...), true
	case dissect.Text:
		return appendText(dst, e.tree.Bytes(n))
	case dissect.Label:
		dst, _ = appendText(dst, e.tree.Bytes(n))
		return dst, true
	case dissect.Hex:
		return append(appendHex(append(dst, '"'), e.tree.Bytes(n)), '"'), true
	case dissect.Info:
		return appendInfo(dst, e.tree.Bytes(n))
	case dissect.Object:
		return closeWith(e.members(append(dst, '{'), i+1, int(n.End)), '}'), true
	}
	return e.array(dst, n, i)
}

// array writes the elements of a List, Choices or Sparse.
func (e *encoder) array(dst []byte, n *dissect.Node, i int) (out []byte, exact bool) {
	kind, end := n.Field.Kind, int(n.End)
	open, bracket := byte('['), byte(']')
	if kind == dissect.Sparse {
		open, bracket = '{', '}'
	}
	dst, exact = append(dst, open), true
	for i++; i < end; {
		c := &e.tree.Nodes[i]
		switch kind {
		case dissect.Choices:
			dst = closeWith(e.member(append(dst, '{'), c, i), '}')
		case dissect.Sparse:
			dst = append(appendInt(append(dst, '"'), int64(c.Index)), '"', ':')
			dst, _ = e.value(dst, c, i)
		default:
			var whole bool
			dst, whole = e.value(dst, c, i)
			exact = exact && whole
		}
		dst = append(dst, ',')
		i = int(c.End)
	}
	return closeWith(dst, bracket), exact
}

// nameSibling writes the name or names of a number, where they are known.
func (e *encoder) nameSibling(dst []byte, n *dissect.Node) []byte {
	f := n.Field
	if !f.Enum.Mask {
		if name := nameOf(n, e.tree.Family); name != "" {
			dst = appendSiblingKey(dst, f.Key, nameSuffix)
			dst = append(appendBetween(dst, name, '"'), ',')
		}
		return dst
	}
	if !f.Enum.Known(e.tree.Family) {
		return dst
	}
	dst = append(appendSiblingKey(dst, f.Key, namesSuffix), '[')
	return append(appendNames(dst, n, e.tree.Family, '"', ","), ']', ',')
}

// raw writes the bytes of a text, or of all texts of an array, as hexadecimal.
func (e *encoder) raw(dst []byte, i int) []byte {
	n := &e.tree.Nodes[i]
	if n.Field.Kind != dissect.List {
		return append(appendHex(append(dst, '"'), e.tree.Bytes(n)), '"')
	}
	dst = append(dst, '[')
	for c := i + 1; c < int(n.End); c = int(e.tree.Nodes[c].End) {
		dst = append(e.raw(dst, c), ',')
	}
	return closeWith(dst, ']')
}

// The suffixes of the keys that stand beside a field.
const (
	rawSuffix   = "_raw"
	nameSuffix  = "_name"
	namesSuffix = "_names"
)

func appendSiblingKey(dst []byte, key, suffix string) []byte {
	dst = append(dst, '"')
	dst = append(dst, key...)
	dst = append(dst, suffix...)
	return append(dst, '"', ':')
}

// appendJSONNumber appends a Uint or Int, as a string where it is too wide for a JSON number.
func appendJSONNumber(dst []byte, n *dissect.Node) []byte {
	if asString(n.Field) {
		return append(appendNumber(append(dst, '"'), n), '"')
	}
	return appendNumber(dst, n)
}

// appendJSONFloat appends a float as a number, or as a string where it is not finite.
func appendJSONFloat(dst []byte, v float32) []byte {
	mark := len(dst)
	dst, finite := appendFloat(dst, v)
	if finite {
		return dst
	}
	dst = append(dst, '"', '"')
	copy(dst[mark+1:], dst[mark:len(dst)-2])
	dst[mark] = '"'
	return dst
}
