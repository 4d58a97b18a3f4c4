package main

import "strings"

// equivalents are changes that no test can notice, because nothing that the program shows depends on them. They are not
// counted. docs/testing.md has the same list.
var equivalents = []struct{ file, line, what, why string }{
	{"world/delta.go", "span = nil", "span = nil left out", "places that nobody asks for are noted, and never looked at"},
	{"world/entity.go", "if state.Known&table.ETypeMask != 0 {", "state.Known&table.ETypeMask becomes |", "a type that is not known is 0, which has no names of its own"},
	{"world/player.go", "fields := make([]*dissect.Field, statArrays, statArrays+2)", "statArrays+2 becomes + 1", "capacity"},
	{"world/player.go", "weapons := -1", "-1 becomes - 1", "no element has a number below zero"},
	{"quake3/keys.go", "return -1", "-1 becomes - 1", "below zero: none"},
	{"snapshot/history.go", "return -1", "-1 becomes - 1", "below zero: none"},
	{"world/state.go", "p.used = append(p.used, false)", "false becomes the other", "cleared before it is looked at"},
}

// equivalent reports whether a change is one of them.
func (m *mutant) equivalent() bool {
	for _, e := range equivalents {
		if file, _, _ := strings.Cut(m.at, ":"); strings.HasSuffix(file, e.file) && m.line == e.line && m.what == e.what {
			return true
		}
	}
	return false
}
