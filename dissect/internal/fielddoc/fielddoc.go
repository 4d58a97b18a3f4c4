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
	for n := 0; text != ""; {
		var line string
		if line, text, _ = strings.Cut(text, "\n"); line == "" || line[0] == '#' {
			continue
		}
		name, doc, _ := strings.Cut(line, ":")
		if n++; len(doc) < 2 || doc[0] != ' ' {
			panic("fielddoc: not about a field: " + line)
		}
		if docs[name] = doc[1:]; len(docs) != n {
			panic("fielddoc: said twice: " + line)
		}
	}
	return docs
}
