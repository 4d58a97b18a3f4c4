// Package schema describes records and events: JSON Schema, lists of fields, and the pages of docs/fields. All of it
// is made from the Fields.
package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
	"github.com/q3dissect/q3dissect/dissect/internal/recordhead"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
)

// Version is increased with every change of the records that can break a reader.
const Version = 1

// Records describes the records of the protocols as a JSON Schema, draft 2020-12, indented and ending
// with a line feed. It allows nothing that ListFields does not list, and all that AppendJSON and
// AppendFileError write, of trees with what frames the fields if that is wanted.
func Records(protocols []*dissect.Protocol, framing bool) []byte {
	top := fieldunion.Of(protocols, framing)
	record := memberSchemas(recordhead.Common)
	record = append(record, memberSchemas(recordhead.Asked)...)
	record.set("protocol", protocolSchema(protocols))
	for _, s := range top {
		record = append(record, shapeSchemas([]*fieldunion.Shape{s})...)
	}
	record = append(
		record,
		pair{"positions", arrayOf(closed(memberSchemas(positionMembers), keys(positionMembers)...))},
		pair{"link", closed(memberSchemas(recordhead.Link))},
		pair{"expert", arrayOf(closed(memberSchemas(recordhead.Expert), "severity", "code", "message"))},
	)
	return schemaDocument("q3dissect record", "one line of q3dissect --json", closed(record, "length", "protocol", "info"))
}

// schemaDocument writes the schema of lines of one kind, or of those about an error of the input and what it did
// not give.
func schemaDocument(title, description string, line ordered) []byte {
	doc := ordered{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"title", title},
		{"description", description},
		{"$comment", "schema_version " + strconv.Itoa(Version)}, // a keyword that strict validators know
		{"anyOf", []any{
			append(line, pair{"oneOf", []any{
				requires("frame"),
				requires("demo_message"),
			}}),
			closed(ordered{
				{"file", memberSchema(&recordhead.Common[0])},
				{"file_error", closed(memberSchemas(fileErrorMembers), keys(fileErrorMembers)...)},
			}, "file_error"),
			closed(ordered{
				{"incomplete", arrayOf(closed(memberSchemas(incompleteMembers), "file", "code", "message"))},
			}, "incomplete"),
		}},
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		panic(err) // made of maps, slices, strings and numbers only
	}
	return b.Bytes()
}

// An ordered is a JSON object whose keys keep their order.
type ordered []pair

type pair struct {
	key   string
	value any
}

// MarshalJSON writes the object.
func (o ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, p := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(text.AppendJSONString(nil, p.key))
		b.WriteByte(':')
		if err := enc.Encode(p.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// set replaces the value of a key.
func (o ordered) set(key string, value any) {
	o[slices.IndexFunc(o, func(p pair) bool { return p.key == key })].value = value
}

// closed returns an object that has no keys but these.
func closed(properties ordered, required ...string) ordered {
	s := ordered{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}}
	if len(required) > 0 {
		s = append(s, pair{"required", required})
	}
	return s
}

func arrayOf(items any) ordered { return ordered{{"type", "array"}, {"items", items}} }

func keys(members []recordhead.Field) []string {
	var list []string
	for _, m := range members {
		list = append(list, m.Key)
	}
	return list
}

func memberSchemas(members []recordhead.Field) ordered {
	var o ordered
	for i := range members {
		o = append(o, pair{members[i].Key, memberSchema(&members[i])})
	}
	return o
}

func memberSchema(m *recordhead.Field) ordered {
	s := ordered{{"type", m.Kind.JSONType()}}
	if m.Words != nil {
		s = append(s, pair{"enum", m.Words})
	}
	if m.List {
		s = arrayOf(s)
	}
	return append(s, pair{"description", m.Doc})
}

// protocolSchema allows the names of the protocols and null.
func protocolSchema(protocols []*dissect.Protocol) ordered {
	names := []any{nil}
	for _, p := range protocols {
		names = append(names, p.Name)
	}
	return ordered{{"enum", names}, {"description", "innermost protocol that is known; null for none"}}
}

// shapeSchemas returns the properties of an object with these members, their siblings included.
func shapeSchemas(members []*fieldunion.Shape) ordered {
	var o ordered
	for _, s := range members {
		o = append(o, pair{s.Key, valueSchema(s)})
		for _, suffix := range s.Siblings() {
			o = append(o, pair{s.Key + suffix, siblingSchema(s, suffix)})
		}
	}
	return o
}

// valueSchema describes the values of a shape, with the documentation of its first field.
func valueSchema(s *fieldunion.Shape) ordered {
	o := typeSchema(s)
	if doc := s.Fields[0].Doc; doc != "" {
		o = append(o, pair{"description", doc})
	}
	return o
}

func typeSchema(s *fieldunion.Shape) ordered {
	switch s.Kind {
	case dissect.Object:
		return closed(shapeSchemas(s.Children))
	case dissect.Choices:
		return arrayOf(choiceSchema(s.Children))
	case dissect.List:
		return arrayOf(valueSchema(s.Element()))
	case dissect.Sparse:
		return ordered{
			{"type", "object"},
			{"patternProperties", ordered{{"^[0-9]+$", valueSchema(s.Element())}}},
			{"additionalProperties", false},
		}
	case dissect.Info:
		return ordered{{"type", "object"}, {"additionalProperties", ordered{{"type", "string"}}}}
	case dissect.Float:
		return ordered{{"anyOf", []any{
			ordered{{"type", "number"}},
			ordered{{"enum", []string{"nan", "inf", "-inf"}}},
		}}}
	case dissect.Uint, dissect.Int:
		switch {
		case s.AsString():
			return ordered{{"type", "string"}, {"pattern", "^-?[0-9]+$"}}
		case s.Kind == dissect.Uint:
			return ordered{{"type", "integer"}, {"minimum", 0}}
		}
	case dissect.Hex:
		return hexSchema()
	}
	return ordered{{"type", s.JsonType()}}
}

// choiceSchema describes an object that holds one of the alternatives.
func choiceSchema(alternatives []*fieldunion.Shape) ordered {
	properties := shapeSchemas(alternatives)
	if len(properties) == len(alternatives) { // none has siblings
		return append(closed(properties), pair{"minProperties", 1}, pair{"maxProperties", 1})
	}
	var one []any
	for _, s := range alternatives {
		one = append(one, requires(s.Key))
	}
	return append(closed(properties), pair{"oneOf", one})
}

// requires is an alternative with a key. It names the key among its properties too, as validators in strict mode want
// of each that is required.
func requires(key string) ordered {
	return ordered{{"properties", ordered{{key, true}}}, {"required", []string{key}}}
}

func hexSchema() ordered {
	return ordered{{"type", "string"}, {"pattern", "^([0-9a-f][0-9a-f])*$"}}
}

func siblingSchema(s *fieldunion.Shape, suffix string) ordered {
	switch suffix {
	case fieldunion.NameSuffix:
		return ordered{{"type", "string"}}
	case fieldunion.NamesSuffix:
		return arrayOf(ordered{{"type", "string"}})
	}
	return rawSchema(s)
}

// rawSchema describes the bytes of a text, or of the texts of an array.
func rawSchema(s *fieldunion.Shape) ordered {
	if s.Kind == dissect.List {
		return arrayOf(rawSchema(s.Element()))
	}
	return hexSchema()
}
