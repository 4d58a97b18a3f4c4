package match

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// maxVisitors is how many players are kept of a recording.
const maxVisitors = 2000

// A Visit is what a recording that is sent to nobody shows of a map: a server's record of all players, or a player's
// own of a run.
type Visit struct {
	First, Last int64 // ms of the game's clock
	Timed       bool
	Names       []string      // who came, by the last name
	byNumber    map[int64]int // index in names
}

// isOwnRecord reports whether a record is of such a recording: demos have what the server sends to a client.
func isOwnRecord(rec *dissect.Record) bool {
	return rec.Recorded() && rec.Direction == dissect.Undecidable && !rec.Closing
}

// add reads a record.
func (v *Visit) add(rec *dissect.Record) {
	var t dissect.Transit
	if rec.Transit(&t) && t.HasTime {
		v.moment(t.ServerTime)
	}
	for e := range rec.Events.Top().Children() {
		if at := e.Get(dissect.EventServerTime.Key); at.Exists() {
			v.moment(at.Int())
		}
		switch kind := e.Get(dissect.EventKind.Key).String(); kind {
		case event.Connect, event.Rename, event.RaceStart:
			v.come(kind, e.Get("client"))
		}
	}
}

// moment takes a time of the game's clock.
func (v *Visit) moment(at int64) {
	if !v.Timed {
		v.First, v.Timed = at, true
	}
	v.Last = max(v.Last, at)
}

// come adds a player, or another name of one.
func (v *Visit) come(kind string, who dissect.Value) {
	name := wiretext.String(who.Get("name_clean").Bytes())
	if !who.Get("name_clean").Exists() || name == "" {
		return
	}
	number, numbered := who.Get("client_num").Int(), who.Get("client_num").Exists()
	if i, ok := v.byNumber[number]; ok && numbered && kind == event.Rename {
		v.Names[i] = name
		return
	}
	i := slices.Index(v.Names, name)
	if i < 0 && len(v.Names) < maxVisitors {
		i = len(v.Names)
		v.Names = append(v.Names, name)
	}
	if i >= 0 && numbered {
		if v.byNumber == nil {
			v.byNumber = map[int64]int{}
		}
		v.byNumber[number] = i
	}
}
