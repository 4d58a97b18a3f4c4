package flags

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/dissect/extract"
)

// TestHighlights gives thresholds: what is left out is as usual.
func TestHighlights(t *testing.T) {
	usual := extract.UsualHighlights()
	with := func(change func(*extract.Highlights)) *extract.Highlights {
		rules := extract.UsualHighlights()
		change(&rules)
		return &rules
	}
	for _, tt := range []struct {
		args   []string
		filter string
		want   *extract.Highlights
	}{
		{nil, "", nil},
		{nil, `event == "kill"`, nil},
		{nil, `event == "midair" and distance > 500`, &usual},
		{[]string{"--highlights"}, "", &usual},
		{[]string{"--multikill", "4"}, "", with(func(r *extract.Highlights) { r.Kills = 4 })},
		{[]string{"--multikill", "3,2"}, "", with(func(r *extract.Highlights) { r.Window = 2 * time.Second })},
		{[]string{"--multikill", "4,2.5s,3"}, "", with(func(r *extract.Highlights) {
			r.Kills, r.Window, r.OneShot = 4, 2500*time.Millisecond, 3
		})},
		{[]string{"--midair", "500,200ms", "--flick", "90"}, "", with(func(r *extract.Highlights) {
			r.Distance, r.Air, r.Angle = 500, 200*time.Millisecond, 90
		})},
		{[]string{"--flick", "0,1200"}, "", with(func(r *extract.Highlights) { r.Angle, r.Speed = 0, 1200 })},
	} {
		var h Highlights
		f := pflag.NewFlagSet("", pflag.ContinueOnError)
		h.Define(f, "all")
		if err := f.Parse(tt.args); err != nil {
			t.Errorf("%q: %v", tt.args, err)
		}
		if diff := cmp.Diff(tt.want, h.Rules(tt.filter)); diff != "" {
			t.Errorf("%q %q (-want +got):\n%s", tt.args, tt.filter, diff)
		}
	}
	for _, args := range [][]string{
		{"--multikill", "1"},
		{"--multikill", "3,0s"},
		{"--multikill", "3,5s,1"},
		{"--multikill", "3,5s,2,1"},
		{"--multikill", ""},
		{"--multikill", "1001"},
		{"--midair", "-1"},
		{"--midair", "NaN"},
		{"--midair", "300,-1s"},
		{"--midair", "300,2h"},
		{"--flick", "181"},
		{"--flick", "40,Inf"},
		{"--flick", "40,800,1"},
	} {
		var h Highlights
		f := pflag.NewFlagSet("", pflag.ContinueOnError)
		h.Define(f, "all")
		if err := f.Parse(args); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}
