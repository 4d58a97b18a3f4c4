package filter

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/near"
	"github.com/q3dissect/q3dissect/dissect/internal/wireshark"
)

// Names are the names that filters can use. They are safe for concurrent use.
type Names struct {
	heads     []head
	top       []*dissect.Field // fields beside the common part
	protocols []*dissect.Protocol
	events    bool
}

// Records returns the names of the fields of records.
func Records(protocols []*dissect.Protocol) *Names {
	n := &Names{heads: heads, protocols: protocols}
	for _, p := range protocols {
		n.top = append(n.top, p.Root)
	}
	return n
}

// Events returns the names of the fields of events.
func Events(protocols []*dissect.Protocol) *Names {
	n := &Names{protocols: protocols, events: true}
	for i := range heads {
		if !heads[i].records {
			n.heads = append(n.heads, heads[i])
		}
	}
	n.heads = append(n.heads, eventHeads...)
	for _, p := range protocols {
		if p.EventRoot != nil {
			n.top = append(n.top, p.EventRoot.Children...)
		}
	}
	return n
}

// Fields returns the names of fields at the top of a tree, without a common part: of objects that are no records.
func Fields(top []*dissect.Field) *Names { return &Names{top: top} }

// A kind is the type of an operand, as it is checked.
type kind uint8

const (
	object kind = iota // a container: it can be there or not
	boolean
	number
	textual
	binary // bytes
	address
	timestamp
	rank // a severity
)

// kindWords are the names of kinds in messages.
var kindWords = [...]string{
	"an object", "true or false", "a number", "text", "bytes", "an address", "a time", "a severity",
}

// An aspect is a field itself or one of its siblings.
type aspect uint8

const (
	itself aspect = iota
	valueName
	bitNames
	rawBytes
	infoValue
)

// The suffixes of generated siblings, as the JSON records have them.
const (
	rawSuffix   = "_raw"
	nameSuffix  = "_name"
	namesSuffix = "_names"
	anyKey      = "*"
)

// A reference is a path of the records that a filter names.
type reference struct {
	path   string
	keys   []string // of containers on the way, and the field; lists are skipped
	aspect aspect
	key    string // of an infostring
	kind   kind
	fields []*dissect.Field // the fields with this path
	head   *head            // a member of the common part, instead of all of this
}

// find resolves a name.
func (n *Names) find(name string) (*reference, bool) {
	for i, wanted := 0, wireshark.Canonical(name); i < len(n.heads); i++ {
		if h := &n.heads[i]; h.name == wanted {
			return &reference{path: name, kind: h.kind, head: h}, true
		}
	}
	r := &reference{path: name}
	return r, r.resolve(n.top, name)
}

// resolve finds the rest of a path among fields that stand side by side.
func (r *reference) resolve(among []*dissect.Field, rest string) bool {
	key, inner, nested := strings.Cut(rest, ".")
	if found := withKey(among, key); len(found) > 0 {
		r.keys = append(r.keys, key)
		if !nested {
			r.setKind(found)
			return true
		}
		return r.inside(found, inner)
	}
	if nested {
		return false
	}
	for _, sibling := range []struct {
		suffix string
		aspect aspect
		has    func(*dissect.Field) bool
	}{
		{namesSuffix, bitNames, func(f *dissect.Field) bool { return named(f) && f.Enum.Mask }},
		{nameSuffix, valueName, func(f *dissect.Field) bool { return named(f) && !f.Enum.Mask }},
		{rawSuffix, rawBytes, func(f *dissect.Field) bool {
			f = innermost(f)
			return f != nil && (f.Kind == dissect.Text || f.Kind == dissect.Info)
		}},
	} {
		plain, ok := strings.CutSuffix(key, sibling.suffix)
		if !ok {
			continue
		}
		found := slices.DeleteFunc(withKey(among, plain), func(f *dissect.Field) bool { return !sibling.has(f) })
		if len(found) > 0 {
			r.keys, r.fields, r.aspect, r.kind = append(r.keys, plain), found, sibling.aspect, textual
			if sibling.aspect == rawBytes {
				r.kind = binary
			}
			return true
		}
	}
	return false
}

// inside resolves the rest of a path below containers with one key.
func (r *reference) inside(containers []*dissect.Field, rest string) bool {
	var children, elements []*dissect.Field
	info := false
	for _, c := range containers {
		c = innermost(c)
		switch {
		case c == nil:
		case c.Kind == dissect.Info:
			info = true
		case c.Kind == dissect.Sparse:
			elements = append(elements, c.Children...)
		case c.Kind.Container():
			children = append(children, c.Children...)
		}
	}
	if len(elements) > 0 {
		index, inner, nested := strings.Cut(rest, ".")
		if _, err := strconv.ParseUint(index, 10, 31); err == nil || index == anyKey {
			r.keys = append(r.keys, index)
			if nested {
				return r.inside(elements, inner)
			}
			r.setKind(elements)
			return true
		}
	}
	if info {
		r.aspect, r.key, r.kind, r.fields = infoValue, rest, textual, containers
		return rest != ""
	}
	return r.resolve(children, rest)
}

// setKind determines the type of the path's values.
func (r *reference) setKind(found []*dissect.Field) {
	r.fields = found
	kinds := map[kind]bool{}
	for _, f := range found {
		k := object
		if e := innermost(f); e != nil {
			k = kindOf(e.Kind)
		}
		kinds[k], r.kind = true, k
	}
	if len(kinds) > 1 { // text in one place, bytes in another: JSON has a string for both
		r.kind = textual
	}
}

func kindOf(k dissect.Kind) kind {
	switch k {
	case dissect.Bool:
		return boolean
	case dissect.Uint, dissect.Int, dissect.Float:
		return number
	case dissect.Text, dissect.Label:
		return textual
	case dissect.Hex:
		return binary
	}
	return object
}

func withKey(fields []*dissect.Field, key string) []*dissect.Field {
	var found []*dissect.Field
	for _, f := range fields {
		if f.Key == key && !slices.Contains(found, f) {
			found = append(found, f)
		}
	}
	return found
}

// innermost is the element of a list, or of the lists in a list; nil where none is described.
func innermost(f *dissect.Field) *dissect.Field {
	for f != nil && f.Kind == dissect.List {
		if len(f.Children) == 0 {
			return nil
		}
		f = f.Children[0]
	}
	return f
}

func named(f *dissect.Field) bool { return f.Enum != nil && f.Kind.Number() && len(f.Enum.Tables) > 0 }

// All returns every name that a filter can have, with duplicates; "*" stands for a key of an infostring or the
// number of an element.
func (n *Names) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range n.heads {
			if !yield(n.heads[i].name) {
				return
			}
		}
		listNames("", n.top, yield)
	}
}

func listNames(path string, fields []*dissect.Field, yield func(string) bool) bool {
	for _, f := range fields {
		if at := join(path, f.Key); !yield(at) || !listSiblings(at, f, yield) || !listInside(at, innermost(f), yield) {
			return false
		}
	}
	return true
}

func listSiblings(path string, f *dissect.Field, yield func(string) bool) bool {
	if named(f) {
		suffix := nameSuffix
		if f.Enum.Mask {
			suffix = namesSuffix
		}
		return yield(path + suffix)
	}
	if e := innermost(f); e != nil && (e.Kind == dissect.Text || e.Kind == dissect.Info) {
		return yield(path + rawSuffix)
	}
	return true
}

func listInside(path string, f *dissect.Field, yield func(string) bool) bool {
	switch {
	case f == nil:
	case f.Kind == dissect.Info:
		return yield(join(path, anyKey))
	case f.Kind == dissect.Sparse && len(f.Children) > 0:
		return yield(join(path, anyKey)) && listInside(join(path, anyKey), innermost(f.Children[0]), yield)
	case f.Kind.Container():
		return listNames(path, f.Children, yield)
	}
	return true
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// nearest returns the name most similar to a mistyped one, or "".
func (n *Names) nearest(name string) string {
	return cmp.Or(wireshark.Nearest(name), near.Path(name, n.All()))
}

// wordsOf returns the values of a field with a closed list: those of a member of the common part, and the kinds of events. nil:
// any text.
func (n *Names) wordsOf(r *reference) []string {
	switch {
	case r.head != nil && r.head.field != nil:
		if r.head.field.Key == "protocol" {
			return n.protocolNames()
		}
		return r.head.field.Words
	case slices.Contains(r.fields, &dissect.EventKind):
		return dissect.EventKinds(n.protocols)
	}
	return nil
}

// protocolNames are the values of the field protocol.
func (n *Names) protocolNames() []string {
	var names []string
	for _, p := range n.protocols {
		names = append(names, p.Name)
	}
	return names
}
