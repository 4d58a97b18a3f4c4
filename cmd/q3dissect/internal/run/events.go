package run

import (
	"bytes"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// eventRenderer returns the function that appends the events of one record. It is safe for concurrent use.
func (pl *plan) eventRenderer() func(dst []byte, rec *dissect.Record) []byte {
	opts := render.JSON{NoNames: pl.NoNames}
	if pl.merge != nil {
		return pl.mergeRenderer(opts)
	}
	switch pl.form {
	case formLines:
		return func(dst []byte, rec *dissect.Record) []byte { return render.AppendEventsJSON(dst, rec, opts) }
	case formArray:
		return func(dst []byte, rec *dissect.Record) []byte {
			from := len(dst)
			dst = render.AppendEventsJSON(dst, rec, opts)
			return separate(dst, from)
		}
	}
	return pl.eventList().Append
}

// separate turns the lines of dst, from index from on, into elements of an array: JSON has line feeds only at
// their ends.
func separate(dst []byte, from int) []byte {
	if len(dst) == from {
		return dst
	}
	lines := bytes.ReplaceAll(dst[from:len(dst)-1], []byte{'\n'}, []byte(output.Separator))
	return append(append(dst[:from], output.Separator...), lines...)
}

func (pl *plan) eventHeader() []byte {
	if pl.merge != nil {
		return []byte(view.MergeHeader)
	}
	list := pl.eventList()
	return list.AppendHeader(nil)
}

// eventList returns the list as text, fitted to the terminal.
func (pl *plan) eventList() *render.EventList {
	return &render.EventList{Time: pl.list.Time, Width: pl.list.Width, Color: pl.list.Color}
}
