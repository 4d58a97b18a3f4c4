package truth_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// TestSnapLength compares a capture that holds 96 bytes of each packet with the whole one: what is decoded
// of it is the same, what is missing is said, and nothing counts as damaged.
func TestSnapLength(t *testing.T) {
	t.Parallel()
	whole := [][]byte{}
	opts := reftest.JSON(render.JSON{NoNames: true})
	reftest.Dissect(t, reference.Capture(t, "quake3", "q3-68-connect-play"),
		reftest.Run{Finish: opts, Output: reftest.Lines(func(b []byte) {
			whole = append(whole, bytes.Clone(b))
		})})
	count, cut, complete := 0, 0, 0
	stats, _ := reftest.Dissect(t, reference.Capture(t, "quake3", "q3-68-connect-play-snap96"),
		reftest.Run{Finish: opts, Output: reftest.Lines(func(b []byte) {
			if count++; count > len(whole) {
				return
			}
			want, err := reftest.Object(whole[count-1])
			got, err2 := reftest.Object(b)
			if err != nil || err2 != nil {
				t.Error(err, err2)
				return
			}
			truncated := got["captured_length"] != nil
			if truncated {
				cut++
			} else if equal(want["quake3"], got["quake3"]) {
				complete++
			}
			codes := expertCodes(t, got)
			if truncated && !slices.Contains(codes, "truncated_by_capture") && !slices.Contains(codes, "key_unknown") &&
				got["undecoded"] == nil {
				t.Errorf("frame %v is cut and does not say so: %.1000s", got["frame"], b)
			}
			if !agrees(want["quake3"], got["quake3"], truncated) {
				t.Errorf("frame %v (-whole +cut):\n%s", got["frame"],
					cmp.Diff(want["quake3"], got["quake3"], cmp.Comparer(sameNumber)))
			}
		})})
	if count != len(whole) {
		t.Errorf("%d records, want %d", count, len(whole))
	}
	t.Logf("%d records: %d are cut, %d of the others are as in the whole capture", count, cut, complete)
	if stats.Damaged != 0 {
		t.Errorf("%d records count as damaged", stats.Damaged)
	}
}

// expertCodes returns the codes of a record's expert entries. None may be an error.
func expertCodes(t *testing.T, record node) (codes []string) {
	t.Helper()
	for _, e := range reftest.List(record["expert"]) {
		e := e.(node)
		if e["severity"] == "error" {
			t.Errorf("frame %v: %v", record["frame"], e)
		}
		code, _ := e["code"].(string)
		codes = append(codes, code)
	}
	return codes
}

// agrees reports whether everything in got is in want too. It may have less: values may be missing, lists
// and, in a cut packet, texts may end early, and the base of an entity may be unknown.
func agrees(want, got any, cut bool) bool {
	switch g := got.(type) {
	case node:
		w, ok := want.(node)
		for key, v := range g {
			switch {
			case key == "undecoded", key == "update" && v == "unknown":
			case key == "repeat": // the last 64 user commands that were seen reach back further
			case !ok || !agrees(w[key], v, cut):
				return false
			}
		}
		return ok
	case []any:
		w, ok := want.([]any)
		if !ok || len(g) > len(w) {
			return false
		}
		for i := range g {
			if !agrees(w[i], g[i], cut) {
				return false
			}
		}
		return true
	case string:
		w, ok := want.(string)
		return ok && (w == g || cut && strings.HasPrefix(w, g))
	}
	return equal(want, got)
}
