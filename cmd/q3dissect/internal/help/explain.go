package help

import (
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/render/schema"
	"github.com/q3dissect/q3dissect/docs"
)

// maxMatches is the number of fields that are listed of those with one key.
const maxMatches = 20

// Explain returns the page about a word that is a kind of events, the code of expert entries, a field of records or
// events, or the last key of fields; "" for any other.
func Explain(word string, kinds []string, records, events []schema.FieldInfo) string {
	var b strings.Builder
	explainKind(&b, word, kinds)
	explainCode(&b, word)
	for _, of := range []struct {
		verb   string
		fields []schema.FieldInfo
	}{{"", records}, {"events ", events}} {
		for i := range of.fields {
			if of.fields[i].Path == word {
				explainField(&b, &of.fields[i], of.verb)
			}
		}
	}
	if b.Len() == 0 && !strings.Contains(word, ".") {
		explainKey(&b, word, records, events)
	}
	return b.String()
}

// explainKind writes the rows that the page about events has for a kind: one for each family of games.
func explainKind(b *strings.Builder, word string, kinds []string) {
	if !slices.Contains(kinds, word) {
		return
	}
	fmt.Fprintf(b, "%s: a kind of event\n", word)
	for cells := range rowsAbout(word, docs.Events) {
		b.WriteByte('\n')
		writeEntry(b, "keys", plainText(cells[1]))
		writeEntry(b, "from", plainText(strings.Join(cells[2:], "|")))
	}
	fmt.Fprintf(b, "\n  q3dissect events FILE -Y 'event == %q'\n\n", word)
}

// explainCode writes the rows that the page about expert entries has for a code.
func explainCode(b *strings.Builder, word string) {
	found := false
	for cells := range rowsAbout(word, docs.Expert) {
		if len(cells) < 4 {
			continue
		}
		if !found {
			fmt.Fprintf(b, "%s: the code of an expert entry\n", word)
			found = true
		}
		b.WriteByte('\n')
		writeEntry(b, "what", plainText(cells[2]))
		writeEntry(b, "severity", plainText(cells[1]))
		writeEntry(b, "to do", plainText(strings.Join(cells[3:], "|")))
	}
	if found {
		fmt.Fprintf(b, "\n  q3dissect FILE -Y 'expert.code == %q'\n\n", word)
	}
}

// rowsAbout yields the cells of the rows of a page's tables whose first cell is a word alone, in three cells or more.
func rowsAbout(word, page string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(page) {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			if len(cells) >= 3 && strings.TrimSpace(cells[0]) == "`"+word+"`" && !yield(cells) {
				return
			}
		}
	}
}

var markdownLink = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`)

// plainText returns a cell of a page without marks.
func plainText(cell string) string {
	return strings.ReplaceAll(markdownLink.ReplaceAllString(strings.TrimSpace(cell), "$1"), "`", "")
}

// explainField writes all that is known of a field.
func explainField(b *strings.Builder, f *schema.FieldInfo, verb string) {
	of := "records"
	if verb != "" {
		of = "events"
	}
	fmt.Fprintf(b, "%s: a field of %s, %s", f.Path, of, f.Type)
	if f.Items != "" {
		fmt.Fprintf(b, " of %s", f.Items)
	}
	if f.Bits > 0 {
		fmt.Fprintf(b, ", %d bits", f.Bits)
	}
	b.WriteString("\n\n")
	writeEntry(b, "what", f.Doc)
	writeEntry(b, "unit", f.Unit)
	writeEntry(b, "engine", f.Name)
	writeEntry(b, "names", strings.Join(f.Names, " "))
	writeEntry(b, "beside", f.Beside)
	writeEntry(b, "source", f.Source)
	if verb == "" {
		fmt.Fprintf(b, "\n  q3dissect FILE -T fields -e frame -e %s -Y %[1]s\n\n", f.Path)
	} else {
		fmt.Fprintf(b, "\n  q3dissect events FILE -Y %s\n\n", f.Path)
	}
}

// explainKey lists the fields with a last key.
func explainKey(b *strings.Builder, key string, records, events []schema.FieldInfo) {
	found := 0
	for _, of := range []struct {
		what   string
		fields []schema.FieldInfo
	}{{"records", records}, {"events", events}} {
		first := true
		for i := range of.fields {
			f := &of.fields[i]
			if !strings.HasSuffix(f.Path, "."+key) {
				continue
			}
			if found++; found > maxMatches {
				continue
			}
			if first {
				fmt.Fprintf(b, "Fields of %s called %s:\n\n", of.what, key)
				first = false
			}
			fmt.Fprintf(b, "  %s\n", f.Path)
			if f.Doc != "" {
				b.WriteString("      ")
				writeWrapped(b, 6, 6, f.Doc)
			}
		}
		if !first {
			b.WriteByte('\n')
		}
	}
	if found > maxMatches {
		fmt.Fprintf(b, "and %d more: q3dissect --list-fields %s\n", found-maxMatches, key)
	}
}

// writeEntry writes a name and the words about it, or nothing if there are none.
func writeEntry(b *strings.Builder, name, words string) {
	if words != "" {
		writeColumns(b, "  "+name, 11, words)
	}
}
