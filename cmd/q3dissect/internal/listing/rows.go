package listing

import (
	"encoding/json"
	"io"
	"maps"
	"slices"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A Kind is what the rows of a verb are: their keys, their orders and how they are printed.
type Kind[R any] struct {
	Schema func() []byte // of the objects of JSON
	Fields func() []*dissect.Field
	Append func(*R, *dissect.Tree) // adds the fields that a row has

	orders map[string]func(a, b *R) int // by key of --sort: numbers largest first, texts in order
	csv    func() []table.ColumnOf[R]
	text   func(dst []byte, list []R, style table.Style) []byte
	last   func(*R) bool // whether a row of text comes after all others; nil: none does
}

// Keys returns the values of --sort, in order.
func (k *Kind[R]) Keys() []string { return slices.Sorted(maps.Keys(k.orders)) }

// A Printer prints rows: as they come, or all in an order.
type Printer[R any] struct {
	Kind  *Kind[R]
	Out   io.Writer
	CSV   *table.CSVForm // rows of this form
	JSON  bool           // or of JSON; neither: text
	Style table.Style
	Sort  string // one of Keys; "": rows are printed as they come

	kept, last []R
}

// Begin prints what comes before the first row.
func (o *Printer[R]) Begin() error {
	if o.CSV == nil {
		return nil
	}
	return o.write(table.Of(nil, o.Kind.csv()).AppendAs(nil, o.CSV))
}

// Add prints rows, or keeps them for End.
func (o *Printer[R]) Add(rows []R) error {
	if o.CSV == nil && !o.JSON && o.Kind.last != nil {
		rows = slices.DeleteFunc(rows, func(r R) bool {
			last := o.Kind.last(&r)
			if last {
				o.last = append(o.last, r)
			}
			return last
		})
	}
	switch {
	case o.Sort == "":
		return o.write(o.append(nil, rows))
	case o.kept == nil:
		o.kept = rows
	default:
		o.kept = append(o.kept, rows...)
	}
	return nil
}

// End prints what Add has kept.
func (o *Printer[R]) End() error {
	var out []byte
	if o.Sort != "" {
		order := o.Kind.orders[o.Sort]
		slices.SortStableFunc(o.kept, func(a, b R) int { return order(&a, &b) })
		out = o.append(out, o.kept)
	}
	if len(o.last) > 0 {
		out = o.Kind.text(out, o.last, o.Style)
	}
	return o.write(out)
}

func (o *Printer[R]) append(dst []byte, rows []R) []byte {
	switch {
	case o.CSV != nil:
		t := table.Of(rows, o.Kind.csv())
		t.Bare = true
		return t.AppendAs(dst, o.CSV)
	case o.JSON:
		for i := range rows {
			line, err := json.Marshal(&rows[i])
			if err != nil {
				panic(err) // made of texts and finite numbers
			}
			dst = append(append(dst, wiretext.EscapeJSON(line)...), '\n')
		}
		return dst
	}
	return o.Kind.text(dst, rows, o.Style)
}

func (o *Printer[R]) write(out []byte) error {
	if len(out) == 0 {
		return nil
	}
	_, err := o.Out.Write(out)
	return err
}
