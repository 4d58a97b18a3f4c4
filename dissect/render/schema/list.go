package schema

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
	"github.com/q3dissect/q3dissect/dissect/internal/recordhead"
)

// A FieldInfo describes one path in the records.
type FieldInfo struct {
	// display name: keys joined by dots, arrays skipped; * means any key
	Path   string   `json:"field"`
	Type   string   `json:"type"`                  // JSON type of the value
	Items  string   `json:"items,omitempty"`       // of an array: JSON type of the elements
	Name   string   `json:"engine_name,omitempty"` // spelling of the game's own sources
	Bits   int      `json:"bits,omitempty"`        // width on the wire in bits; 0: varies, or not on the wire
	Unit   string   `json:"unit,omitempty"`        //
	Doc    string   `json:"doc,omitempty"`         //
	Source string   `json:"source,omitempty"`      // where the meaning is written
	Names  []string `json:"names,omitempty"`       // what values are called, in the order of their numbers
	Beside string   `json:"beside,omitempty"`      // of a generated sibling: the field it belongs to
	// it frames other fields: in records with --framing
	Framing bool `json:"framing,omitempty"`
}

// ListFields describes every path that records can have: the common part, every protocol's fields and
// the siblings that go with them, in the order of the records. What frames the fields is among them if that is wanted.
func ListFields(protocols []*dissect.Protocol, framing bool) []FieldInfo {
	list := listMembers(listMembers(nil, "", recordhead.Common), "", recordhead.Asked)
	for _, s := range fieldunion.Of(protocols, framing) {
		list = listShape(list, s.Key, s)
	}
	list = append(list, FieldInfo{
		Path: "positions", Type: "array", Items: "object",
		Doc: "with --bits: the position of each field",
	})
	list = listMembers(list, "positions", positionMembers)
	list = append(list, FieldInfo{Path: "link", Type: "object", Doc: "with --link: facts of the layers below UDP"})
	list = listMembers(list, "link", recordhead.Link)
	list = append(list, FieldInfo{
		Path: "expert", Type: "array", Items: "object",
		Doc: "faults and other things to know, where there are any",
	})
	list = listMembers(list, "expert", recordhead.Expert)
	list = append(list, FieldInfo{
		Path: "file_error", Type: "object", Doc: "last record of an input that is truncated or cannot be read further",
	})
	list = listMembers(list, "file_error", fileErrorMembers)
	list = append(list, FieldInfo{
		Path: "incomplete", Type: "array", Items: "object",
		Doc: "after the records of an input: what of it is not among them, and why",
	})
	return listMembers(list, "incomplete", incompleteMembers)
}

// Members of objects that have a writer of their own.
var (
	incompleteMembers = []recordhead.Field{
		{Key: "file", Kind: recordhead.Text, Doc: "name of the input; - is standard input"},
		{Key: "code", Kind: recordhead.Text, Doc: "kind of the reason"},
		{Key: "message", Kind: recordhead.Text, Doc: "the reason in words"},
		{Key: "offset", Unit: "bytes", Doc: "place in the input"},
		{Key: "count", Doc: "of what is missing"},
	}
	positionMembers = []recordhead.Field{
		{Key: "path", Kind: recordhead.Text, Doc: "path of the field, with array indices"},
		{Key: "bit_offset", Unit: "bits", Doc: "first bit of the field"},
		{Key: "bit_length", Unit: "bits", Doc: "length of the field as it travels"},
		{Key: "in", Kind: recordhead.Text, Words: []string{dissect.Datagram.String(), dissect.Message.String()}, Doc: "what bit_offset counts in; the message is reassembled and deciphered"},
	}
	fileErrorMembers = []recordhead.Field{
		{Key: "code", Kind: recordhead.Text, Doc: "kind of the fault"},
		{Key: "offset", Unit: "bytes", Doc: "place in the input"},
		{Key: "message", Kind: recordhead.Text, Doc: "the fault in words"},
	}
)

func listMembers(list []FieldInfo, path string, members []recordhead.Field) []FieldInfo {
	for _, m := range members {
		info := FieldInfo{
			Path: fieldunion.Join(path, m.Key), Type: m.Kind.JSONType(), Unit: m.Unit, Doc: m.Doc, Names: m.Words,
		}
		if m.List {
			info.Type, info.Items = "array", info.Type
		}
		list = append(list, info)
	}
	return list
}

// listShape appends a shape, what is inside it and its siblings.
func listShape(list []FieldInfo, path string, s *fieldunion.Shape) []FieldInfo {
	at := len(list)
	list = listValue(list, path, s)
	for _, suffix := range s.Siblings() {
		list = append(list, sibling(list[at], suffix))
	}
	return list
}

// listValue appends a shape and what is inside it.
func listValue(list []FieldInfo, path string, s *fieldunion.Shape) []FieldInfo {
	info := FieldInfo{Path: path, Type: s.JsonType(), Names: s.Names(), Framing: s.Framing()}
	for _, f := range s.Fields {
		if name := f.EngineName(); !slices.Contains(strings.Split(info.Name, " / "), name) {
			info.Name = strings.TrimPrefix(info.Name+" / "+name, " / ")
		}
		info.Bits = max(info.Bits, f.Bits)
		info.Unit, info.Doc, info.Source = cmp.Or(info.Unit, f.Unit), cmp.Or(info.Doc, f.Doc), cmp.Or(info.Source, f.Source)
	}
	inner := s
	if s.Kind == dissect.List {
		info.Items = "array"
		if inner = s.Innermost(); inner != nil {
			info.Items = s.Element().JsonType()
			info.Doc, info.Source = cmp.Or(info.Doc, inner.Fields[0].Doc), cmp.Or(info.Source, inner.Fields[0].Source)
			info.Bits = max(info.Bits, inner.Fields[0].Bits)
			info.Names = append(info.Names, inner.Names()...)
		}
	} else if s.Kind == dissect.Choices {
		info.Items = "object"
	}
	return listInside(append(list, info), path, inner)
}

// listInside appends what is inside a container, with the paths that it has.
func listInside(list []FieldInfo, path string, s *fieldunion.Shape) []FieldInfo {
	if s == nil {
		return list
	}
	at := len(list)
	switch s.Kind {
	case dissect.Object, dissect.Choices:
		for _, c := range s.Children {
			list = listShape(list, fieldunion.Join(path, c.Key), c)
		}
	case dissect.Sparse:
		if e := s.Element(); e != nil {
			list = listValue(list, fieldunion.Join(path, fieldunion.AnyKey), e)
		}
	case dissect.Info:
		list = append(list, FieldInfo{
			Path: fieldunion.Join(path, fieldunion.AnyKey), Type: "string",
			Doc: "value of a key of the infostring",
		})
	}
	if s.Bare() {
		for i := range list[at:] {
			list[at+i].Doc, list[at+i].Source = s.Fields[0].Doc, s.Fields[0].Source
		}
	}
	return list
}

// sibling describes a generated key that accompanies a field.
func sibling(of FieldInfo, suffix string) FieldInfo {
	info := FieldInfo{Path: of.Path + suffix, Beside: of.Path, Framing: of.Framing}
	switch suffix {
	case fieldunion.NameSuffix:
		info.Type, info.Doc = "string", "name of the value"
	case fieldunion.NamesSuffix:
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
		rows[i] = [...]string{info.Path, info.typeWords(), "-", cmp.Or(info.Name, "-"), info.meaning()}
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

// About returns all that the list shows beside the path, for lines below it.
func (info *FieldInfo) About() string {
	about := info.typeWords()
	if info.Bits > 0 {
		about += ", " + strconv.Itoa(info.Bits) + " bits"
	}
	if info.Name != "" {
		about += ", " + info.Name
	}
	if meaning := info.meaning(); meaning != "" {
		about += ": " + meaning
	}
	return about
}

// typeWords returns the type in words, "array of string".
func (info *FieldInfo) typeWords() string {
	if info.Items != "" {
		return info.Type + " of " + info.Items
	}
	return info.Type
}

// meaning returns the documentation with the unit.
func (info *FieldInfo) meaning() string {
	switch {
	case info.Unit == "":
		return info.Doc
	case info.Doc == "":
		return info.Unit
	}
	return info.Doc + " (" + info.Unit + ")"
}
