package render

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
	"github.com/q3dissect/q3dissect/dissect/internal/recordhead"
	"github.com/q3dissect/q3dissect/dissect/render/internal/member"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
)

// JSON has the options of AppendJSON.
type JSON struct {
	NoNames bool // no _name and _names siblings, and no Fields that are Aside
	Bits    bool // the array positions
	Link    bool // the object link, where the packet has it
	// CommunityID adds the Community ID of a UDP flow, to records and events.
	CommunityID bool
}

// AppendJSON appends one record as one line of JSON with its line feed. The same record and options
// give the same bytes. It allocates nothing but what dst needs.
func AppendJSON(dst []byte, rec *dissect.Record, opts JSON) []byte {
	if rec.Closing {
		return dst // no packet
	}
	dst = append(dst, '{')
	for i := range recordhead.Common {
		if recordhead.Common[i].Quote && rec.Quote == nil {
			continue
		}
		dst = member.AppendJSON(dst, &recordhead.Common[i], rec, 0)
	}
	dst = opts.asked(dst, rec)
	e := encoder{tree: rec.Tree, names: !opts.NoNames}
	dst = e.members(dst, 0, len(rec.Tree.Nodes))
	if opts.Bits {
		dst = text.AppendKey(dst, "positions")
		dst = appendPositions(dst, rec.Tree)
		dst = append(dst, ',')
	}
	if opts.Link && rec.Link != nil {
		dst = text.AppendKey(dst, "link")
		dst = member.AppendAll(dst, recordhead.Link, rec, 0)
		dst = append(dst, ',')
	}
	if len(rec.Experts) > 0 {
		dst = text.AppendKey(dst, "expert")
		dst = append(dst, '[')
		for i := range rec.Experts {
			dst = member.AppendAll(dst, recordhead.Expert, rec, i)
			dst = append(dst, ',')
		}
		dst = text.CloseWith(dst, ']')
		dst = append(dst, ',')
	}
	dst = text.CloseWith(dst, '}')
	return append(dst, '\n')
}

// asked appends the members that records and events have only if somebody asks for them.
func (o *JSON) asked(dst []byte, rec *dissect.Record) []byte {
	if o.CommunityID {
		for i := range recordhead.Asked {
			dst = member.AppendJSON(dst, &recordhead.Asked[i], rec, 0)
		}
	}
	return dst
}

// AppendFileError appends the last record of an input that ends with an error. file is the input's name if
// there are several, else empty; offset counts bytes from the start of the input.
func AppendFileError(dst []byte, file, code string, offset int64, message string) []byte {
	dst = append(dst, '{')
	if file != "" {
		dst = text.AppendKey(dst, "file")
		dst = append(dst, '"')
		dst = append(text.CloseName(append(dst, file...), len(dst)), ',')
	}
	dst = append(text.AppendKey(dst, "file_error"), '{')
	dst = append(text.AppendJSONString(text.AppendKey(dst, "code"), code), ',')
	dst = append(text.AppendInt(text.AppendKey(dst, "offset"), offset), ',')
	dst = text.AppendJSONString(text.AppendKey(dst, "message"), message)
	return append(dst, '}', '}', '\n')
}

// An encoder writes the nodes of one tree.
type encoder struct {
	tree  *dissect.Tree
	names bool
}

// members writes the nodes from <= i < to with their subtrees, each with its key, its siblings, and a comma at
// the end.
func (e *encoder) members(dst []byte, from, to int) []byte {
	nodes := e.tree.Nodes
	for i := from; i < to; {
		n := &nodes[i]
		if e.names || !n.Field.Aside {
			dst = e.member(dst, n, i)
		}
		i = int(n.End)
	}
	return dst
}

// member writes node n, whose index is i, with its key and the siblings that belong to it.
func (e *encoder) member(dst []byte, n *dissect.Node, i int) []byte {
	f := n.Field
	dst = text.AppendKey(dst, f.Key)
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
		dst = appendSiblingKey(dst, f.Key, fieldunion.RawSuffix)
		dst = append(e.raw(dst, i), ',')
	}
	return dst
}

// value writes node n, whose index is i, alone. exact is false if a text was written that does not keep all its
// bytes: the nearest key then needs a sibling with them.
func (e *encoder) value(dst []byte, n *dissect.Node, i int) (out []byte, exact bool) {
	switch n.Field.Kind {
	case dissect.Uint, dissect.Int:
		return appendJSONNumber(dst, n), true
	case dissect.Float:
		return text.AppendJSONFloat(dst, n.Float()), true
	case dissect.Bool:
		if n.Bool() {
			return append(dst, "true"...), true
		}
		return append(dst, "false"...), true
	case dissect.Text:
		return text.AppendJSON(dst, e.tree.Bytes(n))
	case dissect.Label:
		dst, _ = text.AppendJSON(dst, e.tree.Bytes(n))
		return dst, true
	case dissect.Hex:
		return append(text.AppendHexDigits(append(dst, '"'), e.tree.Bytes(n)), '"'), true
	case dissect.Info:
		return text.AppendInfo(dst, e.tree.Bytes(n))
	case dissect.Object:
		return text.CloseWith(e.members(append(dst, '{'), i+1, int(n.End)), '}'), true
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
			dst = text.CloseWith(e.member(append(dst, '{'), c, i), '}')
		case dissect.Sparse:
			dst = append(text.AppendInt(append(dst, '"'), int64(c.Index)), '"', ':')
			dst, _ = e.value(dst, c, i)
		default:
			var whole bool
			dst, whole = e.value(dst, c, i)
			exact = exact && whole
		}
		dst = append(dst, ',')
		i = int(c.End)
	}
	return text.CloseWith(dst, bracket), exact
}

// nameSibling writes the name or names of a number, where they are known.
func (e *encoder) nameSibling(dst []byte, n *dissect.Node) []byte {
	f := n.Field
	if !f.Enum.Mask {
		if name := nameOf(n, e.tree.Family); name != "" {
			dst = appendSiblingKey(dst, f.Key, fieldunion.NameSuffix)
			dst = append(appendBetween(dst, name, '"'), ',')
		}
		return dst
	}
	if !f.Enum.Known(e.tree.Family) {
		return dst
	}
	dst = append(appendSiblingKey(dst, f.Key, fieldunion.NamesSuffix), '[')
	return append(appendNames(dst, n, e.tree.Family, '"', ","), ']', ',')
}

// raw writes the bytes of a text, or of all texts of an array, as hexadecimal.
func (e *encoder) raw(dst []byte, i int) []byte {
	n := &e.tree.Nodes[i]
	if n.Field.Kind != dissect.List {
		return append(text.AppendHexDigits(append(dst, '"'), e.tree.Bytes(n)), '"')
	}
	dst = append(dst, '[')
	for c := i + 1; c < int(n.End); c = int(e.tree.Nodes[c].End) {
		dst = append(e.raw(dst, c), ',')
	}
	return text.CloseWith(dst, ']')
}

func appendSiblingKey(dst []byte, key, suffix string) []byte {
	dst = append(dst, '"')
	dst = append(dst, key...)
	dst = append(dst, suffix...)
	return append(dst, '"', ':')
}

// appendJSONNumber appends a Uint or Int, as a string if it is too wide for a JSON number.
func appendJSONNumber(dst []byte, n *dissect.Node) []byte {
	if fieldunion.AsString(n.Field) {
		return append(appendNumber(append(dst, '"'), n), '"')
	}
	return appendNumber(dst, n)
}
