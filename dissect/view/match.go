package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
)

// matchKind is the statistic of what players did in matches.
func matchKind() Kind {
	return Kind{
		Name: "match", Usage: "match",
		Doc:     "what each player did in each match: kills, means of death, items, flags, time, damage",
		Needs:   Needs{Events: true},
		Columns: matchColumns().described(),
		make: withoutArguments("match", func(*Env) Statistic {
			s := &matchStatistic{}
			s.played = newPlayed(func(p *playedMatch) {
				if s.rows += len(p.players); s.rows > topKeys {
					s.left++
					return
				}
				s.list = append(s.list, p)
			})
			return s
		}),
	}
}

// A matchRow is a row of the statistic match: a player of a match.
type matchRow struct {
	match *playedMatch
	*matchPlayer
}

// reportedColumns are numbers of score commands that are passed on, the last ones.
var reportedColumns = [...]Column{
	{Key: "accuracy", Type: "integer", Unit: "%", Doc: "as the game told it last"},
	{Key: "damage_given", Type: "integer", Doc: "as the game told it last"},
	{Key: "damage_received", Type: "integer", Doc: "as the game told it last"},
}

func matchColumns() columns[matchRow] {
	count := integerColumn
	// flag is a column of how often the player did something with a flag; shown is one of what snapshots showed.
	flag := func(action, doc string) column[matchRow] {
		return column[matchRow]{count("flags_"+action, doc), func(r matchRow) any {
			n, ok := r.flags[action]
			return onlyIf(ok, n)
		}}
	}
	shown := func(c Column, value func(matchRow) any) column[matchRow] {
		return column[matchRow]{c, func(r matchRow) any { return onlyIf(r.seen > 0, value(r)) }}
	}
	list := columns[matchRow]{
		{fileColumn.at(InHeading), func(r matchRow) any { return orNil(r.match.key.file) }},
		{streamColumn.at(InHeading), func(r matchRow) any { return onlyIf(r.match.key.stream >= 0, int64(r.match.key.stream)) }},
		{textColumn("server", "endpoint of the server").at(InHeading), func(r matchRow) any { return orNil(r.match.server) }},
		{count("match", "number of the match in the input, from 0").at(InHeading), func(r matchRow) any { return r.match.number }},
		{textColumn("map", "name of the map").at(InHeading), func(r matchRow) any { return r.match.mapName }},
		{textColumn("gametype", "what is played").at(InHeading), func(r matchRow) any { return orNil(r.match.mode) }},
		{count("client_num", "number of the client").at(BelowLine), func(r matchRow) any { return r.client }},
		{textColumn("name", "name without colours"), func(r matchRow) any { return orNil(r.name) }},
		{textColumn("team", "red, blue or free"), func(r matchRow) any { return orNil(r.team) }},
		{count("score", "the score that the game told last"), func(r matchRow) any { return onlyIf(r.scored, r.score) }},
		{count("kills", "players killed, team mates not counted"), func(r matchRow) any { return r.kills }},
		{count("deaths", "how often others killed the player"), func(r matchRow) any { return r.deaths }},
		{count("suicides", "deaths by the player himself or by the world").at(BelowLine), func(r matchRow) any { return r.suicides }},
		{count("team_kills", "team mates killed").at(BelowLine), func(r matchRow) any { return r.teamKil }},
		{count("streak", "most kills between two deaths"), func(r matchRow) any { return r.best }},
		{textColumn("kills_by", "kills by means of death").at(BelowLine), func(r matchRow) any { return orNil(tallied(r.with)) }},
		{textColumn("deaths_by", "deaths by means of death, suicides too").at(BelowLine), func(r matchRow) any { return orNil(tallied(r.by)) }},
	}
	for _, c := range reportedColumns {
		list = append(list, column[matchRow]{c, func(r matchRow) any {
			n, ok := r.reported[c.Key]
			return onlyIf(ok, n)
		}})
	}
	return append(
		list,
		column[matchRow]{
			textColumn("items", "what was picked up in the stream's view, with how often").at(BelowLine),
			func(r matchRow) any { return orNil(tallied(r.items)) },
		},
		flag(event.FlagTaken, "flags that the player took"),
		flag(event.FlagCaptured, "flags that the player captured"),
		flag(event.FlagReturned, "flags that the player returned"),
		flag(event.FlagDropped, "flags that the game says the player dropped"),
		column[matchRow]{
			numberColumn("carrying_time", "s", "time with a flag"),
			func(r matchRow) any { return onlyIf(r.carried > 0, seconds3(r.carried)) },
		},
		column[matchRow]{
			numberColumn("time_played", "s", "time in the game during the match, without pauses"),
			func(r matchRow) any { return seconds3(r.played) },
		},
		shown(numberColumn("seen_time", "s", "time during which snapshots showed the player"),
			func(r matchRow) any { return seconds3(r.seen) }),
		shown(numberColumn("distance", "units", "way in that time"), func(r matchRow) any { return round(r.distance, 1) }),
		shown(numberColumn("speed", "units/s", "distance by seen_time"),
			func(r matchRow) any { return ratio(r.distance, seconds3(r.seen), 1) }),
		column[matchRow]{
			textColumn("weapons", "hits of shots by weapon, as the game reported them last"),
			func(r matchRow) any { return orNil(r.weapons) },
		},
	)
}

type matchStatistic struct {
	*played
	list []*playedMatch
	rows int
	left int // matches beyond the limit
}

func (s *matchStatistic) Add(rec *dissect.Record) { s.add(rec) }

func (s *matchStatistic) Tables() []Table {
	notes := s.withoutPlayers()
	slices.SortStableFunc(s.list, func(a, b *playedMatch) int {
		return cmp.Or(cmp.Compare(a.key.file, b.key.file), cmp.Compare(a.key.stream, b.key.stream),
			cmp.Compare(a.number, b.number))
	})
	if s.left > 0 {
		notes = append(notes, fmt.Sprintf("%d matches more, for which there is no place", s.left))
	}
	rows := func(yield func(matchRow) bool) {
		for _, p := range s.list {
			for _, q := range p.inOrder() {
				if !yield(matchRow{p, q}) {
					return
				}
			}
		}
	}
	return []Table{matchColumns().table("match", rows, notes)}
}

// withoutPlayers says what was seen where there is no row: matches that had only spectators, and games without a match.
func (s *matchStatistic) withoutPlayers() (notes []string) {
	const most = 20
	add := func(format string, args ...any) {
		if len(notes) < most {
			notes = append(notes, fmt.Sprintf(format, args...))
		}
	}
	began := map[fileStream]bool{}
	for _, p := range s.list {
		began[p.key] = true
		if len(p.inOrder()) == 0 {
			var names []string
			for _, q := range p.players {
				names = append(names, cmp.Or(q.name, fmt.Sprintf("client %d", q.client)))
			}
			add("%s, match %d: nobody played; %s", streamAndMap(p.key, cmp.Or(p.mapName, "a map that is not known")),
				p.number, playerList(names))
		}
	}
	for _, key := range s.order() {
		m := s.streams[key]
		if m.game.mapName == "" || began[key] || m.match != nil {
			continue
		}
		var names []string
		for client, r := range m.roster {
			names = append(names, cmp.Or(r.name, fmt.Sprintf("client %d", client)))
		}
		add("%s: no match; %s", streamAndMap(key, m.game.mapName), playerList(names))
	}
	if len(notes) == 0 && len(s.list) == 0 {
		add("no stream has the beginning of a map, or a match")
	}
	return notes
}

// streamAndMap names a stream and its map, and the file where there are several.
func streamAndMap(key fileStream, mapName string) string {
	file := ""
	if key.file != "" {
		file = key.file + ": "
	}
	if key.stream < 0 {
		return file + mapName
	}
	return fmt.Sprintf("%sstream %d, %s", file, key.stream, mapName)
}

// playerList lists names, in order.
func playerList(names []string) string {
	if len(names) == 0 {
		return "no player was seen"
	}
	slices.Sort(names)
	const most = 8
	if len(names) > most {
		return fmt.Sprintf("there were %s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return "there were " + strings.Join(names, ", ")
}

// seconds3 converts milliseconds to seconds.
func seconds3(ms int64) float64 { return float64(ms) / 1000 }

// tallied returns counts as "rocket 8, railgun 3", the largest first.
func tallied(m map[string]int64) string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b)) })
	for i, name := range names {
		names[i] = name + " " + strconv.FormatInt(m[name], 10)
	}
	return strings.Join(names, ", ")
}
