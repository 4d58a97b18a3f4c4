package view

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quantity"
	"github.com/q3dissect/q3dissect/dissect/view/internal/match"
)

// A matchRow is a row of the statistic match: a player of a match.
type matchRow struct {
	match *match.Match
	*match.Player
	streams []int // that show the match
}

// streamsColumn has the streams of a match that several show, in a cell as "0,1,2".
func streamsColumn() column[matchRow] {
	c := valuesColumn("streams", "integer", "all conversations that show the match, where there are several").at(InHeading)
	return column[matchRow]{c, func(r matchRow) any {
		if len(r.streams) < 2 {
			return nil
		}
		var list []int64
		var text []string
		for _, n := range r.streams {
			list, text = append(list, int64(n)), append(text, strconv.Itoa(n))
		}
		return values(&c, list, strings.Join(text, ","))
	}}
}

func matchColumns() columns[matchRow] {
	count := integerColumn
	list := columns[matchRow]{
		{fileColumn.at(InHeading), func(r matchRow) any { return orNil(r.match.Key.File) }},
		{integerColumn("stream", "number of the conversation that shows the most of the match").at(InHeading), func(r matchRow) any { return onlyIf(r.match.Key.Stream >= 0, int64(r.match.Key.Stream)) }},
		streamsColumn(),
		{textColumn("server", "endpoint of the server").at(InHeading), func(r matchRow) any { return orNil(r.match.Server) }},
		{count("match", "number of the match in the input, from 0").at(InHeading), func(r matchRow) any { return r.match.Number }},
		{textColumn("map", "name of the map").at(InHeading), func(r matchRow) any { return orNil(r.match.MapName) }},
		{textColumn("gametype", "what is played").at(InHeading), func(r matchRow) any { return orNil(r.match.Mode) }},
		{
			Column{
				Key: "start_time", Type: "string", Place: InData,
				Doc: "time of capture of the match's first event, RFC 3339, UTC",
			},
			func(r matchRow) any { return onlyIf(r.match.Date != 0, dateOf(r.match.Date)) },
		},
		{count("client_num", "number of the client").at(BelowLine), func(r matchRow) any { return onlyIf(r.Client >= 0, r.Client) }},
		{textColumn("name", "name without colours"), func(r matchRow) any { return orNil(r.Name) }},
		{textColumn("team", "red, blue or free"), func(r matchRow) any { return orNil(r.Team) }},
		{count("score", "the score that the game told last"), func(r matchRow) any { return onlyIf(r.Scored, r.Score) }},
		{count("kills", "players killed, team mates not counted"), func(r matchRow) any { return r.Kills }},
		{count("deaths", "how often others killed the player"), func(r matchRow) any { return r.Deaths }},
		{
			count("suicides", "deaths by the player himself or by the world").at(BelowLine),
			func(r matchRow) any { return r.Suicides },
		},
		{count("team_kills", "team mates killed").at(BelowLine), func(r matchRow) any { return r.TeamKills }},
		{count("streak", "most kills between two deaths"), func(r matchRow) any { return r.Best }},
		tallyColumn("kills_by", "kills by means of death", "means", "kills",
			func(r matchRow) map[string]int64 { return r.With }),
		tallyColumn("deaths_by", "deaths by means of death, suicides too", "means", "deaths",
			func(r matchRow) map[string]int64 { return r.By }),
		killedColumn(),
	}
	for _, f := range match.Reported {
		c := unitColumn("integer", f.Key, f.Unit, f.Doc)
		list = append(list, column[matchRow]{c, func(r matchRow) any {
			n, ok := r.Reported[c.Key]
			return onlyIf(ok, n)
		}})
	}
	list = append(list, countedColumns()...)
	list = append(list, tallyColumn("items", "what was picked up in the stream's view, with how often", "item", "count",
		func(r matchRow) map[string]int64 { return r.Items }))
	list = append(list, flagColumns()...)
	list = append(list, timeColumns()...)
	list = append(list, deedColumns()...)
	return append(list, weaponsColumn())
}

// tallyColumn describes counts by name.
func tallyColumn(key, doc, name, number string, of func(matchRow) map[string]int64) column[matchRow] {
	c := listColumn(key, doc, textColumn(name, "its name"), integerColumn(number, "how often")).at(BelowLine)
	return column[matchRow]{c, func(r matchRow) any { return c.tally(of(r)) }}
}

// killedColumn describes whom a player killed.
func killedColumn() column[matchRow] {
	c := listColumn("killed", "players killed, team mates too", integerColumn("client_num", "number of the client"),
		textColumn("name", "name without colours"), integerColumn("kills", "how often")).at(BelowLine)
	return column[matchRow]{c, func(r matchRow) any { return killedBy(r.match, r.Player, &c) }}
}

// countedColumns are the shots and hits that the stream shows itself.
func countedColumns() columns[matchRow] {
	seen := func(c Column, value func(matchRow) any) column[matchRow] {
		return column[matchRow]{c.at(BelowLine), func(r matchRow) any { return onlyIf(r.ShotsSeen > 0, value(r)) }}
	}
	return columns[matchRow]{
		seen(integerColumn("shots_seen", "shots in the snapshots whose view was the player's"),
			func(r matchRow) any { return r.ShotsSeen }),
		seen(integerColumn("hits_seen", "those of these snapshots in which the counter that makes the sound of a hit rose"),
			func(r matchRow) any { return r.HitsSeen }),
		seen(numberColumn("accuracy_seen", "%", "hits_seen by shots_seen"),
			func(r matchRow) any { return ratio(100*float64(r.HitsSeen), float64(r.ShotsSeen), 1) }),
	}
}

// flagColumns are what a player did with flags.
func flagColumns() columns[matchRow] {
	flag := func(action, doc string) column[matchRow] {
		return column[matchRow]{integerColumn("flags_"+action, doc), func(r matchRow) any {
			n, ok := r.Flags[action]
			return onlyIf(ok, n)
		}}
	}
	return columns[matchRow]{
		flag(event.FlagTaken, "flags that the player took"),
		flag(event.FlagCaptured, "flags that the player captured"),
		flag(event.FlagReturned, "flags that the player returned"),
		flag(event.FlagDropped, "flags that the game says the player dropped"),
		{
			numberColumn("carrying_time", "s", "time with a flag"),
			func(r matchRow) any { return onlyIf(r.Carried > 0, seconds3(r.Carried)) },
		},
	}
}

// timeColumns are time and movement; the last three are of what snapshots showed.
func timeColumns() columns[matchRow] {
	shown := func(c Column, value func(matchRow) any) column[matchRow] {
		return column[matchRow]{c, func(r matchRow) any { return onlyIf(r.Seen > 0, value(r)) }}
	}
	return columns[matchRow]{
		{
			numberColumn("time_played", "s", "time in the game during the match, without pauses"),
			func(r matchRow) any { return onlyIf(r.Played > 0 || !r.match.Unlisted, seconds3(r.Played)) },
		},
		shown(numberColumn("seen_time", "s", "time during which snapshots showed the player"),
			func(r matchRow) any { return seconds3(r.Seen) }),
		shown(numberColumn("distance", "units", "way in that time"), func(r matchRow) any { return round(r.Distance, 1) }),
		shown(numberColumn("speed", "units/s", "distance by seen_time"),
			func(r matchRow) any { return ratio(r.Distance, seconds3(r.Seen), 1) }),
	}
}

// weaponsColumn describes the weapons that the game reported last.
func weaponsColumn() column[matchRow] {
	c := listColumn("weapons", "weapons, as the game reported them last",
		textColumn("weapon", "its name"), integerColumn("shots", "shots fired"), integerColumn("hits", "shots that hit"),
		numberColumn("accuracy", "%", "hits by shots; in clan arena as the game told it"),
		integerColumn("kills", "players killed"), integerColumn("deaths", "how often the player died by it"),
		integerColumn("damage_given", "damage done to others")).at(BelowLine)
	return column[matchRow]{c, func(r matchRow) any {
		rows, text := weaponRows(r.Weapons)
		return c.list(rows, text)
	}}
}

// killedBy returns whom a player killed, the most frequent first.
func killedBy(p *match.Match, q *match.Player, c *Column) any {
	victims := slices.SortedFunc(maps.Keys(q.Killed), func(a, b int64) int {
		return cmp.Or(cmp.Compare(q.Killed[b], q.Killed[a]), cmp.Compare(a, b))
	})
	rows, text := make([][]any, len(victims)), make([]string, len(victims))
	for i, n := range victims {
		name := p.Players[n].Name
		rows[i] = []any{onlyIf(n >= 0, n), orNil(name), q.Killed[n]}
		text[i] = cmp.Or(name, "client "+strconv.FormatInt(n, 10)) + " " + strconv.FormatInt(q.Killed[n], 10)
	}
	return c.list(rows, strings.Join(text, ", "))
}

// weaponRows returns the weapons as rows, and as "railgun 37 % of 27, gauntlet 0 % of 2".
func weaponRows(list []match.WeaponUse) (rows [][]any, text string) {
	var parts []string
	for _, w := range list {
		rows = append(rows, []any{w.Weapon, w.Shots, w.Hits, w.Accuracy, w.Kills, w.Deaths, w.Done})
		percent, known := w.Accuracy.(float64)
		if !known {
			continue
		}
		one := w.Weapon + " " + strconv.FormatFloat(round(percent, 0), 'f', 0, 64) + " %"
		if shots, ok := w.Shots.(int64); ok {
			one += " of " + strconv.FormatInt(shots, 10)
		}
		parts = append(parts, one)
	}
	return rows, strings.Join(parts, ", ")
}

// deedColumns are what players did in games with classes, skills and the Force.
func deedColumns() columns[matchRow] {
	classes := listColumn("classes", "classes of Enemy Territory, in order", textColumn("class", "its name"),
		numberColumn("start", "s", "from when in the match"), numberColumn("time", "s", "for how long")).at(BelowLine)
	skills := listColumn("skills", "skills of Enemy Territory at the end of the match", textColumn("skill", "its name"),
		integerColumn("level", "its level")).at(BelowLine)
	return columns[matchRow]{
		{classes, func(r matchRow) any { return classList(r.Classes, &classes) }},
		{skills, func(r matchRow) any { return skillList(r.Skills, &skills) }},
		{
			integerColumn("revived", "how often the player was revived while the snapshots were his view").at(BelowLine),
			func(r matchRow) any { return onlyIf(r.Revived > 0, r.Revived) },
		},
		tallyColumn("kills_by_style", "kills with the light saber by its style, where the stream shows the killer", "style",
			"kills", func(r matchRow) map[string]int64 { return r.Styles }),
		tallyColumn("force_powers", "powers of the Force that the stream shows the player begin to use", "power", "uses",
			func(r matchRow) map[string]int64 { return r.Powers }),
	}
}

// classList returns the classes; in tables "medic 3:20, engineer 1:05".
func classList(list []match.ClassUse, c *Column) any {
	rows, text := make([][]any, len(list)), make([]string, len(list))
	for i, u := range list {
		seconds := (u.Until - u.From) / 1000
		rows[i] = []any{u.Class, seconds3(u.From), seconds3(u.Until - u.From)}
		text[i] = u.Class + " " + quantity.Minutes(seconds)
	}
	return c.list(rows, strings.Join(text, ", "))
}

// skillList returns the skills; in tables those above 0, as "first_aid 3".
func skillList(skills [][]any, c *Column) any {
	var text []string
	for _, row := range skills {
		if level, _ := row[1].(int64); level > 0 {
			text = append(text, Cell(row[0])+" "+Cell(level))
		}
	}
	return c.list(skills, strings.Join(text, ", "))
}
