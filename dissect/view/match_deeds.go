package view

import (
	"strings"

	"github.com/q3dissect/q3dissect/dissect/quantity"
	"github.com/q3dissect/q3dissect/dissect/view/internal/match"
)

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
