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
	{"scene/entity.go", "return -1", "-1 becomes - 1", "below zero: none"},
	{"scene/entity.go", "client = -1", "-1 becomes - 1", "below zero: none"},
	{"scene/entity.go", "e := Event{Kind: Kill, Client: -1, Killer: -1, Value: at.parm.Value(v), At: at.point(state)}", "-1 becomes - 1", "below zero: none"},
	{"scene/jedi.go", "e := Event{Kind: FlagMessage, Client: -1, Team: -1, Value: message}", "-1 becomes - 1", "below zero: none"},
	{"scene/family.go", "return -1", "-1 becomes - 1", "below zero: none"},
	{"scene/family.go", "n.teamSound = -1 // says less", "-1 becomes - 1", "no event has a number below zero"},
	{"events/result.go", "r.winner = -1", "-1 becomes - 1", "below zero: nobody"},
	{"events/oob.go", "number := -1", "-1 becomes - 1", "below zero: nobody"},
	{"events/race.go", "found := -1", "-1 becomes - 1", "below zero: nobody"},
	{"events/roster.go", "found := -1", "-1 becomes - 1", "below zero: nobody"},
	{"events/duel.go", "found, longest := -1, 0", "-1 becomes - 1", "below zero: nobody"},
	{"events/text.go", "if i < 0 {", "0 becomes + 1", "an event's own index, which no key of it has"},
	{"quake3/keys.go", "for len(body) >= 8 && len(command) >= 8 {", "len(body) >= 8 becomes >", "eight bytes at a time or one by one: the result is the same"},
	{"quake3/keys.go", "for len(body) >= 8 && len(command) >= 8 {", "len(body) >= 8 becomes <", "eight bytes at a time or one by one: the result is the same"},
	{"quake3/keys.go", "for len(body) >= 8 && len(command) >= 8 {", "len(command) >= 8 becomes >", "eight bytes at a time or one by one: the result is the same"},
	{"quake3/keys.go", "for len(body) >= 8 && len(command) >= 8 {", "len(command) >= 8 becomes <", "eight bytes at a time or one by one: the result is the same"},
	{"quake3/keys.go", "for len(body) >= 8 && len(command) >= 8 {", "8 becomes + 1", "eight bytes at a time or one by one: the result is the same"},
	{"quake3/keys.go", "if replaced := c ^ '%'*ones; !eightBit && c&eights != 0 || (replaced-ones)&^replaced&eights != 0 {", "0 becomes + 1", "eight bytes at a time or one by one: the result is the same"},
	{"quake3/keys.go", "if replaced := c ^ '%'*ones; !eightBit && c&eights != 0 || (replaced-ones)&^replaced&eights != 0 {", "ones becomes + 1", "eight bytes at a time or one by one: the result is the same"},
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
