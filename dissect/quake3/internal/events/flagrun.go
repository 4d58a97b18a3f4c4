package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/scene"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// ways are where the players went, in games with flags or races.
type ways [tables.MaxPlayers]*eventtree.Way

// add adds the moves of a snapshot.
func (ws *ways) add(moves []scene.Move, now int32) {
	for i := range moves {
		m := &moves[i]
		if ws[m.Client] == nil {
			ws[m.Client] = &eventtree.Way{}
		}
		ws[m.Client].Add(int64(now), int64(m.Time), m.Distance)
	}
}

// A flagRun is the path of a flag with its carrier, since it was taken.
type flagRun struct {
	on     bool
	since  int64 // time of the game's clock
	client int   // -1: not known
	name   []byte
}

// active reports whether the game has flags.
func (f *flagTracker) active() bool {
	return f.status != [numFlags]flagStatus{} || f.reported != [numFlags]flagStatus{}
}

// seeCarriers stores the carriers whom a snapshot shows: not every game names who takes a flag.
func (f *flagTracker) seeCarriers(carriers *[scene.NumFlags]int) {
	for i := range f.runs {
		if c := carriers[i]; c >= 0 && f.runs[i].on && f.runs[i].client < 0 {
			f.runs[i].client = c
		}
	}
}

// follow begins the run of a flag that is taken, and reports that of a flag that is not carried any more.
func (f *flagTracker) follow(w *eventWriter, r *roster, flag int, action string, client int, name []byte) {
	run := f.runs[flag]
	f.runs[flag] = flagRun{}
	if action == event.FlagTaken {
		f.runs[flag] = flagRun{on: w.Timed, since: w.Time, client: client, name: bytes.Clone(name)}
		return
	}
	if !run.on || !w.Timed || w.Time < run.since {
		return
	}
	if run.client < 0 && action == event.FlagCaptured && run.name == nil {
		run.client, run.name = client, name
	}
	w.Begin(event.Run)
	w.Label(&eventtree.Course, event.CourseFlag)
	w.Label(&evAction, action)
	if run.client >= 0 || run.name != nil {
		w.client(&evClient, r, run.client, run.name)
		w.Flag(&eventtree.Own, run.client >= 0 && run.client == r.own)
	}
	w.Label(&evFlag, flagNames[flag])
	w.Number(&eventtree.RunTime, w.Time-run.since)
	if run.client >= 0 && run.client < len(f.ways) {
		w.Pace(f.ways[run.client].Since(run.since))
	}
	w.End()
}

// flagColour is what Quake Live puts after a name in sentences about flags.
const flagColour = "^3"

// plainFlagLine returns a sentence about a flag without that colour.
func plainFlagLine(line []byte) []byte {
	for _, verb := range [...]string{" got the ", " captured the ", " returned the "} {
		if at := bytes.Index(line, []byte(flagColour+verb)); at > 0 {
			return append(bytes.Clone(line[:at]), line[at+len(flagColour):]...)
		}
	}
	return line
}

// addRun adds how far and how fast a player went in a race that has just been finished.
func (g *gameView) addRun(w *eventWriter, client int, ms int64) {
	if client < 0 || client >= len(g.flags.ways) || !w.Timed {
		return
	}
	way := g.flags.ways[client].Since(w.Time - ms)
	if way.Seen == 0 {
		return
	}
	w.Begin(event.Run)
	w.Label(&eventtree.Course, event.CourseRace)
	w.Label(&evAction, event.RunFinished)
	w.client(&evClient, &g.roster, client, nil)
	w.Flag(&eventtree.Own, client == g.own)
	w.Number(&eventtree.RunTime, ms)
	w.Pace(way)
	w.End()
}

// races reports whether the game may have races.
func (g *gameView) races() bool {
	return g.match.playsRace() || g.rules().Match.Timer
}
