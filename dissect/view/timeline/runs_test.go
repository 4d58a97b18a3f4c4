package timeline

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/event"
)

// runOf is an input in which a player runs from a time on: one step to the right each tenth of a second.
func runOf(name, mapName string, from, finish float64, kinds ...string) Input {
	player := 0
	g := &Game{
		Protocol: "teeworlds", View: "side", Unit: 32, Players: []*Player{{Name: name, Clean: name}},
		Maps:   []Map{{0, mapName}},
		Tracks: []Track{{Step: 0.1, Times: make([]int32, 100), X: make([]int32, 100), Y: make([]int32, 100)}},
	}
	for i := 1; i < 100; i++ {
		g.Tracks[0].Times[i], g.Tracks[0].X[i] = 1, 1
	}
	for _, kind := range kinds {
		e := Event{Time: from + finish, Kind: kind, Player: &player}
		if kind == event.RaceFinish {
			e.Finish = &finish
		}
		g.Events = append(g.Events, e)
	}
	return Input{name + ".gho", &Data{Games: []*Game{g}}}
}

func TestRuns(t *testing.T) {
	t.Parallel()
	whole := []string{event.RaceStart, event.RaceFinish}
	slow, fast := runOf("slow", "m", 1, 0.5, whole...), runOf("fast", "m", 2, 0.3, event.RaceFinish)
	again := runOf("slow", "m", 3, 0.6, whole...) // of the same input, on another address of the server
	slow.Data.Games = append(slow.Data.Games, again.Data.Games...)
	d := Runs([]Input{slow, runOf("elsewhere", "n", 0, 0.2, whole...), fast})
	if d == nil {
		t.Fatal("no runs")
	}
	g := d.Games[0]
	var names []string
	for _, p := range g.Players {
		names = append(names, p.Clean)
	}
	if diff := cmp.Diff([]string{"fast, 0.300 s, fast.gho", "slow, 0.500 s, slow.gho"}, names); diff != "" {
		t.Error(diff)
	}
	want := []Track{
		{Player: 0, Step: 0.1, Times: []int32{0, 1, 1, 1}, X: []int32{20, 1, 1, 1}, Y: []int32{0, 0, 0, 0}},
		{Player: 1, Step: 0.1, Times: []int32{0, 1, 1, 1, 1, 1}, X: []int32{10, 1, 1, 1, 1, 1}, Y: []int32{0, 0, 0, 0, 0, 0}},
	}
	if diff := cmp.Diff(want, g.Tracks); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if d.Clock.Length != 0.5 || g.Maps[0].Name != "m" || len(g.Events) != 2 || *g.Events[1].Finish != 0.5 {
		t.Errorf("%+v of %+v", g.Events, d.Clock)
	}
	for _, none := range [][]Input{
		{slow},
		{slow, runOf("elsewhere", "n", 0, 0.2, whole...)},
		{fast, runOf("other", "m", 0, 0.2, event.RaceFinish)}, // no input has a start: races of captures are not laid
		{slow, runOf("nobody", "m", 0, 0.2)},
	} {
		if d := Runs(none); d != nil {
			t.Errorf("%+v", d.Games[0])
		}
	}
}
