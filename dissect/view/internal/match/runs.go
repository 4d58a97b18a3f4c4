package match

import (
	"cmp"
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// Runs are the runs of a race, or those with a flag.
type Runs struct {
	Starts, Checkpoints []Run
	Finished            []Run // races
	Captured            []Run // flags
	Teams               []Run
}

// A Run is a start, a finish or the like.
type Run struct {
	at                   int64 // time of the game's clock, ms
	Name, Flag           string
	Time                 int64 // ms
	Distance, Speed, Top int64
	Players              []string // of a team
}

const (
	maxRuns  = 2000 // of each list
	sameRun  = 2000 // ms by which streams may differ about a run
	sameTime = 100  // ms by which they may differ about its time
	lately   = 64   // runs of a stream among which one may be repeated
)

// add adds an event of a race or of a run with a flag.
func (r *Runs) add(kind string, e dissect.Value) {
	x := Run{at: e.Get(dissect.EventServerTime.Key).Int(), Name: runner(e.Get("client"))}
	switch kind {
	case event.RaceStart:
		x.at = e.Get("start_time").Int()
		keepRun(&r.Starts, x, lately)
	case event.Checkpoint:
		x.Time = e.Get("race_time").Int()
		keepRun(&r.Checkpoints, x, lately)
	case event.RaceFinish:
		x.Time = e.Get("finish_time").Int()
		keepRun(&r.Finished, x, lately)
	case event.TeamFinish:
		x.Time, x.Name = e.Get("finish_time").Int(), ""
		for p := range e.Get("players").Children() {
			x.Players = append(x.Players, runner(p))
		}
		keepRun(&r.Teams, x, lately)
	case event.Run:
		x.Time = e.Get("run_time").Int()
		whole := func(key string) int64 { return int64(math.Round(float64(e.Get(key).Float()))) }
		if e.Get("distance").Exists() {
			x.Distance, x.Speed, x.Top = whole("distance"), whole("speed"), whole("top_speed")
		}
		switch {
		case e.Get("course").String() == event.CourseRace:
			keepRun(&r.Finished, x, lately)
		case e.Get("action").String() == event.FlagCaptured && !e.Get("from_drop").Bool():
			x.Flag = numberName(e.Get("flag"))
			keepRun(&r.Captured, x, lately)
		}
	}
}

// runner names a player.
func runner(who dissect.Value) string {
	switch {
	case who.Get("name_clean").Exists():
		return wiretext.String(who.Get("name_clean").Bytes())
	case who.Get("client_num").Exists():
		return "client " + who.Get("client_num").String()
	}
	return "somebody"
}

// keepRun adds a run, unless it is among the last runs of the list: then the more complete path is kept.
func keepRun(list *[]Run, x Run, last int) {
	for i := max(0, len(*list)-last); i < len(*list); i++ {
		if o := &(*list)[i]; o.same(&x) {
			if x.Distance > o.Distance {
				o.Distance, o.Speed, o.Top = x.Distance, x.Speed, x.Top
			}
			return
		}
	}
	if len(*list) < maxRuns {
		*list = append(*list, x)
	}
}

// same reports whether two streams show one run.
func (r *Run) same(o *Run) bool {
	return r.Name == o.Name && within(r.at, o.at, sameRun) && within(r.Time, o.Time, sameTime) &&
		slices.Equal(r.Players, o.Players)
}

// ShareFinish reports whether a finish is in both: the same player's, at the same time of the game's clock.
func (r *Runs) ShareFinish(o *Runs) bool {
	return slices.ContainsFunc(o.Finished, func(x Run) bool {
		return slices.ContainsFunc(r.Finished, func(y Run) bool { return y.same(&x) })
	})
}

func within(a, b, limit int64) bool { return a-b <= limit && b-a <= limit }

// join adds the runs that another stream shows.
func (r *Runs) join(o *Runs) {
	for _, l := range [...]struct{ to, from *[]Run }{
		{&r.Starts, &o.Starts},
		{&r.Checkpoints, &o.Checkpoints},
		{&r.Finished, &o.Finished},
		{&r.Captured, &o.Captured},
		{&r.Teams, &o.Teams},
	} {
		for _, x := range *l.from {
			keepRun(l.to, x, maxRuns)
		}
	}
}

// A Race is the best finishes of players on a map.
type Race struct {
	Facts
	Best map[string]int64 // by name, in ms
	Runs Runs
}

// maxRacers is the most names of a race that are kept.
const maxRacers = 1000

// add adds an event of a race, or of a run with a flag.
func (r *Race) add(kind string, e dissect.Value) {
	r.Runs.add(kind, e)
	if kind == event.RaceFinish {
		r.finish(e)
	}
}

// finish adds a finish.
func (r *Race) finish(e dissect.Value) {
	name := runner(e.Get("client"))
	if r.Best == nil {
		r.Best = map[string]int64{}
	}
	time := e.Get("finish_time").Int()
	if before, ok := r.Best[name]; !ok && len(r.Best) < maxRacers || ok && time < before {
		r.Best[name] = time
	}
}

// Order returns the streams in order, by file.
func (m *Matches) Order() []Key {
	var keys []Key
	for key := range m.Streams {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Stream, b.Stream))
	})
	return keys
}

// Join adds the finishes of another stream.
func (r *Race) Join(o *Race) {
	for name, time := range o.Best {
		if before, ok := r.Best[name]; !ok || time < before {
			r.Best[name] = time
		}
	}
	r.Runs.join(&o.Runs)
}
