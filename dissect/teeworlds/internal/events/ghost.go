package events

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A Ghost is what events depend on of a file that has a player's run through a race.
type Ghost struct {
	Owner []byte // who ran
	Map   []byte // with Header; it aliases the record
	Time  int64  // how long the run took, in ms

	Header, Start, Finish bool // what the present record is

	ServerTime int64 // of Start or Finish, in ms
	Timed      bool  // ServerTime is known
}

// Ghost adds the events of a record of a ghost.
func (e *Reader) Ghost(rec *dissect.Record, g *Ghost) {
	if e == nil {
		return
	}
	w := &e.out
	w.Tree, w.Match = &rec.Events, nil
	w.Time, w.Timed = g.ServerTime, g.Timed && !g.Header
	rec.Events.Family = uint8(tables.DDNet)
	if g.Header && g.Map != nil {
		w.Begin(event.MapStart)
		w.Text(&evMap, g.Map)
		w.End()
	}
	if g.Start {
		w.Begin(event.RaceStart)
		w.runner(g)
		w.End()
	}
	if g.Finish {
		w.Time, w.Timed = g.ServerTime, g.Timed
		w.Begin(event.RaceFinish)
		w.runner(g)
		w.number(&evTime, int(g.Time))
		w.End()
	}
}

// runner adds the player of a ghost, of whom the name alone is known, and whose recording it is.
func (w *writer) runner(g *Ghost) {
	w.Tree.Open(&evClient, 0)
	w.Both(&evName, &evNameClean, g.Owner)
	w.Tree.Close(0)
	w.Flag(&evOwn, true)
}
