package catalogue

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
)

// TestCatalogueFields compares the fields of a line with its JSON: all of them, and none.
func TestCatalogueFields(t *testing.T) {
	number, yes := int64(7), true
	full := Listing{
		File: "a.pcap", Kind: "capture", Protocol: "quake3", Server: "10.0.0.2:27960",
		Servers: []string{"10.0.0.2:27960", "[::2]:27960"}, Hostname: "lab", Match: &number,
		Streams: []int64{0, 3}, Mod: "osp", Map: "cpm24", Gametype: "ffa", Physics: "cpm", Mode: "online",
		Date: "2014-11-20T01:44:00Z", DateFrom: "capture",
		StartTime: &number, Duration: &number,
		Players:    []ListingPlayer{{"Anna", "red", false, &number}, {"Bob", "", true, nil}},
		RecordedBy: "Anna", Reason: "timelimit", Winner: "Anna", Scores: []ListingScore{{"Anna", &number}, {"Bob", nil}},
		Finishes: []ListingFinish{{"Bob", 31234}},
		Race: &ListingRace{
			2, 3, 4,
			[]ListingRun{{"Bob", "", 31234, 2, 4000, 300, 900}, {Name: "Anna", Time: 40000, Finishes: 1}},
			[]ListingTeam{{50000, []string{"Bob", "Anna"}}},
		},
		FlagRuns: []ListingRun{{"Bob", "red", 7000, 1, 5000, 700, 1200}},
		Named: &ListingNamed{
			"q3dm6", "mdf", "cpm", "tr", 75_000, "Bob", "Germany", "sv_cheats=1", "spect", []string{"map", "time"},
		},
		Complete: &yes, Damaged: 2, Error: "broken",
	}
	for _, l := range []Listing{full, {File: "b.pcap", Kind: "demo"}} {
		tree := dissect.NewRecord().Tree
		l.AppendFields(tree)
		var got, want []string
		for v := range tree.Top().Children() {
			got = append(got, flatFields(v.Key(), v)...)
		}
		var object map[string]any
		if err := json.Unmarshal(l.AppendJSON(nil), &object); err != nil {
			t.Fatal(err)
		}
		want = flatJSON("", object)
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-JSON +fields):\n%s", diff)
		}
	}
}

func flatFields(path string, v dissect.Value) (list []string) {
	n := 0
	for c := range v.Children() {
		key := c.Key()
		if v.Field().Kind == dissect.List {
			key = fmt.Sprint(n)
		}
		list = append(list, flatFields(path+"."+key, c)...)
		n++
	}
	if n == 0 {
		list = append(list, path+"="+v.String())
	}
	return list
}

func flatJSON(path string, v any) (list []string) {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if path != "" {
				key = path + "." + key
			}
			list = append(list, flatJSON(key, inner)...)
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
