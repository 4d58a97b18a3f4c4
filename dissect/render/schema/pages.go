package schema

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
)

// A Page is a document in Markdown.
type Page struct {
	Name string // of the file, relative to the folder of the documents: "fields/quake3.md"
	Text []byte
}

const fieldsIntroduction = `# Fields

Every field of the records. ` + "`q3dissect --list-fields WORD`" + ` finds fields by a word of their names or descriptions. This page is
generated from the program: do not edit.

A field's name in filters and columns is its path in the JSON records with arrays skipped. "*" means any key: the
number of an element, or a key of an infostring. Beside a number with named values is ` + "`<field>_name`" + `, beside a bit mask
` + "`<field>_names`" + `, and beside a text whose bytes are not all UTF-8 ` + "`<field>_raw`" + ` (hexadecimal); these are in ` +
	"`--list-fields`" + ` and
not here.

`

const pageIntroduction = `Generated from the field descriptions of the program: do not edit. What the columns mean: [fields.md](../fields.md).
`

const framingIntroduction = `What frames the fields above: with them every bit of a message lies in one field. Filters know these names at any time;
records have them with ` + "`--framing`" + `.

`

// Pages makes docs/fields.md, which has the common part of all records, and a page for each protocol, with
// a table for each part of its object, in the order of the records.
func Pages(protocols []*dissect.Protocol) []Page {
	titles := map[string]string{}
	for _, p := range protocols {
		titles[p.Name] = p.Title
	}
	index := Page{Name: "fields.md", Text: []byte(fieldsIntroduction)}
	index.add("| Object | Protocol | Fields |\n| --- | --- | ---: |\n")
	list := ListFields(protocols, true)
	var pages []Page
	for _, s := range fieldunion.Of(protocols, false) {
		var own, rest []FieldInfo
		for _, info := range list {
			if within(info.Path, s.Key) {
				own = append(own, info)
			} else {
				rest = append(rest, info)
			}
		}
		list = rest
		page := shapePage(s, titles[s.Key], own)
		index.add("| [`%s`](%s) | %s | %d |\n", s.Key, page.Name, titles[s.Key], countFields(own))
		pages = append(pages, page)
	}
	index.add("\n## Every record\n\n")
	index.table(list)
	return append([]Page{index}, pages...)
}

// shapePage makes the page of a protocol's object: its own fields first, then a section for each object inside it.
func shapePage(s *fieldunion.Shape, title string, list []FieldInfo) Page {
	p := Page{Name: "fields/" + s.Key + ".md"}
	p.add("# Fields of %s\n\n%s\n\n%s", s.Key, title, pageIntroduction)
	sections := make([][]FieldInfo, len(s.Children))
	var own, framing []FieldInfo
	for _, info := range list {
		if info.Framing {
			framing = append(framing, info)
			continue
		}
		section := -1
		for i, c := range s.Children {
			if c.Kind.Container() && within(info.Path, fieldunion.Join(s.Key, c.Key)) {
				section = i
			}
		}
		if section < 0 {
			own = append(own, info)
		} else {
			sections[section] = append(sections[section], info)
		}
	}
	p.add("\n")
	p.table(own)
	for i, fields := range sections {
		if len(fields) > 0 {
			p.add("\n## %s\n\n", fieldunion.Join(s.Key, s.Children[i].Key))
			p.table(fields)
		}
	}
	if len(framing) > 0 {
		p.add("\n## Framing\n\n%s", framingIntroduction)
		p.table(framing)
	}
	return p
}

// within reports whether a path is another or inside it.
func within(path, outer string) bool {
	inner, ok := strings.CutPrefix(path, outer)
	return ok && (inner == "" || inner[0] == '.')
}

// countFields counts what a table shows of a list.
func countFields(list []FieldInfo) (n int) {
	for _, info := range list {
		if info.Beside == "" {
			n++
		}
	}
	return n
}

func (p *Page) add(format string, args ...any) { p.Text = fmt.Appendf(p.Text, format, args...) }

// table appends a table of fields, without the siblings that are generated.
func (p *Page) table(list []FieldInfo) {
	p.add("| Field | Type | Bits | Engine's spelling | Meaning | Source |\n| --- | --- | ---: | --- | --- | --- |\n")
	for _, info := range list {
		if info.Beside != "" {
			continue
		}
		bits := ""
		if info.Bits > 0 {
			bits = strconv.Itoa(info.Bits)
		}
		p.add("|")
		for _, cell := range []string{code(info.Path), info.typeWords(), bits, code(info.Name), info.meaning(), info.Source} {
			p.add(" %s |", markdownCell.Replace(cell))
		}
		p.add("\n")
	}
}

// markdownCell keeps what would end a cell or begin a tag from doing so.
var markdownCell = strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;")

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}
