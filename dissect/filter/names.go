package filter

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldpath"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
	"github.com/q3dissect/q3dissect/dissect/internal/suggest"
	"github.com/q3dissect/q3dissect/dissect/internal/wireshark"
)

// Names are the names that filters can use. They are safe for concurrent use.
type Names struct {
	heads     []head
	top       func() []*dissect.Field // fields beside the common part, made when a name is looked for
	protocols []*dissect.Protocol
	events    bool
}

// Records returns the names of the fields of records.
func Records(protocols []*dissect.Protocol) *Names {
	return &Names{heads: heads, protocols: protocols, top: sync.OnceValue(func() (top []*dissect.Field) {
		for _, p := range protocols {
			top = append(top, p.Root())
		}
		return top
	})}
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
	var top []*dissect.Field
	for _, p := range protocols {
		if p.EventRoot != nil {
			top = append(top, p.EventRoot.Children...)
		}
	}
	n.top = func() []*dissect.Field { return top }
	return n
}

// Fields returns the names of fields at the top of a tree, without a common part: of objects that are no records, such
// as the rows of a table. There a field that is true or false is a condition by its value: rows have it in both cases.
func Fields(top []*dissect.Field) *Names { return &Names{top: func() []*dissect.Field { return top }} }

// rows reports whether the names are those of Fields.
func (n *Names) rows() bool { return n.protocols == nil }

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

// A reference is a name of the records that a filter has.
type reference struct {
	fieldpath.Path
	path string
	kind kind
	head *head // a member of the common part, instead of the Path
}

// find resolves a name.
func (n *Names) find(name string) (*reference, bool) {
	for i, wanted := 0, wireshark.Canonical(name); i < len(n.heads); i++ {
		if h := &n.heads[i]; h.name == wanted {
			return &reference{path: name, kind: h.kind, head: h}, true
		}
	}
	p, ok := fieldpath.Compile(name, n.top())
	if !ok || p.Aspect == fieldpath.InfoValue && p.Key == "" {
		return nil, false
	}
	r := &reference{Path: p, path: name}
	r.setKind()
	return r, true
}

// setKind determines the type of the path's values.
func (r *reference) setKind() {
	switch r.Aspect {
	case fieldpath.RawBytes:
		r.kind = binary
		return
	case fieldpath.Name, fieldpath.BitNames, fieldpath.InfoValue:
		r.kind = textual
		return
	}
	kinds := map[kind]bool{}
	for _, f := range r.Fields {
		k := object
		if e := fieldpath.Innermost(f); e != nil {
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

// All returns every name that a filter can have, with duplicates; "*" is any key of an infostring or the
// number of an element.
func (n *Names) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range n.heads {
			if !yield(n.heads[i].name) {
				return
			}
		}
		listNames("", n.top(), yield)
	}
}

func listNames(path string, fields []*dissect.Field, yield func(string) bool) bool {
	for _, f := range fields {
		if at := fieldunion.Join(path, f.Key); !yield(at) || !listSiblings(at, f, yield) ||
			!listInside(at, fieldpath.Innermost(f), yield) {
			return false
		}
	}
	return true
}

func listSiblings(path string, f *dissect.Field, yield func(string) bool) bool {
	if fieldpath.Named(f) {
		suffix := fieldunion.NameSuffix
		if f.Enum.Mask {
			suffix = fieldunion.NamesSuffix
		}
		return yield(path + suffix)
	}
	return !fieldpath.Rawable(f) || yield(path+fieldunion.RawSuffix)
}

func listInside(path string, f *dissect.Field, yield func(string) bool) bool {
	switch {
	case f == nil:
	case f.Kind == dissect.Info:
		return yield(fieldunion.Join(path, fieldunion.AnyKey))
	case f.Kind == dissect.Sparse && len(f.Children) > 0:
		return yield(fieldunion.Join(path, fieldunion.AnyKey)) &&
			listInside(fieldunion.Join(path, fieldunion.AnyKey), fieldpath.Innermost(f.Children[0]), yield)
	case f.Kind.Container():
		return listNames(path, f.Children, yield) && listNames(path, f.Frame, yield)
	}
	return true
}

// elsewhere explains that a name is one of events, in a filter of records, or the other way round; "" for any other.
func (n *Names) elsewhere(name string) string {
	if len(n.protocols) == 0 {
		return ""
	}
	other, text := Events(n.protocols), "%s is a field of events (q3dissect events FILE -Y FILTER)"
	if n.events {
		other = Records(n.protocols)
		text = "%s is a field of records, and events have none of them: leave out the verb events"
	}
	if _, ok := other.find(name); ok {
		return fmt.Sprintf(text, name)
	}
	return ""
}

// eventKind explains a word that is a kind of event, or nearly one; "" for any other.
func (n *Names) eventKind(word string) string {
	kinds := dissect.EventKinds(n.protocols)
	kind := strings.ToLower(word)
	if !slices.Contains(kinds, kind) {
		kind = strings.TrimSuffix(kind, "s") // kills
	}
	switch {
	case !slices.Contains(kinds, kind):
		return ""
	case n.events:
		return fmt.Sprintf("%s is a kind of event: event == %q", kind, kind)
	}
	return fmt.Sprintf("%s is a kind of event: q3dissect events FILE 'event == %q'", kind, kind)
}

// longer returns the name of a field of events that begins with a word, such as kicked for kick; "": there is none.
func (n *Names) longer(word string) string {
	const ending = len("ed")
	for name := range n.All() {
		if strings.HasPrefix(name, word) && len(name) <= len(word)+ending && len(word) > ending {
			return name
		}
	}
	return ""
}

// nearest returns the name most similar to a mistyped one, or "".
func (n *Names) nearest(name string) string {
	return cmp.Or(wireshark.Nearest(name), suggest.Path(name, n.All()))
}

// wordsOf returns the values of a field with a closed list: those of a member of the common part, and the kinds of
// events. nil: any text.
func (n *Names) wordsOf(r *reference) []string {
	switch {
	case r.head != nil && r.head.field != nil:
		if r.head.field.Key == "protocol" {
			return n.protocolNames()
		}
		return r.head.field.Words
	case slices.Contains(r.Fields, &dissect.EventKind):
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
