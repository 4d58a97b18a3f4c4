package highlights

import (
	"slices"
	"testing"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// TestRarity: as_rare counts the moments that are at least as remarkable, with the moment itself and without copies.
func TestRarity(t *testing.T) {
	t.Parallel()
	l := NewList()
	l.Add([]Highlight{
		{Info: "three", Event: event.Multikill, Kills: 3},
		{Info: "again", Event: event.Multikill, Kills: 3, StartTime: 1},
		{Info: "one shot", Event: event.Multikill, Kills: 2, OneShot: 2},
		{Info: "near", Event: event.Midair, Distance: 0},
		{Info: "far", Event: event.Midair, Distance: 900},
		{Info: "farther, a copy", Event: event.Midair, Distance: 1000, CopyOf: "a"},
	}, 2)
	l.Add([]Highlight{{Info: "five", Event: event.Multikill, Kills: 5, File: "b"}}, 0)
	var got []string
	rarities := map[string]int64{}
	for _, h := range l.Sorted() {
		got, rarities[h.Info] = append(got, h.Info), h.AsRare
	}
	want := []string{"farther, a copy", "far", "one shot", "five", "near", "three", "again"}
	if !slices.Equal(got, want) {
		t.Errorf("sorted: %q, want %q", got, want)
	}
	for info, want := range map[string]int64{
		"farther, a copy": 0, "far": 1, "one shot": 1, "five": 1, "near": 2, "three": 3, "again": 3,
	} {
		if rarities[info] != want {
			t.Errorf("%s: as rare as %d, want %d", info, rarities[info], want)
		}
	}
	if l.Left() != 2 {
		t.Errorf("%d are left out, want 2", l.Left())
	}
}

// TestEnough: a flood of moments is counted, and not kept.
func TestEnough(t *testing.T) {
	t.Parallel()
	l, flood := NewList(), make([]Highlight, maxKept-1)
	l.Add(flood, 0)
	l.Add(flood[:3], 0)
	if n, left := len(l.Sorted()), l.Left(); n != maxKept || left != 2 {
		t.Errorf("%d are kept and %d left out, want %d and 2", n, left, maxKept)
	}
}

// TestCollector: every event of the kinds becomes a moment, but those that several streams of a server show are one.
func TestCollector(t *testing.T) {
	t.Parallel()
	rules := extract.UsualHighlights()
	rules.Kills, rules.Window, rules.Distance, rules.Angle, rules.Speed = 2, time.Minute, 1, 5, 10
	in, err := open.File("../../../samples/quake3/68-loss.pcap", open.Options{Protocols: all.Protocols()})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var c, twice Collector
	events := 0
	for rec, err := range engine.Records(in.Packets(), engine.Config{
		Protocols: all.Protocols(), Options: dissect.Options{Events: true, Recover: true, Highlights: &rules},
	}) {
		if err != nil {
			t.Fatal(err)
		}
		for e := range event.Of(rec) {
			switch e.Kind {
			case event.Multikill, event.Midair, event.Flick:
				events++
			}
		}
		c.Add(rec)
		twice.Add(rec)
		stream := rec.Stream
		if rec.Stream >= 0 {
			rec.Stream += 100
		}
		twice.Add(rec)
		rec.Stream = stream
	}
	list, left := c.Highlights()
	again, _ := twice.Highlights()
	if events == 0 || len(list) != events || left != 0 || len(again) != events {
		t.Fatalf("%d events, %d moments, %d with each shown by another stream", events, len(list), len(again))
	}
	for _, h := range list {
		if h.Map == "" || h.Player == "" || h.Server == "" || h.Frame == nil || h.Time == "" || h.Info == "" {
			t.Errorf("a moment lacks something: %+v", h)
		}
	}
}
