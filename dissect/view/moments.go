package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/suggest"
	"github.com/q3dissect/q3dissect/dissect/view/mapfiles"
	"github.com/q3dissect/q3dissect/dissect/view/outliers"
)

// momentsKind is the statistic of the most unusual moments of each player.
func momentsKind() Kind {
	return Kind{
		Name: "moments", Usage: "moments",
		Doc:     "where each player's aim, shots, movement and commands are most unusual: ten moments of each measure",
		Needs:   Needs{Tree: true, Events: true, Inputs: true, Files: true},
		Columns: momentColumns().described(),
		make: func(args []string, env *Env) (Statistic, error) {
			s := &momentList{player: strings.Join(args, ","), named: env.Walls, first: map[string]int64{}}
			s.of = outliers.New(s.walls)
			return s, nil
		},
	}
}

// A momentRow is a row of the statistic moments.
type momentRow struct {
	player *outliers.Player
	values *outliers.Values
	with   *compared
	first  int64 // time of the first packet of the input
	outliers.Ranked
}

// compared are the comparisons of a player's values with those of each class; nil if there is none.
type compared [len(outliers.Classes)]*outliers.Comparison

func comparedOf(p *outliers.Player, v *outliers.Values) *compared {
	all := &compared{}
	for _, class := range outliers.Classes {
		if c, ok := p.Compare(class, v); ok {
			all[class] = &c
		}
	}
	return all
}

func momentColumns() columns[momentRow] {
	name, clean := nameColumns("the player's last name")
	list := columns[momentRow]{
		{fileColumn.at(InHeading), func(r momentRow) any { return orNil(r.player.File) }},
		{streamColumn.at(InHeading), func(r momentRow) any { return int64(r.player.Stream) }},
		{textColumn("kind", "command, view or seen, as in the statistic input").at(InHeading), func(r momentRow) any { return r.player.Kind.String() }},
		{integerColumn("client_num", "number of the player in the game").at(InHeading), func(r momentRow) any { return onlyIf(r.player.Number >= 0, int64(r.player.Number)) }},
		{name, func(r momentRow) any { return orNil(r.player.Name) }},
		{clean, func(r momentRow) any { return orNil(r.player.Clean) }},
		{Column{Key: "bot", Type: "boolean", Doc: "present for bots", Place: InHeading}, func(r momentRow) any { return onlyIf(r.player.Bot, true) }},
		{measureColumn(), func(r momentRow) any { return r.values.Key }},
		{integerColumn("frame", "number of the frame, or of the message in a demo"), func(r momentRow) any { return r.Frame }},
		{numberColumn("value", "", "of the measure"), func(r momentRow) any { return round(r.Value, 3) }},
		{textColumn("unit", "of the values").at(InHeading), func(r momentRow) any { return orNil(r.values.Unit) }},
		{integerColumn("rank", "of the value among the player's own, 1 is the most unusual"), func(r momentRow) any { return r.Rank }},
		{integerColumn("rank_all", "among those of all players of the input whose values come from the same source"), func(r momentRow) any { return r.RankAll }},
		{numberColumn("time", "s", "since the first packet of the file; absent in demos"), func(r momentRow) any { return onlyIf(r.HasTime, round(float64(r.Time)/1e9, 6)) }},
		{startTimeColumn, func(r momentRow) any { return onlyIf(r.HasTime, dateOf(r.first+r.Time)) }},
		{unitColumn("integer", "game_time", "ms", "the game's clock"), func(r momentRow) any { return r.Game }},
		{textColumn("unusual", "which values come first: high or low ones").at(InHeading), func(r momentRow) any { return r.values.Side.String() }},
		{integerColumn("count", "how many values the player has").at(InHeading), func(r momentRow) any { return r.values.Count }},
		{integerColumn("count_others", "how many values the other players have").at(InHeading), func(r momentRow) any { return r.CountOther }},
		{textColumn("summary", "which percentile is the player's value; absent where there are too few").at(InHeading), func(r momentRow) any { return onlyIf(r.values.Enough, fmt.Sprintf("p%d", r.values.Percent)) }},
		{numberColumn("summary_value", "", "that percentile").at(InHeading), func(r momentRow) any { return onlyIf(r.values.Enough, round(r.values.Summary, 3)) }},
	}
	for _, class := range outliers.Classes {
		list = append(list, classColumns(class)...)
	}
	return list
}

// measureColumn is the name of a measure, with the meaning of each.
func measureColumn() Column {
	c := textColumn("measure", "what was measured, see docs/input.md").at(InHeading)
	c.Values = map[string]string{}
	for i := range outliers.Measures {
		c.Values[outliers.Measures[i].Key] = outliers.Measures[i].Doc
	}
	return c
}

// classDocs describes the classes.
var classDocs = [...]string{
	outliers.People: "people in public demos", outliers.Bots: "bots of the games",
	outliers.Clients: "clients of unmodified games that scripts played",
}

// classColumns are the comparison of a player's values with those of a class.
func classColumns(class outliers.Class) columns[momentRow] {
	compared := func(value func(*outliers.Comparison) any) func(momentRow) any {
		return func(r momentRow) any {
			if c := r.with[class]; c != nil {
				return value(c)
			}
			return nil
		}
	}
	name := class.String()
	n := integerColumn(name, classDocs[class]+" that the player is compared with: how many").at(InHeading)
	beyond := numberColumn(name+"_beyond", "%",
		"how many of these have a less unusual summary: lower, or higher where low is unusual")
	with := textColumn(name+"_with", "their protocol, kind, and time between two moments")
	return columns[momentRow]{
		{n, compared(func(c *outliers.Comparison) any { return int64(c.N) })},
		{beyond.at(InHeading), compared(func(c *outliers.Comparison) any { return round(c.Beyond, 1) })},
		{with.at(InHeading), compared(func(c *outliers.Comparison) any { return c.With })},
	}
}

// A momentList is the statistic.
type momentList struct {
	of     *outliers.Collector
	maps   mapfiles.Maps
	first  map[string]int64                    // time of the first packet, by input
	named  func(mapName string) outliers.Clear // of --map; nil: none
	player string                              // name or number of the player that is asked for; "": all
}

// walls returns what is solid in a map: one that was named, else one that the input carries. nil: it is not known.
func (s *momentList) walls(mapName string) outliers.Clear {
	if s.named != nil {
		if clear := s.named(mapName); clear != nil {
			return clear
		}
	}
	return s.maps.Clear(mapName)
}

func (s *momentList) Add(rec *dissect.Record) {
	if _, known := s.first[rec.File]; !known && rec.HasTime {
		s.first[rec.File] = rec.FirstTime
	}
	s.maps.Add(rec)
	s.of.Add(rec)
}

func (s *momentList) Tables() []Table {
	players := s.of.Players()
	unknown := ""
	if s.player != "" {
		all := players
		players = slices.DeleteFunc(slices.Clone(players), func(p outliers.Player) bool { return !p.Is(s.player) })
		if len(players) == 0 {
			unknown = unknownPlayer(s.player, all)
		}
	}
	rows := func(yield func(momentRow) bool) {
		for i := range players {
			for j := range players[i].Values {
				v := &players[i].Values[j]
				with := comparedOf(&players[i], v)
				for _, moment := range v.Moments {
					if !yield(momentRow{&players[i], v, with, s.first[players[i].File], moment}) {
						return
					}
				}
			}
		}
	}
	t := momentColumns().table("moments", rows, append(s.of.Notes(), s.renamed(players)...))
	t.Unknown = unknown
	return []Table{t}
}

// renamed says which names the players have now who were asked for by another.
func (s *momentList) renamed(players []outliers.Player) (notes []string) {
	for i := range players {
		p := &players[i]
		if note := fmt.Sprintf("%s is called %s now", s.player, p.Clean); s.player != "" && !p.IsNow(s.player) &&
			!slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

// unknownPlayer is the message for a name that no player of the input has. It lists their names, the likely one first.
func unknownPlayer(name string, players []outliers.Player) string {
	const most = 20
	said := fmt.Sprintf("no player is called %q; ", name)
	var names []string
	for i := range players {
		if called := players[i].Clean; called != "" && !slices.Contains(names, called) {
			names = append(names, called)
		}
	}
	switch {
	case len(players) == 0:
		return said + "there are no players in the input"
	case len(names) == 0:
		return said + "the input has no names: ask by number, as in '#0'"
	}
	return said + suggest.SomeChoices(name, names, most)
}
