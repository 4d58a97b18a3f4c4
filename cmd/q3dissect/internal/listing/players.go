package listing

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/dissect/view/people"
)

// A career is a row of q3dissect players.
type career = table.ColumnOf[people.Career]

// careerColumns are the columns of the table and of CSV. The names are those of the JSON objects where there is one.
var careerColumns = []career{
	careerText("name", table.InLine, people.Cell("name")),
	careerNumber("matches", people.Cell("matches")),
	careerNumber("won", ofMatches(people.Cell("won"))),
	careerNumber("lost", ofMatches(people.Cell("lost"))),
	careerNumber("kills", ofMatches(people.Cell("kills"))),
	careerNumber("deaths", ofMatches(people.Cell("deaths"))),
	careerNumber("accuracy", func(p *people.Career) string {
		if percent, ok := p.Accuracy(); ok {
			return strconv.FormatFloat(percent, 'f', 1, 64)
		}
		return ""
	}),
	careerNumber("minutes", ofMatches(func(p *people.Career) string {
		return strconv.FormatFloat(p.Minutes, 'f', 1, 64)
	})),
	careerText("last_seen", table.InLine, func(p *people.Career) string { return dayOf(p.LastSeen) }),
	careerText("first_seen", table.BelowLine, func(p *people.Career) string { return dayOf(p.FirstSeen) }),
	below("id_kind"),
	below("guid_kind"),
	below("id"),
	below("names"),
	careerText("weapons", table.BelowLine, func(p *people.Career) string {
		var list []string
		for _, w := range p.Weapons {
			list = append(list, fmt.Sprintf("%s %.1f%% of %d", w.Weapon, w.Accuracy, w.Shots))
		}
		return strings.Join(list, ", ")
	}),
	below("addresses"),
	below("servers"),
	below("files"),
	careerText("suicides", table.BelowLine, ofMatches(people.Cell("suicides"))),
	careerText("team_kills", table.BelowLine, ofMatches(people.Cell("team_kills"))),
	careerText("damage_given", table.BelowLine, func(p *people.Career) string { return damage(p.DamageGiven) }),
	careerText("damage_received", table.BelowLine, func(p *people.Career) string { return damage(p.DamageReceived) }),
	below("evidence"),
	lastSeenFrom,
	below("first_seen_from"),
}

// ofMatches returns a cell that is empty for who was in no match, as in races: there nobody counts kills.
func ofMatches(cell func(*people.Career) string) func(*people.Career) string {
	return func(p *people.Career) string {
		if p.Matches == 0 {
			return ""
		}
		return cell(p)
	}
}

// lastSeenFrom is in lines of text too: the time of a copied file is that of the copy.
var lastSeenFrom = below("last_seen_from")

// below is a column with a member, in a line of its own.
func below(key string) career { return careerText(key, table.BelowLine, people.Cell(key)) }

func careerText(name string, place table.Place, cell func(*people.Career) string) career {
	return career{Column: table.Column{Name: name, Place: place, Words: place == table.BelowLine}, Cell: cell}
}

func careerNumber(name string, cell func(*people.Career) string) career {
	return career{Column: table.Column{Name: name, Right: true}, Cell: cell}
}

func damage(n float64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatFloat(n, 'f', 0, 64)
}

// dayOf returns the day of a time in RFC 3339, with its zone.
func dayOf(s string) string {
	day, clock, _ := strings.Cut(s, "T")
	if strings.HasSuffix(clock, "Z") {
		day += "Z"
	}
	return day
}

// careerLine is the number of columns of a line in text: the rest is in CSV and JSON.
const careerLine = 11

// Careers are the rows of q3dissect players.
var Careers = Kind[people.Career]{
	Schema: people.Schema, Fields: people.Fields, Append: (*people.Career).AppendFields,
	csv: func() []career { // with whole dates
		columns := slices.Clone(careerColumns)
		for i := range columns {
			if name := columns[i].Name; name == "last_seen" || name == "first_seen" {
				columns[i] = below(name)
			}
		}
		return columns
	},
	text: func(dst []byte, list []people.Career, style table.Style) []byte {
		return table.Of(list, append(slices.Clone(careerColumns[:careerLine]), lastSeenFrom)).AppendText(dst, style)
	},
	orders: map[string]func(a, b *people.Career) int{
		"matches":      func(a, b *people.Career) int { return cmp.Compare(b.Matches, a.Matches) },
		"won":          func(a, b *people.Career) int { return cmp.Compare(b.Won, a.Won) },
		"kills":        func(a, b *people.Career) int { return cmp.Compare(b.Kills, a.Kills) },
		"deaths":       func(a, b *people.Career) int { return cmp.Compare(b.Deaths, a.Deaths) },
		"lost":         func(a, b *people.Career) int { return cmp.Compare(b.Lost, a.Lost) },
		"damage_given": func(a, b *people.Career) int { return cmp.Compare(b.DamageGiven, a.DamageGiven) },
		"suicides":     func(a, b *people.Career) int { return cmp.Compare(b.Suicides, a.Suicides) },
		"minutes":      func(a, b *people.Career) int { return cmp.Compare(b.Minutes, a.Minutes) },
		"files":        func(a, b *people.Career) int { return cmp.Compare(b.Files, a.Files) },
		"name": func(a, b *people.Career) int {
			return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.Name, b.Name))
		},
		"first_seen": func(a, b *people.Career) int { return cmp.Compare(a.FirstSeen, b.FirstSeen) },
		"last_seen":  func(a, b *people.Career) int { return cmp.Compare(b.LastSeen, a.LastSeen) },
		"accuracy": func(a, b *people.Career) int {
			x, _ := a.Accuracy()
			y, _ := b.Accuracy()
			return cmp.Compare(y, x)
		},
	},
}
