package people

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/q3dissect/q3dissect/dissect"
)

// TestSchema validates a person who has every member, and one who has no more than a name. A value of another type, a
// member that is missing and one that nobody knows are refused.
func TestSchema(t *testing.T) {
	t.Parallel()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("players.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("players.json")
	if err != nil {
		t.Fatal(err)
	}
	full := Career{
		ID: "a", IDKind: "guid", GUIDKind: "cl_guid", Name: "a", Evidence: "2 names", Addresses: []string{"10.0.0.1"},
		Names:   []Name{{Name: "a", Times: 2, FirstSeen: "2020-01-01T00:00:00Z", LastSeen: "2020-01-02"}},
		Servers: []string{"10.0.0.2:27960"}, Bot: true, Files: 1, Matches: 2, Won: 1, Lost: 1, Kills: 3, Deaths: 4,
		Suicides:  5,
		TeamKills: 6, DamageGiven: 7, DamageReceived: 8, Minutes: 1.5, FirstSeen: "2020-01-01", LastSeen: "2020-01-02",
		FirstSeenFrom: "name", LastSeenFrom: "file",
		Weapons: []Weapon{{"railgun", 10, 3, 30}},
	}
	value := func(v any) any {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		o, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	for _, c := range []Career{full, {ID: "b", IDKind: "name", Name: "b", Names: []Name{{Name: "b", Times: 1}}}} {
		if err := schema.Validate(value(c)); err != nil {
			t.Error(err)
		}
	}
	members := value(full).(map[string]any)
	if len(members) != len(Fields()) {
		t.Errorf("%d members, %d fields", len(members), len(Fields()))
	}
	for _, f := range Fields() {
		if _, ok := members[f.Key]; !ok {
			t.Errorf("no member %s", f.Key)
		}
	}
	for key, wrong := range map[string]any{
		"kills": "3", "id_kind": "guess", "rank": 1, "names": []any{map[string]any{"nick": "a"}},
	} {
		o := value(full).(map[string]any)
		o[key] = wrong
		if schema.Validate(value(o)) == nil {
			t.Errorf("%s: %v is accepted", key, wrong)
		}
	}
	o := value(full).(map[string]any)
	delete(o, "names")
	if schema.Validate(value(o)) == nil {
		t.Error("a person without names is accepted")
	}

	// The fields of filters have the values of the object.
	rec := dissect.NewRecord()
	full.AppendFields(rec.Tree)
	names := rec.Tree.Top()
	if got := names.Get("names"); !got.Exists() {
		t.Fatal("no names")
	}
	for n := range names.Get("names").Children() {
		if n.Get("first_seen").String() != "2020-01-01T00:00:00Z" || n.Get("times").Int() != 2 {
			t.Errorf("first_seen %s, %d times", n.Get("first_seen").String(), n.Get("times").Int())
		}
	}
}
