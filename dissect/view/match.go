package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/view/internal/match"
)

// matchKind is the statistic of what players did in matches.
func matchKind() Kind {
	return Kind{
		Name: "match", Usage: "match",
		Doc:     "what each player did in each match: kills, means of death, items, flags, time, damage",
		Needs:   Needs{Events: true, Inputs: true},
		Columns: matchColumns().described(),
		make: withoutArguments("match", func(env *Env) Statistic {
			s, most := &matchStatistic{}, topKeys
			if env.Rows > 0 {
				most = min(most, 2*env.Rows) // not every player has a row
			}
			s.Matches = match.New(func(p *match.Match) {
				if s.rows += len(p.Players); s.rows > most {
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
	*match.Matches
	list []*match.Match
	rows int
	left int // matches beyond the limit
}

func (s *matchStatistic) Add(rec *dissect.Record) { s.Matches.Add(rec) }

func (s *matchStatistic) Tables() []Table {
	var list []matchRow
	for _, group := range match.Groups(s.list) {
		row := matchRow{match: match.Merge(group)}
		for _, p := range group {
			row.streams = append(row.streams, p.Key.Stream)
		}
		slices.Sort(row.streams)
		list = append(list, row)
	}
	notes := s.withoutPlayers(list)
	if s.left > 0 {
		notes = append(notes, fmt.Sprintf("%d matches more, for which there is no place", s.left))
	}
	rows := func(yield func(matchRow) bool) {
		for _, row := range list {
			for _, row.Player = range row.match.InOrder() {
				if !yield(row) {
					return
				}
			}
		}
	}
	return []Table{matchColumns().table("match", rows, notes)}
}

// withoutPlayers returns notes on matches without players, and on games without a match.
func (s *matchStatistic) withoutPlayers(list []matchRow) (notes []string) {
	const most = 20
	add := func(format string, args ...any) {
		if len(notes) < most {
			notes = append(notes, fmt.Sprintf(format, args...))
		}
	}
	began := map[match.Key]bool{}
	for _, p := range s.list {
		began[p.Key] = true
	}
	for _, row := range list {
		p := row.match
		if p.Late {
			add("%s, match %d: it began before the recording, so what players did before is not counted",
				streamAndMap(p.Key, cmp.Or(p.MapName, unknownMap)), p.Number)
		}
		if len(p.InOrder()) == 0 {
			var names []string
			for _, q := range p.Players {
				names = append(names, cmp.Or(q.Name, fmt.Sprintf("client %d", q.Client)))
			}
			add("%s, match %d: nobody played; %s", streamAndMap(p.Key, cmp.Or(p.MapName, unknownMap)),
				p.Number, playerList(names))
		}
	}
	for _, key := range s.Order() {
		m := s.Streams[key]
		if m.Game.MapName == "" || began[key] || m.Match != nil {
			continue
		}
		var names []string
		for client, r := range m.Roster {
			names = append(names, cmp.Or(r.Name, fmt.Sprintf("client %d", client)))
		}
		add("%s: no match; %s", streamAndMap(key, m.Game.MapName), playerList(names))
	}
	if len(notes) == 0 && len(s.list) == 0 {
		add("no stream has the beginning of a map, or a match")
	}
	return notes
}

const unknownMap = "a map that is not known"

// streamAndMap names a stream and its map, and the file where there are several.
func streamAndMap(key match.Key, mapName string) string {
	file := ""
	if key.File != "" {
		file = key.File + ": "
	}
	if key.Stream < 0 {
		return file + mapName
	}
	return fmt.Sprintf("%sstream %d, %s", file, key.Stream, mapName)
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
