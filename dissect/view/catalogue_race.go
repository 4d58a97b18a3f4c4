package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A ListingRace is what happened in a race besides the best times.
type ListingRace struct {
	Starts      int           `json:"starts"`      // that were seen
	Checkpoints int           `json:"checkpoints"` // that were passed, as far as that was seen
	Finishes    int           `json:"finishes"`
	Runners     []ListingRun  `json:"runners"`         // the best run of each player, the best first
	Teams       []ListingTeam `json:"teams,omitempty"` // finishes of teams, the best first
}

// A ListingRun is the best run of a player. Distance and speeds are absent where snapshots did not show it.
type ListingRun struct {
	Name     string `json:"name"`
	Flag     string `json:"flag,omitempty"` // of runs with a flag: whose it was
	Time     int64  `json:"time"`           // ms
	Finishes int    `json:"finishes"`       // of runs with a flag: captures
	Distance int64  `json:"distance,omitempty"`
	Speed    int64  `json:"speed,omitempty"`
	TopSpeed int64  `json:"top_speed,omitempty"`
}

// A ListingTeam is the finish of a team.
type ListingTeam struct {
	Time    int64    `json:"time"` // ms
	Players []string `json:"players"`
}

// runs are the runs of a race, or those with a flag.
type runs struct {
	starts, checkpoints []runAt
	finished            []runAt // races
	captured            []runAt // flags
	teams               []runAt
}

// A runAt is a start, a finish or the like.
type runAt struct {
	at                   int64 // time of the game's clock, ms
	name, flag           string
	time                 int64 // ms
	distance, speed, top int64
	players              []string // of a team
}

const (
	maxRuns  = 2000 // of each list
	sameRun  = 2000 // ms by which streams may differ about a run
	sameTime = 100  // ms by which they may differ about its time
	lately   = 64   // runs of a stream among which one may be repeated
)

// add adds an event of a race or of a run with a flag.
func (r *runs) add(kind string, e dissect.Value) {
	x := runAt{at: e.Get(dissect.EventServerTime.Key).Int(), name: runner(e.Get("client"))}
	switch kind {
	case event.RaceStart:
		x.at = e.Get("start_time").Int()
		keepRun(&r.starts, x, lately)
	case event.Checkpoint:
		x.time = e.Get("race_time").Int()
		keepRun(&r.checkpoints, x, lately)
	case event.RaceFinish:
		x.time = e.Get("finish_time").Int()
		keepRun(&r.finished, x, lately)
	case event.TeamFinish:
		x.time, x.name = e.Get("finish_time").Int(), ""
		for p := range e.Get("players").Children() {
			x.players = append(x.players, runner(p))
		}
		keepRun(&r.teams, x, lately)
	case event.Run:
		x.time = e.Get("run_time").Int()
		whole := func(key string) int64 { return int64(math.Round(float64(e.Get(key).Float()))) }
		if e.Get("distance").Exists() {
			x.distance, x.speed, x.top = whole("distance"), whole("speed"), whole("top_speed")
		}
		switch {
		case e.Get("course").String() == event.CourseRace:
			keepRun(&r.finished, x, lately)
		case e.Get("action").String() == event.FlagCaptured:
			x.flag = numberName(e.Get("flag"))
			keepRun(&r.captured, x, lately)
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

// keepRun adds a run, unless it is among the last runs of the list: then the way that shows most of it is kept.
func keepRun(list *[]runAt, x runAt, last int) {
	for i := max(0, len(*list)-last); i < len(*list); i++ {
		o := &(*list)[i]
		if o.name == x.name && within(o.at, x.at, sameRun) &&
			within(o.time, x.time, sameTime) && slices.Equal(o.players, x.players) {
			if x.distance > o.distance {
				o.distance, o.speed, o.top = x.distance, x.speed, x.top
			}
			return
		}
	}
	if len(*list) < maxRuns {
		*list = append(*list, x)
	}
}

func within(a, b, limit int64) bool { return a-b <= limit && b-a <= limit }

// join adds the runs that another stream shows.
func (r *runs) join(o *runs) {
	for _, l := range [...]struct{ to, from *[]runAt }{
		{&r.starts, &o.starts},
		{&r.checkpoints, &o.checkpoints},
		{&r.finished, &o.finished},
		{&r.captured, &o.captured},
		{&r.teams, &o.teams},
	} {
		for _, x := range *l.from {
			keepRun(l.to, x, maxRuns)
		}
	}
}

// listing returns the race as the catalogue has it; nil: only its finishes were seen, which are listed apart.
func (r *runs) listing() *ListingRace {
	ways := slices.ContainsFunc(r.finished, func(x runAt) bool { return x.distance > 0 })
	if len(r.starts)+len(r.checkpoints)+len(r.teams) == 0 && !ways {
		return nil
	}
	l := &ListingRace{
		Starts: len(r.starts), Checkpoints: len(r.checkpoints), Finishes: len(r.finished), Runners: bestRuns(r.finished),
	}
	if l.Runners == nil {
		l.Runners = []ListingRun{}
	}
	for _, x := range r.teams {
		l.Teams = append(l.Teams, ListingTeam{x.time, x.players})
	}
	slices.SortStableFunc(l.Teams, func(a, b ListingTeam) int { return cmp.Compare(a.Time, b.Time) })
	return l
}

// bestRuns returns the fastest run of each player, the fastest first.
func bestRuns(list []runAt) (best []ListingRun) {
	for _, x := range list {
		i := slices.IndexFunc(best, func(b ListingRun) bool { return b.Name == x.name })
		if i < 0 {
			i = len(best)
			best = append(best, ListingRun{Name: x.name, Time: math.MaxInt64})
		}
		b := &best[i]
		b.Finishes++
		if x.time < b.Time {
			b.Time, b.Flag, b.Distance, b.Speed, b.TopSpeed = x.time, x.flag, x.distance, x.speed, x.top
		}
	}
	slices.SortStableFunc(best, func(a, b ListingRun) int { return cmp.Compare(a.Time, b.Time) })
	return best
}
