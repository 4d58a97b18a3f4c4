package schema

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/suggest"
	"github.com/q3dissect/q3dissect/dissect/internal/wireshark"
)

// NearestField returns the display name that was probably meant by a mistyped one or one of tshark's, or "" if
// none is similar. The last key is compared too: server_time suggests the path that ends with it.
func NearestField(name string, protocols []*dissect.Protocol) string {
	return cmp.Or(wireshark.Nearest(name), suggest.Path(name, fieldPaths(protocols)))
}

// Search returns the fields with a word in their name, in the engine's spelling or in their description, without regard
// to capitals, and those that Wireshark's name means.
func Search(list []FieldInfo, word string) (found []FieldInfo) {
	ours, word := wireshark.Fields(word), strings.ToLower(word)
	has := func(s string) bool { return strings.Contains(strings.ToLower(s), word) }
	for _, f := range list {
		if has(f.Path) || has(f.Name) || has(f.Doc) || slices.Contains(ours, f.Path) {
			found = append(found, f)
		}
	}
	return found
}

// Meant returns the path of the field that one of Wireshark's names means, or "".
func Meant(name string) string {
	if fields := wireshark.Fields(name); len(fields) > 0 && fields[0] != name {
		return fields[0]
	}
	return ""
}

// JQHints returns the paths of jq that were meant by Wireshark's names in a program: .frame.number is .frame here.
func JQHints(program string) []string { return wireshark.Mentioned(program) }

func fieldPaths(protocols []*dissect.Protocol) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, info := range ListFields(protocols, true) {
			if !yield(info.Path) {
				return
			}
		}
	}
}

// Choices names the words of a closed list, after the one that was probably meant by a mistyped one.
func Choices(word string, words []string) string { return suggest.Choices(word, words) }

// Nearest returns the word that was probably meant by a mistyped one, or "" if none is similar.
func Nearest(word string, words []string) string { return suggest.Word(word, slices.Values(words)) }
