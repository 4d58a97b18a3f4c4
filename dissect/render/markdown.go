package render

import (
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

const fieldsIntroduction = `# Fields

Generated from the field descriptions of the program: do not edit.

A field's name in filters and columns is its path in the JSON records with arrays skipped. "*" stands for any key: the
number of an element, or a key of an infostring. Beside a number with named values stands ` + "`<field>_name`" + `, beside a bit mask
` + "`<field>_names`" + `, and beside a text whose bytes are not all UTF-8 ` + "`<field>_raw`" + ` (hexadecimal); these are in ` +
	"`--list-fields`" + ` and
not below.
`

// FieldsMarkdown makes docs/fields.md: one table for the common part and one for each object of the
// protocols, in the order of the records.
func FieldsMarkdown(protocols []dissect.Protocol) []byte {
	dst := []byte(fieldsIntroduction)
	titles := map[string]string{}
	for _, p := range protocols {
		titles[p.Root().Key] = p.Title()
	}
	list := ListFields(protocols)
	tops := shapes(protocols)
	common := func(info FieldInfo) bool {
		top, _, _ := strings.Cut(info.Path, ".")
		for _, s := range tops {
			if s.key == top {
				return false
			}
		}
		return true
	}
	dst = appendFieldsTable(dst, "Every record", "", list, common)
	for _, s := range tops {
		dst = appendFieldsTable(dst, s.key, titles[s.key], list, func(info FieldInfo) bool {
			return info.Path == s.key || strings.HasPrefix(info.Path, s.key+".")
		})
	}
	return dst
}

func appendFieldsTable(dst []byte, heading, title string, list []FieldInfo, belongs func(FieldInfo) bool) []byte {
	dst = append(dst, "\n## "+heading+"\n\n"...)
	if title != "" {
		dst = append(dst, title+"\n\n"...)
	}
	dst = append(dst, "| Field | Type | Bits | Engine's spelling | Meaning | Source |\n"...)
	dst = append(dst, "| --- | --- | ---: | --- | --- | --- |\n"...)
	for _, info := range list {
		if info.Beside != "" || !belongs(info) {
			continue
		}
		bits := ""
		if info.Bits > 0 {
			bits = strconv.Itoa(info.Bits)
		}
		dst = append(dst, '|')
		for _, cell := range []string{code(info.Path), info.typeWords(), bits, code(info.Name), info.meaning(), info.Source} {
			dst = append(dst, ' ')
			dst = append(dst, markdownCell.Replace(cell)...)
			dst = append(dst, " |"...)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// markdownCell keeps what would end a cell or begin a tag from doing so.
var markdownCell = strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;")

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}
