package view

import (
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// A classUse is a class that a player had from a time of the match on, in milliseconds.
type classUse struct {
	class       string
	from, until int64
}

// deeds keeps what a match_end shows of a player beside movement, in a match of a length.
func (q *matchPlayer) deeds(w dissect.Value, length int64) {
	q.revived = w.Get("revived").Int()
	for v := range w.Get("classes").Children() {
		from := v.Get("match_time").Int()
		if n := len(q.classes); n > 0 {
			q.classes[n-1].until = from
		}
		q.classes = append(q.classes, classUse{numberName(v.Get("class")), from, max(from, length)})
	}
	for v := range w.Get("skills").Children() {
		q.skills = append(q.skills, []any{numberName(v.Get("skill")), v.Get("level").Int()})
	}
	for v := range w.Get("force_powers").Children() {
		if q.powers == nil {
			q.powers = map[string]int64{}
		}
		q.powers[numberName(v.Get("force_power"))] = v.Get("uses").Int()
	}
}

// deedColumns are what players did in games with classes, skills and the Force.
func deedColumns() columns[matchRow] {
	classes := listColumn("classes", "classes of Enemy Territory, in order", textColumn("class", "its name"),
		numberColumn("start", "s", "from when in the match"), numberColumn("time", "s", "for how long")).at(BelowLine)
	skills := listColumn("skills", "skills of Enemy Territory at the end of the match", textColumn("skill", "its name"),
		integerColumn("level", "its level")).at(BelowLine)
	return columns[matchRow]{
		{classes, func(r matchRow) any { return r.classList(&classes) }},
		{skills, func(r matchRow) any { return r.skillList(&skills) }},
		{
			integerColumn("revived", "how often the player was revived while the snapshots were his view").at(BelowLine),
			func(r matchRow) any { return onlyIf(r.revived > 0, r.revived) },
		},
		tallyColumn("kills_by_style", "kills with the light saber by its style, where the stream shows the killer", "style",
			"kills", func(r matchRow) map[string]int64 { return r.styles }),
		tallyColumn("force_powers", "powers of the Force that the stream shows the player begin to use", "power", "uses",
			func(r matchRow) map[string]int64 { return r.powers }),
	}
}

// classList returns the classes; in tables "medic 3:20, engineer 1:05".
func (q *matchPlayer) classList(c *Column) any {
	rows, text := make([][]any, len(q.classes)), make([]string, len(q.classes))
	for i, u := range q.classes {
		seconds := (u.until - u.from) / 1000
		rows[i] = []any{u.class, seconds3(u.from), seconds3(u.until - u.from)}
		text[i] = u.class + " " + clockText(seconds)
	}
	return c.list(rows, strings.Join(text, ", "))
}

// clockText writes seconds as "3:20".
func clockText(seconds int64) string {
	tens := ""
	if seconds%60 < 10 {
		tens = "0"
	}
	return strconv.FormatInt(seconds/60, 10) + ":" + tens + strconv.FormatInt(seconds%60, 10)
}

// skillList returns the skills; in tables those above 0, as "first_aid 3".
func (q *matchPlayer) skillList(c *Column) any {
	var text []string
	for _, row := range q.skills {
		if level, _ := row[1].(int64); level > 0 {
			text = append(text, Cell(row[0])+" "+Cell(level))
		}
	}
	return c.list(q.skills, strings.Join(text, ", "))
}
