package listing

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
)

type column = table.ColumnOf[catalogue.Listing]

func named(name string, cell func(*catalogue.Listing) string) column {
	return column{Column: table.Column{Name: name}, Cell: cell}
}

// member is a column with a member of the line.
func member(key string) column { return named(key, catalogue.Cell(key)) }

// Matches are the rows of q3dissect catalogue. In text those without a match come last.
var Matches = Kind[catalogue.Listing]{
	Schema: catalogue.Schema, Fields: catalogue.Fields, Append: (*catalogue.Listing).AppendFields,
	csv: func() []column {
		return []column{
			member("file"),
			member("kind"),
			member("protocol"),
			member("server"),
			member("hostname"),
			member("match"),
			member("mod"),
			member("map"),
			member("gametype"),
			member("date"),
			member("date_from"),
			named("start_time", func(l *catalogue.Listing) string { return seconds(l.StartTime) }),
			named("duration", func(l *catalogue.Listing) string { return seconds(l.Duration) }),
			member("players"),
			member("recorded_by"),
			named("result", (*catalogue.Listing).Result),
			member("winner"),
			member("reason"),
			member("began_before"),
			member("complete"),
			member("damaged"),
			member("error"),
			member("copy_of"),
		}
	},
	text: appendText,
	last: withoutMatch,
	orders: map[string]func(a, b *catalogue.Listing) int{
		"date":     func(a, b *catalogue.Listing) int { return cmp.Compare(a.Date, b.Date) },
		"duration": func(a, b *catalogue.Listing) int { return cmp.Compare(number(b.Duration), number(a.Duration)) },
		"file":     func(a, b *catalogue.Listing) int { return cmp.Compare(a.File, b.File) },
		"gametype": func(a, b *catalogue.Listing) int { return cmp.Compare(a.Gametype, b.Gametype) },
		"hostname": func(a, b *catalogue.Listing) int { return cmp.Compare(a.Hostname, b.Hostname) },
		"kills":    func(a, b *catalogue.Listing) int { return cmp.Compare(kills(b), kills(a)) },
		"map":      func(a, b *catalogue.Listing) int { return cmp.Compare(a.Map, b.Map) },
		"mod":      func(a, b *catalogue.Listing) int { return cmp.Compare(a.Mod, b.Mod) },
		"players":  func(a, b *catalogue.Listing) int { return cmp.Compare(len(b.Players), len(a.Players)) },
		"server":   func(a, b *catalogue.Listing) int { return cmp.Compare(a.Server, b.Server) },
		"winner":   func(a, b *catalogue.Listing) int { return cmp.Compare(a.Winner, b.Winner) },
	},
}

// number returns the value, -1 where there is none.
func number(v *int64) int64 {
	if v == nil {
		return -1
	}
	return *v
}

func kills(l *catalogue.Listing) (sum int64) {
	for _, p := range l.Players {
		if p.Kills != nil {
			sum += *p.Kills
		}
	}
	return sum
}

// seconds writes milliseconds as seconds, so that spreadsheets calculate with them: 10:00 is hours to them.
func seconds(ms *int64) string {
	if ms == nil {
		return ""
	}
	return strconv.FormatFloat(float64(*ms)/1000, 'f', 3, 64)
}

// Cells of the columns.
const (
	fromWidth = len("capture")
	modWidth  = 10
	modeWidth = len("tournament")
	mapWidth  = 12
	mapInFile = 14
	length    = 6 // of minutes and seconds
	// roomy is the width of a terminal from which on the time of the day has a place, and the name of a map as much
	// as it needs.
	roomy = 100
)

// appendText appends matches, those of a file together. Several files without a match have one line.
func appendText(dst []byte, lines []catalogue.Listing, style table.Style) []byte {
	if len(lines) > 1 && withoutMatch(&lines[0]) {
		return appendWithout(dst, lines, style)
	}
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && lines[n].File == lines[0].File {
			n++
		}
		dst, lines = appendFile(dst, lines[:n], style), lines[n:]
	}
	return dst
}

// appendFile appends the matches of one file. Without a terminal's width each has a line: when, how long, what was
// played where, result, file. On a terminal the name of the file is above them.
func appendFile(dst []byte, lines []catalogue.Listing, style table.Style) []byte {
	size, format := table.Column{Least: length, Right: true, Gap: 1}, "2006-01-02 15:04"
	if style.Width == 0 {
		t := table.Of(lines, []column{
			{Column: table.Column{Least: len(format) + len("Z")}, Cell: func(l *catalogue.Listing) string { return day(l, len(format)) }},
			{Column: table.Column{Least: fromWidth}, Cell: func(l *catalogue.Listing) string { return l.DateFrom }},
			{Column: table.Column{Least: modWidth}, Cell: func(l *catalogue.Listing) string { return cmp.Or(l.Mod, l.Protocol) }},
			{Column: table.Column{Least: modeWidth, Gap: 1}, Cell: mode},
			{Column: table.Column{Least: mapInFile, Gap: 1}, Cell: mapName},
			{Column: size, Cell: duration},
			{Column: table.Column{}, Cell: func(l *catalogue.Listing) string { return outcome(l) + faults(l) + "  " + l.File }},
		})
		t.Bare = true
		return t.AppendText(dst, style)
	}
	heading := lines[0].File
	if mod := cmp.Or(lines[0].Mod, lines[0].Protocol); mod != "" {
		heading += "  " + mod
	}
	dst = table.AppendNote(dst, heading+faults(&lines[0]), style, 0)
	place := table.Column{Least: mapWidth, Most: 2 * mapWidth, Gap: 1}
	if style.Width < roomy {
		place.Most, format = mapWidth, "2006-01-02"
	}
	t := table.Of(lines, []column{
		{Column: table.Column{Least: len(format) + len("Z")}, Cell: func(l *catalogue.Listing) string { return day(l, len(format)) }},
		{Column: table.Column{Least: fromWidth}, Cell: func(l *catalogue.Listing) string { return l.DateFrom }},
		{Column: table.Column{Least: modeWidth, Most: modeWidth}, Cell: mode},
		{Column: place, Cell: mapName},
		{Column: size, Cell: duration},
		{Column: table.Column{Words: true}, Cell: outcome},
	})
	t.Bare, t.Indent = true, 2
	return t.AppendText(dst, style)
}

// mode returns what is played: of DeFRaG how, and by which rules of movement.
func mode(l *catalogue.Listing) string {
	if l.Mode != "" {
		return l.Mode + "." + l.Physics
	}
	return l.Gametype
}

// mapName returns the name of the map, "?" where a match has none.
func mapName(l *catalogue.Listing) string {
	if l.Match != nil && l.Map == "" {
		return "?"
	}
	return l.Map
}

// duration returns the length, "?" where it is not known because the match began before the recording.
func duration(l *catalogue.Listing) string {
	if l.Late && l.Duration == nil {
		return "?"
	}
	return l.Length()
}

// day returns the beginning of the date, with a blank between day and time, and with its zone. A game's own date, and
// that of a name, have none: they are in the local time of whoever recorded.
func day(l *catalogue.Listing, size int) string {
	if len(l.Date) < size {
		return l.Date
	}
	zone := ""
	if strings.HasSuffix(l.Date, "Z") {
		zone = "Z"
	}
	return strings.Replace(l.Date[:size], "T", " ", 1) + zone
}

// outcome returns the result with its reason.
func outcome(l *catalogue.Listing) string {
	result := cmp.Or(l.Result(), "no match")
	if l.Match != nil && l.Result() == "" {
		if result = "no scores"; l.Winner != "" {
			result = l.Winner + " won"
		}
	}
	switch {
	case l.Match == nil && len(l.Finishes) > 0:
		result += " (race)"
	case l.Match == nil && l.Named != nil:
		result = "name: " + l.Named.String()
	}
	if l.Reason != "" {
		result += " (" + l.Reason
		switch {
		case l.Late:
			result += ", began before the recording"
		case l.Complete != nil && !*l.Complete:
			result += ", incomplete"
		}
		result += ")"
	}
	if l.Named != nil && len(l.Named.Differs) > 0 {
		result += " [the name has another " + strings.Join(l.Named.Differs, ", ") + "]"
	}
	return result
}

// faults returns what is wrong with the file.
func faults(l *catalogue.Listing) (text string) {
	if l.CopyOf != "" {
		text = " [copy of " + l.CopyOf + "]"
	}
	if l.Error != "" {
		text += " [" + l.Error + "]"
	}
	if l.Damaged > 0 {
		text += " [" + strconv.FormatUint(l.Damaged, 10) + " damaged]"
	}
	return text
}

func withoutMatch(l *catalogue.Listing) bool {
	return l.Match == nil && len(l.Finishes) == 0 && l.Named == nil
}

// appendWithout appends one line for all files without a match.
func appendWithout(dst []byte, lines []catalogue.Listing, style table.Style) []byte {
	const most = 3 // names
	var names []string
	damaged := 0
	for i := range lines {
		if lines[i].Error != "" || lines[i].Damaged > 0 {
			damaged++
		}
		if i < most {
			names = append(names, filepath.Base(lines[i].File))
		}
	}
	text := strconv.Itoa(len(lines)) + " files without a match"
	if damaged > 0 {
		text += ", " + strconv.Itoa(damaged) + " of them damaged"
	}
	text += ": " + strings.Join(names, ", ")
	if len(lines) > most {
		text += ", … (--json lists all)"
	}
	return table.AppendNote(dst, text, style, 2)
}
