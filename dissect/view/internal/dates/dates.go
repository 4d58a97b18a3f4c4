// Package dates finds out when a recording was made: by its packets, by the game's own date, by its name or its file.
package dates

import (
	"path/filepath"
	"slices"
	"time"
)

// Where a date can be from, the best first.
const (
	OfCapture  = "capture" // the time of the packets
	OfGame     = "game"    // the game's own date
	dateOfName = "name"    // a date in the name of the file
	dateOfFile = "file"    // the time of its last change
)

// Rank returns the place of a date among others by how it is known, the best first.
func Rank(from string) int {
	ranks := [...]string{OfCapture, OfGame, dateOfName, dateOfFile}
	if at := slices.Index(ranks[:], from); at >= 0 {
		return at
	}
	return len(ranks)
}

// Located returns the date of what is in a file, and where it is from: its own, or where the contents have none that of
// the place of the file. The date of a name has no zone, and no time where the name has none.
func Located(date, from, name string, modified time.Time) (string, string) {
	if from == OfCapture || from == OfGame {
		return date, from
	}
	if date := dateInName(filepath.Base(name)); date != "" {
		return date, dateOfName
	}
	if !modified.IsZero() {
		return modified.UTC().Format(time.RFC3339), dateOfFile
	}
	return "", ""
}

// dateInName returns the first date in a name, as 2014-11-21 or 2014-11-21T23:35:49; "": there is none. One with the
// year first counts before others. 2014_11_21-23_35_49, 2014-11-21, 20141121T2335, 21.11.2014 and 21-11-2014 are dates.
func dateInName(name string) string {
	for _, at := range [...]func(string) string{dateAt, dayFirstAt} {
		for i := range len(name) {
			if i > 0 && isDigit(name[i-1]) {
				continue
			}
			if date := at(name[i:]); date != "" {
				return date
			}
		}
	}
	return ""
}

// oldest and newest are the years that a date may have. Quake is of 1996.
const oldest, newest = 1996, 2099

// dayFirstAt returns the date at the beginning of a text that ends in its year. Between points the day is first, as in
// 05.11.2014. Between other signs some write the month first, so such a date counts only if the numbers decide:
// 21-11-2014, 11-21-2014 and 11-11-2014 do, 05-11-2014 does not.
func dayFirstAt(s string) string {
	day, rest, ok := digits(s, 2)
	if !ok || skipSeparator(rest) == 0 || rest[0] == ' ' || rest[0] == ':' {
		return ""
	}
	sign := rest[0]
	month, rest, ok := digits(rest[1:], 2)
	if !ok || rest == "" || rest[0] != sign {
		return ""
	}
	year, rest, ok := digits(rest[1:], 4)
	if !ok || year < oldest || year > newest {
		return ""
	}
	switch {
	case sign == '.' || day > 12 || day == month:
	case month > 12:
		day, month = month, day
	default:
		return ""
	}
	return dated(year, month, day, rest)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// dateAt returns the date at the beginning of a text.
func dateAt(s string) string {
	year, rest, ok := digits(s, 4)
	if !ok || year < oldest || year > newest {
		return ""
	}
	separator := skipSeparator(rest)
	month, rest, okMonth := digits(rest[separator:], 2)
	if !okMonth || skipSeparator(rest) != separator || separator > 0 && rest[0] != s[4] {
		return ""
	}
	day, rest, okDay := digits(rest[separator:], 2)
	if !okDay {
		return ""
	}
	return dated(year, month, day, rest)
}

// dated returns a date with the time of the day that may follow it; "": there is no such day.
func dated(year, month, day int, rest string) string {
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if date.Day() != day || int(date.Month()) != month {
		return ""
	}
	hour, minute, second, rest, timed := timeAt(rest)
	if len(rest) > 0 && isDigit(rest[0]) {
		return "" // a longer number
	}
	if !timed {
		return date.Format(time.DateOnly)
	}
	return time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC).Format("2006-01-02T15:04:05")
}

// timeAt returns the time of the day that follows a date, and what follows it, or what followed the date.
func timeAt(s string) (hour, minute, second int, rest string, ok bool) {
	rest = s
	for len(s)-len(rest) < 3 && (skipSeparator(rest) > 0 || len(rest) > 0 && rest[0] == 'T') {
		rest = rest[1:]
	}
	hour, rest, ok = digits(rest, 2)
	if !ok || hour > 23 {
		return 0, 0, 0, s, false
	}
	separator := skipSeparator(rest)
	minute, rest, ok = digits(rest[separator:], 2)
	if !ok || minute > 59 {
		return 0, 0, 0, s, false
	}
	if skipSeparator(rest) == separator {
		if n, after, is := digits(rest[separator:], 2); is && n < 60 {
			second, rest = n, after
		}
	}
	if len(rest) > 0 && isDigit(rest[0]) {
		return 0, 0, 0, s, false
	}
	return hour, minute, second, rest, true
}

// digits reads a number of n digits.
func digits(s string, n int) (value int, rest string, ok bool) {
	if len(s) < n {
		return 0, s, false
	}
	for i := range n {
		if !isDigit(s[i]) {
			return 0, s, false
		}
		value = 10*value + int(s[i]-'0')
	}
	return value, s[n:], true
}

// skipSeparator returns 1 if a text begins with a sign that separates parts of dates, else 0.
func skipSeparator(s string) int {
	if len(s) > 0 && (s[0] == '-' || s[0] == '_' || s[0] == '.' || s[0] == ' ' || s[0] == ':') {
		return 1
	}
	return 0
}
