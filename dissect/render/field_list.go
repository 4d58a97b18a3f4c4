package render

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// A FieldInfo describes one path of the records.
type FieldInfo struct {
	Path   string   `json:"field"`                 // display name: keys joined by dots, arrays skipped; * stands for any key
	Type   string   `json:"type"`                  // JSON type of the value
	Items  string   `json:"items,omitempty"`       // of an array: JSON type of the elements
	Name   string   `json:"engine_name,omitempty"` // spelling of the game's own sources
	Bits   int      `json:"bits,omitempty"`        // width on the wire in bits; 0: varies, or not on the wire
	Unit   string   `json:"unit,omitempty"`        //
	Doc    string   `json:"doc,omitempty"`         //
	Source string   `json:"source,omitempty"`      // where the meaning is written
	Names  []string `json:"names,omitempty"`       // what values are called, in the order of their numbers
	Beside string   `json:"beside,omitempty"`      // of a generated sibling: the field it belongs to
}

// anyKey stands for the keys of infostrings and sparse arrays.
const anyKey = "*"

// ListFields describes every path that records can have: the common part, every protocol's fields and
// the siblings that go with them, in the order of the records.
func ListFields(protocols []dissect.Protocol) []FieldInfo {
	list := listMembers(nil, "", head)
	for _, s := range shapes(protocols) {
		list = listShape(list, s.key, s)
	}
	list = append(list, FieldInfo{Path: "positions", Type: "array", Items: "object", Doc: "with --bits: where each field stands"})
	list = listMembers(list, "positions", positionMembers)
	list = append(list, FieldInfo{Path: "link", Type: "object", Doc: "with --link: facts of the layers below UDP"})
	list = listMembers(list, "link", linkMembers)
	list = append(list, FieldInfo{Path: "expert", Type: "array", Items: "object", Doc: "faults and other things to know, where there are any"})
	list = listMembers(list, "expert", expertMembers)
	list = append(list, FieldInfo{Path: "file_error", Type: "object", Doc: "last record of an input that breaks off"})
	return listMembers(list, "file_error", fileErrorMembers)
}

// positionMembers and fileErrorMembers are those of objects that have a writer of their own.
var (
	positionMembers = []member{
		{key: "path", typ: "string", doc: "path of the field, with array indices"},
		{key: "bit_offset", typ: "integer", unit: "bits", doc: "first bit of the field"},
		{key: "bit_length", typ: "integer", unit: "bits", doc: "length of the field as it travels"},
		{key: "in", typ: "string", words: scopeWords, doc: "what bit_offset counts in; the message is reassembled and deciphered"},
	}
	fileErrorMembers = []member{
		{key: "code", typ: "string", doc: "kind of the fault"},
		{key: "offset", typ: "integer", unit: "bytes", doc: "place in the input"},
		{key: "message", typ: "string", doc: "the fault in words"},
	}
)

func listMembers(list []FieldInfo, path string, members []member) []FieldInfo {
	for _, m := range members {
		info := FieldInfo{Path: join(path, m.key), Type: m.typ, Unit: m.unit, Doc: m.doc, Names: m.words}
		if m.list {
			info.Type, info.Items = "array", m.typ
		}
		list = append(list, info)
	}
	return list
}

// listShape appends a shape, what is inside it and its siblings.
func listShape(list []FieldInfo, path string, s *shape) []FieldInfo {
	at := len(list)
	list = listValue(list, path, s)
	for _, suffix := range s.siblings() {
		list = append(list, sibling(list[at], suffix))
	}
	return list
}

// listValue appends a shape and what is inside it.
func listValue(list []FieldInfo, path string, s *shape) []FieldInfo {
	info := FieldInfo{Path: path, Type: s.jsonType(), Names: s.names()}
	for _, f := range s.fields {
		if name := f.EngineName(); !slices.Contains(strings.Split(info.Name, " / "), name) {
			info.Name = strings.TrimPrefix(info.Name+" / "+name, " / ")
		}
		info.Bits = max(info.Bits, f.Bits)
		info.Unit, info.Doc, info.Source = either(info.Unit, f.Unit), either(info.Doc, f.Doc), either(info.Source, f.Source)
	}
	inner := s
	if s.kind == dissect.List {
		info.Items = "array"
		if inner = s.innermost(); inner != nil {
			info.Items = s.element().jsonType()
			info.Doc, info.Source = either(info.Doc, inner.fields[0].Doc), either(info.Source, inner.fields[0].Source)
			info.Bits = max(info.Bits, inner.fields[0].Bits)
			info.Names = append(info.Names, inner.names()...)
		}
	} else if s.kind == dissect.Choices {
		info.Items = "object"
	}
	return listInside(append(list, info), path, inner)
}

// listInside appends what is inside a container, with the paths that it has.
func listInside(list []FieldInfo, path string, s *shape) []FieldInfo {
	if s == nil {
		return list
	}
	at := len(list)
	switch s.kind {
	case dissect.Object, dissect.Choices:
		for _, c := range s.children {
			list = listShape(list, join(path, c.key), c)
		}
	case dissect.Sparse:
		if e := s.element(); e != nil {
			list = listValue(list, join(path, anyKey), e)
		}
	case dissect.Info:
		list = append(list, FieldInfo{Path: join(path, anyKey), Type: "string", Doc: "value of a key of the infostring"})
	}
	if s.bare() {
		for i := range list[at:] {
			list[at+i].Doc, list[at+i].Source = s.fields[0].Doc, s.fields[0].Source
		}
	}
	return list
}

// bare reports whether what the shape holds are parts that need no words of their own: the coordinates
// of a vector, the numbers of a sparse array. The words about the whole are theirs too.
func (s *shape) bare() bool {
	if s.kind != dissect.Object && s.kind != dissect.Sparse {
		return false
	}
	return !slices.ContainsFunc(s.children, func(c *shape) bool {
		return c.kind.Container() || len(c.siblings()) > 0 || c.fields[0].Doc != ""
	})
}

// innermost is the element of a list, or of the lists in a list.
func (s *shape) innermost() *shape {
	for s != nil && s.kind == dissect.List {
		s = s.element()
	}
	return s
}

// sibling describes a generated key that stands beside a field.
func sibling(of FieldInfo, suffix string) FieldInfo {
	info := FieldInfo{Path: of.Path + suffix, Beside: of.Path}
	switch suffix {
	case nameSuffix:
		info.Type, info.Doc = "string", "name of the value"
	case namesSuffix:
		info.Type, info.Items, info.Doc = "array", "string", "names of the bits that are set"
	default:
		info.Type, info.Doc = "string", "all bytes as hexadecimal, where the value does not keep them"
		if of.Type == "array" {
			info.Type, info.Items = "array", of.Items
			if of.Items == "object" { // a list of infostrings
				info.Items = "string"
			}
		}
	}
	return info
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// jsonType is the JSON type of the values.
func (s *shape) jsonType() string {
	switch s.kind {
	case dissect.Object, dissect.Sparse, dissect.Info:
		return "object"
	case dissect.List, dissect.Choices:
		return "array"
	case dissect.Bool:
		return "boolean"
	case dissect.Uint, dissect.Int:
		if s.asString() {
			return "string"
		}
		return "integer"
	case dissect.Float:
		return "number"
	}
	return "string"
}

// names collects what values are called, without repetition: by table, then by number.
func (s *shape) names() []string {
	var names []string
	known := map[string]bool{"": true}
	for _, f := range s.fields {
		if f.Enum == nil {
			continue
		}
		for _, table := range f.Enum.Tables {
			for _, name := range table {
				if !known[name] {
					known[name] = true
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// AppendFieldsJSON appends one line of JSON for each field.
func AppendFieldsJSON(dst []byte, list []FieldInfo) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, info := range list {
		if err := enc.Encode(info); err != nil {
			panic(err) // strings and numbers always can be written
		}
	}
	return append(dst, b.Bytes()...)
}

// AppendFieldsText appends one line for each field: path, type, width in bits, engine's name, meaning.
func AppendFieldsText(dst []byte, list []FieldInfo) []byte {
	var widths [4]int
	rows := make([][5]string, len(list))
	for i, info := range list {
		rows[i] = [...]string{info.Path, info.typeWords(), "-", either(info.Name, "-"), info.meaning()}
		if info.Bits > 0 {
			rows[i][2] = strconv.Itoa(info.Bits)
		}
		for c := range widths {
			widths[c] = max(widths[c], min(len(rows[i][c]), 48))
		}
	}
	for _, row := range rows {
		for c, width := range widths {
			from := len(dst)
			dst = append(dst, row[c]...)
			for len(dst)-from < width {
				dst = append(dst, ' ')
			}
			dst = append(dst, "  "...)
		}
		dst = append(append(dst, row[4]...), '\n')
	}
	return dst
}

// typeWords is the type in words, "array of string".
func (info *FieldInfo) typeWords() string {
	if info.Items != "" {
		return info.Type + " of " + info.Items
	}
	return info.Type
}

// meaning is the documentation with the unit.
func (info *FieldInfo) meaning() string {
	switch {
	case info.Unit == "":
		return info.Doc
	case info.Doc == "":
		return info.Unit
	}
	return info.Doc + " (" + info.Unit + ")"
}
