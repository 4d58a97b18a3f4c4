package listing

import (
	"cmp"
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

// AppendCSV appends a line for each match in some form, after those of the names if these are wanted.
func AppendCSV(dst []byte, lines []catalogue.Listing, form *table.CSVForm, names bool) []byte {
	t := table.Of(lines, []column{
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
	})
	t.Bare = !names
	return t.AppendAs(dst, form)
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

// AppendText appends the matches of one file. Without a terminal's width each has a line: when, how long, what was
// played where, result, file. On a terminal the name of the file is above them.
func AppendText(dst []byte, lines []catalogue.Listing, style table.Style) []byte {
	if len(lines) == 0 {
		return dst
	}
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
