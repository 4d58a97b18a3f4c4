// Package fieldunion joins the fields that have the same path in records or events, over all protocols.
package fieldunion

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Shape is the union of all fields with one path in the records. Schema, field lists, column selectors and tables
// are made from shapes.
type Shape struct {
	Key      string
	Fields   []*dissect.Field // in order of appearance; the first one has the documentation
	Kind     dissect.Kind     // the widest of the fields' kinds
	Clash    bool             // the fields' kinds do not fit together
	Children []*Shape         // by key; of a List and a Sparse the only element
}

// Of returns the objects at the top of records, in the order of the protocols, with what frames their fields if that is
// wanted.
func Of(protocols []*dissect.Protocol, framing bool) []*Shape {
	var top []*Shape
	for _, p := range protocols {
		top = add(top, p.Root(), framing)
	}
	return top
}

// OfField returns the shape of one field.
func OfField(f *dissect.Field) *Shape { return add(nil, f, false)[0] }

// add joins a field with the shape of its key, or appends a new one.
func add(shapes []*Shape, f *dissect.Field, framing bool) []*Shape {
	i := slices.IndexFunc(shapes, func(s *Shape) bool { return s.Key == f.Key })
	if i < 0 {
		i = len(shapes)
		shapes = append(shapes, &Shape{Key: f.Key, Kind: f.Kind})
	}
	s := shapes[i]
	if slices.Contains(s.Fields, f) {
		return shapes
	}
	kind, ok := widest(s.Kind, f.Kind)
	s.Kind, s.Clash = kind, s.Clash || !ok || kind.Number() && len(s.Fields) > 0 && AsString(f) != AsString(s.Fields[0])
	s.Fields = append(s.Fields, f)
	for _, c := range f.Children {
		s.Children = add(s.Children, c, framing)
	}
	if framing {
		for _, c := range f.Frame {
			s.Children = add(s.Children, c, framing)
		}
	}
	return shapes
}

// Framing reports whether the shape frames others: it is there only where framing is wanted.
func (s *Shape) Framing() bool { return s.Fields[0].Framing != dissect.NoFraming }

// widest returns the kind whose JSON type can hold the values of both.
func widest(a, b dissect.Kind) (dissect.Kind, bool) {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == b:
		return a, true
	case a.Number() && b.Number():
		return dissect.Int, true
	case a.Number() && b == dissect.Float:
		return dissect.Float, true
	case a >= dissect.Text && b <= dissect.Hex:
		return dissect.Text, true
	}
	return a, false
}

// Element returns the shape of the elements of a List or Sparse, or nil.
func (s *Shape) Element() *Shape {
	if len(s.Children) == 0 {
		return nil
	}
	return s.Children[0]
}

// AsString reports whether the values are numbers too wide for a JSON number.
func (s *Shape) AsString() bool { return s.Kind.Number() && slices.ContainsFunc(s.Fields, AsString) }

// Rawable reports whether a sibling may have to keep the bytes of the text, or of the texts of an array.
func (s *Shape) Rawable() bool {
	switch s.Kind {
	case dissect.Text, dissect.Info:
		return true
	case dissect.List:
		return s.Element() != nil && s.Element().Rawable()
	}
	return false
}

// Naming reports which siblings the values can have: one with the name of a number, or one with the names of bits.
func (s *Shape) Naming() (name, names bool) {
	for _, f := range s.Fields {
		if Named(f) && len(f.Enum.All()) > 0 {
			name, names = name || !f.Enum.Mask, names || f.Enum.Mask
		}
	}
	return name, names
}

// Siblings returns the suffixes of the keys that may accompany the shape's own.
func (s *Shape) Siblings() []string {
	var suffixes []string
	name, names := s.Naming()
	if name {
		suffixes = append(suffixes, NameSuffix)
	}
	if names {
		suffixes = append(suffixes, NamesSuffix)
	}
	if s.Rawable() {
		suffixes = append(suffixes, RawSuffix)
	}
	return suffixes
}

// exactBits is the widest number, in bits, that every JSON reader keeps exactly (IEEE 754 double);
// wider fields are written as strings.
const exactBits = 53

// AsString reports whether numbers of the field are written as JSON strings.
func AsString(f *dissect.Field) bool { return f.Bits > exactBits }

// OfEvents returns the fields of the protocols' events.
func OfEvents(protocols []*dissect.Protocol) []*Shape {
	var shapes []*Shape
	for _, p := range protocols {
		if p.EventRoot != nil {
			for _, f := range p.EventRoot.Children {
				shapes = add(shapes, f, false)
			}
		}
	}
	return shapes
}

// AnyKey means any of the keys of infostrings and sparse arrays.
const AnyKey = "*"

// The suffixes of the keys that accompany a field's own.
const (
	RawSuffix   = "_raw"
	NameSuffix  = "_name"
	NamesSuffix = "_names"
)

// Bare reports whether the children need no documentation of their own: the coordinates of a vector, the numbers of
// a sparse array.
func (s *Shape) Bare() bool {
	if s.Kind != dissect.Object && s.Kind != dissect.Sparse {
		return false
	}
	return !slices.ContainsFunc(s.Children, func(c *Shape) bool {
		return c.Kind.Container() || len(c.Siblings()) > 0 || c.Fields[0].Doc != ""
	})
}

// Innermost returns the element of a list, or of the lists in a list.
func (s *Shape) Innermost() *Shape {
	for s != nil && s.Kind == dissect.List {
		s = s.Element()
	}
	return s
}

// JsonType returns the JSON type of the values.
func (s *Shape) JsonType() string {
	switch s.Kind {
	case dissect.Object, dissect.Sparse, dissect.Info:
		return "object"
	case dissect.List, dissect.Choices:
		return "array"
	case dissect.Bool:
		return "boolean"
	case dissect.Uint, dissect.Int:
		if s.AsString() {
			return "string"
		}
		return "integer"
	case dissect.Float:
		return "number"
	}
	return "string"
}

// Names returns the names of all values, without repetition: by table, then by number.
func (s *Shape) Names() []string {
	var names []string
	known := map[string]bool{"": true}
	for _, f := range s.Fields {
		if f.Enum == nil {
			continue
		}
		for _, table := range f.Enum.All() {
			for _, name := range table {
				if !known[name] {
					known[name] = true
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// Join appends a key to a path.
func Join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// Named reports whether values of the field can have names at all.
func Named(f *dissect.Field) bool { return f.Enum != nil && f.Kind.Number() }
