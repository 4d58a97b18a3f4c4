// Package members describes rows that people see, such as a line of a catalogue, once: by the tags of a struct. JSON,
// the fields of filters, the JSON Schema and the cells of tables come from the same tags, so they cannot differ.
//
//	type Line struct {
//		File  string `json:"file" doc:"name of the file"`
//		Kind  string `json:"kind" words:"capture,demo" doc:"what the file is"`
//		Start *int64 `json:"start_time,omitempty" unit:"ms" doc:"server time at which the match began"`
//	}
//
//	var lines = members.Of[Line]()
//
// The tag words lists the values of a text, int says that a float64 has whole numbers. Members are texts, numbers,
// booleans, structs, pointers to these and slices of these; fields without the tag json are none. With omitempty a
// member is absent as in JSON.
package members

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Row describes rows of a type. It is safe for concurrent use.
type Row[T any] struct{ members []member }

// A member is a key of an object.
type member struct {
	at       int // in the struct
	field    *dissect.Field
	optional bool
	words    []string
	inner    []member // of an object, or of the objects of a list
}

// Of describes a struct.
func Of[T any]() Row[T] { return Row[T]{membersOf(reflect.TypeFor[T]())} }

func membersOf(t reflect.Type) (list []member) {
	for i := range t.NumField() {
		f := t.Field(i)
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "" || key == "-" {
			continue
		}
		m := member{at: i, optional: options == "omitempty"}
		m.field, m.inner = fieldOf(f.Type)
		if _, whole := f.Tag.Lookup("int"); whole {
			m.field.Kind = dissect.Int
		}
		m.field.Key, m.field.Doc, m.field.Unit = key, f.Tag.Get("doc"), f.Tag.Get("unit")
		if words := f.Tag.Get("words"); words != "" {
			m.words = strings.Split(words, ",")
		}
		list = append(list, m)
	}
	return list
}

// fieldOf returns a field without a key for a type, and the members of the objects in it.
func fieldOf(t reflect.Type) (f *dissect.Field, inner []member) {
	switch t.Kind() {
	case reflect.Pointer:
		return fieldOf(t.Elem())
	case reflect.Slice:
		element, inner := fieldOf(t.Elem())
		return &dissect.Field{Kind: dissect.List, Children: []*dissect.Field{element}}, inner
	case reflect.Struct:
		inner := membersOf(t)
		return &dissect.Field{Kind: dissect.Object, Children: fieldsOf(inner)}, inner
	case reflect.Bool:
		return &dissect.Field{Kind: dissect.Bool}, nil
	case reflect.Float64:
		return &dissect.Field{Kind: dissect.Float}, nil
	case reflect.Int, reflect.Int32, reflect.Int64:
		return &dissect.Field{Kind: dissect.Int}, nil
	case reflect.Uint16, reflect.Uint64:
		return &dissect.Field{Kind: dissect.Uint}, nil
	case reflect.String:
		return &dissect.Field{Kind: dissect.Text}, nil
	}
	panic("members: no value of JSON: " + t.String())
}

func fieldsOf(list []member) (fields []*dissect.Field) {
	for i := range list {
		fields = append(fields, list[i].field)
	}
	return fields
}

// Fields returns the members as fields, for filters and completions.
func (r Row[T]) Fields() []*dissect.Field { return fieldsOf(r.members) }

// Append adds the members that a row has to a tree, as fields at its top.
func (r Row[T]) Append(t *dissect.Tree, row *T) {
	appendMembers(t, r.members, reflect.ValueOf(row).Elem())
}

func appendMembers(t *dissect.Tree, list []member, row reflect.Value) {
	for i := range list {
		m := &list[i]
		if v, ok := m.value(row); ok {
			appendValue(t, m.field, m.inner, v)
		}
	}
}

// value returns the value of a member, and whether the row has it.
func (m *member) value(row reflect.Value) (v reflect.Value, ok bool) {
	v = row.Field(m.at)
	if v.Kind() == reflect.Pointer {
		return v.Elem(), !v.IsNil()
	}
	empty := v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
	return v, !m.optional || !empty
}

func appendValue(t *dissect.Tree, f *dissect.Field, inner []member, v reflect.Value) {
	switch f.Kind {
	case dissect.List:
		t.Open(f, 0)
		for i := range v.Len() {
			appendValue(t, f.Children[0], inner, v.Index(i))
		}
		t.Close(0)
	case dissect.Object:
		t.Open(f, 0)
		appendMembers(t, inner, v)
		t.Close(0)
	case dissect.Bool:
		t.AddBool(f, v.Bool(), 0, 0)
	case dissect.Float:
		t.AddFloat(f, float32(v.Float()), 0, 0)
	case dissect.Int:
		if v.CanFloat() {
			t.AddInt(f, int64(v.Float()), 0, 0)
			return
		}
		t.AddInt(f, v.Int(), 0, 0)
	case dissect.Uint:
		t.Add(f, v.Uint(), 0, 0)
	default:
		t.AddBytes(f, []byte(v.String()), 0, 0)
	}
}

// Cell returns a function for the cells of a table: the text of a member, with commas between those of a list, "" for
// a row without it.
func (r Row[T]) Cell(key string) func(*T) string {
	for i := range r.members {
		if m := &r.members[i]; m.field.Key == key {
			return func(row *T) string {
				v, ok := m.value(reflect.ValueOf(row).Elem())
				if !ok {
					return ""
				}
				return textOf(v)
			}
		}
	}
	panic("members: no member " + key)
}

func textOf(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = textOf(v.Index(i))
		}
		return strings.Join(parts, ", ")
	case v.Kind() == reflect.Struct: // the first member is its name
		return textOf(v.Field(0))
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'f', -1, 64)
	}
	return v.String()
}

// Schema returns the JSON Schema of the rows, draft 2020-12, indented.
func (r Row[T]) Schema(title, description string) []byte {
	properties, required := propertiesOf(r.members)
	return Schema(title, description, properties, required)
}

// Schema returns the JSON Schema of objects with these properties and no others, draft 2020-12, indented.
func Schema(title, description string, properties map[string]any, required []string) []byte {
	o := Object(properties, required)
	o["$schema"], o["title"] = "https://json-schema.org/draft/2020-12/schema", title
	o["description"], o["$comment"] = description, "schema_version 1"
	b, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		panic(err) // made of strings
	}
	return append(b, '\n')
}

// Object returns the schema of an object with these properties and no others.
func Object(properties map[string]any, required []string) map[string]any {
	o := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		o["required"] = required
	}
	return o
}

// Property returns the schema of a value with a description.
func Property(jsonType, doc, unit string) map[string]any {
	p := map[string]any{"type": jsonType}
	if unit != "" {
		doc = strings.TrimSpace(doc + " (" + unit + ")")
	}
	if doc != "" {
		p["description"] = doc
	}
	return p
}

func propertiesOf(list []member) (properties map[string]any, required []string) {
	properties = map[string]any{}
	for i := range list {
		m := &list[i]
		p := schemaOf(m.field, m.inner, m.words)
		for key, v := range Property("", m.field.Doc, m.field.Unit) {
			if key != "type" {
				p[key] = v
			}
		}
		properties[m.field.Key] = p
		if !m.optional {
			required = append(required, m.field.Key)
		}
	}
	return properties, required
}

// schemaOf returns the schema of a value without its description.
func schemaOf(f *dissect.Field, inner []member, words []string) map[string]any {
	switch f.Kind {
	case dissect.List:
		return map[string]any{"type": "array", "items": schemaOf(f.Children[0], inner, words)}
	case dissect.Object:
		properties, required := propertiesOf(inner)
		return Object(properties, required)
	}
	p := map[string]any{"type": jsonType(f.Kind)}
	if len(words) > 0 {
		p["enum"] = words
	}
	return p
}

func jsonType(k dissect.Kind) string {
	switch k {
	case dissect.Bool:
		return "boolean"
	case dissect.Int, dissect.Uint:
		return "integer"
	case dissect.Float:
		return "number"
	}
	return "string"
}
