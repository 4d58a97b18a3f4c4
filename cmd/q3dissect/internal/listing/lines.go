package listing

import (
	"cmp"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
)

// A Lines prints the lines of a catalogue: those of one file after the other, or of all in an order.
type Lines struct {
	Out   io.Writer
	CSV   *table.CSVForm // lines of this form
	JSON  bool           // or of JSON; neither: text
	Style table.Style
	Sort  string // one of LineKeys; "": the order of the files

	kept    []catalogue.Listing // to be sorted
	without []catalogue.Listing // files without a match, of text
}

// lineKeys are what --sort takes: numbers largest first, texts in order.
var lineKeys = map[string]func(a, b *catalogue.Listing) int{
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

// LineKeys returns the values of --sort, in order.
func LineKeys() []string { return slices.Sorted(maps.Keys(lineKeys)) }

// Begin prints what comes before the first line.
func (o *Lines) Begin() error {
	if o.CSV == nil {
		return nil
	}
	return o.write(AppendCSV(nil, nil, o.CSV, true))
}

// Add prints the lines of one file, or keeps them for End.
func (o *Lines) Add(lines []catalogue.Listing) error {
	if o.CSV == nil && !o.JSON {
		lines = slices.DeleteFunc(lines, func(l catalogue.Listing) bool {
			none := l.Match == nil && len(l.Finishes) == 0 && l.Named == nil
			if none {
				o.without = append(o.without, l)
			}
			return none
		})
	}
	if o.Sort != "" {
		o.kept = append(o.kept, lines...)
		return nil
	}
	return o.write(o.appendLines(nil, lines))
}

// End prints what Add has kept.
func (o *Lines) End() error {
	var out []byte
	if o.Sort != "" {
		slices.SortStableFunc(o.kept, func(a, b catalogue.Listing) int { return lineKeys[o.Sort](&a, &b) })
		for rest := o.kept; len(rest) > 0; {
			n := 1 // lines of one file
			for n < len(rest) && rest[n].File == rest[0].File {
				n++
			}
			out, rest = o.appendLines(out, rest[:n]), rest[n:]
		}
	}
	switch len(o.without) {
	case 0:
	case 1:
		out = AppendText(out, o.without, o.Style)
	default:
		out = appendWithout(out, o.without, o.Style)
	}
	return o.write(out)
}

func (o *Lines) appendLines(dst []byte, lines []catalogue.Listing) []byte {
	switch {
	case o.CSV != nil:
		return AppendCSV(dst, lines, o.CSV, false)
	case o.JSON:
		for i := range lines {
			dst = lines[i].AppendJSON(dst)
		}
		return dst
	}
	return AppendText(dst, lines, o.Style)
}

func (o *Lines) write(out []byte) error {
	if len(out) == 0 {
		return nil
	}
	_, err := o.Out.Write(out)
	return err
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
