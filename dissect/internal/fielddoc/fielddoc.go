// Package fielddoc reads files that say what fields mean: a line for each, and lines of comment.
//
//	# Source: entityState_t, code/qcommon/q_shared.h.
//	eType: kind of entity
package fielddoc

import "strings"

// Parse returns what a file says, by field. It panics if the file says something twice, or has another line: such files
// are parts of the program.
func Parse(text string) map[string]string {
	docs := make(map[string]string, strings.Count(text, "\n"))
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		name, doc, ok := strings.Cut(line, ": ")
		if !ok || docs[name] != "" {
			panic("fielddoc: not a line about another field: " + line)
		}
		docs[name] = doc
	}
	return docs
}
