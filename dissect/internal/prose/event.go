// Package prose has what all games need to put a tree into words: the sentence about an event, and the last column
// of the list. The games choose the words.
//
//	s := prose.NewEvent(dst, events, node)
//	s.Text("", &evMap)
//	s.Number(", starts at ", &evStartsAt)
//	return s.Dst
package prose

import (
	"bytes"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// An Event describes one event in words, which it appends to Dst.
type Event struct {
	Tree *dissect.Tree
	Node int // of the event
	Dst  []byte
}

// NewEvent begins the description of the event at an index of the tree.
func NewEvent(dst []byte, events *dissect.Tree, node int) Event {
	return Event{Tree: events, Node: node, Dst: dst}
}

// Kind returns the kind of the event, or "".
func (e *Event) Kind() string {
	if n := e.Child(&dissect.EventKind); n != nil {
		return string(e.Tree.Bytes(n))
	}
	return ""
}

// Add adds words.
func (e *Event) Add(words string) { e.Dst = append(e.Dst, words...) }

// Child returns the node of a field of the event, or nil. It is the tree's.
func (e *Event) Child(f *dissect.Field) *dissect.Node {
	if i := e.Tree.Child(e.Node, f); i >= 0 {
		return &e.Tree.Nodes[i]
	}
	return nil
}

// Text adds a text field with words before it, unless the field is absent or empty. Line feeds at its end are
// dropped: an event is one line.
func (e *Event) Text(before string, f *dissect.Field) {
	if n := e.Child(f); n != nil && len(e.Tree.Bytes(n)) > 0 {
		e.Add(before)
		e.Dst = append(e.Dst, bytes.TrimRight(e.Tree.Bytes(n), "\n")...)
	}
}

// Number adds a number field with words before it, unless the field is absent.
func (e *Event) Number(before string, f *dissect.Field) {
	if n := e.Child(f); n != nil {
		e.Add(before)
		e.Dst = strconv.AppendInt(e.Dst, n.Int(), 10)
	}
}

// Named adds the name of a number with words before it, unless the field is absent. A number without a name is
// written as digits.
func (e *Event) Named(before string, f *dissect.Field) {
	n := e.Child(f)
	if n == nil {
		return
	}
	name := f.Enum.Name(e.Tree.Family, n.Uint())
	if name == "" {
		e.Number(before, f)
		return
	}
	e.Add(before)
	e.Add(name)
}

// Flag adds words if a field is present.
func (e *Event) Flag(words string, f *dissect.Field) {
	if e.Child(f) != nil {
		e.Add(words)
	}
}
