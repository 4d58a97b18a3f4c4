package view

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// maxVisitors is how many players are kept of a recording.
const maxVisitors = 2000

// A visit is what a recording that is sent to nobody shows of a map: a server's record of all players, or a player's
// own of a run.
type visit struct {
	first, last int64 // ms of the game's clock
	timed       bool
	names       []string      // who came, by the last name
	byNumber    map[int64]int // index in names
}

// isOwnRecord reports whether a record is of such a recording: demos have what the server sends to a client.
func isOwnRecord(rec *dissect.Record) bool {
	return rec.Recorded() && rec.Direction == dissect.Undecidable && !rec.Closing
}

// add reads a record.
func (v *visit) add(rec *dissect.Record) {
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
func (v *visit) moment(at int64) {
	if !v.timed {
		v.first, v.timed = at, true
	}
	v.last = max(v.last, at)
}

// come adds a player, or another name of one.
func (v *visit) come(kind string, who dissect.Value) {
	name := wiretext.String(who.Get("name_clean").Bytes())
	if !who.Get("name_clean").Exists() || name == "" {
		return
	}
	number, numbered := who.Get("client_num").Int(), who.Get("client_num").Exists()
	if i, ok := v.byNumber[number]; ok && numbered && kind == event.Rename {
		v.names[i] = name
		return
	}
	i := slices.Index(v.names, name)
	if i < 0 && len(v.names) < maxVisitors {
		i = len(v.names)
		v.names = append(v.names, name)
	}
	if i >= 0 && numbered {
		if v.byNumber == nil {
			v.byNumber = map[int64]int{}
		}
		v.byNumber[number] = i
	}
}

// fill adds the players of a recording and its length to a line that has none.
func (v *visit) fill(l *Listing) {
	if v == nil || l.Match != nil {
		return
	}
	if v.timed {
		length := v.last - v.first
		l.Duration = &length
	}
	for _, name := range v.names {
		l.Players = append(l.Players, ListingPlayer{Name: name})
	}
}

// visitOf returns what the file shows of a map, if it is one recording that is sent to nobody; else nil.
func (c *Catalogue) visitOf() *visit {
	for _, s := range c.played.streams {
		if s.visit != nil {
			return s.visit
		}
	}
	return nil
}

// visitors returns who is in a recording that is sent to nobody and not shown yet.
func (s *matchStream) visitors(f CatalogueFile, shown map[string]bool) (list []Appearance) {
	if s.visit == nil {
		return nil
	}
	var l Listing
	l.place(&s.game, f)
	for _, name := range s.visit.names {
		if shown[name] {
			continue
		}
		shown[name] = true
		list = append(list, Appearance{Server: l.Server, Map: l.Map, Date: l.Date, DateFrom: l.DateFrom, Name: name})
	}
	return list
}
