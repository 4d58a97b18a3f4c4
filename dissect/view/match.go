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
		Name: "match", Usage: "match", Doc: "what each player did in each match: kills, means of death, items, flags, time, damage",
		Needs: Needs{Events: true},
		Columns: []Column{
			fileColumn.at(InHeading), streamColumn.at(InHeading),
			{Key: "server", Type: "string", Doc: "endpoint of the server", Place: InHeading},
			{Key: "match", Type: "integer", Doc: "number of the match in the input, from 0", Place: InHeading},
			{Key: "map", Type: "string", Doc: "name of the map", Place: InHeading},
			{Key: "gametype", Type: "string", Doc: "what is played", Place: InHeading},
			{Key: "client_num", Type: "integer", Doc: "number of the client", Place: BelowLine},
			{Key: "name", Type: "string", Doc: "name without colours"},
			{Key: "team", Type: "string", Doc: "red, blue or free"},
			{Key: "score", Type: "integer", Doc: "the score that the game told last"},
			{Key: "kills", Type: "integer", Doc: "players killed, team mates not counted"},
			{Key: "deaths", Type: "integer", Doc: "how often others killed the player"},
			{Key: "suicides", Type: "integer", Doc: "deaths by the player himself or by the world", Place: BelowLine},
			{Key: "team_kills", Type: "integer", Doc: "team mates killed", Place: BelowLine},
			{Key: "streak", Type: "integer", Doc: "most kills between two deaths"},
			{Key: "kills_by", Type: "string", Doc: "kills by means of death", Place: BelowLine},
			{Key: "deaths_by", Type: "string", Doc: "deaths by means of death, suicides too", Place: BelowLine},
			{Key: "accuracy", Type: "integer", Unit: "%", Doc: "as the game told it last"},
			{Key: "damage_given", Type: "integer", Doc: "as the game told it last"},
			{Key: "damage_received", Type: "integer", Doc: "as the game told it last"},
			{Key: "items", Type: "string", Doc: "what was picked up in the stream's view, with how often", Place: BelowLine},
			{Key: "flags_taken", Type: "integer", Doc: "flags that the player took"},
			{Key: "flags_captured", Type: "integer", Doc: "flags that the player captured"},
			{Key: "flags_returned", Type: "integer", Doc: "flags that the player returned"},
			{Key: "flags_dropped", Type: "integer", Doc: "flags that the game says the player dropped"},
			{Key: "carrying_time", Type: "number", Unit: "s", Doc: "time with a flag"},
			{Key: "time_played", Type: "number", Unit: "s", Doc: "time in the game during the match, without pauses"},
			{Key: "seen_time", Type: "number", Unit: "s", Doc: "time during which snapshots showed the player"},
			{Key: "distance", Type: "number", Unit: "units", Doc: "way in that time"},
			{Key: "speed", Type: "number", Unit: "units/s", Doc: "distance by seen_time"},
			{Key: "weapons", Type: "string", Doc: "hits of shots by weapon, as the game reported them last"},
		},
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

type matchStatistic struct {
	*played
	list []*playedMatch
	rows int
	left int // matches beyond the limit
}

func (s *matchStatistic) Add(rec *dissect.Record) { s.add(rec) }

func (s *matchStatistic) Tables() []Table {
	t := Table{Name: "match", Columns: matchKind().Columns, Notes: s.withoutPlayers()}
	slices.SortStableFunc(s.list, func(a, b *playedMatch) int {
		return cmp.Or(cmp.Compare(a.key.file, b.key.file), cmp.Compare(a.key.stream, b.key.stream), cmp.Compare(a.number, b.number))
	})
	for _, p := range s.list {
		for _, q := range p.inOrder() {
			t.Rows = append(t.Rows, p.row(q))
		}
	}
	if s.left > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d matches more, for which there is no place", s.left))
	}
	return []Table{t}
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
			add("%s, match %d: nobody played; %s", streamAndMap(p.key, cmp.Or(p.mapName, "a map that is not known")), p.number, playerList(names))
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

func (p *playedMatch) row(q *matchPlayer) []any {
	row := []any{
		orNil(p.key.file), nil, orNil(p.server), p.number, p.mapName, orNil(p.mode), q.client, orNil(q.name), orNil(q.team), nil,
		q.kills, q.deaths, q.suicides, q.teamKil, q.best, orNil(tallied(q.with)), orNil(tallied(q.by)), nil, nil, nil, orNil(tallied(q.items)),
		nil, nil, nil, nil, nil, seconds3(q.played), nil, nil, nil, orNil(q.weapons),
	}
	if p.key.stream >= 0 {
		row[1] = int64(p.key.stream)
	}
	if q.scored {
		row[9] = q.score
	}
	for i, key := range scoreKeys {
		if v, ok := q.reported[key]; ok {
			row[17+i] = v
		}
	}
	for i, action := range []string{event.FlagTaken, event.FlagCaptured, event.FlagReturned, event.FlagDropped} {
		if v, ok := q.flags[action]; ok {
			row[21+i] = v
		}
	}
	if q.carried > 0 {
		row[25] = seconds3(q.carried)
	}
	if q.seen > 0 {
		row[27], row[28] = seconds3(q.seen), round(q.distance, 1)
		row[29] = round(q.distance/(float64(q.seen)/1000), 1)
	}
	return row
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
