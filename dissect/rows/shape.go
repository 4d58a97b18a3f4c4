package rows

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// A shape is the union of the fields that stand at one path.
type shape struct {
	key      string
	fields   []*dissect.Field
	kind     dissect.Kind // the widest of the fields' kinds
	children []*shape     // by key; of a List and a Sparse the only element
	whole    bool         // its objects are columns, however many there are
}

// addShape joins a field with the shape of its key, or appends a new one.
func addShape(shapes []*shape, f *dissect.Field) []*shape {
	i := slices.IndexFunc(shapes, func(s *shape) bool { return s.key == f.Key })
	if i < 0 {
		i = len(shapes)
		shapes = append(shapes, &shape{key: f.Key, kind: f.Kind})
	}
	s := shapes[i]
	if slices.Contains(s.fields, f) {
		return shapes
	}
	s.kind = widest(s.kind, f.Kind)
	s.fields = append(s.fields, f)
	for _, c := range f.Children {
		s.children = addShape(s.children, c)
	}
	return shapes
}

// widest gives the kind whose column takes the values of both. Fields of one path fit together: schema.Check.
func widest(a, b dissect.Kind) dissect.Kind {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == b:
		return a
	case a.Number() && b.Number():
		return dissect.Int
	case a.Number():
		return dissect.Float
	}
	return dissect.Text
}

func (s *shape) doc() string {
	for _, f := range s.fields {
		if f.Doc != "" {
			return f.Doc
		}
	}
	return ""
}

// exactBits is the widest number, in bits, that JSON has as a number.
const exactBits = 53

// narrowBits is the widest number, in bits, of which few values are to be expected.
const narrowBits = 12

// valueType is the type of a leaf's column.
func (s *shape) valueType() Type {
	is := func(ok func(*dissect.Field) bool) bool { return slices.ContainsFunc(s.fields, ok) }
	switch s.kind {
	case dissect.Bool:
		return Bool
	case dissect.Uint:
		if is(func(f *dissect.Field) bool { return f.Bits > exactBits }) {
			return Uint
		}
		return Int
	case dissect.Int:
		return Int
	case dissect.Float:
		if is(func(f *dissect.Field) bool { return f.Kind.Number() }) {
			return Double
		}
		return Float
	}
	return String
}

// narrow reports whether few different values are to be expected.
func (s *shape) narrow() bool {
	f := s.fields[0]
	return f.Enum != nil || f.Kind == dissect.Label || f.Kind.Number() && f.Bits > 0 && f.Bits <= narrowBits
}

// naming says which siblings with names the values can have.
func (s *shape) naming() (name, names bool) {
	for _, f := range s.fields {
		if f.Enum != nil && f.Kind.Number() && len(f.Enum.Tables) > 0 {
			name, names = name || !f.Enum.Mask, names || f.Enum.Mask
		}
	}
	return name, names
}

// bare reports whether an object is a vector or the like: leaves that need no words of their own.
func (s *shape) bare() bool {
	return !slices.ContainsFunc(s.children, func(c *shape) bool { return c.kind.Container() || c.doc() != "" })
}

// leaves counts the columns that an object would have, without those of rows below it.
func (s *shape) leaves() int {
	n := 0
	for _, c := range s.children {
		if c.kind == dissect.Object {
			n += c.leaves()
		} else {
			n++
		}
	}
	return n
}

// An object whose own objects are at least so many, with so many columns in all, has a table for each of them.
const (
	manyObjects = 5
	manyColumns = 64
)

// union reports whether the objects in an object are rows of their own.
func (s *shape) union() bool {
	n := 0
	for _, c := range s.children {
		if c.kind == dissect.Object && !c.bare() {
			n++
		}
	}
	return !s.whole && n >= manyObjects && s.leaves() > manyColumns
}
