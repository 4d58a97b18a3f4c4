// Package names has the names that the games of the Quake III family give to numbers: entity types, events, items,
// weapons, means of death, configstrings and more. A table is the list of one kind of one game, in the order of its
// numbers; a number without a name has "". The rows of the games (package tables) choose among them.
package names

import "slices"

// A ConfigSpan is a run of configstrings of one kind, last included.
type ConfigSpan struct {
	First, Last int
	Name        string
}

// singly returns the spans of configstrings that are alone in their kinds, from the first one on.
func singly(first int, names ...string) []ConfigSpan {
	list := make([]ConfigSpan, len(names))
	for i, name := range names {
		list[i] = ConfigSpan{first + i, first + i, name}
	}
	return list
}

// WithNames returns a copy of a table with more names at its end.
func WithNames(table []string, names ...string) []string {
	return slices.Concat(table, names)
}

// WithName returns a table with another name for one number; "" removes the name.
func WithName(table []string, number int, name string) []string {
	table = slices.Clone(table)
	if number >= len(table) {
		table = WithNames(table, make([]string, number+1-len(table))...)
	}
	table[number] = name
	return table
}
