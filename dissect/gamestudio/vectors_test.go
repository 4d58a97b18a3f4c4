package gamestudio_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// tables reads the reference.
func tables(tb testing.TB) *wire.Tables {
	tb.Helper()
	t, err := wire.Reference()
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// asEdition is the name of -d for an edition.
func asEdition(edition string) string {
	if edition == wire.Old2002 {
		return "gamestudio-2002"
	}
	return "gamestudio"
}

// TestWorkedSample is the manual's only sample: entity 7 at (1, 2, 3), and a pan that contradicts the text.
func TestWorkedSample(t *testing.T) {
	t.Parallel()
	sample := enginetest.Unhex(t, "83 07 00 80 00 00 00 01 00 80 01 00 80 00")
	r := enginetest.All(t, protocols(), "gamestudio", enginetest.Datagram{Payload: sample})[0]
	want := map[string]any{
		"entity_index": 7.0,
		"position":     map[string]any{"x": 1.0, "y": 2.0, "z": 3.0},
		"pan": map[string]any{
			"degrees": 0.7031357, "raw": 128.0, "bytes": "8000", "degrees_swapped": 180.00275, "angle_order": "undetermined",
		},
	}
	if diff := cmp.Diff(want, r.Message(0)); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
	if r.Names()[0] != "svc_update2" || r.Protocol != "gamestudio" || r.Direction != "server_to_client" {
		t.Errorf("got %s", r.Line)
	}
	if len(r.Expert) != 1 || r.Expert[0].Code != "undetermined" || r.Expert[0].Severity != "note" ||
		r.Expert[0].BitOffset != 96 {
		t.Errorf("entries %+v", r.Expert)
	}
	// Without the port it is nobody's: such a datagram has no mark.
	if r := enginetest.All(t, protocols(), "", enginetest.Datagram{Payload: sample})[0]; r.Protocol != "" {
		t.Errorf("taken for %s", r.Protocol)
	}
}

// TestReferenceVectors checks every vector of the reference, in the reference's own words.
func TestReferenceVectors(t *testing.T) {
	t.Parallel()
	vectors := tables(t).Vectors
	if len(vectors) < 11 {
		t.Fatalf("only %d vectors", len(vectors))
	}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			d := enginetest.Datagram{FromClient: v.Direction == "client_to_server", Payload: enginetest.Unhex(t, v.Hex)}
			r := enginetest.All(t, protocols(), asEdition(v.Edition), d)[0]
			for key, want := range v.Expect {
				if why := compareExpected(r, key, want); why != "" {
					t.Errorf("%s: %s, in %s", key, why, r.Line)
				}
			}
		})
	}
}

// compareExpected compares one expectation of a vector with the record.
func compareExpected(r *enginetest.Record, key string, want any) string {
	var got any
	list, _ := r.Gamestudio["messages"].([]any)
	var m map[string]any
	if len(list) > 0 {
		m = r.Message(0)
	}
	sub := func(object, part string) any {
		o, _ := m[object].(map[string]any)
		return o[part]
	}
	switch key {
	case "name":
		got, want = r.Names()[0], strings.ToLower(want.(string))
	case "names":
		got, want = strings.ToUpper(fmt.Sprint(r.Names())), fmt.Sprint(want)
	case "pos":
		got = []any{sub("position", "x"), sub("position", "y"), sub("position", "z")}
	case "pan_raw_hex":
		got = sub("pan", "bytes")
	case "pan_le_raw":
		got = sub("pan", "raw")
	case "pan_le_deg":
		got, want = float32(sub("pan", "degrees").(float64)), float32(want.(float64))
	case "pan_doc_deg":
		// A turn has 65535 steps, so half a turn is no whole number of them.
		if got := sub("pan", "degrees_swapped").(float64); math.Abs(got-want.(float64)) > 360.0/65535 {
			return fmt.Sprintf("got %v, want about %v", got, want)
		}
		return ""
	case "var":
		var values []any
		for _, e := range m["var"].([]any) {
			values = append(values, e.(map[string]any)["value"])
		}
		got = values
		for i, w := range want.([]any) {
			want.([]any)[i] = float64(float32(w.(float64)))
			values[i] = float64(float32(values[i].(float64)))
		}
	case "error":
		if len(r.Expert) != 1 || r.Expert[0].Severity != "error" || !strings.Contains(r.Expert[0].Message, want.(string)) {
			return fmt.Sprintf("entries %+v", r.Expert)
		}
		return ""
	case "raw_tail":
		got = r.Gamestudio["undetermined"]
	case "by_bit_order", "by_table_order":
		object := m[key].(map[string]any)
		values := map[string]any{"skin": object["skin"], "ambient": object["ambient"].(map[string]any)["value"]}
		w := want.(map[string]any)
		values["ambient"], w = float64(float32(values["ambient"].(float64))), map[string]any{
			"skin":    w["skin"],
			"ambient": float64(float32(w["ambient"].(float64))),
		}
		got, want = values, w
	default:
		got = m[key]
	}
	return cmp.Diff(want, got)
}
