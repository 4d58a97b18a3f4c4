package view

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// AppendJSON appends the line as a JSON object, with a line feed.
func (l *Listing) AppendJSON(dst []byte) []byte {
	b, err := json.Marshal(l)
	if err != nil {
		panic(err) // strings and numbers
	}
	return append(append(dst, b...), '\n')
}

// CatalogueColumns returns the names of the columns of Row.
func CatalogueColumns() []string {
	return []string{
		"file", "kind", "protocol", "server", "hostname", "match", "mod", "map", "gametype", "date", "date_from", "duration", "players",
		"recorded_by", "result", "winner", "reason", "complete", "damaged", "error",
	}
}

// Row returns the line as cells, for CSV.
func (l *Listing) Row() []string {
	match, complete := "", ""
	if l.Match != nil {
		match, complete = strconv.FormatInt(*l.Match, 10), strconv.FormatBool(*l.Complete)
	}
	return []string{
		l.File, l.Kind, l.Protocol, l.Server, l.Hostname, match, l.Mod, l.Map, l.Gametype, l.Date, l.DateFrom, l.Length(), l.names(),
		l.RecordedBy, l.Result(), l.Winner, l.Reason, complete, strconv.FormatUint(l.Damaged, 10), l.Error,
	}
}

// Length returns the duration as minutes and seconds.
func (l *Listing) Length() string {
	if l.Duration == nil {
		return ""
	}
	s := *l.Duration / 1000
	return strconv.FormatInt(s/60, 10) + ":" + string([]byte{byte('0' + s%60/10), byte('0' + s%10)})
}

// Result returns the final scores or the times of a race as text, best first, at most three of them.
func (l *Listing) Result() string {
	var parts []string
	for _, s := range l.Scores {
		parts = append(parts, s.Name+" "+strconv.FormatInt(s.Score, 10))
	}
	for _, f := range l.Finishes {
		parts = append(parts, f.Name+" "+raceTime(f.Time))
	}
	if len(parts) > 3 {
		parts = append(parts[:3], "…")
	}
	return strings.Join(parts, ", ")
}

// raceTime writes milliseconds as 1:02.345.
func raceTime(ms int64) string {
	return fmt.Sprintf("%d:%02d.%03d", ms/60_000, ms/1000%60, ms%1000)
}

func (l *Listing) names() string {
	var parts []string
	for _, p := range l.Players {
		parts = append(parts, p.Name)
	}
	return strings.Join(parts, ", ")
}

// AppendText appends the line in readable form, with a line feed: when, how long, what was played where,
// result, file.
func (l *Listing) AppendText(dst []byte) []byte {
	text := padded(l.day(len("2006-01-02 15:04")), 16) + "  " + padded(cmp.Or(l.Mod, l.Protocol), 10) + " " + padded(l.Gametype, 10) + " " +
		padded(l.Map, 14) + " " + leftPadded(l.Length(), 6) + "  " + l.outcome() + l.faults()
	return append(dst, text+"  "+wiretext.Visible(l.File)+"\n"...)
}

// day returns the beginning of the date, with a blank between day and time.
func (l *Listing) day(size int) string {
	if len(l.Date) < size {
		return l.Date
	}
	return strings.Replace(l.Date[:size], "T", " ", 1)
}

// outcome returns the result with its reason.
func (l *Listing) outcome() string {
	result := cmp.Or(l.Result(), "no match")
	if l.Match != nil && l.Result() == "" {
		if result = "no scores"; l.Winner != "" {
			result = l.Winner + " won"
		}
	}
	if l.Match == nil && len(l.Finishes) > 0 {
		result += " (race)"
	}
	if l.Reason != "" {
		result += " (" + l.Reason
		if l.Complete != nil && !*l.Complete {
			result += ", incomplete"
		}
		result += ")"
	}
	return wiretext.Visible(result)
}

// faults returns what is wrong with the file.
func (l *Listing) faults() (text string) {
	if l.Error != "" {
		text += " [" + wiretext.Visible(l.Error) + "]"
	}
	if l.Damaged > 0 {
		text += " [" + strconv.FormatUint(l.Damaged, 10) + " damaged]"
	}
	return text
}

// Widths of the columns under the name of a file, in characters.
const (
	dayWidth  = len("2006-01-02")
	timeWidth = len("2006-01-02 15:04")
	modeWidth = len("tournament")
	mapWidth  = 12
	// roomy is the width from which on the time of the day has a place, and the name of a map as much as it needs.
	roomy = 100
	// leastResult is the least room for results, after which they go on in the next line.
	leastResult = 20
)

// AppendListings appends the lines of one file for a terminal of a width in characters: the name of the file, below it a line
// for each match, with when, what was played where, how long, and the result. What does not fit goes on below.
func AppendListings(dst []byte, lines []Listing, width int) []byte {
	if len(lines) == 0 {
		return dst
	}
	heading := wiretext.Visible(lines[0].File)
	if mod := cmp.Or(lines[0].Mod, lines[0].Protocol); mod != "" {
		heading += "  " + wiretext.Visible(mod)
	}
	dst = appendWrapped(dst, 0, heading+lines[0].faults(), width)
	date, place := dayWidth, mapWidth
	if width >= roomy {
		date = timeWidth
		for i := range lines {
			place = min(max(place, len([]rune(wiretext.Visible(lines[i].Map)))), 2*mapWidth)
		}
	}
	for i := range lines {
		l := &lines[i]
		text := "  " + padded(l.day(date), date) + "  " + padded(shortened(l.Gametype, modeWidth), modeWidth) + " " +
			padded(shortened(l.Map, place), place) + " " + leftPadded(l.Length(), 6) + "  "
		at := len([]rune(text))
		if width-at < leastResult {
			at = 4
		}
		dst = appendWrapped(append(dst, text...), at, l.outcome(), width)
	}
	return dst
}

// shortened cuts a text to a width in characters.
func shortened(s string, width int) string {
	r := []rune(wiretext.Visible(s))
	if len(r) <= width {
		return string(r)
	}
	return string(r[:width-1]) + "…"
}

// appendWrapped appends a text that begins in a column, and goes on in that column of the next lines where it does not fit.
func appendWrapped(dst []byte, at int, text string, width int) []byte {
	room, used := max(width-at, leastResult), 0
	for word := range strings.SplitSeq(text, " ") {
		size := len([]rune(word))
		switch {
		case used == 0:
		case used+1+size > room:
			dst = append(append(dst, '\n'), strings.Repeat(" ", at)...)
			used = 0
		default:
			dst = append(dst, ' ')
			used++
		}
		dst = append(dst, word...)
		used += size
	}
	return append(dst, '\n')
}

// padded makes a text safe for a terminal and pads it to a width in characters.
func padded(s string, width int) string {
	s = wiretext.Visible(s)
	return s + strings.Repeat(" ", max(0, width-len([]rune(s))))
}

func leftPadded(s string, width int) string {
	return strings.Repeat(" ", max(0, width-len([]rune(s)))) + s
}
