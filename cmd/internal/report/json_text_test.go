package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
	"github.com/q3dissect/q3dissect/dissect/view/gamemap"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// A document in parts is the text of json.Marshal, at every depth.
func TestJSONText(t *testing.T) {
	t.Parallel()
	number, start := int64(3), 12.5
	d := &document{
		SchemaVersion: 1, Title: "<a & b>\u2028", Evidence: map[string]any{"b": 1, "a": []int{}},
		Plans: []*gamemap.Map{nil},
		Files: []*file{nil, {}, {
			Name: "x", Words: []string{},
			Statistics: map[string]*table{"loss": {Rows: [][]any{{int64(1), nil, "<"}}}, "a": nil, "<": {}},
			Plans:      map[string]int{"b": 1, "a\xff": 0},
			Matches:    []match{{Listing: catalogue.Listing{Match: &number}, Mode: "duel"}},
			Pictures: &timeline.Data{
				Clock: timeline.Clock{Kind: "capture", Start: &start},
				Games: []*timeline.Game{{
					Server: "s", Streams: []int{}, Players: []*timeline.Player{{Name: "\xff"}},
					Events: []timeline.Event{{Time: 1, Place: []int32{1, 2}}, {}}, Pauses: [][2]float64{{1, 2}},
				}, {}},
				Lagometer: []timeline.Course{{Interval: []*float64{nil, &start}}},
			},
		}},
	}
	want, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	for depth := range 12 {
		var b bytes.Buffer
		if size, err := writeJSON(&b, d, depth); err != nil || size != b.Len() {
			t.Fatalf("depth %d: %v, size %d", depth, err, size)
		}
		if diff := cmp.Diff(string(want), b.String()); diff != "" {
			t.Errorf("depth %d (-want +got):\n%s", depth, diff)
		}
	}
}
