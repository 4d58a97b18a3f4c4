package report

import (
	"fmt"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/view"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// sameStart is how far apart the catalogue and the pictures may see the start of a match, in milliseconds.
const sameStart = 2000

// matches puts the lines of the catalogue together with who played and with their place in the pictures. Each player
// has the name of the end of the input.
func (f *file) matches(lines []catalogue.Listing) []match {
	list := []match{}
	games := f.callPlayers()
	for i := range lines {
		m := match{Listing: lines[i]}
		if m.Match == nil {
			continue
		}
		m.Mode = modeName(m.Gametype)
		m.Players = f.players(&lines[i])
		m.find(f)
		if m.Game != nil {
			games[*m.Game].call(&m.Listing)
		}
		list = append(list, m)
	}
	return list
}

// players returns the rows of the statistic match of a match, of the stream that counted the most kills.
func (f *file) players(l *catalogue.Listing) *table {
	all := f.Statistics["match"]
	byStream := map[int64][][]any{}
	kills := map[int64]float64{}
	var best int64 = -1
	for _, row := range all.Rows {
		stream, _ := all.at(row, "stream").(int64)
		if number, ok := all.at(row, "match").(int64); !ok || number != *l.Match || len(l.Streams) > 0 &&
			!slices.Contains(l.Streams, stream) {
			continue
		}
		byStream[stream] = append(byStream[stream], row)
		kills[stream] += all.number(row, "kills") + 1
		if best < 0 || kills[stream] > kills[best] {
			best = stream
		}
	}
	return &table{Columns: all.Columns, Rows: append([][]any{}, byStream[best]...)}
}

// shots is the statistic that matches have a part of.
const shots = "shots"

// maxShots bounds the shots in the page.
const maxShots = 300

// ruled returns the shots that have a rule: what the server traced others against is known.
func ruled(t *view.Table) *view.Table {
	out := *t
	rule := slices.IndexFunc(t.Columns, func(c view.Column) bool { return c.Key == "rule" })
	out.Rows = slices.DeleteFunc(slices.Clone(t.Rows), func(row []any) bool { return row[rule] == nil })
	if all := len(out.Rows); all > maxShots {
		out.Rows = out.Rows[:maxShots]
		note := fmt.Sprintf("only the first %d shots: q3dissect -q -z shots has all", maxShots)
		out.Notes = append(slices.Clone(t.Notes), note)
	}
	return &out
}

// find finds the match in the pictures: by its number, for a client that comes back sees the same start again; else by
// its start.
func (m *match) find(f *file) {
	for _, same := range [...]func(*timeline.Match) bool{
		func(p *timeline.Match) bool { return p.Number == *m.Match },
		func(p *timeline.Match) bool {
			if m.StartTime == nil {
				return false
			}
			apart := p.StartTime - *m.StartTime
			return apart >= -sameStart && apart <= sameStart
		},
	} {
		for g, game := range f.Pictures.Games {
			if game.Server != m.Server && !f.Recording {
				continue
			}
			for i := range game.Matches {
				if p := &game.Matches[i]; same(p) && (p.Map == m.Map || p.Map == "") {
					m.Game, m.Course = &g, p
					return
				}
			}
		}
	}
}
