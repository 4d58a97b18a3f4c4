package members_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/members"
)

type part struct {
	Name  string `json:"name" doc:"without colours"`
	Score *int64 `json:"score,omitempty"`
}

// A row has a member of every kind, and fields that are none.
type row struct {
	Text    string   `json:"text" words:"a,b" doc:"a or b"`
	Maybe   string   `json:"maybe,omitempty"`
	Number  int      `json:"number" unit:"ms" doc:"when"`
	Count   uint64   `json:"count"`
	Share   float64  `json:"share,omitempty" unit:"%"`
	Whole   float64  `json:"whole,omitempty" int:""`
	Yes     bool     `json:"yes,omitempty"`
	Flag    *bool    `json:"flag,omitempty"`
	List    []string `json:"list,omitempty" words:"x,y"`
	Parts   []part   `json:"parts"`
	Inner   *part    `json:"inner,omitempty" doc:"one"`
	Hidden  string   `json:"-"`
	private map[string]bool
}

var rows = members.Of[row]()

func full() row {
	n, no := int64(-3), false
	return row{
		Text: "a", Maybe: "m", Number: 7, Count: 8, Share: 1.5, Whole: 9, Yes: true, Flag: &no, List: []string{"x", "y"},
		Parts: []part{{"Ann", &n}, {"Bob", nil}}, Inner: &part{Name: "Eve"}, private: map[string]bool{"x": true},
	}
}

// flat lists the values of a tree, and of JSON, by their paths.
func flat(path string, v dissect.Value) (list []string) {
	i, container := 0, v.Field().Kind.Container()
	for c := range v.Children() {
		key := c.Key()
		if v.Field().Kind == dissect.List {
			key = fmt.Sprint(i)
		}
		list = append(list, flat(path+"."+key, c)...)
		i++
	}
	if !container {
		list = append(list, path+"="+v.String())
	}
	return list
}

func flatJSON(path string, v any) (list []string) {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			list = append(list, flatJSON(path+"."+key, inner)...)
		}
	case []any:
		for i, inner := range v {
			list = append(list, flatJSON(fmt.Sprintf("%s.%d", path, i), inner)...)
		}
	default:
		list = append(list, fmt.Sprintf("%s=%v", path, v))
	}
	return list
}

// TestAppend: a tree has the members of the JSON object and no others, with the same values.
func TestAppend(t *testing.T) {
	t.Parallel()
	for _, r := range []row{full(), {Parts: []part{}}} {
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := json.Unmarshal(b, &object); err != nil {
			t.Fatal(err)
		}
		tree := dissect.NewRecord().Tree
		rows.Append(tree, &r)
		var got, want []string
		for v := range tree.Top().Children() {
			got = append(got, flat(v.Key(), v)...)
		}
		for key, v := range object {
			want = append(want, flatJSON(key, v)...)
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-JSON +tree):\n%s", diff)
		}
	}
}

// TestFields: keys, units and documentation are those of the tags.
func TestFields(t *testing.T) {
	t.Parallel()
	var got []string
	for _, f := range rows.Fields() {
		got = append(got, strings.Join([]string{f.Key, f.Unit, f.Doc}, "|"))
	}
	want := []string{
		"text||a or b", "maybe||", "number|ms|when", "count||", "share|%|", "whole||", "yes||", "flag||", "list||", "parts||",
		"inner||one",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCell: cells have the text of a member, and are empty for a row without it.
func TestCell(t *testing.T) {
	t.Parallel()
	all, none := full(), row{}
	for key, want := range map[string][2]string{
		"text": {"a", ""}, "number": {"7", "0"}, "count": {"8", "0"}, "share": {"1.5", ""}, "yes": {"true", ""},
		"flag": {"false", ""}, "list": {"x, y", ""}, "parts": {"Ann, Bob", ""}, "inner": {"Eve", ""},
	} {
		cell := rows.Cell(key)
		if got := [2]string{cell(&all), cell(&none)}; got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

// TestSchema: types, words and required members, also of objects in lists.
func TestSchema(t *testing.T) {
	t.Parallel()
	var got map[string]any
	if err := json.NewDecoder(bytes.NewReader(rows.Schema("title", "what"))).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if want := []any{"text", "number", "count", "parts"}; !reflect.DeepEqual(got["required"], want) {
		t.Errorf("required: %v", got["required"])
	}
	type object = map[string]any
	properties := got["properties"].(object)
	inner := object{
		"type": "object", "additionalProperties": false, "required": []any{"name"},
		"properties": object{
			"name": object{"type": "string", "description": "without colours"}, "score": object{"type": "integer"},
		},
	}
	wanted := object{
		"text":   object{"type": "string", "enum": []any{"a", "b"}, "description": "a or b"},
		"number": object{"type": "integer", "description": "when (ms)"},
		"share":  object{"type": "number", "description": "(%)"},
		"whole":  object{"type": "integer"},
		"flag":   object{"type": "boolean"},
		"list":   object{"type": "array", "items": object{"type": "string", "enum": []any{"x", "y"}}},
		"parts":  object{"type": "array", "items": inner},
	}
	for key, want := range wanted {
		if diff := cmp.Diff(want, properties[key]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	if len(properties) != 11 {
		t.Errorf("%d properties", len(properties))
	}
}
