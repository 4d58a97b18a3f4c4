package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// matchKind is the statistic of what players did in matches.
func matchKind() Kind {
	return Kind{
		Name: "match", Usage: "match",
		Doc:     "what each player did in each match: kills, means of death, items, flags, time, damage",
		Needs:   Needs{Events: true, Inputs: true},
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
