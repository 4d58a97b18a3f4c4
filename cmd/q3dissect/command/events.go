package command

import (
	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

const eventsHelp = `q3dissect events shows what happens in the games of captures and demos.

  q3dissect events capture.pcap                   one line per event
  q3dissect events demo.dm_68 --json              one JSON object per event
  q3dissect events demo.dm_68 --csv               rows for a spreadsheet
  q3dissect events capture.pcap --json | jq 'select(.event=="kill")|.info'

Kills, chat, players that come, go, change name and team, items, flags,
scores, votes, maps, warm-up, matches with their results, rcon. Every client
of a server has a stream of its own, which has what that client was sent;
--merge makes one game of them, and of several recordings of one match.
`

const eventsVerb = "events"

// newEventsCommand makes the verb events.
func newEventsCommand(p *program) *cobra.Command {
	s, d := run.NewSettings(), &documents{}
	s.Events = true
	var csv bool
	cmd := &cobra.Command{
		Use:   eventsVerb + " [FLAGS] FILE... [FILTER]",
		Short: "who did what in the game",
		Long:  eventsHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case csv && (s.Format != "" || s.JSON):
				return exit.Usagef("--csv, --json and -T contradict each other")
			case csv:
				s.Format = "csv"
			}
			inputs, err := s.TakeFilter(s.Inputs(args), filter.Events(p.protocols))
			if err != nil {
				return err
			}
			return p.printEvents(s, *d, inputs)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&s.JSON, "json", false, "one JSON object per line")
	f.BoolVar(&csv, "csv", false, "rows for spreadsheets: file, time, event, who, whom, with, text")
	f.StringArrayVarP(&s.Columns, "columns", "E", nil, "`OPTIONS`: of --csv: formulas=keep, header=n, separator=, quote, bom")
	f.StringVarP(&s.Format, "format", "T", "", run.FormUsage(true))
	f.BoolVar(&s.NoNames, "no-names", false, "JSON without the names of numbers")
	f.BoolVar(&s.Shots, "shots", false, "each shot too, as -z shots has it, without the map: event \"shot\"")
	f.BoolVar(&s.Merge, "merge", false, "join streams of one server, or recordings of one match: each event once")
	s.Highlights.Define(f, "remarkable moments too: multikill, midair, flick; the three flags below ask for them too")
	f.BoolVar(&s.CommunityID, "community-id", false, "JSON with the Community ID of the flow")
	s.TextFlags(f, "event")
	s.FilterFlags(f)
	s.ChoiceFlags(f)
	s.InputFlags(f, "there was no event")
	s.ManyFlags(f)

	f.BoolVar(&d.listFields, "list-fields", false,
		"list the fields of the events, or those with a WORD in their name or description")
	f.BoolVar(&d.schema, "schema", false, "print the JSON Schema of the events")
	help.MarkMain(f, "json", "csv", "merge", "display-filter", "frames", "show-secrets", "list-fields", "schema")
	return cmd
}

// printEvents runs the verb.
func (p *program) printEvents(s *run.Settings, d documents, inputs []string) error {
	switch {
	case d.listFields && d.schema:
		return exit.Usagef("--list-fields and --schema contradict each other")
	case d.listFields && len(inputs) == 1:
		return p.listSome(schema.ListEventFields(p.protocols), inputs[0], s.JSON)
	case (d.listFields || d.schema) && len(inputs) > 0:
		return exit.Usagef("--list-fields and --schema read no file, but %s is given", inputs[0])
	case d.schema && s.Merge:
		return p.Print(schema.MergedEvents(p.protocols))
	case d.schema:
		return p.Print(schema.Events(p.protocols))
	case d.listFields:
		return p.Print(p.listFields(schema.ListEventFields(p.protocols), s.JSON))
	case len(inputs) == 0:
		return exit.Usagef("no input: name a capture or demo file, or - for standard input")
	}
	pl, err := run.NewPlan(p.Console, p.protocols, s)
	if err != nil {
		return err
	}
	return pl.Run(inputs)
}
