package view

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A playerName is a player's last name.
type playerName struct{ name, clean any }

// playerNames are the last names of players, from events.
type playerNames struct{ list *top[seenKey, playerName] }

func newPlayerNames() playerNames { return playerNames{newTop[seenKey, playerName](topKeys / 10)} }

// add keeps the names that a record shows.
func (p *playerNames) add(rec *dissect.Record, stream fileStream) {
	named := func(who dissect.Value) {
		if number, name := who.Get("client_num"), who.Get("name"); number.Exists() && name.Exists() {
			raw := wiretext.String(name.Bytes())
			one := playerName{raw, raw}
			if clean := who.Get("name_clean"); clean.Exists() {
				one.clean = wiretext.String(clean.Bytes())
			}
			*p.list.add(seenKey{stream, number.Int()}, 1) = one
		}
	}
	for e := range rec.Events.Top().Children() {
		named(e.Get("client"))
		for p := range e.Get("players").Children() { // players of a game in progress
			named(p)
		}
	}
}

// of returns the name of a player.
func (p *playerNames) of(stream fileStream, number int) (name playerName) {
	if n, ok := p.list.byKey[seenKey{stream, int64(number)}]; ok && number >= 0 {
		name = n.value
	}
	return name
}
