package match

import (
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/view/internal/bots"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// maxVisitors is how many players are kept of a recording.
const maxVisitors = 2000

// A Visit is who came to a server, and when: of a recording that is sent to nobody (a server's record of all players,
// or a player's own of a run), and of each stream if matches are proved.
type Visit struct {
	First, Last int64 // ms of the game's clock
	Timed       bool
	Names       []string // who came, by the last name
	Bots        map[string]bool
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
		v.see(e)
	}
}

// see reads who an event says is there.
func (v *Visit) see(e dissect.Value) {
	kind, who := e.Get(dissect.EventKind.Key).String(), e.Get("client")
	if who.Get("client_num").Exists() || kind == event.Connect || kind == event.Rename || kind == event.RaceStart {
		v.come(kind, who)
	}
	for p := range e.Get("players").Children() {
		v.come(kind, p)
	}
	for number, bot := range bots.In(e) {
		if i, ok := v.byNumber[number]; ok && bot {
			if v.Bots == nil {
				v.Bots = map[string]bool{}
			}
			v.Bots[v.Names[i]] = true
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
	if strings.TrimSpace(name) == "" {
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
