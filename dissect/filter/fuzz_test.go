package filter

import (
	"errors"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/engine"
)

func FuzzCompile(f *testing.F) {
	for _, tt := range goodFilters {
		f.Add(tt.filter)
	}
	for _, tt := range badFilters {
		f.Add(tt.filter)
	}
	names, rec := Records(fakes()), fakeRecord()
	f.Fuzz(func(t *testing.T, filter string) {
		compiled, err := names.Compile(filter)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Filter != filter || e.From < 0 || e.To < e.From ||
				e.To > len(filter) || e.Message == "" {
				t.Fatalf("error %#v", err)
			}
			e.Excerpt(40)
			return
		}
		m := compiled.Matcher()
		holds := m.Match(rec)
		opposite, err := names.Compile("not (" + filter + ")")
		if err != nil {
			t.Skip("longer or deeper than filters may be")
		}
		if opposite.Matcher().Match(rec) == holds {
			t.Fatal("it holds, and so does its opposite")
		}
		// What is decided early is what comes out.
		if before := compiled.Before(); before != nil {
			fate := before(&engine.Routed{
				Packet: &rec.Packet, FirstTime: rec.FirstTime, Protocol: rec.Protocol, Stream: rec.Stream, First: true,
				Direction: rec.Direction,
			})
			if holds && fate != engine.Shown {
				t.Fatal("it holds, and was left out")
			}
		}
	})
}
