package view

import (
	"github.com/q3dissect/q3dissect/dissect/event"
)

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
	{Key: "xp", Type: "integer", Doc: "experience, where it is the score, as the game told it last"},
}

func matchColumns() columns[matchRow] {
	count := integerColumn
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
		{
			count("suicides", "deaths by the player himself or by the world").at(BelowLine),
			func(r matchRow) any { return r.suicides },
		},
		{count("team_kills", "team mates killed").at(BelowLine), func(r matchRow) any { return r.teamKil }},
		{count("streak", "most kills between two deaths"), func(r matchRow) any { return r.best }},
		tallyColumn("kills_by", "kills by means of death", "means", "kills",
			func(r matchRow) map[string]int64 { return r.with }),
		tallyColumn("deaths_by", "deaths by means of death, suicides too", "means", "deaths",
			func(r matchRow) map[string]int64 { return r.by }),
		killedColumn(),
	}
	for _, c := range reportedColumns {
		list = append(list, column[matchRow]{c, func(r matchRow) any {
			n, ok := r.reported[c.Key]
			return onlyIf(ok, n)
		}})
	}
	list = append(list, countedColumns()...)
	list = append(list, tallyColumn("items", "what was picked up in the stream's view, with how often", "item", "count",
		func(r matchRow) map[string]int64 { return r.items }))
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
	return column[matchRow]{c, func(r matchRow) any { return r.match.killedBy(r.matchPlayer, &c) }}
}

// countedColumns are the shots and hits that the stream shows itself.
func countedColumns() columns[matchRow] {
	seen := func(c Column, value func(matchRow) any) column[matchRow] {
		return column[matchRow]{c.at(BelowLine), func(r matchRow) any { return onlyIf(r.shotsSeen > 0, value(r)) }}
	}
	return columns[matchRow]{
		seen(integerColumn("shots_seen", "shots in the snapshots whose view was the player's"),
			func(r matchRow) any { return r.shotsSeen }),
		seen(integerColumn("hits_seen", "those of these snapshots in which the counter that makes the sound of a hit rose"),
			func(r matchRow) any { return r.hitsSeen }),
		seen(numberColumn("accuracy_seen", "%", "hits_seen by shots_seen"),
			func(r matchRow) any { return ratio(100*float64(r.hitsSeen), float64(r.shotsSeen), 1) }),
	}
}

// flagColumns are what a player did with flags.
func flagColumns() columns[matchRow] {
	flag := func(action, doc string) column[matchRow] {
		return column[matchRow]{integerColumn("flags_"+action, doc), func(r matchRow) any {
			n, ok := r.flags[action]
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
			func(r matchRow) any { return onlyIf(r.carried > 0, seconds3(r.carried)) },
		},
	}
}

// timeColumns are time and movement; the last three are of what snapshots showed.
func timeColumns() columns[matchRow] {
	shown := func(c Column, value func(matchRow) any) column[matchRow] {
		return column[matchRow]{c, func(r matchRow) any { return onlyIf(r.seen > 0, value(r)) }}
	}
	return columns[matchRow]{
		{
			numberColumn("time_played", "s", "time in the game during the match, without pauses"),
			func(r matchRow) any { return seconds3(r.played) },
		},
		shown(numberColumn("seen_time", "s", "time during which snapshots showed the player"),
			func(r matchRow) any { return seconds3(r.seen) }),
		shown(numberColumn("distance", "units", "way in that time"), func(r matchRow) any { return round(r.distance, 1) }),
		shown(numberColumn("speed", "units/s", "distance by seen_time"),
			func(r matchRow) any { return ratio(r.distance, seconds3(r.seen), 1) }),
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
		rows, text := weaponRows(r.weapons)
		return c.list(rows, text)
	}}
}
