package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/view"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// A calling has the present name of each player of a game, by the names that he had: a page calls him by that one, also
// in a match in which he had another.
type calling map[called]string

// A called is a name of a player without colours, and his number; nobody: the number is not known.
type called struct {
	number int64
	name   string
}

const nobody = -1

// callingOf returns the present names of those who had others. A name that two players had stays with both.
func callingOf(g *timeline.Game) calling {
	now := calling{}
	have := map[called]*timeline.Player{}
	for _, p := range g.Players {
		names := []string{p.Clean}
		for i := range p.Names {
			names = append(names, p.Names[i].Clean)
		}
		for _, name := range names {
			for _, key := range [...]called{{p.Client, name}, {nobody, name}} {
				switch other, taken := have[key]; {
				case taken && other != p:
					delete(now, key)
				case name != p.Clean:
					now[key] = p.Clean
				}
				have[key] = p
			}
		}
	}
	return now
}

// name returns the present name of a player.
func (c calling) name(number int64, name string) string {
	if now, ok := c[called{number, name}]; ok {
		return now
	}
	return name
}

// callPlayers gives the rows of the statistic match the names that the players have at the end of the input, and
// returns the names of each game.
func (f *file) callPlayers() (games []calling) {
	byStream := map[int64]calling{}
	for _, g := range f.Pictures.Games {
		c := callingOf(g)
		games = append(games, c)
		for _, stream := range g.Streams {
			byStream[int64(stream)] = c
		}
	}
	all := f.Statistics["match"]
	name, clean := all.index("name"), all.index("name_clean")
	for _, row := range all.Rows {
		stream, _ := all.at(row, "stream").(int64)
		c := byStream[stream]
		if len(games) == 1 {
			c = games[0]
		}
		if len(c) == 0 {
			continue
		}
		number, ok := all.at(row, "client_num").(int64)
		if !ok {
			number = nobody
		}
		for _, i := range [...]int{name, clean} {
			if i < 0 {
				continue
			}
			if text, ok := row[i].(string); ok {
				row[i] = c.name(number, text)
			}
		}
		for _, v := range row {
			if l, ok := v.(*view.PageList); ok {
				c.list(l)
			}
		}
	}
	return games
}

// list renames those whom a player killed.
func (c calling) list(l *view.PageList) {
	key := func(key string) int {
		return slices.IndexFunc(l.List.Items, func(item view.Column) bool { return item.Key == key })
	}
	number, name, count := key("client_num"), key("name"), key("kills")
	if number < 0 || name < 0 || count < 0 {
		return
	}
	for _, row := range l.List.Rows {
		text, ok := row[name].(string)
		n, numbered := row[number].(int64)
		if !numbered {
			n = nobody
		}
		now := c.name(n, text)
		if !ok || now == text {
			continue
		}
		row[name] = now
		kills := fmt.Sprint(" ", row[count])
		cells := strings.Split(l.Text, ", ")
		if i := slices.Index(cells, text+kills); i >= 0 {
			cells[i] = now + kills
			l.Text = strings.Join(cells, ", ")
		}
	}
}

// call gives a line of the catalogue the names that the players of its game have at the end of the input.
func (c calling) call(l *catalogue.Listing) {
	l.Winner = c.name(nobody, l.Winner)
	l.Scores, l.Players = slices.Clone(l.Scores), slices.Clone(l.Players)
	for i := range l.Scores {
		l.Scores[i].Name = c.name(nobody, l.Scores[i].Name)
	}
	for i := range l.Players {
		l.Players[i].Name = c.name(nobody, l.Players[i].Name)
	}
}
