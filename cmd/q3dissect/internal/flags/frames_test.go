package flags

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
)

func TestParseFrames(t *testing.T) {
	const end = math.MaxUint64
	for _, c := range []struct {
		text string
		want Frames // nil: refused
	}{
		{"7", Frames{{7, 7}}},
		{"100-200,1042", Frames{{100, 200}, {1042, 1042}}},
		{"1042, 100-200", Frames{{100, 200}, {1042, 1042}}},
		{"5-9,7-12,12", Frames{{5, 12}}},
		{"1-9,3-4", Frames{{1, 9}}},
		{"5-", Frames{{5, end}}},
		{"-5", Frames{{0, 5}}},
		{"5-,1-2", Frames{{1, 2}, {5, end}}},
		{"18446744073709551615", Frames{{end, end}}},
		{"18446744073709551616", nil},
		{"", nil},
		{"-", nil},
		{",", nil},
		{"1,", nil},
		{"0", Frames{{0, 0}}},
		{"0-3", Frames{{0, 3}}},
		{"7-3", nil},
		{"1-2-3", nil},
		{"+1", nil},
		{"0x10", nil},
		{"frames", nil},
	} {
		got, err := ParseFrames(c.text)
		if (err != nil) != (c.want == nil) {
			t.Errorf("%q: error %v", c.text, err)
		}
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(Span{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

// A set contains what any of its ranges contains, in whatever order and however they overlap.
func TestFrameSetContains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Uint64Range(1, 40)
		spans := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Span {
			first := number.Draw(t, "first")
			return Span{first, first + rapid.Uint64Range(0, 10).Draw(t, "more")}
		}), 1, 8).Draw(t, "spans")
		var parts []string
		var last uint64
		for _, s := range spans {
			parts = append(parts, strconv.FormatUint(s.first, 10)+"-"+strconv.FormatUint(s.last, 10))
			last = max(last, s.last)
		}
		set, err := ParseFrames(strings.Join(parts, ","))
		if err != nil {
			t.Fatal(err)
		}
		if set.Last() != last {
			t.Fatalf("last is %d, want %d", set.Last(), last)
		}
		for frame := range uint64(60) {
			want := false
			for _, s := range spans {
				want = want || frame >= s.first && frame <= s.last
			}
			if got := set.Contains(frame); got != want {
				t.Fatalf("%v contains %d: %v", set, frame, got)
			}
		}
	})
}
