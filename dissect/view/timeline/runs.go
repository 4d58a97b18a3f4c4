package timeline

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/event"
)

// maxRuns is how many runs of one map are laid over each other.
const maxRuns = 50

// An Input is the data of an input that may have runs, and what people call it.
type Input struct {
	Name string
	Data *Data
}

// A run is a player's path through a race, from its start to its finish.
type run struct {
	input, mapName string
	name           string // of the player
	from, finish   float64
	view           *Game
	track          *Track
}

// Runs lays the runs through one map over each other, as if all had started at the same moment: of each input and
// player the fastest. nil: fewer than two inputs have runs through the same map, or none of them has the start of one.
// The map with most of them is taken, the first one of several.
func Runs(inputs []Input) *Data {
	byMap := map[string][]run{}
	var order []string
	started := false
	for i := range inputs {
		for _, g := range inputs[i].Data.Games {
			started = started || slices.ContainsFunc(g.Events, func(e Event) bool { return e.Kind == event.RaceStart })
			for _, r := range g.runs(inputs[i].Name) {
				if byMap[r.mapName] == nil {
					order = append(order, r.mapName)
				}
				byMap[r.mapName] = fastest(byMap[r.mapName], r)
			}
		}
	}
	var most []run
	for _, name := range order {
		if list := byMap[name]; len(list) > len(most) && severalInputs(list) {
			most = list
		}
	}
	if len(most) == 0 || !started {
		return nil
	}
	slices.SortStableFunc(most, func(a, b run) int { return cmp.Compare(a.finish, b.finish) })
	return lay(most[:min(len(most), maxRuns)], len(most))
}

// severalInputs reports whether runs are of more than one input.
func severalInputs(list []run) bool {
	return slices.ContainsFunc(list, func(r run) bool { return r.input != list[0].input })
}

// runs returns the fastest run of each player on each map whose path is known.
func (g *Game) runs(input string) (list []run) {
	for i := range g.Events {
		e := &g.Events[i]
		if e.Kind != event.RaceFinish || e.Finish == nil || e.Player == nil {
			continue
		}
		r := run{
			input: input, name: g.Players[*e.Player].Clean, from: e.Time - *e.Finish, finish: *e.Finish, view: g,
		}
		number := g.mapNumberAt(e.Time)
		if number < 0 {
			continue
		}
		r.mapName = g.Maps[number].Name
		t := slices.IndexFunc(g.Tracks, func(t Track) bool { return t.Player == *e.Player && t.Map == number })
		if t < 0 {
			continue
		}
		r.track = g.Tracks[t].cut(r.from, r.finish)
		if len(r.track.Times) > 1 {
			list = fastest(list, r)
		}
	}
	return list
}

// fastest adds a run, unless there is one of the same player, input and map that is as fast: a server with two
// addresses is two games of a capture.
func fastest(list []run, r run) []run {
	same := slices.IndexFunc(list, func(o run) bool {
		return o.input == r.input && o.name == r.name && o.mapName == r.mapName
	})
	switch {
	case same < 0:
		return append(list, r)
	case r.finish < list[same].finish:
		list[same] = r
	}
	return list
}

// mapNumberAt returns the index of the map that is played at a time, -1: none is known.
func (g *Game) mapNumberAt(t float64) int {
	number := -1
	for i := range g.Maps {
		if g.Maps[i].Time <= t {
			number = i
		}
	}
	return number
}

// cut returns the part of a track from a time on, which becomes 0, for a number of seconds.
func (t *Track) cut(from, length float64) *Track {
	out := &Track{Step: t.Step}
	var tick, x, y, z int32
	first := int32(math.Round(from / t.Step))
	last := int32(math.Round((from + length) / t.Step))
	for i := range t.Times {
		tick, x, y = tick+t.Times[i], x+t.X[i], y+t.Y[i]
		if t.Z != nil {
			z += t.Z[i]
		}
		if tick < first || tick > last {
			continue
		}
		out.Times, out.X, out.Y = append(out.Times, tick-first), append(out.X, x), append(out.Y, y)
		if t.Z != nil {
			out.Z = append(out.Z, z)
		}
	}
	out.Times, out.X, out.Y, out.Z = differences(out.Times), differences(out.X), differences(out.Y), differences(out.Z)
	return out
}

// lay makes one game of runs. all is how many there are.
func lay(list []run, all int) *Data {
	v := list[0].view
	g := &Game{
		Protocol: v.Protocol, View: v.View, Unit: v.Unit, Sides: redBlue,
		Maps: []Map{{Name: list[0].mapName}},
	}
	d := &Data{
		Clock: Clock{Kind: "game"}, Games: []*Game{g}, Lagometer: []Course{}, Aim: []Aim{},
		Rate: Rate{Step: 1, Series: []RateSeries{}},
	}
	for i := range list {
		r := &list[i]
		name := fmt.Sprintf("%s, %.3f s, %s", cmp.Or(r.name, "somebody"), r.finish, r.input)
		player, finish := i, r.finish
		g.Players = append(g.Players, &Player{Client: -1, Name: name, Clean: name})
		r.track.Player = i
		g.Tracks = append(g.Tracks, *r.track)
		g.Events = append(g.Events, Event{
			Time: thousandths(r.finish), Kind: event.RaceFinish, Info: name, Player: &player, Finish: &finish,
		})
		d.Clock.Length = max(d.Clock.Length, r.finish)
	}
	if all > len(list) {
		d.Notes = append(d.Notes, fmt.Sprintf("%d of %d runs are laid over each other: the fastest ones.", len(list), all))
	}
	return d
}
