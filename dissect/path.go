package dissect

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// A path names fields as -e, -Y and docs/fields.md do: keys joined by dots, elements of lists skipped, an
// element of a Sparse by its number or all of them by "*". "quake3.server_message.ops.snapshot.server_time" is
// the time of every snapshot in a message.

// Lookup returns the first field that a path leads to, below v. A List is a Value of its own.
//
// The path is not checked: one that no record can have finds nothing. CompilePath finds mistakes, and is faster
// if many trees are searched.
func (v Value) Lookup(path string) (first Value) {
	var memory [8]step
	v.walk(split(memory[:0], path), func(found Value) bool {
		first = found
		return false
	})
	return first
}

// All returns every field that a path leads to, below v and in the order of the tree. Instead of a List or a
// Choices it returns the elements, as -e does.
func (v Value) All(path string) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		var memory [8]step
		v.walk(split(memory[:0], path), func(found Value) bool { return found.elements(yield) })
	}
}

// A Path is a path that was checked against the Fields. It is safe for concurrent use.
type Path struct {
	text  string
	steps []step
}

// CompilePath checks a path that begins at one of the roots: Root of the protocols for a path from the top of a
// record, Children of EventRoot for one in an event, any Field's Children for one in its values. The error
// names the unknown key.
func CompilePath(path string, roots ...*Field) (Path, error) {
	p := Path{text: path, steps: split(nil, path)}
	if path == "" {
		return Path{}, errors.New("an empty path")
	}
	outer, at := "the top level", roots
	sparse := false
	for i := range p.steps {
		s := &p.steps[i]
		if sparse {
			if !s.number {
				return Path{}, fmt.Errorf("path %q: %s has elements with numbers and no %q", path, outer, s.key)
			}
			s.fields = at
		} else {
			for _, f := range at {
				if f.Key == s.key {
					s.fields = append(s.fields, f)
				}
			}
		}
		if len(s.fields) == 0 {
			return Path{}, fmt.Errorf("path %q: %s has no field %q", path, outer, s.key)
		}
		at, sparse = inside(s.fields)
		outer = s.key
	}
	return p, nil
}

// inside returns the fields that can follow on a path after some fields, and whether they are elements of a
// Sparse.
func inside(fields []*Field) (children []*Field, sparse bool) {
	for _, f := range fields {
		switch f.Kind {
		case Object, Choices:
			children = append(children, f.Children...)
		case Sparse:
			children, sparse = append(children, f.Children...), true
		case List:
			elements, numbered := inside(f.Children)
			children, sparse = append(children, elements...), sparse || numbered
		}
	}
	return children, sparse
}

// String returns the path as it was written.
func (p Path) String() string { return p.text }

// Fields returns the descriptions of the fields that the path leads to: several if games or versions differ.
// They are the Path's.
func (p Path) Fields() []*Field {
	if len(p.steps) == 0 {
		return nil
	}
	return p.steps[len(p.steps)-1].fields
}

// First is v.Lookup of the path.
func (p Path) First(v Value) (first Value) {
	v.walk(p.steps, func(found Value) bool {
		first = found
		return false
	})
	return first
}

// All is v.All of the path.
func (p Path) All(v Value) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		v.walk(p.steps, func(found Value) bool { return found.elements(yield) })
	}
}

// A step is one key of a path.
type step struct {
	key    string
	fields []*Field // what it can be, nil: anything with the key
	number bool     // it can be an element of a Sparse,
	index  int32    // this one, or every one if negative
}

// split splits a path.
func split(steps []step, path string) []step {
	for len(path) > 0 {
		key, rest, _ := strings.Cut(path, ".")
		s := step{key: key}
		if key == "*" {
			s.number, s.index = true, -1
		} else if key != "" && '0' <= key[0] && key[0] <= '9' { // an error of ParseUint would be allocated
			if n, err := strconv.ParseUint(key, 10, 31); err == nil {
				s.number, s.index = true, int32(n)
			}
		}
		steps, path = append(steps, s), rest
	}
	return steps
}

// matches reports whether node n, in a container of some kind, matches the step.
func (s *step) matches(n *Node, in Kind) bool {
	switch {
	case in == Sparse:
		return s.number && (s.index < 0 || s.index == n.Index)
	case s.fields != nil:
		return slices.Contains(s.fields, n.Field)
	}
	return n.Field.Key == s.key
}

// walk calls found for everything that the steps lead to below v, until it returns false.
func (v Value) walk(steps []step, found func(Value) bool) bool {
	if v.tree == nil || len(steps) == 0 || !v.kind().Container() {
		return true
	}
	in, nodes := v.kind(), v.tree.Nodes
	for i, end := v.tree.inside(int(v.at)); i < end; i = int(nodes[i].End) {
		n, c := &nodes[i], Value{v.tree, int32(i)}
		switch {
		case in == List:
			if !c.walk(steps, found) {
				return false
			}
		case !steps[0].matches(n, in):
		case len(steps) == 1:
			if !found(c) {
				return false
			}
		case !c.walk(steps[1:], found):
			return false
		}
	}
	return true
}

// elements calls yield for a value, or for the elements of a List or Choices.
func (v Value) elements(yield func(Value) bool) bool {
	kind := v.kind()
	if kind != List && kind != Choices {
		return yield(v)
	}
	nodes := v.tree.Nodes
	for i, end := v.tree.inside(int(v.at)); i < end; i = int(nodes[i].End) {
		c := Value{v.tree, int32(i)}
		if kind == Choices && !yield(c) || kind == List && !c.elements(yield) {
			return false
		}
	}
	return true
}
