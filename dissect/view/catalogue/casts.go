package catalogue

import (
	"cmp"
	"maps"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/view/internal/match"
	"github.com/q3dissect/q3dissect/dissect/view/people"
)

// Prove makes the catalogue keep what proves that other recordings show the same matches, which Casts returns.
func (c *Catalogue) Prove() { c.played.Proves = true }

// Casts returns who is in the file: the players of each match, clients that no match has, and of streams without a
// match whoever was there. Prove must have been called.
func (c *Catalogue) Casts(f File) (list []people.Cast) {
	shown := map[string]bool{} // GUIDs and names that a match has
	matched := map[match.Key]bool{}
	for _, group := range match.Groups(c.list) {
		cast := c.castOf(group, f)
		for _, q := range group {
			matched[q.Key] = true
		}
		for i := range cast.Players {
			shown[cast.Players[i].GUID], shown[cast.Players[i].Name] = true, true
		}
		list = append(list, cast)
	}
	var others []people.Appearance
	for _, key := range c.played.Order() {
		s := c.played.Streams[key]
		for _, number := range slices.Sorted(maps.Keys(s.Own)) {
			who := s.Own[number]
			names := s.Named[number]
			if len(names) == 0 || shown[cmp.Or(who.GUID, names[len(names)-1])] {
				continue
			}
			shown[who.GUID] = true
			for _, name := range names {
				shown[name] = true
			}
			names, name := names[:len(names)-1], names[len(names)-1]
			var l Listing
			l.place(&s.Game, f)
			others = append(others, people.Appearance{
				Server: l.Server, Map: l.Map, Date: l.Date, DateFrom: l.DateFrom, Name: name, GUID: who.GUID, Address: who.Address,
				Earlier: names,
			})
		}
	}
	for _, key := range c.played.Order() {
		if s := c.played.Streams[key]; !matched[key] {
			others = append(others, visitors(s, f, shown)...)
		}
	}
	if len(others) > 0 {
		list = append(list, people.Cast{Players: others})
	}
	for i := range list {
		list[i].Locate(f.Name, f.Modified)
	}
	return list
}

// castOf returns the players of a match, as the stream shows them that shows most of it. Each stream shows who its own
// client is.
func (c *Catalogue) castOf(group []*match.Match, f File) people.Cast {
	p := group[0]
	var l Listing
	l.place(&p.Facts, f)
	own := map[int64]match.ClientFacts{}
	for _, q := range group {
		if s := c.played.Streams[q.Key]; s != nil && q.SelfKnown {
			own[q.Self] = s.Own[q.Self]
		}
	}
	seen := p.AsSeen()
	cast := people.Cast{Match: &seen}
	for _, q := range p.InOrder() {
		a := people.Appearance{
			Server: l.Server, Map: l.Map, Date: l.Date, DateFrom: l.DateFrom, Name: q.Name, Bot: q.Bot, Played: true,
			Client: q.Client, Earlier: q.Earlier,
			GUID: own[q.Client].GUID, Address: own[q.Client].Address, Kills: q.Kills, Deaths: q.Deaths,
			Suicides: q.Suicides, TeamKills: q.TeamKills, Seconds: float64(q.Played) / 1000, Weapons: q.Shots(),
			DamageGiven: float64(q.Reported["damage_given"]), DamageReceived: float64(q.Reported["damage_received"]),
		}
		switch p.Winner {
		case "":
		case q.Name, q.Team:
			a.Won = true
		default:
			a.Lost = true
		}
		cast.Players = append(cast.Players, a)
	}
	return cast
}

// visitors returns who came to a stream and is not shown yet.
func visitors(s *match.Stream, f File, shown map[string]bool) (list []people.Appearance) {
	var l Listing
	l.place(&s.Game, f)
	for _, name := range s.Came.Names {
		if shown[name] {
			continue
		}
		shown[name] = true
		list = append(list, people.Appearance{
			Server: l.Server, Map: l.Map, Date: l.Date, DateFrom: l.DateFrom, Name: name, Bot: s.Came.Bots[name],
		})
	}
	return list
}

// fillVisit adds the players of a recording and its length to a line that has none.
func fillVisit(v *match.Visit, l *Listing) {
	if v == nil || l.Match != nil {
		return
	}
	if v.Timed {
		length := v.Last - v.First
		l.Duration = &length
	}
	for _, name := range v.Names {
		l.Players = append(l.Players, ListingPlayer{Name: name})
	}
}

// visitOf returns what the file shows of a map, if it is one recording that is sent to nobody; else nil.
func (c *Catalogue) visitOf() *match.Visit {
	for _, s := range c.played.Streams {
		if s.Visit != nil {
			return s.Visit
		}
	}
	return nil
}
