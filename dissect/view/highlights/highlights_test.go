package highlights

import (
	"fmt"
	"maps"
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

// TestRarity: as_rare counts the moments that are at least as remarkable, with the moment itself.
func TestRarity(t *testing.T) {
	t.Parallel()
	l := NewList()
	l.Add([]Highlight{
		{Info: "three", Event: event.Multikill, Kills: 3},
		{Info: "again", Event: event.Multikill, Kills: 3, StartTime: 1},
		{Info: "one shot", Event: event.Multikill, Kills: 2, OneShot: 2, StartTime: 2},
		{Info: "near", Event: event.Midair, Distance: 0},
		{Info: "far", Event: event.Midair, Distance: 900, StartTime: 1},
	}, 2)
	l.Add([]Highlight{{Info: "five", Event: event.Multikill, Kills: 5, File: "b", StartTime: 3}}, 0)
	var got []string
	rarities := map[string]int64{}
	for _, h := range l.Sorted() {
		got, rarities[h.Info] = append(got, h.Info), h.AsRare
	}
	want := []string{"far", "one shot", "five", "near", "three", "again"}
	if !slices.Equal(got, want) {
		t.Errorf("sorted: %q, want %q", got, want)
	}
	for info, want := range map[string]int64{"far": 1, "one shot": 1, "five": 1, "near": 2, "three": 3, "again": 3} {
		if rarities[info] != want {
			t.Errorf("%s: as rare as %d, want %d", info, rarities[info], want)
		}
	}
	if l.Left() != 2 {
		t.Errorf("%d are left out, want 2", l.Left())
	}
}

// TestSameMoment: what several recordings of a match show is one row, of the best of them, with the names of the
// others, in any order of the files. Captures of two servers and other times show others.
func TestSameMoment(t *testing.T) {
	t.Parallel()
	moment := func(file, server string, viewed bool, kills, start int64) []Highlight {
		return []Highlight{{
			File: file, Server: server, Viewed: viewed, Kills: kills, StartTime: start,
			Event: event.Multikill, Map: "q3dm6", Player: "Ann", Client: 3,
		}}
	}
	files := [][]Highlight{
		moment("a.dm_68", "", false, 4, 100), moment("b.dm_68", "", true, 4, 100),
		moment("c.pcap", "10.0.0.1:27960", true, 3, 100),
		moment("later.dm_68", "", false, 4, 101),
	}
	two := moment("d.dm_68", "", false, 1, 7) // of one name, by one shot
	for range 4 {
		l := NewList()
		for _, f := range append(files, append(two, two...)) {
			l.Add(f, 0)
		}
		got := map[string]int{}
		for _, h := range l.Sorted() {
			slices.Sort(h.AlsoIn)
			got[fmt.Sprint(h.File, h.AlsoIn, h.AsRare)]++
		}
		want := map[string]int{"b.dm_68[a.dm_68 c.pcap] 2": 1, "later.dm_68[] 2": 1, "d.dm_68[] 4": 2}
		if !maps.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		files = append(files[1:], files[0])
	}
	l := NewList()
	for _, server := range []string{"10.0.0.1:27960", "10.0.0.2:27960", ""} {
		l.Add(moment("of "+server, server, false, 4, 100), 0)
	}
	if rows := l.Sorted(); len(rows) != 2 || len(rows[0].AlsoIn)+len(rows[1].AlsoIn) != 1 {
		t.Errorf("a recording goes with one of two servers: %+v", rows)
	}
}

// TestEnough: a flood of moments is counted, and not kept.
func TestEnough(t *testing.T) {
	t.Parallel()
	l, flood := NewList(), make([]Highlight, maxKept-1)
	for i := range flood {
		flood[i].StartTime = int64(i)
	}
	l.Add(flood, 0)
	again := slices.Clone(flood[:3])
	for i := range again {
		again[i].File = "names of files count too"
	}
	l.Add(again, 0)
	if n, left := len(l.Sorted()), l.Left(); n != maxKept-1 || left != 2 {
		t.Errorf("%d are kept and %d left out, want %d and 2", n, left, maxKept-1)
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
