package render

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// with is the fake game with other fields.
func with(root *dissect.Field) *dissect.Protocol {
	p := fake("")
	p.Root = func() *dissect.Field { return root }
	return p
}

func object(key string, children ...*dissect.Field) *dissect.Field {
	return &dissect.Field{Key: key, Kind: dissect.Object, Children: children}
}

func TestFieldDocuments(t *testing.T) {
	t.Parallel()
	list := schema.ListFields(protocols, false)
	golden(t, "fields.jsonl", schema.AppendFieldsJSON(nil, list))
	golden(t, "fields.txt", schema.AppendFieldsText(nil, list))
	pages := schema.Pages(protocols)
	golden(t, "fields.md", pages[0].Text)
	golden(t, "fields_fake.md", pages[1].Text)
	golden(t, "schema.json", schema.Records(protocols, false))
	for i, info := range list {
		if slices.ContainsFunc(list[:i], func(other schema.FieldInfo) bool { return other.Path == info.Path }) {
			t.Errorf("%s is listed twice", info.Path)
		}
	}
	for line := range bytes.Lines(schema.AppendFieldsJSON(nil, list)) {
		if !json.Valid(line) {
			t.Errorf("no JSON: %s", line)
		}
	}
}

// Every key that is required is among the properties beside it, as ajv's strict mode wants (strictRequired).
func TestSchemaIsStrict(t *testing.T) {
	t.Parallel()
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(at+"[]", e)
			}
		case map[string]any:
			required, _ := v["required"].([]any)
			properties, _ := v["properties"].(map[string]any)
			for _, key := range required {
				if _, ok := properties[key.(string)]; !ok {
					t.Errorf("%s: %v is required and no property", at, key)
				}
			}
			for key, e := range v {
				walk(at+"."+key, e)
			}
		}
	}
	var doc any
	if err := json.Unmarshal(schema.Records(protocols, false), &doc); err != nil {
		t.Fatal(err)
	}
	walk("", doc)
}

func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	const ok = `"frame":1,"length":5,"protocol":"fake","info":"x"`
	tests := map[string]string{
		"neither frame nor message": `{"length":5,"protocol":"fake","info":"x"}`,
		"both":                      `{"demo_message":1,` + ok + `}`,
		"unknown key":               `{` + ok + `,"other":1}`,
		"unknown protocol":          `{"frame":1,"length":5,"protocol":"doom","info":"x"}`,
		"unknown field":             `{` + ok + `,"fake":{"other":1}}`,
		"negative unsigned":         `{` + ok + `,"fake":{"version":-1}}`,
		"wide number as number":     `{` + ok + `,"fake":{"header":{"guid":12}}}`,
		"two choices at once":       `{` + ok + `,"fake":{"message":{"ops":[{"eof":{},"snapshot":{}}]}}}`,
		"no choice":                 `{` + ok + `,"fake":{"message":{"ops":[{}]}}}`,
		"word as index":             `{` + ok + `,"fake":{"message":{"cells":{"a":{}}}}}`,
		"odd hexadecimal":           `{` + ok + `,"fake":{"undecoded":"abc"}}`,
		"name in an array":          `{` + ok + `,"fake":{"message":{"ints":[1],"ints_name":"x"}}}`,
		"direction":                 `{` + ok + `,"direction":"up"}`,
		"error with more":           `{"frame":1,"file_error":{"code":"x","offset":1,"message":"m"}}`,
		"error with less":           `{"file_error":{"code":"x"}}`,
		"reason without its input":  `{"incomplete":[{"code":"x","message":"m"}]}`,
	}
	if err := validate([]byte(`{` + ok + `}`)); err != nil {
		t.Fatal(err)
	}
	for name, line := range tests {
		if err := validate([]byte(line)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	leaf := func(key string, kind dissect.Kind) *dissect.Field { return &dissect.Field{Key: key, Kind: kind} }
	withNames := &dissect.Field{Key: "a", Kind: dissect.Uint, Enum: weaponNames}
	tests := []struct {
		name string
		root *dissect.Field
		want []string
	}{
		{"good", &fFake, nil},
		{"same key, other names", object("fake", withNames, leaf("a", dissect.Uint)), nil},
		{"same key, wider", object("fake", leaf("a", dissect.Uint), leaf("a", dissect.Int), leaf("a", dissect.Float)), nil},
		{"two types", object("fake", leaf("a", dissect.Uint), leaf("a", dissect.Bool)), []string{"fake.a: is uint", "fake.a: is bool"}},
		{"two types of number", object("fake", leaf("a", dissect.Uint), &dissect.Field{Key: "a", Kind: dissect.Uint, Bits: 64}), []string{"fake.a: is uint", "fake.a: is uint"}},
		{"sibling", object("fake", withNames, leaf("a_name", dissect.Label)), []string{"fake.a: the sibling a_name exists twice"}},
		{"camel case", object("fake", leaf("clientNum", dissect.Int), leaf("", dissect.Int), leaf("0a", dissect.Int)), []string{"clientNum", "fake.: ", "0a"}},
		{"list of two", object("fake", &dissect.Field{Key: "l", Kind: dissect.List, Children: []*dissect.Field{leaf("", dissect.Int), leaf("b", dissect.Int)}}), []string{"fake.l: list needs one child"}},
		{"list of nothing", object("fake", &dissect.Field{Key: "l", Kind: dissect.List}), []string{"fake.l: list needs one child"}},
		{"leaf with children", object("fake", &dissect.Field{Key: "l", Kind: dissect.Int, Children: []*dissect.Field{leaf("a", dissect.Int)}}), []string{"fake.l: int cannot have children"}},
		{"sparse text", object("fake", &dissect.Field{Key: "l", Kind: dissect.Sparse, Children: []*dissect.Field{leaf("", dissect.Text)}}), []string{"fake.l: a sparse array"}},
		{"common key", object("frame"), []string{"frame: exists twice"}},
		{"no object", leaf("fake", dissect.Int), []string{"fake: is no object"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := schema.Check([]*dissect.Protocol{with(tt.root)})
			var got []string
			if err != nil {
				got = strings.Split(err.Error(), "\n")
			}
			if len(got) != len(tt.want) {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
			for i, want := range tt.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("got %q, want %q", got[i], want)
				}
			}
		})
	}
}

// Fields of several protocols and versions that share a path are one.
func TestMergedFields(t *testing.T) {
	t.Parallel()
	a := with(object("fake", &dissect.Field{
		Key: "v", Name: "vOld", Kind: dissect.Uint, Bits: 8, Enum: weaponNames,
		Doc: "first",
	}, object("o", &fText)))
	b := with(object("fake", &dissect.Field{
		Key: "v", Name: "vNew", Kind: dissect.Float, Bits: 32, Doc: "second",
		Source: "here",
	}, object("o", &fData, &fText)))
	var got []schema.FieldInfo
	for _, info := range schema.ListFields([]*dissect.Protocol{a, b}, false) {
		if strings.HasPrefix(info.Path, "fake") {
			got = append(got, info)
		}
	}
	want := []schema.FieldInfo{
		{Path: "fake", Type: "object", Name: "fake"},
		{Path: "fake.v", Type: "number", Name: "vOld / vNew", Bits: 32, Doc: "first", Source: "here", Names: []string{"none", "gauntlet", "shotgun", "blaster"}},
		{Path: "fake.v_name", Type: "string", Doc: "name of the value", Beside: "fake.v"},
		{Path: "fake.o", Type: "object", Name: "o"},
		{Path: "fake.o.text", Type: "string", Name: "text", Doc: "as typed"},
		{Path: "fake.o.text_raw", Type: "string", Doc: "all bytes as hexadecimal, where the value does not keep them", Beside: "fake.o.text"},
		{Path: "fake.o.data", Type: "string", Name: "data", Doc: "bytes"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
