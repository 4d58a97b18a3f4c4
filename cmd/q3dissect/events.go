package main

import (
	"bytes"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/render"
)

const eventsHelp = `q3dissect events tells what happens in the games of captures and demos.

  q3dissect events capture.pcap                   one line per event
  q3dissect events demo.dm_68 --json              one JSON object per event
  q3dissect events capture.pcap --json | jq 'select(.event=="kill")|.info'

Kills, chat, players that come, go, change name and team, items, flags,
scores, votes, maps, warm-up and matches, rcon. Every client of a server has
a stream of its own, which tells what that client was sent.
`

// newEventsCommand makes the verb events.
func newEventsCommand(p *program) *cobra.Command {
	s := newSettings()
	s.events = true
	cmd := &cobra.Command{
		Use:   "events [FLAGS] FILE... [FILTER]",
		Short: "who did what in the game",
		Long:  eventsHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			inputs, err := p.takeFilter(s, s.inputs(args), filter.Events(p.protocols))
			if err != nil {
				return err
			}
			return p.tellEvents(s, inputs)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&s.json, "json", false, "one JSON object per line")
	f.StringVarP(&s.format, "format", "T", "", "`FORMAT`: text, or json (one array)")
	f.BoolVar(&s.noNames, "no-names", false, "JSON without the names of numbers")
	s.commonText(f, "event")
	s.bench.define(f)
	s.commonChoice(f)
	s.commonInput(f, "there was no event")

	f.BoolVar(&s.listFields, "list-fields", false, "list the fields of the events, or those below a PREFIX")
	f.BoolVar(&s.schema, "schema", false, "print the JSON Schema of the events")
	markMain(f, "json", "display-filter", "frames", "show-secrets", "list-fields", "schema")
	return cmd
}

// tellEvents is what the verb does.
func (p *program) tellEvents(s *settings, inputs []string) error {
	switch {
	case s.listFields && s.schema:
		return usageError("--list-fields and --schema contradict each other")
	case s.listFields && len(inputs) == 1:
		return p.listSome(render.ListEventFields(p.protocols), inputs[0], s.json)
	case (s.listFields || s.schema) && len(inputs) > 0:
		return usageError("--list-fields and --schema read no file, but %s is given", inputs[0])
	case s.schema:
		return p.print(render.EventSchema(p.protocols))
	case s.listFields:
		return p.print(listFields(render.ListEventFields(p.protocols), s.json))
	case len(inputs) == 0:
		return usageError("no input: name a capture or demo file, or - for standard input")
	case s.format != "" && s.format != "text" && s.format != "json":
		return usageError("-T %s: events are printed as text or json", s.format)
	}
	pl, err := newPlan(p, s)
	if err != nil {
		return err
	}
	return pl.run(inputs)
}

// eventRenderer gives the function that appends the events of one record. It may serve several goroutines.
func (pl *plan) eventRenderer(previous *previousTimes) func(dst []byte, rec *dissect.Record) []byte {
	opts := render.JSON{NoNames: pl.noNames}
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
	list := pl.eventList()
	if previous != nil {
		list.Previous = previous.of
	}
	return list.Append
}

// separate makes elements of an array of the lines that stand in dst from from on: JSON has no line feed
// but at their ends.
func separate(dst []byte, from int) []byte {
	if len(dst) == from {
		return dst
	}
	lines := bytes.ReplaceAll(dst[from:len(dst)-1], []byte{'\n'}, []byte(separator))
	return append(append(dst[:from], separator...), lines...)
}

func (pl *plan) eventHeader() []byte {
	list := pl.eventList()
	return list.AppendHeader(nil)
}

// eventList is the list as text, with what the plan found out about the terminal.
func (pl *plan) eventList() *render.EventList {
	return &render.EventList{Time: pl.list.Time, Width: pl.list.Width, Color: pl.list.Color}
}
