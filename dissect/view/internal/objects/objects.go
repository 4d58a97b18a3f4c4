// Package objects adds lists of objects to trees: players of a line of the catalogue, names of a person.
package objects

import "github.com/q3dissect/q3dissect/dissect"

// Object returns the field of an object with members.
func Object(children ...*dissect.Field) *dissect.Field {
	return &dissect.Field{Kind: dissect.Object, Children: children}
}

// Add adds a list of objects, or nothing if it is empty.
func Add[T any](t *dissect.Tree, f *dissect.Field, list []T, members func(*T)) {
	if len(list) == 0 {
		return
	}
	t.Open(f, 0)
	for i := range list {
		t.Open(f.Children[0], 0)
		members(&list[i])
		t.Close(0)
	}
	t.Close(0)
}
