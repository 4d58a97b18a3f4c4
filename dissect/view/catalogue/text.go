package catalogue

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/dissect/quantity"
	"github.com/q3dissect/q3dissect/dissect/view/internal/dates"

	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// AppendJSON appends the line as a JSON object, with a line feed.
func (l *Listing) AppendJSON(dst []byte) []byte {
	b, err := json.Marshal(l)
	if err != nil {
		panic(err) // strings and numbers
	}
	return append(append(dst, wiretext.EscapeJSON(b)...), '\n')
}

// Length returns the duration as minutes and seconds.
func (l *Listing) Length() string {
	if l.Duration == nil {
		return ""
	}
	return quantity.Minutes(*l.Duration / 1000)
}

// Result returns the final scores or the times of a race as text, best first, at most three of them. A question mark is
// a score that is not known.
func (l *Listing) Result() string {
	var parts []string
	for _, s := range l.Scores {
		score := "?"
		if s.Score != nil {
			score = strconv.FormatInt(*s.Score, 10)
		}
		parts = append(parts, s.Name+" "+score)
	}
	for _, f := range l.Finishes {
		parts = append(parts, f.Name+" "+quantity.Race(f.Time))
	}
	if len(parts) > 3 {
		parts = append(parts[:3], "…")
	}
	return strings.Join(parts, ", ")
}

// Locate fills in what depends on the place of a file: its name, the run that the name describes, and a date where its
// contents have none. The Date of a name has no zone, and no time where the name has none.
func (l *Listing) Locate(name string, modified time.Time) {
	l.File = name
	l.Date, l.DateFrom = dates.Located(l.Date, l.DateFrom, name, modified)
	if l.Named = namedBy(name); l.Named != nil {
		l.Named.compare(l)
	}
}
