package rows

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
)

// docOf returns the documentation of the first field that has one.
func docOf(s *fieldunion.Shape) string {
	for _, f := range s.Fields {
		if f.Doc != "" {
			return f.Doc
		}
	}
	return ""
}

// narrowBits is the widest number, in bits, that is expected to have few different values.
const narrowBits = 12

// valueType returns the type of a leaf's column.
func valueType(s *fieldunion.Shape) Type {
	switch s.Kind {
	case dissect.Bool:
		return Bool
	case dissect.Uint:
		if s.AsString() {
			return Uint
		}
		return Int
	case dissect.Int:
		return Int
	case dissect.Float:
		if slices.ContainsFunc(s.Fields, func(f *dissect.Field) bool { return f.Kind.Number() }) {
			return Double
		}
		return Float
	}
	return String
}

// narrow reports whether few different values are expected.
func narrow(s *fieldunion.Shape) bool {
	f := s.Fields[0]
	return f.Enum != nil || f.Kind == dissect.Label || f.Kind.Number() && f.Bits > 0 && f.Bits <= narrowBits
}

// bare reports whether an object is like a vector: leaves without documentation of their own.
func bare(s *fieldunion.Shape) bool {
	return !slices.ContainsFunc(s.Children, func(c *fieldunion.Shape) bool { return c.Kind.Container() || docOf(c) != "" })
}

// bundle reports whether an object has nothing but arrays and vectors.
func bundle(s *fieldunion.Shape) bool {
	return !slices.ContainsFunc(s.Children, func(c *fieldunion.Shape) bool {
		return c.Kind != dissect.Sparse && (c.Kind != dissect.Object || !bare(c))
	})
}

// leaves counts the columns that an object would have, without those of rows below it.
func leaves(s *fieldunion.Shape) int {
	n := 0
	for _, c := range s.Children {
		if c.Kind == dissect.Object {
			n += leaves(c)
		} else {
			n++
		}
	}
	return n
}

// An object with at least manyObjects objects and more than manyColumns columns has a table for each of the objects.
const (
	manyObjects = 5
	manyColumns = 64
)

// divided reports whether the objects in an object are rows of their own.
func divided(s *fieldunion.Shape) bool {
	n := 0
	for _, c := range s.Children {
		if c.Kind == dissect.Object && !bare(c) && !bundle(c) {
			n++
		}
	}
	return n >= manyObjects && leaves(s) > manyColumns
}
