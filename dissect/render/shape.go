package render

import (
	"errors"
	"fmt"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// A shape is what stands at one path of the records: the union of all fields with that path. Schema,
// field lists and column selectors are made from shapes.
type shape struct {
	key      string
	fields   []*dissect.Field // in order of appearance; the first one's words count
	kind     dissect.Kind     // the widest of the fields' kinds
	clash    bool             // the fields' kinds do not fit together
	children []*shape         // by key; of a List and a Sparse the only element
}

// shapes gives the objects that can stand at the top of a record, in the order of the protocols.
func shapes(protocols []dissect.Protocol) []*shape {
	var top []*shape
	for _, p := range protocols {
		top = addShape(top, p.Root())
	}
	return top
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
	kind, ok := widest(s.kind, f.Kind)
	s.kind, s.clash = kind, s.clash || !ok || kind.Number() && len(s.fields) > 0 && asString(f) != asString(s.fields[0])
	s.fields = append(s.fields, f)
	for _, c := range f.Children {
		s.children = addShape(s.children, c)
	}
	return shapes
}

// widest gives the kind whose JSON type takes the values of both.
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

// element is the shape of the elements of a List or Sparse, or nil.
func (s *shape) element() *shape {
	if len(s.children) == 0 {
		return nil
	}
	return s.children[0]
}

// asString reports whether the values are numbers too wide for a JSON number.
func (s *shape) asString() bool { return s.kind.Number() && slices.ContainsFunc(s.fields, asString) }

// rawable reports whether a sibling may have to keep the bytes of the text, or of the texts of an array.
func (s *shape) rawable() bool {
	switch s.kind {
	case dissect.Text, dissect.Info:
		return true
	case dissect.List:
		return s.element() != nil && s.element().rawable()
	}
	return false
}

// naming says which siblings with names the values can have.
func (s *shape) naming() (name, names bool) {
	for _, f := range s.fields {
		if named(f) && len(f.Enum.Tables) > 0 {
			name, names = name || !f.Enum.Mask, names || f.Enum.Mask
		}
	}
	return name, names
}

// siblings are the suffixes of the keys that may stand beside the shape's own.
func (s *shape) siblings() []string {
	var suffixes []string
	name, names := s.naming()
	if name {
		suffixes = append(suffixes, nameSuffix)
	}
	if names {
		suffixes = append(suffixes, namesSuffix)
	}
	if s.rawable() {
		suffixes = append(suffixes, rawSuffix)
	}
	return suffixes
}

// CheckFields reports every field that breaks a rule on which the records' promises rest: one path has
// one JSON type, no key equals a generated sibling's or one of the common part, keys are snake_case,
// containers of elements describe exactly one, and only containers have children.
func CheckFields(protocols []dissect.Protocol) error {
	var c fieldChecker
	taken := []string{"positions", "link", "expert", "file_error"}
	for _, m := range head {
		taken = append(taken, m.key)
	}
	top := shapes(protocols)
	for _, s := range top {
		if s.kind != dissect.Object {
			c.report(s.key, "is no object")
		}
	}
	c.object("", top, taken)
	return errors.Join(c.problems...)
}

type fieldChecker struct{ problems []error }

func (c *fieldChecker) report(path, format string, args ...any) {
	c.problems = append(c.problems, fmt.Errorf("%s: %s", path, fmt.Sprintf(format, args...)))
}

// object checks shapes that stand side by side under their keys.
func (c *fieldChecker) object(path string, members []*shape, taken []string) {
	for _, s := range members {
		taken = append(taken, s.key)
	}
	for _, s := range members {
		at := join(path, s.key)
		if !snakeCase(s.key) {
			c.report(at, "%q is not snake_case", s.key)
		}
		for _, suffix := range s.siblings() {
			if slices.Contains(taken, s.key+suffix) {
				c.report(at, "the sibling %s exists twice", s.key+suffix)
			}
		}
		c.shape(at, s)
	}
	for i, key := range taken {
		if slices.Contains(taken[:i], key) {
			c.report(join(path, key), "exists twice")
		}
	}
}

func (c *fieldChecker) shape(path string, s *shape) {
	if s.clash {
		for _, f := range s.fields {
			c.report(path, "is %v in one place and another type elsewhere", f.Kind)
		}
		return
	}
	switch s.kind {
	case dissect.Object, dissect.Choices:
		c.object(path, s.children, nil)
	case dissect.List, dissect.Sparse:
		if len(s.children) != 1 || s.element().key != "" {
			c.report(path, "%v needs one child, without key", s.kind)
			return
		}
		if s.kind == dissect.Sparse && s.element().rawable() {
			c.report(path, "a sparse array cannot hold text of the wire")
		}
		c.shape(path+"[]", s.element())
	case dissect.Info: // its children say what keys mean
	default:
		if len(s.children) > 0 {
			c.report(path, "%v cannot have children", s.kind)
		}
	}
}

func snakeCase(key string) bool {
	for i := range len(key) {
		switch c := key[i]; {
		case c >= 'a' && c <= 'z', c == '_':
		case c >= '0' && c <= '9' && i > 0:
		default:
			return false
		}
	}
	return key != ""
}

// join appends a key to a path.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
