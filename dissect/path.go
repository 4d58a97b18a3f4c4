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
// the time of every snapshot in a message. The last key may be one that records write beside a field's own
// ("means_of_death_name") or that of an infostring ("info.sv_hostname"). The facts of a packet (frame, time, info)
// are not in the tree: they are fields and methods of Record.

// Lookup returns the first field that a path leads to, below v. A List is a Value of its own.
//
// The path is not checked: one that no record can have finds nothing. Find reports mistakes; CompilePath does so
// too, and is faster if many trees are searched.
func (v Value) Lookup(path string) (first Value) {
	var memory [8]step
	v.walk(split(memory[:0], path), func(found Value) bool {
		first = found
		return false
	})
	return first
}

// Find is Lookup of a path that is checked against the Fields below v: the error names the key that v cannot have.
// The whole of a Tree has no Field: Record.Find checks paths from the top of a record.
func (v Value) Find(path string) (Value, error) {
	f := v.Field()
	if f == nil {
		return Value{}, errors.New("no field to find a path in")
	}
	p, err := CompilePath(path, childrenOf(f)...)
	if err != nil {
		return Value{}, err
	}
	return p.First(v), nil
}

// childrenOf returns the fields that can be the first of a path below f.
func childrenOf(f *Field) []*Field {
	children, _ := inside([]*Field{f})
	return children
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
	infos []*Field // infostrings along the path; the rest of the path is a key
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
		s.checked = true
		if sparse {
			if !s.number {
				return Path{}, fmt.Errorf("path %q: %s has elements with numbers and no %q", path, outer, s.key)
			}
			s.fields = at
		} else {
			s.find(at, i == len(p.steps)-1)
		}
		if len(s.fields)+len(s.beside) == 0 {
			if len(p.infos) > 0 {
				break // the rest is a key of an infostring
			}
			return Path{}, fmt.Errorf("path %q: %s has no field %q", path, outer, s.key)
		}
		if i < len(p.steps)-1 {
			p.infos = append(p.infos, infosOf(s.fields)...)
		}
		at, sparse = inside(s.fields)
		outer = s.key
	}
	return p, nil
}

// find sets the fields that the step names among those that it can; only the last step can name a sibling.
func (s *step) find(among []*Field, last bool) {
	for _, f := range among {
		if f.Key == s.key {
			s.fields = append(s.fields, f)
		}
		if last && f.Key == s.field && s.sibling.of(f) {
			s.beside = append(s.beside, f)
		}
	}
}

// infosOf returns the infostrings among fields, and among the elements of lists.
func infosOf(fields []*Field) (infos []*Field) {
	for _, f := range fields {
		switch f.Kind {
		case Info:
			infos = append(infos, f)
		case List:
			infos = append(infos, infosOf(f.Children)...)
		}
	}
	return infos
}

// inside returns the fields that can follow on a path after some fields, and whether they are elements of a
// Sparse.
func inside(fields []*Field) (children []*Field, sparse bool) {
	for _, f := range fields {
		switch f.Kind {
		case Object, Choices:
			children = append(append(children, f.Children...), f.Frame...)
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

// Fields returns the descriptions of the fields that the path leads to: several if games or versions differ. For a
// key beside a field's own, or in an infostring, they are those of that field. They are the Path's.
func (p Path) Fields() []*Field {
	if len(p.steps) == 0 {
		return nil
	}
	last := &p.steps[len(p.steps)-1]
	switch {
	case len(last.fields) > 0:
		return last.fields
	case len(last.beside) > 0:
		return last.beside
	}
	return p.infos
}

// Derived reports whether the path leads to a key beside the Fields, or in an infostring, instead of to the Fields.
func (p Path) Derived() bool { return len(p.steps) > 0 && len(p.steps[len(p.steps)-1].fields) == 0 }

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
	rest   string // the path from this key on: the key of an infostring
	number bool   // it can be an element of a Sparse,
	index  int32  // this one, or every one if negative

	field   string // the key of the field that the key is beside,
	sibling sibling

	checked        bool // the path was compiled:
	fields, beside []*Field
}

// anyKey means all numbers of a Sparse and all keys of an infostring.
const anyKey = "*"

// split splits a path.
func split(steps []step, path string) []step {
	for more := path != ""; more; {
		var key, rest string
		key, rest, more = strings.Cut(path, ".")
		s := step{key: key, rest: path}
		if key == anyKey {
			s.number, s.index = true, -1
		} else if key != "" && '0' <= key[0] && key[0] <= '9' { // an error of ParseUint would be allocated
			if n, err := strconv.ParseUint(key, 10, 31); err == nil {
				s.number, s.index = true, int32(n)
			}
		}
		if !more {
			s.field, s.sibling = cutSibling(key)
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
	case s.checked:
		return slices.Contains(s.fields, n.Field)
	}
	return n.Field.Key == s.key
}

// accompanies reports whether the step names a key beside that of node n.
func (s *step) accompanies(n *Node) bool {
	if s.checked {
		return slices.Contains(s.beside, n.Field)
	}
	return s.sibling != itself && n.Field.Key == s.field
}

// walk calls found for everything that the steps lead to below v, until it returns false.
func (v Value) walk(steps []step, found func(Value) bool) bool {
	if v.tree == nil || len(steps) == 0 || v.sibling != itself {
		return true
	}
	in, nodes := v.kind(), v.tree.Nodes
	if in == Info {
		return v.pairs(steps[0].rest, found)
	}
	if !in.Container() {
		return true
	}
	for i, end := v.tree.inside(int(v.at)); i < end; i = int(nodes[i].End) {
		n, c := &nodes[i], Value{tree: v.tree, at: int32(i)}
		switch {
		case in == List:
			if !c.walk(steps, found) {
				return false
			}
		case !steps[0].matches(n, in):
			if steps[0].accompanies(n) {
				if beside := c.withSibling(steps[0].sibling); beside.Exists() && !found(beside) {
					return false
				}
			}
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
		c := Value{tree: v.tree, at: int32(i)}
		if kind == Choices && !yield(c) || kind == List && !c.elements(yield) {
			return false
		}
	}
	return true
}
