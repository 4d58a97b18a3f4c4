package filter

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// An Error describes a fault in a filter, with its place.
type Error struct {
	Filter  string // the whole text
	From    int    // first byte that is wrong
	To      int    // first byte after it; at least From
	Message string // one sentence without the place
}

// Error returns the message with the column, which counts characters from 1.
func (e *Error) Error() string { return fmt.Sprintf("column %d: %s", e.Column(), e.Message) }

// Column returns the column of the first wrong character, from 1.
func (e *Error) Column() int { return utf8.RuneCountInString(e.Filter[:e.From]) + 1 }

// Excerpt returns two lines without line feeds at their ends: the part of the filter around the fault in at
// most width characters, and carets below the wrong part. Control characters become blanks.
func (e *Error) Excerpt(width int) (text, carets string) {
	runes := []rune(strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, e.Filter))
	from := e.Column() - 1
	to := max(from+1, from+utf8.RuneCountInString(e.Filter[e.From:e.To]))
	first := 0
	if len(runes) > width && to > width-1 {
		first = max(0, min(from-width/4, len(runes)-width))
	}
	last := min(len(runes), first+width)
	to = min(to, max(last, from+1))
	line := runes[first:last]
	if first > 0 {
		line = append([]rune("…"), line[1:]...)
	}
	if last < len(runes) {
		line = append(line[:len(line)-1:len(line)-1], '…')
	}
	return string(line), strings.Repeat(" ", from-first) + strings.Repeat("^", to-from)
}
